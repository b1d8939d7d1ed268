extension Migration {
  /// Schema 3: tallies of hours and days are packed, many in a row; what retention has to remember.
  ///
  /// With a heavy tail nearly every occurrence is a cell of its own, and as a row of `tally` it took
  /// some 40 bytes in each of three resolutions: packed it takes some 5.
  static let packedTallies = Migration(
    version: 3,
    sql: """
      -- The tallies of all time and all releases: rows, for the views.
      CREATE TABLE lifetime (
        failure_id INTEGER PRIMARY KEY REFERENCES failure,
        occurrences INTEGER NOT NULL,
        digests INTEGER NOT NULL,
        -- Those of the digests in which an earlier failure has the same novel value: without them
        -- the digests of a novel value's failures add up to the digests of the value.
        shared_digests INTEGER NOT NULL,
        first_seen INTEGER NOT NULL,
        last_seen INTEGER NOT NULL
      ) STRICT;
      INSERT INTO lifetime
      SELECT failure_id, sum(occurrences), sum(digests), sum(shared_digests), min(first_seen),
        max(last_seen)
      FROM tally
      WHERE span = 0
      GROUP BY failure_id;

      -- The tallies of each release, of hours, days and all time. A period and a release may have
      -- several rows, which add up.
      CREATE TABLE period (
        id INTEGER PRIMARY KEY,
        -- The length of the period in hours: 1, 24, or 0 for all time.
        span INTEGER NOT NULL,
        -- Its first hour since 1970; 0 for all time.
        start INTEGER NOT NULL,
        release_id INTEGER NOT NULL REFERENCES release,
        -- The cells of its failures, in the order of these; the type CellEncoder says how.
        cells BLOB NOT NULL
      ) STRICT;
      CREATE INDEX period_start ON period (span, start, release_id);

      -- Digests up to this id may be gone; they go in the order of their ids, and only once they
      -- are in the tallies.
      ALTER TABLE store ADD COLUMN evicted_through INTEGER NOT NULL DEFAULT 0;
      -- Hours since 1970: the tallies of the hours before it are gone, and only days are left.
      ALTER TABLE store ADD COLUMN coarse_before INTEGER NOT NULL DEFAULT 0;

      -- What is to be said of a loss, such as the name of a file that was set aside. Not a column
      -- of loss, for which an older version that has the file open gives as many values as it knows.
      CREATE TABLE loss_note (
        reason TEXT NOT NULL,
        hour INTEGER NOT NULL,
        note TEXT NOT NULL,
        PRIMARY KEY (reason, hour)
      ) STRICT, WITHOUT ROWID;

      DROP VIEW losses;
      CREATE VIEW losses AS
      SELECT l.reason, strftime('%Y-%m-%dT%H:%M:%fZ', l.hour * 3600, 'unixepoch') AS hour,
        l.digests, l.occurrences, n.note
      FROM loss AS l
      LEFT JOIN loss_note AS n ON n.reason = l.reason AND n.hour = l.hour;

      -- The failures that are no novel value, or not the first of one: all others are counted
      -- without being looked up.
      CREATE INDEX failure_not_first ON failure (value_id) WHERE value_id IS NOT id;

      -- As in schema 1, but for the table of the tallies.
      DROP VIEW counts;
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
      """,
    finish: packTallies,
    readingWithout: """
      CREATE TEMP VIEW store AS
      SELECT *, 0 AS evicted_through, 0 AS coarse_before FROM main.store;
      """
  )

  /// Packs the tallies, one period at a time: a store may have millions of them.
  ///
  /// Then their table goes, so that a process of an older version that has the file open fails to
  /// fold, and leaves it to one that can.
  @Sendable private static func packTallies(_ connection: Connection) throws {
    let tallies = try Statement(
      connection,
      """
      SELECT span, period, release_id, failure_id, occurrences, digests, shared_digests, first_seen,
        last_seen
      FROM tally
      ORDER BY span, period, failure_id
      """
    )
    let add = try Statement(
      connection,
      "INSERT INTO period (span, start, release_id, cells) VALUES (?, ?, ?, ?)"
    )
    var period: Period?
    var releases: [Int64: CellEncoder] = [:]
    func write() throws {
      guard let period else { return }
      for (release, cells) in releases.sorted(by: { $0.key < $1.key }) {
        for (index, value) in [period.span, period.start, release].enumerated() {
          try add.bind(value, at: Int32(index + 1))
        }
        try add.bind(cells.bytes, at: 4)
        try add.run()
      }
      releases = [:]
    }
    while try tallies.step() {
      let next = Period(span: tallies.integer(at: 0), start: tallies.integer(at: 1))
      if next != period { try write() }
      period = next
      let cell = Cell(
        failure: tallies.integer(at: 3),
        occurrences: tallies.integer(at: 4),
        digests: tallies.integer(at: 5),
        sharedDigests: tallies.integer(at: 6),
        first: tallies.integer(at: 7),
        last: tallies.integer(at: 8)
      )
      releases[tallies.integer(at: 2), default: CellEncoder(next)].append(cell)
    }
    try write()
    try connection.execute("DROP TABLE tally")
  }
}
