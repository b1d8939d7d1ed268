#if PostgreSQL
  import DigestStore

  extension Push {
    /// How many packs of one period and release are left before some are made one.
    private static let fewPacks = 16

    /// Of how many periods and releases one transaction adds up the packs.
    private static let compactionBatch = 50

    /// Makes one pack of many, in the periods that this push has added to.
    ///
    /// The small ones are: a large one is left as it is until there is as much besides, so that each
    /// count is written again no more often than what is counted doubles. Nothing waits for it: packs
    /// that another push has just taken up are left to that one.
    func addUpGrowth() throws {
      let packs = tallies.packs.filter { $0.key.table == .failures && $0.key.span >= 0 }
      guard !packs.isEmpty else { return }
      let rows = try connection.run(
        """
        SELECT span::bigint, start, release_id, id, length
        FROM (SELECT g.span, g.start, g.release_id, g.id, length(g.cells)::bigint AS length,
            count(*) OVER (PARTITION BY g.span, g.start, g.release_id) AS packs
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k (span, start, release_id)
          JOIN digests.growth AS g USING (span, start, release_id)) AS g
        WHERE packs >= \(Self.fewPacks)
        ORDER BY span, start, release_id, length, id
        """, Array(keys(packs).dropFirst()))
      var rest = rows.map { Pack($0) }[...]
      while !rest.isEmpty {
        var crowds: [ArraySlice<Pack>] = []
        while crowds.count < Self.compactionBatch, let place = rest.first?.place {
          let crowd = rest.prefix { $0.place == place }
          rest = rest[crowd.endIndex...]
          crowds.append(Self.small(crowd))
        }
        try connection.repeating {
          try connection.transaction { for crowd in crowds { try addUp(crowd) } }
        }
      }
    }

    private struct Place: Hashable {
      let span: Int64
      let start: Int64
      let release: Int64
    }

    private struct Pack {
      let place: Place
      let id: Int64
      let length: Int64

      init(_ row: PostgreSQLRow) {
        place = Place(span: row.integer(0), start: row.integer(1), release: row.integer(2))
        id = row.integer(3)
        length = row.integer(4)
      }
    }

    /// Of packs in the order of their lengths the shorter half, and those behind it that are no longer
    /// than all before them together.
    private static func small(_ packs: ArraySlice<Pack>) -> ArraySlice<Pack> {
      var (count, length) = (0, Int64(0))
      return packs.prefix { pack in
        defer { (count, length) = (count + 1, length + pack.length) }
        return count < packs.count / 2 || pack.length <= length
      }
    }

    private func addUp(_ packs: ArraySlice<Pack>) throws {
      guard let place = packs.first?.place else { return }
      let rows = try connection.run(
        """
        WITH taken AS (
          SELECT id FROM digests.growth
          WHERE span = $1 AND start = $2 AND release_id = $3 AND id = ANY ($4::bigint[])
          ORDER BY id FOR UPDATE SKIP LOCKED
        )
        DELETE FROM digests.growth AS g USING taken
        WHERE g.span = $1 AND g.start = $2 AND g.release_id = $3 AND g.id = taken.id
        RETURNING g.cells
        """,
        [
          .integer(place.span), .integer(place.start), .integer(place.release),
          .integers(packs.lazy.map(\.id)),
        ])
      let key = TallyPack.Key(
        table: .failures, span: place.span, start: place.start, release: nil)
      guard var bytes = rows.first?.bytes(0) else { return }
      for row in rows.dropFirst() {
        bytes = try TallyPack(key: key, bytes: bytes).adding(row.bytes(0))
      }
      var growth = GrownPacks()
      growth.add(TallyPack(key: key, bytes: bytes), release: place.release)
      try growth.insert(on: connection)
    }
  }
#endif
