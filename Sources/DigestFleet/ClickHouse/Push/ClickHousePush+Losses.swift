import DigestStore

extension ClickHousePush {
  /// Writes the store's losses, and the remaining counts of days for which it has dropped some.
  ///
  /// The fleet keeps counting what was dropped. A dropped day that gets another digest is counted anew.
  func enterLosses(_ dropped: [PackedCounts]) throws {
    let days = Set(undated.map(\.startingHour))
    try remove(
      marks.keys.filter { $0.span == 24 && days.contains($0.start) && !counts.days.contains($0) })
    let earlier = try unchangedPacks(dropped.map(\.key))
    _ = try enter(
      dropped.map { pack in
        let cells = earlier[pack.key]?.cells ?? []
        return ChangedPack(
          pack: pack, growth: try reading { try pack.growth(sinceLossOf: cells) })
      },
      // The fleet still counts everything that was sent before, including the dropped counts.
      earlier.mapValues { EarlierPack(cells: $0.cells, countedCells: $0.counted) })
    var rows = RowBinaryWriter()
    for loss in counts.losses {
      rows.append(source.id)
      rows.append(loss.reason.rawValue)
      rows.append(loss.startingHour)
      rows.append(Int64(loss.digests))
      rows.append(Int64(loss.occurrences))
      rows.append(optional: loss.note)
      rows.append(source.revision)
    }
    try insert(rows, into: ClickHouseSchema.loss)
  }

  /// Merges the packs of the releases that the store has merged to make room.
  ///
  /// The fleet keeps the releases apart. The store's merged counts were sent under their own names before,
  /// so they are not new. If a merged release occurs again, the store counts it anew.
  func moveMergedReleases() throws {
    guard let list else { return }
    let sums = try mergedPacks()
    let own = try earlier(Array(sums.keys))
    let moved = try movedPacks().map(\.key)
    var rows = RowBinaryWriter()
    for (key, cells) in sums {
      append(PackedCounts(key: key, bytes: cells), counted: own[key]?.counted ?? [], to: &rows)
    }
    for (key, pack) in try earlier(moved) {
      append(PackedCounts(key: key, bytes: []), counted: pack.counted, to: &rows)
    }
    try insert(rows, into: ClickHouseSchema.pack)
    for key in moved { marks[key] = nil }
    for (key, cells) in sums { marks[key] = PackedCounts(key: key, bytes: cells).mark }
    // Last: if this is cut off, the packs are moved again, which changes nothing.
    var last = RowBinaryWriter()
    append(list, counted: nil, to: &last)
    try insert(last, into: ClickHouseSchema.pack)
  }

  /// Marks packs as ones that the store no longer has. The fleet keeps counting them.
  private func remove(_ keys: [PackedCounts.Key]) throws {
    guard !keys.isEmpty else { return }
    var rows = RowBinaryWriter()
    for (key, pack) in try earlier(keys) {
      append(PackedCounts(key: key, bytes: []), counted: pack.counted, to: &rows)
    }
    try insert(rows, into: ClickHouseSchema.pack)
  }
}
