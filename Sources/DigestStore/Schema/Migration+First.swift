extension Migration {
  /// Schema 1. Tables have singular names, views plural ones. The views `novel_values`, `failures`,
  /// `occurrences`, `decodes` and `losses` are public.
  ///
  /// Moments are milliseconds since 1970, hours are hours since 1970.
  static let first = Migration(
    version: 1,
    sql: """
      CREATE TABLE store (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- 32 random hexadecimal digits. The id of a digest consists of this identity, its number
        -- and its moment. The moment distinguishes digests that got the same number because the
        -- file was copied, restored, or lost its end in a power cut.
        identity TEXT NOT NULL,
        -- The last folded digest: the counts below include all digests up to it.
        folded_through INTEGER NOT NULL DEFAULT 0,
        -- Digests up to this id may be deleted. They are deleted in the order of their ids, and
        -- only once the counts include them.
        evicted_through INTEGER NOT NULL DEFAULT 0,
        -- The counts by hour before this hour are deleted; only those by day are left.
        coarse_before INTEGER NOT NULL DEFAULT 0,
        -- How often samples have been cleared. A process that caches samples drops them when this
        -- changes.
        sample_generation INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO store (id, identity) VALUES (1, lower(hex(randomblob(16))));

      CREATE TABLE model (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
      ) STRICT;

      -- Release 0 has no name.
      CREATE TABLE release (
        id INTEGER PRIMARY KEY,
        name TEXT UNIQUE
      ) STRICT;
      INSERT INTO release VALUES (0, NULL);

      CREATE TABLE failure (
        id INTEGER PRIMARY KEY,
        model_id INTEGER NOT NULL REFERENCES model,
        -- The pattern: items[].kind
        coding_path TEXT NOT NULL,
        -- The pattern as a format for printf, with a %s for each index or key: items[%s].kind
        path_format TEXT NOT NULL,
        kind TEXT NOT NULL,
        expected_type TEXT,
        novel_value TEXT,
        value_type TEXT,
        -- The first failure of the same novel value: novel values are grouped by it.
        value_id INTEGER REFERENCES failure,
        -- The sample: the message and the found value of the first occurrence that had them. An
        -- entry stores only what differs from the sample.
        message TEXT,
        -- null, boolean, number, string, array or object
        found_type TEXT,
        -- Text, NULL for none, or the number 1 for the failure's novel value.
        found_value ANY,
        -- Whether an entry that omits the found value has this one (1) or none (0). The first
        -- occurrence decides.
        found_default INTEGER NOT NULL DEFAULT 0,
        -- Whether the message was cleared. The next occurrence then stores its own.
        message_cleared INTEGER NOT NULL DEFAULT 0,
        -- Whether the found value was cleared. The next one of the same type then replaces it. The
        -- type stays, because entries with their own value omit it.
        found_cleared INTEGER NOT NULL DEFAULT 0,
        -- When the found value was recorded, if no digest refers to it and only reports show it.
        found_at INTEGER
      ) STRICT;
      -- Nulls are distinct in a unique index (SQLite, "CREATE INDEX"). The integer 0 is not, and
      -- differs from every text.
      CREATE UNIQUE INDEX failure_identity ON failure (
        model_id, coding_path, ifnull(novel_value, 0), ifnull(value_type, 0), kind,
        ifnull(expected_type, 0)
      );
      -- The failures without a novel value, and those that are not the first with theirs. Reports
      -- look up only these.
      CREATE INDEX failure_not_first ON failure (value_id) WHERE value_id IS NOT id;
      -- Each report looks up the few failures that stand for many.
      CREATE INDEX failure_overflow ON failure (id) WHERE \(Overflow.failureCondition);
      CREATE INDEX failure_found_at ON failure (found_at) WHERE found_at IS NOT NULL;

      CREATE TABLE digest (
        id INTEGER PRIMARY KEY,
        recorded_at INTEGER NOT NULL,
        model_id INTEGER NOT NULL REFERENCES model,
        release_id INTEGER NOT NULL REFERENCES release,
        -- JSON: [[failure, index or key…, {"m": message, "t": type, "f": found value}?]…]
        -- Each member of the object is optional. An "f" without a "t" has the failure's type; a
        -- "t" without an "f" has no value. An "f" of 1 is the failure's novel value.
        entries TEXT NOT NULL,
        -- JSON, if the digest has more errors than entries: [[failure, count, {…}?]…]
        omissions TEXT
      ) STRICT;

      -- The ids of imported digests.
      CREATE TABLE foreign_digest (
        digest_id INTEGER PRIMARY KEY REFERENCES digest,
        external_id TEXT NOT NULL UNIQUE
      ) STRICT;

      -- The range of ids that contains all folded digests of an hour, among others.
      CREATE TABLE hour (
        hour INTEGER PRIMARY KEY,
        first_digest_id INTEGER NOT NULL,
        last_digest_id INTEGER NOT NULL
      ) STRICT;

      -- The counts of all time and all releases, for the views.
      CREATE TABLE lifetime (
        failure_id INTEGER PRIMARY KEY REFERENCES failure,
        occurrences INTEGER NOT NULL,
        digests INTEGER NOT NULL,
        -- The digests in which an earlier failure has the same novel value. Without them the
        -- digests of a novel value's failures add up to the digests of the value.
        shared_digests INTEGER NOT NULL,
        first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL,
        -- When the newest folded digest was recorded that relies on the sample's message, or on
        -- its found value; -1 for none since the sample was cleared.
        message_used INTEGER NOT NULL DEFAULT -1,
        found_used INTEGER NOT NULL DEFAULT -1
      ) STRICT;

      -- The counts of each release by hour, by day and of all time, packed: with many rare failures
      -- a count takes about 5 bytes instead of 40. A period and a release may have several rows,
      -- which add up.
      CREATE TABLE period (
        id INTEGER PRIMARY KEY,
        -- The length of the period in hours: 1, 24, or 0 for all time; -1 for a list of merged
        -- releases, each with its id in place of a failure's.
        span INTEGER NOT NULL,
        -- Its first hour; 0 for all time.
        start INTEGER NOT NULL,
        release_id INTEGER NOT NULL REFERENCES release,
        -- The counts of its failures, sorted by id; CountEncoder documents the format.
        cells BLOB NOT NULL
      ) STRICT;
      CREATE INDEX period_start ON period (span, start, release_id);

      -- The same by model: a digest with three failures counts once. The ids in its counts are
      -- those of models.
      CREATE TABLE model_period (
        id INTEGER PRIMARY KEY,
        span INTEGER NOT NULL,
        start INTEGER NOT NULL,
        release_id INTEGER NOT NULL REFERENCES release,
        cells BLOB NOT NULL
      ) STRICT;
      CREATE INDEX model_period_start ON model_period (span, start, release_id);

      -- Decodes by hour. A digest is a decode with errors; all others are clean.
      CREATE TABLE decode (
        -- The hour; the first hour of its day where hours were added up, and -1 where days were.
        hour INTEGER NOT NULL,
        model_id INTEGER NOT NULL REFERENCES model,
        release_id INTEGER NOT NULL REFERENCES release,
        -- A random number that identifies a count of clean decodes in all stores that have it. 0
        -- for clean decodes that were added up, -1 for folded digests.
        origin INTEGER NOT NULL,
        -- Whether this store counts in this row.
        is_own INTEGER NOT NULL,
        decodes INTEGER NOT NULL,
        -- The last digest before the last change, for exports of what is new.
        written_after INTEGER NOT NULL,
        PRIMARY KEY (hour, model_id, release_id, origin)
      ) STRICT, WITHOUT ROWID;

      -- The losses of an hour, by reason.
      CREATE TABLE loss (
        reason TEXT NOT NULL,
        hour INTEGER NOT NULL,
        digests INTEGER NOT NULL,
        occurrences INTEGER NOT NULL,
        -- More information, such as the name of a quarantined file.
        note TEXT,
        PRIMARY KEY (reason, hour)
      ) STRICT, WITHOUT ROWID;

      -- The processes that write in the background and have not closed the store.
      CREATE TABLE background_process (
        id INTEGER PRIMARY KEY,
        -- The id of the process, and the namespace of that id.
        process INTEGER NOT NULL,
        namespace TEXT NOT NULL,
        since INTEGER NOT NULL
      ) STRICT;

      \(views)
      """
  )
}
