extension DigestCursor {
  /// Ranges of ids that contain all digests of the filter, and may contain others, in ascending
  /// order.
  ///
  /// Digests written later are not included.
  func ranges(_ connection: Connection) throws -> [ClosedRange<Int64>] {
    let window = filter.window
    guard window.since != nil || window.until != nil || filter.choosesFailures else {
      return try idsToLookAt(connection).map { [$0] } ?? []
    }
    return try Snapshot.of(connection) { snapshot in
      guard let ids = try idsToLookAt(connection) else { return [] }
      return try snapshot.ranges(filter, in: ids)
    }
  }

  /// The range of all ids, limited to the part.
  private func idsToLookAt(_ connection: Connection) throws -> ClosedRange<Int64>? {
    guard let ids = try connection.digestIDs() else { return nil }
    guard let part else { return ids }
    guard let wanted = part.ids, wanted.overlaps(ids) else { return nil }
    return ids.clamped(to: wanted)
  }
}

extension Snapshot {
  /// The longest gap between two ranges, in ids, that is read rather than skipped.
  private static let smallGap: Int64 = 1_000

  /// Finds ranges from the hours, which store the ids of their folded digests, and from the counts,
  /// which say in which hours a failure occurred. Unfolded digests come after all of these.
  fileprivate func ranges(
    _ filter: DigestFilter,
    in ids: ClosedRange<Int64>
  ) throws -> [ClosedRange<Int64>] {
    let window = filter.window.range
    guard !window.isEmpty else { return [] }
    guard ids.upperBound - ids.lowerBound >= Self.smallGap else { return [ids] }
    let isWanted = try hoursWithFailures(filter)
    var ranges = try connection.rows(
      """
      SELECT hour, first_digest_id, last_digest_id FROM hour
      WHERE hour BETWEEN :first AND :last ORDER BY first_digest_id
      """,
      [":first": .integer(window.lowerBound.hour), ":last": .integer(window.upperBound.hour)]
    ) { row -> ClosedRange<Int64>? in
      let (first, last) = (row.integer(at: 1), row.integer(at: 2))
      guard first <= last, isWanted(row.integer(at: 0)) else { return nil }
      return (first...last).clamped(to: StoredNumbers.ids)
    }.compactMap { $0 }
    if foldedThrough < ids.upperBound { ranges.append(foldedThrough + 1...ids.upperBound) }
    var merged: [ClosedRange<Int64>] = []
    for range in ranges {
      if let last = merged.last, range.lowerBound - last.upperBound <= Self.smallGap {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    // The last digests of an hour may have been evicted.
    return merged.filter { $0.overlaps(ids) }.map { $0.clamped(to: ids) }
  }

  /// Returns a function that says whether a failure of the filter may have occurred in an hour.
  private func hoursWithFailures(_ filter: DigestFilter) throws -> (_ hour: Int64) -> Bool {
    guard filter.choosesFailures else { return { _ in true } }
    let failures = try chosen(filter) ?? []
    let releases = try releases(filter)
    let window = filter.window.range
    let hours = window.lowerBound.hour...window.upperBound.hour
    let days = try periods(
      24, from: hours.lowerBound / 24 * 24, to: hours.upperBound, failures, releases)
    var wanted: Set<Int64> = []
    for day in days {
      wanted.formUnion(
        try periods(1, from: day, to: day + 23, failures, releases))
    }
    let firstFineHour = firstFineHour
    return { [wanted] in wanted.contains($0) || $0 < firstFineHour }
  }

  /// The starts of the periods of one length in which one of the failures occurred.
  private func periods(
    _ span: Int64,
    from first: Int64,
    to last: Int64,
    _ failures: [Int64],
    _ releases: Releases
  ) throws -> Set<Int64> {
    var periods: Set<Int64> = []
    try connection.forEachPack(
      "span = ? AND start BETWEEN ? AND ? AND \(releases.condition)",
      [.integer(span), .integer(first), .integer(last)]
    ) { period, _, bytes in
      guard !periods.contains(period.start) else { return }
      var counts = CountDecoder(bytes, period)
      var wanted = failures[...]
      if try counts.next(among: &wanted) != nil { periods.insert(period.start) }
    }
    return periods
  }
}
