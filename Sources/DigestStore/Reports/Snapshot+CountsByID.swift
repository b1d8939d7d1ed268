extension Snapshot {
  /// Adds up the failures that match a filter.
  ///
  /// - Parameters:
  ///   - window: replaces the filter's window.
  ///   - table: `.models` to add up models, if ``table(for:)`` returns that.
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

  /// Adds up the novel values that match a filter, each under its first failure.
  ///
  /// - Throws: ``DigestStoreError`` when the digests needed to count them were evicted.
  func novelValueSums(_ filter: DigestFilter) throws -> CountsByID {
    guard !filter.kinds.isEmpty, let failures = try chosen(filter) else {
      return try sums(filter).ofNovelValues(values)
    }
    let all = try sumsOfAll(filter)
    var sums = all.only(failures, upTo: values.last)
    try correctSharedDigests(in: &sums, of: all, filter)
    return sums.ofNovelValues(values)
  }

  /// Adds up all failures in a filter's window and releases.
  ///
  /// - Parameter wanted: the ids to read, as in
  ///   ``forEachCount(from:in:longest:of:isByRelease:isByStore:among:_:)``.
  func sumsOfAll(
    _ filter: DigestFilter,
    in window: TimeWindow? = nil,
    from table: CountTable = .failures,
    among wanted: [Int64]? = nil
  ) throws -> CountsByID {
    var sums = try CountsByID(upTo: last(of: table))
    try forEachCount(
      from: table, in: window ?? self.window(filter), of: releases(filter), isByRelease: false,
      among: wanted
    ) { count, _ in sums.add(count) }
    return sums
  }

  /// The ids of the failures, or models, that match a filter, in ascending order; nil if the filter
  /// does not choose any.
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

  /// The highest id of a failure or model.
  func last(of table: CountTable) throws -> Int64 {
    switch table {
    case .failures: values.last
    case .models: try connection.integer("SELECT max(id) FROM model") ?? 0
    }
  }

  /// Corrects the shared digests of values that have several kinds, if a filter matches only some
  /// of them.
  ///
  /// A digest with several failures of one value counts as shared for all of them but the first. In
  /// a file the first is the failure with the lowest id. The stores of a fleet number failures
  /// independently, so there it may be any of them.
  private func correctSharedDigests(
    in sums: inout CountsByID,
    of all: CountsByID,
    _ filter: DigestFilter
  ) throws {
    var failuresOfValues: [Int64: [Int64]] = [:]
    for case (let failure, let value?) in values.valueIDs {
      failuresOfValues[value, default: [value]].append(failure)
    }
    var uncertain: Set<Int64> = []
    for (value, failures) in failuresOfValues {
      let occurring = failures.sorted().filter { all[$0] != nil }
      let chosen = occurring.filter { sums[$0] != nil }
      guard let first = chosen.first, chosen.count < occurring.count else { continue }
      let isOrdered = source.sharesInOrderOfIDs || chosen.count == 1
      if isOrdered { sums.setSharedDigests(0, of: first) }
      // The stored number is still right for failures whose predecessors all match.
      let others = isOrdered ? occurring.drop { sums[$0] != nil } : chosen[...]
      if others.contains(where: { sums[$0]?.sharedDigests ?? 0 > 0 }) { uncertain.insert(value) }
    }
    if !uncertain.isEmpty { try recountSharedDigests(in: &sums, of: uncertain, filter) }
  }

  /// Counts shared digests in the digests themselves, if stored counts are not enough.
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
        source.hasDigests
          ? "the digests are gone that could tell \(question); take a window without evicted digests, "
            + "count failures, or leave the kind out"
          : "a fleet has counts, and only digests could tell \(question); count failures, or leave the "
            + "kind out")
    }
    var shared: [Int64: Int64] = [:]
    var seen: Set<Int64> = []
    try forEachDigest(in: window, of: releases(filter)) { counts, _ in
      seen.removeAll(keepingCapacity: true)
      for count in counts where sums[count.id] != nil {
        guard let value = values.valueID(of: count.id), uncertain.contains(value)
        else { continue }
        let isShared = !seen.insert(value).inserted
        shared[count.id, default: 0] += isShared ? 1 : 0
      }
    }
    for (failure, count) in shared { sums.setSharedDigests(count, of: failure) }
  }
}
