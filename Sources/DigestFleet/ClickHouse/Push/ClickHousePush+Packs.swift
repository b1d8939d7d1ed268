import DigestStore

extension ClickHousePush {
  /// A pack as the last push left it.
  struct EarlierPack {
    /// As the store had it; empty if it no longer had it.
    let cells: [UInt8]

    /// As the fleet counts it, if that is something else: the store has dropped or merged some of it.
    let countedCells: [UInt8]?

    /// As the fleet counts it.
    var counted: [UInt8] { countedCells ?? cells }
  }

  /// A pack to write.
  struct ChangedPack {
    let pack: PackedCounts

    /// The counts that were added since the last push, by the numbers of the store.
    let growth: [Count]
  }

  func earlierPacks(_ packs: [PackedCounts]) throws -> [PackedCounts.Key: [UInt8]] {
    try earlier(packs.map(\.key)).compactMapValues { $0.cells.isEmpty ? nil : $0.cells }
  }

  func earlier(_ keys: [PackedCounts.Key]) throws -> [PackedCounts.Key: EarlierPack] {
    guard source.revision > 0 else { return [:] }
    var earlier: [PackedCounts.Key: EarlierPack] = [:]
    var rest = keys.map(\.sql)[...]
    while !rest.isEmpty {
      // By default, the server refuses statements of more than 256 KiB.
      var some: [String] = []
      var length = 0
      while let next = rest.first, some.isEmpty || length + next.utf8.count < 100_000 {
        some.append(next)
        length += next.utf8.count + 2
        rest.removeFirst()
      }
      try connection.forEachRow(
        """
        SELECT counted, span, start, has_release, release, cells, counted_cells
        FROM \(ClickHouseSchema.pack.latest(in: database))
        AND source = \(source.id) AND (counted, span, start, has_release, release) IN (\(some.joined(separator: ", ")))
        """
      ) { row in
        let key = try row.packKey()
        let cells = Array(try row.string())
        let counted = try row.integer(UInt8.self) == 0 ? Array(try row.string()) : nil
        if let key { earlier[key] = EarlierPack(cells: cells, countedCells: counted) }
      }
    }
    return earlier
  }

  /// Sends the counts of packs that have changed.
  ///
  /// - Returns: how many counts were new or have grown.
  func enter(_ packs: [PackedCounts]) throws -> Int {
    let earlier = try unchangedPacks(packs.map(\.key))
    return try enter(
      packs.map { pack in
        let cells = earlier[pack.key]?.cells
        guard let growth = try growth(of: pack, since: cells) else {
          throw try unfit("it has counted less than was pushed")
        }
        return ChangedPack(pack: pack, growth: growth)
      }, earlier)
  }

  /// Reads packs that are still as they were when this push began.
  ///
  /// - Throws: ``ConcurrentPush`` if another push has changed one.
  func unchangedPacks(_ keys: [PackedCounts.Key]) throws -> [PackedCounts.Key: EarlierPack] {
    let earlier = try earlier(keys)
    for key in keys {
      let cells = earlier[key].flatMap { $0.cells.isEmpty ? nil : $0.cells }
      let mark = cells.map { PackedCounts(key: key, bytes: $0).mark }
      guard mark == marks[key] else { throw ConcurrentPush() }
    }
    return earlier
  }

  func enter(
    _ changed: [ChangedPack], _ earlier: [PackedCounts.Key: EarlierPack]
  ) throws -> Int {
    var rows = RowBinaryWriter()
    var packs = RowBinaryWriter()
    for change in changed {
      let pack = change.pack
      var counted = pack
      if let base = earlier[pack.key]?.countedCells {
        counted = try reading {
          PackedCounts(
            key: pack.key,
            bytes: try PackedCounts(key: pack.key, counts: change.growth).adding(base))
        }
      }
      try append(change.growth, of: counted, to: &rows)
      append(
        pack, counted: counted.bytes == pack.bytes ? nil : counted.bytes, to: &packs)
    }
    // The packs last: they mark the counts as sent.
    try insert(rows, into: ClickHouseSchema.counts)
    try insert(packs, into: ClickHouseSchema.pack)
    return changed.reduce(0) { $0 + $1.growth.count }
  }

  /// Appends those counts of a pack that have grown, and the sums that contain them.
  private func append(
    _ growth: [Count], of counted: PackedCounts, to rows: inout RowBinaryWriter
  ) throws {
    guard !growth.isEmpty else { return }
    let key = counted.key
    let place = RowPlace(key, .init(key.subject), release: key.release, source)
    let grown = Set(growth.map(\.id))
    let all = try reading { try counted.counts() }
    for count in all where grown.contains(count.id) {
      try append(named(ids.ids(count.id, key.subject.table)), count, at: place, to: &rows)
    }
    guard key.subject == .failures else { return }
    if key.span == 0 {
      let place = RowPlace(key, .totals, release: nil, source)
      if unsentTotals == nil { unsentTotals = try totals() }
      for failure in grown {
        guard let total = unsentTotals?.removeValue(forKey: failure) else { continue }
        try append(named(ids.ids(failure, .failures)), total, at: place, to: &rows)
      }
    }
    var sums: [NumberedIDs.Kind: Count] = [:]
    var grownKinds: [NumberedIDs.Kind: Int64] = [:]
    for count in all {
      guard let kind = try ids.kind(ofFailure: count.id) else { continue }
      sums[kind, default: .none(of: 0)].add(count)
      if grown.contains(count.id) { grownKinds[kind] = count.id }
    }
    let placeOfKinds = RowPlace(key, .kinds, release: key.release, source)
    for (kind, failure) in grownKinds {
      let sum = sums[kind] ?? .none(of: 0)
      try append(named(ids.ids(failure, .failures)).ofKind, sum, at: placeOfKinds, to: &rows)
    }
  }

  /// The columns that are equal in all rows of a pack.
  private struct RowPlace {
    let counted: UInt8
    let key: PackedCounts.Key
    let pair: UInt64
    let release: UInt64
    let source: UInt64

    init(
      _ key: PackedCounts.Key, _ counted: ClickHouseSchema.Counted, release: BinaryString?,
      _ source: ClickHouseSource
    ) {
      self.counted = counted.rawValue
      self.key = key
      pair = FleetID(of: [release?.text, source.identity]).low
      self.release = ClickHousePush.id(ofRelease: release)
      self.source = source.id
    }
  }

  /// Appends a row, after it has sent those before it if they are many.
  private func append(
    _ ids: NumberedIDs.IDs, _ count: Count, at place: RowPlace, to rows: inout RowBinaryWriter
  ) throws {
    if rows.bytes.count > Self.longestRequest {
      try insert(rows, into: ClickHouseSchema.counts)
      rows = RowBinaryWriter()
    }
    rows.append(place.counted)
    rows.append(UInt8(place.key.span))
    rows.append(UInt32(place.key.start))
    rows.append(ids.id)
    for number in [place.pair, place.release, place.source] { rows.append(number) }
    for id in [ids.value, ids.model, ids.place] { rows.append(id) }
    rows.append(ids.kind)
    for number in [
      count.occurrences, count.digests, count.sharedDigests, count.first, count.last,
    ] {
      rows.append(number)
    }
  }

  /// The counts of all time, of all releases together, by the numbers of the failures.
  private func totals() throws -> [Int64: Count] {
    var totals: [Int64: Count] = [:]
    for pack in counts.allTime {
      for count in try reading({ try pack.counts() }) {
        totals[count.id, default: .none(of: count.id)].add(count)
      }
    }
    return totals
  }

  private func named<Name>(_ name: Name?) throws -> Name {
    guard let name else {
      throw FleetError(
        .damaged,
        "\(fleet): the store counts a failure or model that it has no name for; run digest-query verify"
      )
    }
    return name
  }

  /// Appends a row for a pack.
  ///
  /// - Parameter counted: the pack as the fleet counts it, if that is something else.
  func append(_ pack: PackedCounts, counted: [UInt8]?, to rows: inout RowBinaryWriter) {
    rows.append(source.id)
    rows.append(UInt8(pack.key.subject.rawValue))
    rows.append(Int8(pack.key.span))
    rows.append(UInt32(pack.key.start))
    rows.append(UInt8(pack.key.release == nil ? 0 : 1))
    rows.append(pack.key.release?.text ?? "")
    rows.append(pack.mark)
    rows.append(UInt8(pack.bytes.isEmpty ? 0 : 1))
    rows.append(pack.bytes)
    rows.append(UInt8(counted == nil ? 1 : 0))
    if let counted { rows.append(counted) }
    rows.append(source.revision)
  }
}

extension PackedCounts.Key {
  /// The key as a tuple of SQL.
  fileprivate var sql: String {
    "(\(subject.rawValue), \(span), \(start), \(release == nil ? 0 : 1), "
      + "\((release?.text ?? "").sqlLiteral))"
  }
}
