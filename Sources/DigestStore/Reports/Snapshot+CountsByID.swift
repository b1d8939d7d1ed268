extension Snapshot {
  /// Adds up the failures that a filter lets through.
  ///
  /// - Parameters:
  ///   - window: another one than the filter's.
  ///   - table: `.models` adds up the models, if it is ``table(for:)``.
  func sums(
    _ filter: DigestFilter,
    in window: TimeWindow? = nil,
    from table: CountTable = .failures
  ) throws -> CountsByID {
    guard let chosen = try chosen(filter, from: table) else {
      return try sumsOfAll(filter, in: window, from: table)
    }
    return try sumsOfAll(filter, in: window, from: table, among: chosen)
      .only(chosen, upTo: last(of: table))
  }

  /// Adds up the novel values that a filter lets through, each under the first of its failures.
  ///
  /// - Throws: ``DigestStoreError`` when the digests are gone that could tell how many there were.
  func novelValueSums(_ filter: DigestFilter) throws -> CountsByID {
    guard !filter.kinds.isEmpty, let failures = try chosen(filter) else {
      return try sums(filter).ofNovelValues(values)
    }
    let all = try sumsOfAll(filter)
    var sums = all.only(failures, upTo: values.last)
    try correctSharedDigests(in: &sums, of: all, filter)
    return sums.ofNovelValues(values)
  }

  /// Adds up all that occurred in a filter's window and releases.
  ///
  /// - Parameter wanted: what matters, as in ``forEachCell(from:in:longest:of:isByRelease:among:_:)``.
  func sumsOfAll(
    _ filter: DigestFilter,
    in window: TimeWindow? = nil,
    from table: CountTable = .failures,
    among wanted: [Int64]? = nil
  ) throws -> CountsByID {
    var sums = try CountsByID(upTo: last(of: table))
    try forEachCell(
      from: table, in: window ?? self.window(filter), of: releases(filter), isByRelease: false,
      among: wanted
    ) { cell, _ in sums.add(cell) }
    return sums
  }

  /// The failures, or the models, that a filter lets through, in the order of their numbers; nil
  /// where it does not choose any.
  func chosen(_ filter: DigestFilter, from table: CountTable = .failures) throws -> [Int64]? {
    guard !filter.models.isEmpty || filter.choosesFailures else { return nil }
    let chosen =
      switch table {
      case .failures:
        """
        SELECT f.id FROM model AS m JOIN failure AS f ON f.model_id = m.id
        WHERE \(filter.failureCondition)
        """
      case .models: "SELECT m.id FROM model AS m WHERE \(filter.modelCondition)"
      }
    return try connection.rows(chosen, filter.values) { $0.integer(at: 0) }.sorted()
  }

  /// The number of the last failure or model.
  func last(of table: CountTable) throws -> Int64 {
    switch table {
    case .failures: values.last
    case .models: try connection.integer("SELECT max(id) FROM model") ?? 0
    }
  }

  /// Corrects the shared digests of a value of which a filter for a kind lets through some failures.
  ///
  /// A digest that several failures of a value have is shared for all but the first of them. A file
  /// numbers failures once, so the first is the one with the lowest number. The stores of a fleet
  /// number them independently, so there it may be any of them.
  private func correctSharedDigests(
    in sums: inout CountsByID,
    of all: CountsByID,
    _ filter: DigestFilter
  ) throws {
    var failuresOfValues: [Int64: [Int64]] = [:]
    for case (let failure, let value?) in values.notFirst {
      failuresOfValues[value, default: [value]].append(failure)
    }
    var uncertain: Set<Int64> = []
    for (value, failures) in failuresOfValues {
      let occurring = failures.sorted().filter { all[$0] != nil }
      let chosen = occurring.filter { sums[$0] != nil }
      guard let first = chosen.first, chosen.count < occurring.count else { continue }
      let isOrdered = tallies == nil || chosen.count == 1
      if isOrdered { sums.setSharedDigests(0, of: first) }
      // Failures with all that come before them share what was counted.
      let others = isOrdered ? occurring.drop { sums[$0] != nil } : chosen[...]
      if others.contains(where: { sums[$0]?.sharedDigests ?? 0 > 0 }) { uncertain.insert(value) }
    }
    if !uncertain.isEmpty { try recountSharedDigests(in: &sums, of: uncertain, filter) }
  }

  /// Counts by the digests what tallies cannot tell apart.
  private func recountSharedDigests(
    in sums: inout CountsByID,
    of uncertain: Set<Int64>,
    _ filter: DigestFilter
  ) throws {
    let window = try window(filter)
    guard try firstMomentInDetail(of: window) <= window.range.lowerBound else {
      let question = "how many of them have a novel value with this kind"
      throw DigestStoreError(
        .invalidInput,
        tallies == nil
          ? "the digests are gone that could tell \(question); take a window without evicted digests, "
            + "count failures, or leave the kind out"
          : "a fleet has counts, and only digests could tell \(question); count failures, or leave the "
            + "kind out")
    }
    var shared: [Int64: Int64] = [:]
    var seen: Set<Int64> = []
    try forEachDigest(in: window, of: releases(filter)) { cells, _ in
      seen.removeAll(keepingCapacity: true)
      for cell in cells where sums[cell.failure] != nil {
        guard let value = values.notFirst[cell.failure] ?? cell.failure, uncertain.contains(value)
        else { continue }
        let isShared = !seen.insert(value).inserted
        shared[cell.failure, default: 0] += isShared ? 1 : 0
      }
    }
    for (failure, count) in shared { sums.setSharedDigests(count, of: failure) }
  }
}
