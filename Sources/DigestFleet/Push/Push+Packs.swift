#if PostgreSQL
  import DigestStore

  extension Push {
    /// Enters some packs, and what is new in them into the sums, in one transaction.
    ///
    /// - Returns: how many counts were new or have grown.
    func enter(_ packs: [TallyPack]) throws -> Int {
      try entering {
        let earlier = try earlierPacks(packs)
        var failures = GrownTallies()
        var models = GrownTallies()
        var coarseBefore: Int64 = 0
        for pack in packs {
          let growth = try growth(of: pack, since: earlier[pack.key])
          // Its hours are gone, and were not sent before.
          if pack.key.span == 24, pack.key.start < tallies.firstHour, !growth.isEmpty {
            coarseBefore = max(coarseBefore, pack.key.start + 24)
          }
          switch pack.key.table {
          case .failures: failures.add(growth, of: pack.key, release: release(pack.key))
          case .models: models.add(growth, of: pack.key, release: release(pack.key))
          }
        }
        try write(packs)
        try addFailures(failures)
        try addModels(models)
        try addTotals(models, coarseBefore)
        return failures.count + models.count
      }
    }

    /// Checks, before anything is counted, that all packs have grown from what was sent.
    func checkGrowth(of packs: some Collection<TallyPack>) throws {
      var rest = packs[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(100))
        rest = rest.dropFirst(100)
        let earlier = try earlierPacks(some)
        for pack in some { _ = try growth(of: pack, since: earlier[pack.key]) }
      }
    }

    private func growth(of pack: TallyPack, since earlier: [UInt8]?) throws -> [TallyCount] {
      let growth: [TallyCount]?
      do {
        growth = try pack.growth(since: earlier ?? [])
      } catch {
        throw FleetError(
          .failed,
          "\(connection.name): the tallies of the store are damaged; have digest-query verify look at "
            + "it")
      }
      guard let growth else { throw unfit("it has counted less than was pushed") }
      return growth
    }

    private func release(_ key: TallyPack.Key) -> Int64 {
      key.release.flatMap { releases[$0] } ?? 0
    }

    /// The packs as they were sent the last time.
    func earlierPacks(_ packs: [TallyPack]) throws -> [TallyPack.Key: [UInt8]] {
      let rows = try connection.run(
        """
        SELECT k.ordinal, p.cells
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
          WITH ORDINALITY AS k (counted, span, start, release_id, ordinal)
        JOIN digests.pack AS p ON p.source_id = $1::bigint AND p.counted = k.counted
          AND p.span = k.span AND p.start = k.start AND p.release_id = k.release_id
        """, [.integer(source.id)] + keys(packs))
      var earlier: [TallyPack.Key: [UInt8]] = [:]
      for row in rows { earlier[packs[Int(row.integer(0)) - 1].key] = row.bytes(1) }
      return earlier
    }

    func write(_ packs: [TallyPack]) throws {
      try connection.run(
        """
        INSERT INTO digests.pack (source_id, counted, span, start, release_id, mark, cells)
        SELECT $1::bigint, k.counted, k.span, k.start, k.release_id, k.mark, k.cells
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bytea[])
          AS k (counted, span, start, release_id, mark, cells)
        ON CONFLICT (source_id, counted, span, start, release_id)
        DO UPDATE SET mark = excluded.mark, cells = excluded.cells
        """,
        [.integer(source.id)] + keys(packs) + [
          .integers(packs.lazy.map(\.mark)), .byteStrings(packs.lazy.map(\.bytes)),
        ])
    }

    func keys(_ packs: [TallyPack]) -> [PostgreSQLValue] {
      [
        .integers(packs.lazy.map { $0.key.table.rawValue }),
        .integers(packs.lazy.map(\.key.span)), .integers(packs.lazy.map(\.key.start)),
        .integers(packs.map { release($0.key) }),
      ]
    }

    /// Adds to the sums of the store itself what its models have grown by in all time.
    private func addTotals(_ models: GrownTallies, _ coarseBefore: Int64) throws {
      let (occurrences, digests) = models.totals
      guard digests > 0 || coarseBefore > 0 else { return }
      try connection.run(
        """
        UPDATE digests.source SET occurrences = occurrences + $2::bigint,
          digests = digests + $3::bigint, coarse_before = greatest(coarse_before, $4::bigint)
        WHERE id = $1
        """,
        [
          .integer(source.id), .integer(occurrences), .integer(digests), .integer(coarseBefore),
        ])
    }

    private func addFailures(_ tallies: GrownTallies) throws {
      guard tallies.count > 0 else { return }
      try connection.run(
        """
        INSERT INTO digests.tally AS t (span, start, failure_id, release_id, occurrences, digests,
          shared_digests, first_seen, last_seen)
        SELECT n.span, n.start, f.failure_id, n.release_id, sum(n.occurrences), sum(n.digests),
          sum(n.shared_digests), min(n.first_seen), max(n.last_seen)
        FROM \(GrownTallies.rows)
        JOIN digests.source_failure AS f ON f.source_id = $1::bigint AND f.number = n.number
        GROUP BY n.span, n.start, f.failure_id, n.release_id
        ORDER BY n.span, n.start, f.failure_id, n.release_id
        ON CONFLICT (span, start, failure_id, release_id) DO UPDATE SET
          occurrences = t.occurrences + excluded.occurrences,
          digests = t.digests + excluded.digests,
          shared_digests = t.shared_digests + excluded.shared_digests,
          first_seen = least(t.first_seen, excluded.first_seen),
          last_seen = greatest(t.last_seen, excluded.last_seen)
        """, [.integer(source.id)] + tallies.values)
    }

    private func addModels(_ tallies: GrownTallies) throws {
      guard tallies.count > 0 else { return }
      try connection.run(
        """
        INSERT INTO digests.model_tally AS t (span, start, model_id, release_id, occurrences, digests,
          first_seen, last_seen)
        SELECT n.span, n.start, m.model_id, n.release_id, sum(n.occurrences), sum(n.digests),
          min(n.first_seen), max(n.last_seen)
        FROM \(GrownTallies.rows)
        JOIN digests.source_model AS m ON m.source_id = $1::bigint AND m.number = n.number
        GROUP BY n.span, n.start, m.model_id, n.release_id
        ORDER BY n.span, n.start, m.model_id, n.release_id
        ON CONFLICT (span, start, model_id, release_id) DO UPDATE SET
          occurrences = t.occurrences + excluded.occurrences,
          digests = t.digests + excluded.digests,
          first_seen = least(t.first_seen, excluded.first_seen),
          last_seen = greatest(t.last_seen, excluded.last_seen)
        """, [.integer(source.id)] + tallies.values)
    }
  }
#endif
