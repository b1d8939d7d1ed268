#if PostgreSQL
  import DigestStore

  extension FleetMigration {
    /// The hours and days of failures in packs, as in a store's file: a row for each would be some
    /// 150 bytes, and of a month there are millions.
    ///
    /// What a push brings is a pack of its own, so that none waits for another; now and then packs are
    /// added up. And the digests themselves, of stores that send them.
    static let growth = FleetMigration(
      version: 2,
      sql: """
        -- By how much the counts of failures have grown in an hour (span 1) or a day (24), by one push
        -- or by several. A pack is as CellEncoder makes it; its numbers are ids of failures.
        CREATE TABLE digests.growth (
          id bigint GENERATED ALWAYS AS IDENTITY,
          span smallint NOT NULL,
          start bigint NOT NULL,
          release_id bigint NOT NULL REFERENCES digests.release,
          cells bytea NOT NULL,
          PRIMARY KEY (span, start, release_id, id)
        );
        -- They are packed already.
        ALTER TABLE digests.growth ALTER COLUMN cells SET STORAGE EXTERNAL;
        ALTER TABLE digests.pack ALTER COLUMN cells SET STORAGE EXTERNAL;
        """,
      finish: { connection in
        try connection.packTallies()
        try connection.run(
          """
          DELETE FROM digests.tally WHERE span <> 0;
          ALTER TABLE digests.tally DROP COLUMN span, DROP COLUMN start;
          ALTER TABLE digests.tally ADD PRIMARY KEY (failure_id, release_id);
          """)
      }
    )
  }

  extension PostgreSQLConnection {
    /// Packs the tallies of hours and days that were a row for each failure.
    fileprivate func packTallies() throws {
      try run(
        """
        DECLARE tallies NO SCROLL CURSOR FOR
        SELECT span::bigint, start, release_id, failure_id, occurrences, digests, shared_digests,
          first_seen, last_seen
        FROM digests.tally WHERE span <> 0 ORDER BY span, start, release_id, failure_id
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
