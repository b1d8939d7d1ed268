extension Migration {
  /// The views of schema 1.
  ///
  /// They call only functions that SQLite classifies as innocuous, so that they work with
  /// `trusted_schema = OFF`. That setting allows the table-valued function json_each but not
  /// json_extract.
  static let views = """
    -- The counts of all time, and the digests that they do not include yet.
    CREATE VIEW counts AS
    SELECT failure_id, occurrences, digests, shared_digests, first_seen, last_seen
    FROM lifetime
    UNION ALL
    SELECT failure_id, occurrences, 1,
      value_id IS NOT NULL AND row_number() OVER (
        PARTITION BY digest_id, value_id ORDER BY failure_id) > 1,
      recorded_at, recorded_at
    FROM (
      SELECT h.digest_id, h.recorded_at, h.failure_id, f.value_id,
        sum(h.occurrences) AS occurrences
      FROM (
        SELECT d.id AS digest_id, d.recorded_at, a.value AS failure_id, 1 AS occurrences
        FROM digest AS d, json_each(d.entries) AS e, json_each(e.value) AS a
        WHERE d.id > (SELECT folded_through FROM store) AND a.key = 0
        UNION ALL
        SELECT d.id, d.recorded_at, a.value,
          (SELECT n.value FROM json_each(o.value) AS n WHERE n.key = 1)
        FROM digest AS d, json_each(d.omissions) AS o, json_each(o.value) AS a
        WHERE d.id > (SELECT folded_through FROM store) AND d.omissions IS NOT NULL
          AND a.key = 0
      ) AS h
      JOIN failure AS f ON f.id = h.failure_id
      GROUP BY h.digest_id, h.failure_id
    );

    CREATE VIEW failures AS
    SELECT f.id, m.name AS model, f.coding_path, f.kind, f.expected_type, f.novel_value,
      f.value_type, sum(c.occurrences) AS occurrences, sum(c.digests) AS digests,
      strftime('%Y-%m-%dT%H:%M:%fZ', min(c.first_seen) / 1000.0, 'unixepoch') AS first_seen,
      strftime('%Y-%m-%dT%H:%M:%fZ', max(c.last_seen) / 1000.0, 'unixepoch') AS last_seen,
      f.found_type,
      iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value) AS found_value
    FROM counts AS c
    JOIN failure AS f ON f.id = c.failure_id
    JOIN model AS m ON m.id = f.model_id
    GROUP BY f.id;

    CREATE VIEW novel_values AS
    SELECT m.name AS model, f.coding_path, f.novel_value, f.value_type,
      sum(c.occurrences) AS occurrences, sum(c.digests - c.shared_digests) AS digests,
      strftime('%Y-%m-%dT%H:%M:%fZ', min(c.first_seen) / 1000.0, 'unixepoch') AS first_seen,
      strftime('%Y-%m-%dT%H:%M:%fZ', max(c.last_seen) / 1000.0, 'unixepoch') AS last_seen
    FROM counts AS c
    JOIN failure AS f ON f.id = c.failure_id
    JOIN model AS m ON m.id = f.model_id
    WHERE f.value_id IS NOT NULL
    GROUP BY f.value_id;

    -- All decodes, if clean ones are counted. The hour is null where the file has lost it.
    CREATE VIEW decodes AS
    SELECT m.name AS model, r.name AS release,
      iif(c.hour < 0, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', c.hour * 3600, 'unixepoch')) AS hour,
      sum(c.decodes) AS decodes
    FROM (
      SELECT hour, model_id, release_id, decodes FROM decode
      UNION ALL
      SELECT recorded_at / 3600000, model_id, release_id, 1 FROM digest
      WHERE id > (SELECT folded_through FROM store)
        AND (entries <> '[]' OR omissions IS NOT NULL)
    ) AS c
    JOIN model AS m ON m.id = c.model_id
    JOIN release AS r ON r.id = c.release_id
    GROUP BY c.hour, c.model_id, c.release_id;

    CREATE VIEW losses AS
    SELECT reason, strftime('%Y-%m-%dT%H:%M:%fZ', hour * 3600, 'unixepoch') AS hour, digests,
      occurrences, note
    FROM loss;

    -- An omission has as many rows as it counts, with the pattern as its path. The joined digits
    -- generate the row numbers below its count one at a time, so that the first rows arrive at
    -- once.
    CREATE VIEW occurrences AS
    WITH digit (value) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))
    SELECT
      ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at) AS digest_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
      r.name AS release, m.name AS model,
      -- printf returns null for an empty format, which is the path of the whole document.
      ifnull(printf(f.path_format,
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 1),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 2),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 3),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 4),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 5),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 6),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 7),
          (SELECT p.value FROM json_each(e.value) AS p WHERE p.key = 8)), '') AS coding_path,
      f.kind, f.expected_type,
      f.novel_value, f.value_type,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'm')
        THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 'm')
        ELSE f.message END AS message,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 't')
        THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 't')
        WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'f')
          OR f.found_default THEN f.found_type
        END AS found_type,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
        THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
          FROM json_each(own.value) AS o WHERE o.key = 'f')
        WHEN f.found_default
        THEN iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)
        END AS found_value
    FROM digest AS d
    CROSS JOIN json_each(d.entries) AS e
    CROSS JOIN json_each(e.value) AS a ON a.key = 0
    CROSS JOIN failure AS f ON f.id = a.value
    CROSS JOIN model AS m ON m.id = f.model_id
    CROSS JOIN release AS r ON r.id = d.release_id
    CROSS JOIN store AS s
    LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
    LEFT JOIN json_each(e.value) AS own ON own.type = 'object'
    UNION ALL
    SELECT
      ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at) AS digest_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
      r.name AS release, m.name AS model, f.coding_path, f.kind, f.expected_type,
      f.novel_value, f.value_type,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'm')
        THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 'm')
        ELSE f.message END AS message,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 't')
        THEN (SELECT o.value FROM json_each(own.value) AS o WHERE o.key = 't')
        WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'f') THEN f.found_type
        END AS found_type,
      CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
        THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
          FROM json_each(own.value) AS o WHERE o.key = 'f')
        END AS found_value
    FROM digest AS d
    CROSS JOIN json_each(d.omissions) AS o
    CROSS JOIN json_each(o.value) AS a ON a.key = 0
    CROSS JOIN json_each(o.value) AS n ON n.key = 1
    CROSS JOIN failure AS f ON f.id = a.value
    CROSS JOIN model AS m ON m.id = f.model_id
    CROSS JOIN release AS r ON r.id = d.release_id
    CROSS JOIN store AS s
    LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
    LEFT JOIN json_each(o.value) AS own ON own.type = 'object'
    CROSS JOIN digit AS d7 ON d7.value * 10000000 < n.value
    CROSS JOIN digit AS d6 ON d7.value * 10000000 + d6.value * 1000000 < n.value
    CROSS JOIN digit AS d5
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 < n.value
    CROSS JOIN digit AS d4
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
        < n.value
    CROSS JOIN digit AS d3
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
        + d3.value * 1000 < n.value
    CROSS JOIN digit AS d2
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
        + d3.value * 1000 + d2.value * 100 < n.value
    CROSS JOIN digit AS d1
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
        + d3.value * 1000 + d2.value * 100 + d1.value * 10 < n.value
    CROSS JOIN digit AS d0
      ON d7.value * 10000000 + d6.value * 1000000 + d5.value * 100000 + d4.value * 10000
        + d3.value * 1000 + d2.value * 100 + d1.value * 10 + d0.value < n.value
    WHERE d.omissions IS NOT NULL;
    """
}
