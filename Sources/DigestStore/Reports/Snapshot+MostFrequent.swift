extension Snapshot {
  /// What a report with a limit ranks.
  enum Ranked {
    case failures, novelValues
  }

  /// Adds up only the most frequent failures of all time, or the failures of the most frequent
  /// novel values. Of all others it reads only the number of occurrences.
  ///
  /// - Returns: sums from which ``ranked(_:limit:by:)`` returns the same rows as from all sums; nil
  ///   if the filter asks for something else, or if this is not faster.
  func sumsOfMostFrequent(
    _ ranked: Ranked,
    _ limit: Int?,
    _ filter: DigestFilter
  ) throws -> CountsByID? {
    guard let limit, 1...Self.fewRows ~= limit,
      filter.isOfAllTime, filter.models.isEmpty, !filter.choosesFailures,
      values.last > 10 * Int64(limit),
      values.last < 1 << 20,
      var occurrences = try source.occurrencesOfAllTime()
    else { return nil }
    var tail: [Count] = []
    try forEachUnfoldedDigest(in: window(filter).range, .all) { counts, _ in tail += counts }
    for count in tail where values.contains(count.id) {
      let place = Int(count.id)
      occurrences[place] = occurrences[place].adding(count: count.occurrences)
    }
    if ranked == .novelValues {
      for (failure, value) in values.valueIDs where values.contains(failure) {
        let moved = occurrences[Int(failure)]
        occurrences[Int(failure)] = 0
        if let value, values.contains(value) {
          occurrences[Int(value)] = occurrences[Int(value)].adding(count: moved)
        }
      }
    }

    guard let wanted = Self.mostFrequent(occurrences, limit) else { return nil }
    var failures = wanted
    if ranked == .novelValues {
      failures.formUnion(
        values.valueIDs.compactMap { failure, value in
          value.flatMap { wanted.contains($0) ? failure : nil }
        })
    }
    var sums = CountsByID(isSparse: true)
    let query = CountQuery(
      table: .failures, span: 0, hours: 0..<1, releases: nil, ids: failures.sorted(),
      isByRelease: false, isByPeriod: false)
    try source.forEachCount(query) { count, _ in
      if failures.contains(count.id) { sums.add(count) }
    }
    for count in tail where failures.contains(count.id) { sums.add(count) }
    return sums
  }

  /// The indices of the highest counts, including all ties with the last of them; nil if there are
  /// too many.
  private static func mostFrequent(_ occurrences: [Int64], _ limit: Int) -> Set<Int64>? {
    let least = max(1, least(of: occurrences, limit: limit))
    var places: Set<Int64> = []
    for (place, occurrences) in occurrences.enumerated() where occurrences >= least {
      places.insert(Int64(place))
      if places.count > 4 * limit { return nil }
    }
    return places
  }
}
