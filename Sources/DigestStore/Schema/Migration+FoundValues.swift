extension Migration {
  /// Schema 2: what the payload had in the place of a failure, and columns for it at the end of
  /// `failures` and `occurrences`.
  ///
  /// A found value is no part of a failure's identity, and nothing is counted by it. A store is
  /// brought here in no time, however large it is: adding a column changes no row (SQLite, "ALTER
  /// TABLE ADD COLUMN").
  static let foundValues = Migration(
    version: 2,
    sql: """
      -- Of what was found a type is null, boolean, number, string, array or object. A value is
      -- text, or NULL where there is none, or the number 1 for the failure's novel value, which
      -- need not be there twice.

      -- That of the first occurrence that had one.
      ALTER TABLE failure ADD COLUMN found_type TEXT;
      ALTER TABLE failure ADD COLUMN found_value ANY;
      -- Whether an occurrence that says nothing has this one too (1), or has none (0). Decided once,
      -- by the first occurrence, so that whoever remembers it remembers it rightly; NULL until then.
      ALTER TABLE failure ADD COLUMN found_default INTEGER;

      -- Whether its entries say what was found, if only by saying nothing: not in schema 1, nor
      -- where a process that knows no other goes on writing.
      -- An entry's object has its own type as "t" and its own value as "f"; without a "t" next to
      -- the "f" the type is that of its failure, without an "f" next to the "t" there is no value.
      -- What was only counted may have such an object too, behind its count, and else has none.
      ALTER TABLE digest ADD COLUMN says_found INTEGER NOT NULL DEFAULT 0;

      DROP VIEW failures;
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

      -- An omission, whose exact paths nobody knows, has as many rows as it counts: the numbers
      -- below its count, made of their digits one by one, so that no row waits for the others.
      DROP VIEW occurrences;
      CREATE VIEW occurrences AS
      WITH digit (value) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))
      SELECT
        ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at) AS digest_id,
        strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
        r.name AS release, m.name AS model,
        -- Of an empty format, the whole document's, printf makes null.
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
            OR (d.says_found AND f.found_default) THEN f.found_type
          END AS found_type,
        CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
          THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
            FROM json_each(own.value) AS o WHERE o.key = 'f')
          WHEN d.says_found AND f.found_default
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
          WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key = 'f')
            OR (0 AND f.found_default) THEN f.found_type
          END AS found_type,
        CASE WHEN EXISTS (SELECT 1 FROM json_each(own.value) AS o WHERE o.key IN ('t', 'f'))
          THEN (SELECT iif(o.type = 'integer', f.novel_value, o.value)
            FROM json_each(own.value) AS o WHERE o.key = 'f')
          WHEN 0 AND f.found_default
          THEN iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)
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
      """,
    readingWithout: """
      CREATE TEMP VIEW failure AS
      SELECT *, NULL AS found_type, NULL AS found_value, NULL AS found_default FROM main.failure;
      CREATE TEMP VIEW digest AS SELECT *, 0 AS says_found FROM main.digest;
      """
  )
}
