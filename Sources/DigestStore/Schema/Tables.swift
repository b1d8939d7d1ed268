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
      INSERT INTO source (id, identity, counted, counted_at, evicted)
      SELECT 1, identity, 0, 0, 0 FROM store
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

    -- The stores whose digests are counted here. 1 is this store.
    CREATE TABLE source (
      id INTEGER PRIMARY KEY,
      identity TEXT NOT NULL UNIQUE,
      -- The number of the source's last digest in our counts, and when it was recorded, if this file
      -- has all counts of the source, or 0.
      counted INTEGER NOT NULL,
      counted_at INTEGER NOT NULL,
      -- The largest number of an imported digest that was deleted here.
      evicted INTEGER NOT NULL,
      -- A random number while a push of the source has not ended, or 0. Its counts are a part then.
      pushing INTEGER NOT NULL DEFAULT 0
    ) STRICT;

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
      -- The store that recorded the digest, and the id that it has there. Null for this store's own.
      source INTEGER REFERENCES source,
      number INTEGER,
      -- JSON: [[failure, coding path, times, found type, found value], …]. Nulls at the end are left
      -- out. The path is null where it equals the pattern, the times where they are 1, and the found
      -- value where it equals the novel value.
      errors TEXT NOT NULL
    ) STRICT;

    CREATE UNIQUE INDEX digest_of_source ON digest (source, number) WHERE source IS NOT NULL;

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
