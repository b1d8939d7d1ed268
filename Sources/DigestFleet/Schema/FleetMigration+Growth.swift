#if PostgreSQL
  import DigestStore

  extension FleetMigration {
    /// The counts of failures in packs, as in a store's file: a row for each hour would be some 150
    /// bytes, and of a month there are millions. Those of all time are rows too, for other programs.
    ///
    /// What a push brings is a pack of its own, so that none waits for another; now and then packs are
    /// added up. And the digests themselves, of stores that send them.
    static let growth = FleetMigration(
      version: 2,
      sql: """
        -- By how much the counts of failures have grown in an hour (span 1), a day (24) or in all (0),
        -- by one push or by several. A pack is as CellEncoder makes it; its numbers are ids of failures.
        CREATE TABLE digests.growth (
          id bigint GENERATED ALWAYS AS IDENTITY,
          span smallint NOT NULL,
          start bigint NOT NULL,
          release_id bigint NOT NULL REFERENCES digests.release,
          cells bytea NOT NULL,
          PRIMARY KEY (span, start, release_id, id)
        );
        -- Digests of a store that follow each other, as lines of NDJSON.
        CREATE TABLE digests.digest_page (
          source_id bigint NOT NULL REFERENCES digests.source,
          first_number bigint NOT NULL,
          last_number bigint NOT NULL,
          first_recorded_at bigint NOT NULL,
          last_recorded_at bigint NOT NULL,
          digests bigint NOT NULL,
          -- Which failures they have.
          failures bigint[] NOT NULL,
          lines text NOT NULL,
          PRIMARY KEY (source_id, first_number)
        );
        CREATE INDEX digest_page_last ON digests.digest_page (last_recorded_at);
        -- Whether anything of it is counted; what is just being pushed is not, at first.
        ALTER TABLE digests.failure ADD COLUMN is_counted boolean NOT NULL DEFAULT false;
        UPDATE digests.failure AS f SET is_counted = true
        WHERE EXISTS (SELECT 1 FROM digests.tally AS t WHERE t.failure_id = f.id);
        -- What the numbers of a store mean, from a number on: a row for each would be ten times as much.
        CREATE TABLE digests.source_numbers (
          source_id bigint NOT NULL REFERENCES digests.source,
          -- 0 for failures, 1 for models.
          counted smallint NOT NULL,
          first_number bigint NOT NULL,
          last_number bigint NOT NULL,
          -- Ids of failures or models; 0 where the store has no such number.
          ids bigint[] NOT NULL,
          PRIMARY KEY (source_id, counted, first_number)
        );
        -- When the last of what the store has counted was recorded.
        ALTER TABLE digests.source ADD COLUMN last_moment bigint NOT NULL DEFAULT 0;
        UPDATE digests.source SET last_moment = last_recorded_at;
        -- Up to which number digests were sent, or were gone.
        ALTER TABLE digests.source ADD COLUMN digests_through bigint NOT NULL DEFAULT 0;
        -- Of all time and all releases, for SQL.
        CREATE TABLE digests.failure_tally (
          failure_id bigint PRIMARY KEY,
          occurrences bigint NOT NULL,
          digests bigint NOT NULL,
          shared_digests bigint NOT NULL,
          first_seen bigint NOT NULL,
          last_seen bigint NOT NULL
        );
        INSERT INTO digests.failure_tally
        SELECT failure_id, sum(occurrences), sum(digests), sum(shared_digests), min(first_seen),
          max(last_seen)
        FROM digests.tally WHERE span = 0 GROUP BY failure_id;
        -- Each of its rows is changed again and again: in its place, where a page has room for it.
        ALTER TABLE digests.failure_tally SET (fillfactor = 50);
        ALTER TABLE digests.model_tally SET (fillfactor = 70);
        -- They are packed already.
        ALTER TABLE digests.growth ALTER COLUMN cells SET STORAGE EXTERNAL;
        ALTER TABLE digests.pack ALTER COLUMN cells SET STORAGE EXTERNAL;
        """,
      finish: { connection in
        try connection.packTallies()
        try connection.packNumbers()
      },
      cleanup: "DROP TABLE digests.source_failure, digests.source_model, digests.tally;"
    )
  }

  extension PostgreSQLConnection {
    fileprivate func packNumbers() throws {
      for (table, name, id) in [
        (TallyPack.Table.failures, "source_failure", "failure_id"),
        (.models, "source_model", "model_id"),
      ] {
        let sources = try run("SELECT DISTINCT source_id FROM digests.\(name)")
        for source in sources.map({ $0.integer(0) }) {
          let rows = try run(
            "SELECT number, \(id) FROM digests.\(name) WHERE source_id = $1 ORDER BY number",
            [.integer(source)])
          try SourceNumbers.insert(
            rows.map { ($0.integer(0), $0.integer(1)) }, of: source, table, on: self)
        }
      }
    }

    /// Packs the tallies that were a row for each failure.
    fileprivate func packTallies() throws {
      try run(
        """
        DECLARE tallies NO SCROLL CURSOR FOR
        SELECT span::bigint, start, release_id, failure_id, occurrences, digests, shared_digests,
          first_seen, last_seen
        FROM digests.tally ORDER BY span, start, release_id, failure_id
        """)
      var growth = GrownPacks()
      var counts: [TallyCount] = []
      var period: (span: Int64, start: Int64, release: Int64) = (0, 0, 0)
      while true {
        let rows = try run("FETCH 20000 FROM tallies")
        for row in rows {
          let next = (row.integer(0), row.integer(1), row.integer(2))
          if next != period {
            growth.add(counts, span: period.span, start: period.start, release: period.release)
            (period, counts) = (next, [])
          }
          counts.append(
            TallyCount(
              number: row.integer(3), occurrences: row.integer(4), digests: row.integer(5),
              sharedDigests: row.integer(6), first: row.integer(7),
              // One digest has one moment.
              last: row.integer(row.integer(5) == 1 ? 7 : 8)))
        }
        if rows.isEmpty {
          growth.add(counts, span: period.span, start: period.start, release: period.release)
        }
        try growth.insert(on: self)
        growth = GrownPacks()
        if rows.isEmpty { break }
      }
      try run("CLOSE tallies")
    }
  }
#endif
