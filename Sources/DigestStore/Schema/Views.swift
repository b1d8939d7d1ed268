extension Migration {
  /// The views, which are the public face of the file. A literal, as the tables are.
  ///
  /// They call only functions that SQLite classifies as innocuous, so that they work with
  /// `trusted_schema = OFF`: json_each, but not json_extract, `->>` or json_valid. Those that are
  /// documented are plain joins without compounds, which DuckDB's parser translates to what SQLite
  /// accepts; the others are what they read.
  static let views = """
    -- The errors of digests, one row an element of digest.errors.
    CREATE VIEW entries AS
    SELECT d.id AS digest, e.key AS position,
      (SELECT value FROM json_each(e.value) WHERE key = 0) AS failure,
      (SELECT value FROM json_each(e.value) WHERE key = 1) AS coding_path,
      ifnull((SELECT value FROM json_each(e.value) WHERE key = 2), 1) AS times,
      (SELECT value FROM json_each(e.value) WHERE key = 3) AS found_type,
      (SELECT value FROM json_each(e.value) WHERE key = 4) AS found_value
    FROM digest AS d CROSS JOIN json_each(d.errors) AS e
    WHERE e.type = 'array';

    -- The counts of all time, and the digests that they do not include yet.
    CREATE VIEW counts AS
    SELECT failure, occurrences, digests, first_seen, last_seen FROM total WHERE context = 0
    UNION ALL
    SELECT n.failure, sum(n.times), count(DISTINCT d.id), min(d.recorded_at), max(d.recorded_at)
    FROM digest AS d CROSS JOIN entries AS n ON n.digest = d.id
    WHERE d.id > (SELECT folded FROM store)
    GROUP BY n.failure;

    CREATE VIEW failures AS
    SELECT f.id, m.name AS model, f.coding_path, f.kind, f.expected_type, f.novel_value,
      f.value_type, sum(c.occurrences) AS occurrences, sum(c.digests) AS digests,
      strftime('%Y-%m-%dT%H:%M:%fZ', min(c.first_seen) / 1000.0, 'unixepoch') AS first_seen,
      strftime('%Y-%m-%dT%H:%M:%fZ', max(c.last_seen) / 1000.0, 'unixepoch') AS last_seen,
      f.found_type, f.found_value
    FROM counts AS c
    JOIN failure AS f ON f.id = c.failure
    JOIN model AS m ON m.id = f.model
    GROUP BY f.id;

    CREATE VIEW novel_values AS
    SELECT model, coding_path, novel_value, value_type, occurrences, digests, first_seen, last_seen
    FROM failures
    WHERE novel_value IS NOT NULL;

    -- The path of an element is its own, or the pattern of its failure.
    CREATE VIEW occurrences AS
    SELECT
      s.identity || '-' || ifnull(d.number, d.id) || '-' || d.recorded_at AS digest_id,
      strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
      nullif(c.release, '') AS release, m.name AS model,
      ifnull(n.coding_path, f.coding_path) AS coding_path,
      f.kind, f.expected_type, f.novel_value, f.value_type, n.found_type,
      iif(n.found_type IN ('string', 'number', 'boolean'), ifnull(n.found_value, f.novel_value), NULL)
        AS found_value,
      n.times, nullif(c.environment, '') AS environment, nullif(c.operation, '') AS operation
    FROM digest AS d
    JOIN entries AS n ON n.digest = d.id
    JOIN failure AS f ON f.id = n.failure
    JOIN model AS m ON m.id = f.model
    JOIN context AS c ON c.id = d.context
    JOIN source AS s ON s.id = ifnull(d.source, 1);

    CREATE VIEW losses AS
    SELECT reason, strftime('%Y-%m-%dT%H:%M:%fZ', hour * 3600, 'unixepoch') AS hour, digests,
      occurrences, note
    FROM loss;

    -- The counts of hours and days, and the digests that they do not include yet.
    CREATE VIEW tallies AS
    SELECT span, context, start, failure, occurrences, digests FROM tally WHERE context > 0
    UNION ALL
    SELECT s.span, d.context, d.recorded_at / (s.span * 3600000), n.failure, sum(n.times),
      count(DISTINCT d.id)
    FROM (SELECT 1 AS span UNION ALL SELECT 24) AS s
    CROSS JOIN digest AS d CROSS JOIN entries AS n ON n.digest = d.id
    WHERE d.id > (SELECT folded FROM store)
    GROUP BY 1, 2, 3, 4;

    CREATE VIEW counts_by_hour AS
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', t.start * 3600, 'unixepoch') AS start,
      nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
      nullif(c.operation, '') AS operation, m.name AS model, f.coding_path, f.kind,
      f.expected_type, f.novel_value, f.value_type, sum(t.occurrences) AS occurrences,
      sum(t.digests) AS digests
    FROM tallies AS t
    JOIN context AS c ON c.id = t.context
    JOIN failure AS f ON f.id = t.failure
    JOIN model AS m ON m.id = f.model
    WHERE t.span = 1
    GROUP BY t.start, c.release, c.environment, c.operation, t.failure;

    CREATE VIEW counts_by_day AS
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', t.start * 86400, 'unixepoch') AS start,
      nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
      nullif(c.operation, '') AS operation, m.name AS model, f.coding_path, f.kind,
      f.expected_type, f.novel_value, f.value_type, sum(t.occurrences) AS occurrences,
      sum(t.digests) AS digests
    FROM tallies AS t
    JOIN context AS c ON c.id = t.context
    JOIN failure AS f ON f.id = t.failure
    JOIN model AS m ON m.id = f.model
    WHERE t.span = 24
    GROUP BY t.start, c.release, c.environment, c.operation, t.failure;

    CREATE VIEW decode_tallies AS
    SELECT span, context, start, model, decodes, failed, occurrences FROM decodes WHERE context > 0
    UNION ALL
    SELECT s.span, d.context, d.recorded_at / (s.span * 3600000), d.model, count(*),
      sum(d.errors > 0), sum(d.errors)
    FROM (SELECT 1 AS span UNION ALL SELECT 24) AS s CROSS JOIN (
      SELECT d.context, d.recorded_at, d.model,
        (SELECT ifnull(sum(n.times), 0) FROM entries AS n JOIN failure AS f ON f.id = n.failure
          WHERE n.digest = d.id AND f.kind NOT IN ('converted', 'missingKey', 'unknownKey'))
          AS errors
      FROM digest AS d
      WHERE d.id > (SELECT folded FROM store)
    ) AS d
    GROUP BY 1, 2, 3, 4;

    CREATE VIEW decodes_by_hour AS
    SELECT
      iif(t.start < 0, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', t.start * 3600, 'unixepoch'))
        AS start,
      nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
      nullif(c.operation, '') AS operation, m.name AS model, sum(t.decodes) AS decodes,
      sum(t.failed) AS failed, sum(t.occurrences) AS occurrences
    FROM decode_tallies AS t
    JOIN context AS c ON c.id = t.context
    JOIN model AS m ON m.id = t.model
    WHERE t.span = 1
    GROUP BY t.start, c.release, c.environment, c.operation, t.model;

    CREATE VIEW decodes_by_day AS
    SELECT
      iif(t.start < 0, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', t.start * 86400, 'unixepoch'))
        AS start,
      nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
      nullif(c.operation, '') AS operation, m.name AS model, sum(t.decodes) AS decodes,
      sum(t.failed) AS failed, sum(t.occurrences) AS occurrences
    FROM decode_tallies AS t
    JOIN context AS c ON c.id = t.context
    JOIN model AS m ON m.id = t.model
    WHERE t.span = 24
    GROUP BY t.start, c.release, c.environment, c.operation, t.model;
    """
}
