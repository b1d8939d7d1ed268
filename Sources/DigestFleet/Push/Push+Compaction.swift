#if PostgreSQL
  import DigestStore

  extension Push {
    /// How many packs of one period and release are left before they are made one: a report reads
    /// half as many on average, and each is written again once for as many pushes.
    private static let fewPacks = 16

    /// Makes one pack of many, in the periods that this push has added to.
    ///
    /// Nothing waits for it: packs that another push has just taken up are left to that one.
    func addUpGrowth() throws {
      let packs = tallies.packs.filter { $0.key.table == .failures && $0.key.span >= 0 }
      guard !packs.isEmpty else { return }
      let keys = Array(keys(packs).dropFirst())
      let crowded = try connection.run(
        """
        SELECT g.span::bigint, g.start, g.release_id
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (span, start, release_id)
        JOIN digests.growth AS g USING (span, start, release_id)
        GROUP BY g.span, g.start, g.release_id
        HAVING count(*) >= \(Self.fewPacks)
        ORDER BY g.span, g.start, g.release_id
        """, keys
      ).map { Place(span: $0.integer(0), start: $0.integer(1), release: $0.integer(2)) }
      var rest = crowded[...]
      while !rest.isEmpty {
        let some = rest.prefix(20)
        rest = rest.dropFirst(20)
        try connection.repeating { try connection.transaction { try addUpGrowth(in: some) } }
      }
    }

    private struct Place: Hashable {
      let span: Int64
      let start: Int64
      let release: Int64
    }

    private func addUpGrowth(in places: ArraySlice<Place>) throws {
      let rows = try connection.run(
        """
        WITH taken AS (
          SELECT g.span, g.start, g.release_id, g.id
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (span, start, release_id)
          JOIN digests.growth AS g USING (span, start, release_id)
          FOR UPDATE OF g SKIP LOCKED
        )
        DELETE FROM digests.growth AS g USING taken AS t
        WHERE (g.span, g.start, g.release_id, g.id) = (t.span, t.start, t.release_id, t.id)
        RETURNING g.span::bigint, g.start, g.release_id, g.cells
        """,
        [
          .integers(places.lazy.map(\.span)), .integers(places.lazy.map(\.start)),
          .integers(places.lazy.map(\.release)),
        ])
      var sums: [Place: TallyPack] = [:]
      for row in rows {
        let place = Place(span: row.integer(0), start: row.integer(1), release: row.integer(2))
        let key = TallyPack.Key(
          table: .failures, span: place.span, start: place.start, release: nil)
        let bytes = row.bytes(3)
        sums[place] = TallyPack(key: key, bytes: try sums[place]?.adding(bytes) ?? bytes)
      }
      var growth = GrownPacks()
      for (place, sum) in sums { growth.add(sum, release: place.release) }
      try growth.insert(on: connection)
    }
  }
#endif
