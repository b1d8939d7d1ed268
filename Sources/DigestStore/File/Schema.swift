extension Migration {
  /// Schema 1. Tables have singular names, views plural ones.
  ///
  /// Moments are milliseconds since 1970. The `start` of an hour is hours since 1970, that of a day
  /// is days since 1970. Rows refer to each other by id; nothing is ever deleted from `model`,
  /// `context` and `failure`.
  static let first = Migration(version: 1) { connection in
    try connection.execute(tables)
    try connection.execute(views)
    try connection.execute("INSERT INTO store VALUES (1, lower(hex(randomblob(16))), 0)")
    try connection.execute(
      """
      INSERT INTO source (id, identity, name, counted, counted_at, pushed_at)
      SELECT 1, identity, '', 0, 0, 0 FROM store
      """)
  }

  /// The tables. A literal, because once released the text never changes, not even its comments: a
  /// file whose tables have another text is damaged. What changes is a further migration.
  static let tables = """
    CREATE TABLE store (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      -- 32 random hexadecimal digits.
      identity TEXT NOT NULL,
      -- The id of the last digest that the counts include.
      folded INTEGER NOT NULL
    ) STRICT;

    -- The stores whose counts are here. 1 is this store; the others were pushed.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      -- The name that its last push has given it, such as that of its host, or an empty text.
      name TEXT NOT NULL,
      -- The number of the source's last digest in our counts, and when it was recorded, if this file
      -- has all counts of the source, or 0.
      counted INTEGER NOT NULL,
      counted_at INTEGER NOT NULL,
      -- When it was pushed last, or 0.
      pushed_at INTEGER NOT NULL,
      -- A random number while a push of the source has not ended, or 0. Its counts are a part then.
      pushing INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- The stores whose exports were imported. What they brought is this store's own. Their numbers
    -- tell which digests of another import are here already, or were.
    CREATE TABLE origin (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      -- The day of its last import, in days since 1970.
      seen INTEGER NOT NULL,
      -- The largest number of a digest that was deleted here.
      evicted INTEGER NOT NULL,
      -- The last hour whose rows in origin_decodes were deleted, or -1.
      evicted_hour INTEGER NOT NULL,
      -- The last number whose loss is counted: a digest that was deleted before it was sent.
      lost INTEGER NOT NULL
    ) STRICT;

    -- The decodes without errors that an origin has reported of an hour, which the counts include.
    CREATE TABLE origin_decodes (
      hour INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      -- A hash of the model and the context, as they were reported.
      names INTEGER NOT NULL,
      decodes INTEGER NOT NULL,
      PRIMARY KEY (hour, origin, names)
    ) WITHOUT ROWID, STRICT;

    -- What was uploaded to a collector.
    CREATE TABLE upload (
      url TEXT PRIMARY KEY,
      -- The id of the last digest.
      digest INTEGER NOT NULL,
      -- The hour whose decodes come next, and how many lines of it were sent.
      hour INTEGER NOT NULL,
      lines INTEGER NOT NULL
    ) WITHOUT ROWID, STRICT;

    CREATE TABLE model (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;

    -- Where digests come from. An empty text is none. 0 stands for all contexts, and has no row.
    CREATE TABLE context (
      id INTEGER PRIMARY KEY,
      source INTEGER NOT NULL REFERENCES source,
      release TEXT NOT NULL,
      environment TEXT NOT NULL,
      operation TEXT NOT NULL,
      UNIQUE (release, environment, operation, source)
    ) STRICT;

    CREATE TABLE failure (
      id INTEGER PRIMARY KEY,
      -- 16 bytes, a hash of the identity: model, path, and the novel value with its type or, without
      -- one, kind, expected type, and the found type of a body that isn't JSON.
      key BLOB NOT NULL UNIQUE,
      model INTEGER NOT NULL REFERENCES model,
      -- The pattern: items[].kind
      coding_path TEXT NOT NULL,
      kind TEXT NOT NULL,
      expected_type TEXT,
      novel_value TEXT,
      value_type TEXT,
      -- The sample: message and found value of one occurrence.
      message TEXT,
      -- null, boolean, number, string, array or object, or of a body that isn't JSON: html, empty,
      -- truncated, compressed or utf16
      found_type TEXT,
      found_value TEXT,
      -- When the sample was recorded.
      sampled_at INTEGER
    ) STRICT;

    -- Counts the novel values of a path.
    CREATE INDEX failure_place ON failure (model, coding_path);

    -- Each report looks up the few failures that stand for many.
    CREATE INDEX failure_overflow ON failure (id) WHERE value_type IS NULL AND expected_type IS NULL
      AND (novel_value = '(other values)' OR coding_path = '["(other paths)"]');

    CREATE TABLE digest (
      id INTEGER PRIMARY KEY,
      recorded_at INTEGER NOT NULL,
      model INTEGER NOT NULL REFERENCES model,
      context INTEGER NOT NULL REFERENCES context,
      -- The source that pushed the digest, or the origin that it was imported from, and the id that it
      -- has there. All are null for a digest that this store has recorded.
      source INTEGER REFERENCES source,
      origin INTEGER REFERENCES origin,
      number INTEGER,
      -- JSON: [[failure, coding path, times, found type, found value], …]. Nulls at the end are left
      -- out. The path is null where it equals the pattern, the times where they are 1, and the found
      -- value where it equals the novel value.
      errors TEXT NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX digest_of_source ON digest (source, number) WHERE source IS NOT NULL;

    CREATE UNIQUE INDEX digest_of_origin ON digest (origin, number) WHERE origin IS NOT NULL;

    -- Finds the digests of a time.
    CREATE INDEX digest_of_time ON digest (recorded_at);

    -- The counts of all time.
    CREATE TABLE total (
      context INTEGER NOT NULL,
      failure INTEGER NOT NULL,
      occurrences INTEGER NOT NULL,
      digests INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      PRIMARY KEY (context, failure)
    ) WITHOUT ROWID, STRICT;

    -- Finds the first release of a failure.
    CREATE INDEX total_of_failure ON total (failure, first_seen, context);

    -- The counts of an hour (span 1) or a day (span 24).
    CREATE TABLE tally (
      span INTEGER NOT NULL,
      context INTEGER NOT NULL,
      start INTEGER NOT NULL,
      failure INTEGER NOT NULL,
      occurrences INTEGER NOT NULL,
      digests INTEGER NOT NULL,
      PRIMARY KEY (span, context, start, failure)
    ) WITHOUT ROWID, STRICT;

    -- The decodes of an hour or a day, with and without errors. A start of -1 is the sum of the days
    -- whose counts were deleted.
    CREATE TABLE decodes (
      span INTEGER NOT NULL,
      context INTEGER NOT NULL,
      start INTEGER NOT NULL,
      model INTEGER NOT NULL,
      decodes INTEGER NOT NULL,
      -- The rows of digest among them, and those with at least one error.
      digests INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      -- Their errors.
      occurrences INTEGER NOT NULL,
      PRIMARY KEY (span, context, start, model)
    ) WITHOUT ROWID, STRICT;

    -- The losses of an hour, by reason.
    CREATE TABLE loss (
      hour INTEGER NOT NULL,
      reason TEXT NOT NULL,
      digests INTEGER NOT NULL,
      occurrences INTEGER NOT NULL,
      -- More information, such as the name of a quarantined file.
      note TEXT,
      PRIMARY KEY (reason, hour)
    ) WITHOUT ROWID, STRICT;
    """
}

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
      ifnull(o.identity, s.identity) || '-' || ifnull(d.number, d.id) || '-' || d.recorded_at
        AS digest_id,
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
    JOIN source AS s ON s.id = ifnull(d.source, 1)
    LEFT JOIN origin AS o ON o.id = d.origin;

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
