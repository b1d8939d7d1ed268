import DigestStore

extension PostgreSQLPush {
  /// Writes packs, and adds their growth to the counts since the last prune, in one transaction.
  ///
  /// - Returns: how many counts were new or have grown.
  func enter(_ changed: [PackedCounts]) throws -> Int {
    try withRevision {
      let changed = try withoutPrunedHours(changed)
      let earlier = try earlierPacks(changed)
      return try enter(
        changed,
        growth: changed.map { pack in
          guard let growth = try growth(of: pack, since: earlier[pack.key]) else {
            throw try unfit("it has counted less than was pushed")
          }
          return (pack.key, growth)
        })
    }
  }

  /// Leaves out hours that were pruned since this push began.
  ///
  /// An hour that is pruned later still arrives. No report reads it, and the next prune deletes it.
  private func withoutPrunedHours(_ packs: [PackedCounts]) throws -> [PackedCounts] {
    let firstHour =
      try connection.run("SELECT first_hour FROM digests.fleet").first?.integer(0) ?? 0
    return packs.filter { $0.key.span != 1 || $0.key.start >= firstHour }
  }

  /// - Parameter growth: how much the packs have grown, by the numbers of the store.
  func enter(_ changed: [PackedCounts], growth: [Growth]) throws -> Int {
    var packs: [(PackedCounts, Int64)] = []
    var failures = CountDelta()
    var models = CountDelta()
    var decodes = CountDelta()
    for growth in growth where !growth.growth.isEmpty {
      let (key, counts) = (growth.key, try counts(growth))
      let release = release(key)
      switch key.subject {
      case .failures:
        let unnamed = PackedCounts.Key(
          subject: .failures, span: key.span, start: key.start, release: nil)
        if !counts.isEmpty { packs.append((PackedCounts(key: unnamed, counts: counts), release)) }
        if key.span == 0 { failures.add(counts, of: key, release: release) }
      case .models: models.add(counts, of: key, release: release)
      case .decodes: decodes.add(counts, of: key, release: release)
      }
    }
    try add(packs)
    try write(changed)
    try addTotals(models, coarseBefore(growth))
    try addModels(models)
    try addDecodes(decodes)
    try addFailures(failures)
    return growth.reduce(0) { $0 + $1.growth.count }
  }

  /// How much the counts of a pack have grown, by the numbers of the store.
  typealias Growth = (key: PackedCounts.Key, growth: [Count])

  /// The hour before which counts arrive by day only, because the store has dropped their hours.
  private func coarseBefore(_ growth: [Growth]) -> Int64 {
    let firstHour = counts.firstHour
    return growth.lazy
      .filter { $0.key.span == 24 && $0.key.start < firstHour && !$0.growth.isEmpty }
      .map { $0.key.start + 24 }.max() ?? 0
  }

  /// The growth by the fleet's ids.
  private func counts(_ growth: Growth) throws -> [Count] {
    let ids = try ids(of: growth.key.subject.table)
    return try growth.growth.map { count in
      let id = ids[count.id]
      guard id > 0 else {
        throw FleetError(
          .damaged,
          "\(connection.name): the store counts a failure or model that it has no name for; run "
            + "digest-query verify")
      }
      return count.with(id: id)
    }
  }

  /// The fleet's ids by the numbers of the store.
  func ids(of table: CountTable) throws -> IDMap {
    if let ids = ids[table] { return ids }
    let pairs = try IDMap.pairs(of: [source.id], table, on: connection)[source.id] ?? []
    let map = IDMap(pairs.map { ($0.number, $0.id) })
    ids[table] = map
    return map
  }

  private func release(_ key: PackedCounts.Key) -> Int64 {
    // The fleet has no packs of a release that it does not know.
    key.release.map { releases[$0] ?? -1 } ?? 0
  }

  /// Reads the packs as the last push sent them.
  func earlierPacks(_ packs: [PackedCounts]) throws -> [PackedCounts.Key: [UInt8]] {
    let rows = try connection.run(
      """
      SELECT k.ordinal, p.cells
      FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
        WITH ORDINALITY AS k (counted, span, start, release_id, ordinal)
      JOIN digests.pack AS p ON p.source_id = $1::bigint AND p.counted = k.counted
        AND p.span = k.span AND p.start = k.start AND p.release_id = k.release_id
      """, [.integer(source.id)] + keys(packs))
    var earlier: [PackedCounts.Key: [UInt8]] = [:]
    for row in rows {
      guard let place = row.place(0, in: packs) else { continue }
      earlier[packs[place].key] = row.bytes(1)
    }
    return earlier
  }

  func write(_ packs: [PackedCounts]) throws {
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

  func keys(_ packs: [PackedCounts]) -> [PostgreSQLValue] {
    [
      .integers(packs.lazy.map { $0.key.subject.rawValue }),
      .integers(packs.lazy.map(\.key.span)), .integers(packs.lazy.map(\.key.start)),
      .integers(packs.map { release($0.key) }),
    ]
  }

  /// Adds the all-time growth of the models to the sums of the store.
  private func addTotals(_ models: CountDelta, _ coarseBefore: Int64) throws {
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

  /// Adds packs of failures to what the store has sent since the last prune.
  private func add(_ packs: [(PackedCounts, release: Int64)]) throws {
    guard !packs.isEmpty else { return }
    let source = PostgreSQLValue.integer(source.id)
    let keys: [PostgreSQLValue] = [
      .integers(packs.lazy.map(\.0.key.span)), .integers(packs.lazy.map(\.0.key.start)),
      .integers(packs.lazy.map(\.release)),
    ]
    // A prune skips locked rows, and moves each other row as a whole.
    let rows = try connection.run(
      """
      SELECT k.ordinal, g.cells
      FROM unnest($2::bigint[], $3::bigint[], $4::bigint[])
        WITH ORDINALITY AS k (span, start, release_id, ordinal)
      JOIN digests.growth AS g ON g.source_id = $1::bigint AND g.span = k.span
        AND g.start = k.start AND g.release_id = k.release_id
      FOR UPDATE OF g
      """, [source] + keys)
    var counts = packs.map(\.0.bytes)
    for row in rows {
      guard let place = row.place(0, in: packs) else { continue }
      counts[place] = try reading { try packs[place].0.adding(row.bytes(1)) }
    }
    try connection.run(
      """
      INSERT INTO digests.growth (source_id, span, start, release_id, cells)
      SELECT $1::bigint, k.* FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[]) AS k
      ON CONFLICT (span, start, release_id, source_id) DO UPDATE SET cells = excluded.cells
      """, [source] + keys + [.byteStrings(counts)])
  }

  private func addFailures(_ counts: CountDelta) throws {
    guard !counts.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO digests.failure_tally AS t (source_id, failure_id, occurrences, digests,
        shared_digests, first_seen, last_seen)
      SELECT $10::bigint, n.id, sum(n.occurrences), sum(n.digests), sum(n.shared_digests), min(n.first_seen),
        max(n.last_seen)
      FROM \(CountDelta.rows)
      GROUP BY n.id
      ORDER BY n.id
      ON CONFLICT (failure_id, source_id) DO UPDATE SET
        occurrences = t.occurrences + excluded.occurrences,
        digests = t.digests + excluded.digests,
        shared_digests = t.shared_digests + excluded.shared_digests,
        first_seen = least(t.first_seen, excluded.first_seen),
        last_seen = greatest(t.last_seen, excluded.last_seen)
      """, counts.values + [.integer(source.id)])
  }

  private func addModels(_ counts: CountDelta) throws {
    guard !counts.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO digests.model_tally AS t (source_id, span, start, model_id, release_id,
        occurrences, digests, first_seen, last_seen)
      SELECT $10::bigint, n.span, n.start, n.id, n.release_id, sum(n.occurrences), sum(n.digests),
        min(n.first_seen), max(n.last_seen)
      FROM \(CountDelta.rows)
      GROUP BY n.span, n.start, n.id, n.release_id
      ORDER BY n.span, n.start, n.id, n.release_id
      ON CONFLICT (span, start, model_id, release_id, source_id) DO UPDATE SET
        occurrences = t.occurrences + excluded.occurrences,
        digests = t.digests + excluded.digests,
        first_seen = least(t.first_seen, excluded.first_seen),
        last_seen = greatest(t.last_seen, excluded.last_seen)
      """, counts.values + [.integer(source.id)])
  }

  private func addDecodes(_ counts: CountDelta) throws {
    guard !counts.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO digests.decode_tally AS t (source_id, span, start, model_id, release_id, decodes)
      SELECT $10::bigint, n.span, n.start, n.id, n.release_id, sum(n.digests)
      FROM \(CountDelta.rows)
      GROUP BY n.span, n.start, n.id, n.release_id
      ORDER BY n.span, n.start, n.id, n.release_id
      ON CONFLICT (span, start, model_id, release_id, source_id)
      DO UPDATE SET decodes = t.decodes + excluded.decodes
      """, counts.values + [.integer(source.id)])
  }
}
