extension Snapshot {
  /// Counts the errors that match a filter by model.
  ///
  /// - Returns: the models with errors, unsorted; and the number of digests, of all models, in the
  ///   filter's window and release.
  func modelTotals(_ filter: DigestFilter) throws -> (models: [ModelTotal], allDigests: Int64) {
    if let server {
      let scope = try scope(filter)
      guard !scope.isEmpty else { return ([], try digests(of: filter).allDigests) }
      var totals = try server.modelTotals(scope)
      let (digests, allDigests) = try self.digests(of: filter)
      for index in totals.indices where !totals[index].isPartial {
        totals[index].digests = digests[totals[index].count.id]?.digests
      }
      return (totals, allDigests)
    }
    if filter.isOfAllTime, table(for: filter) == .models {
      return try modelTotalsOfAllTime(filter)
    }
    let (models, allDigests, _) = try modelTotals(filter, of: sumsOfAll(filter))
    return (models, allDigests)
  }

  /// Counts the errors that match a filter by model.
  ///
  /// - Parameter sums: the counts of all failures in the filter's window and release.
  /// - Returns: the models and the number of digests, as ``modelTotals(_:)`` does, and the model of
  ///   each failure that matches.
  func modelTotals(
    _ filter: DigestFilter,
    of sums: CountsByID
  ) throws -> (models: [ModelTotal], allDigests: Int64, modelOfFailure: [Int64: Int64]) {
    let window = try window(filter)
    let releases = try releases(filter)
    var (totals, models) = try totals(of: sums, matching: filter)
    let (digests, allDigests) = try digests(of: filter)
    for (model, total) in totals where !total.isPartial {
      totals[model]?.digests = digests[model]?.digests
    }
    if totals.values.contains(where: { $0.digests == nil }), try hasFewDigests(in: window) {
      let digests = try countDigests(in: window, of: releases, by: models)
      for model in totals.keys { totals[model]?.digests = digests[model] }
    }
    return (Array(totals.values), allDigests, models)
  }

  /// The smallest table that can answer a filter.
  func table(for filter: DigestFilter) -> CountTable {
    filter.choosesFailures ? .failures : .models
  }
}

extension Snapshot {
  /// Counts all time by model. The counts of models have everything but the number of failures,
  /// which is the number of rows, because every stored failure has occurred.
  private func modelTotalsOfAllTime(
    _ filter: DigestFilter
  ) throws -> (models: [ModelTotal], allDigests: Int64) {
    let sums = try sumsOfAll(filter, from: .models)
    func failuresByModel(_ condition: String) throws -> [(model: Int64, count: Int)] {
      try connection.rows(
        """
        SELECT model_id, count(*) FROM failure \(condition)
          AND model_id IN (SELECT m.id FROM model AS m WHERE \(filter.modelCondition))
        GROUP BY model_id
        """,
        filter.values
      ) { ($0.integer(at: 0), Int($0.integer(at: 1))) }
    }
    // Both queries read only an index. SQLite does not know that `failure_not_first` is the shorter
    // one.
    let others = try Dictionary(
      failuresByModel("INDEXED BY failure_not_first WHERE value_id IS NOT id"),
      uniquingKeysWith: { $1 })
    let models = try failuresByModel("WHERE true").compactMap { model, failures in
      sums[model].map {
        ModelTotal($0, failures: failures, novelValues: failures - (others[model] ?? 0))
      }
    }
    return (models, sums.counts.sum(of: \.digests))
  }

  /// The most digests that a report reads one by one, if stored counts are not enough. That takes
  /// some milliseconds.
  private static let fewDigests: Int64 = 20_000

  /// Adds up the failures of each model.
  ///
  /// - Returns: the totals, and the model of each failure that matches the filter.
  private func totals(
    of sums: CountsByID,
    matching filter: DigestFilter
  ) throws -> (totals: [Int64: ModelTotal], models: [Int64: Int64]) {
    let statement = try Statement(
      connection,
      """
      SELECT f.id, f.model_id, \(filter.errorCondition)
      FROM model AS m CROSS JOIN failure AS f ON f.model_id = m.id
      WHERE \(filter.modelCondition)
      """
    )
    try statement.bind(named: filter.values)
    var totals: [Int64: ModelTotal] = [:]
    var models: [Int64: Int64] = [:]
    var partial: Set<Int64> = []
    var novelValues: Set<Int64> = []
    while try statement.step() {
      let (failure, model) = (statement.integer(at: 0), statement.integer(at: 1))
      guard let count = sums[failure] else { continue }
      guard statement.integer(at: 2) != 0 else {
        partial.insert(model)
        continue
      }
      models[failure] = model
      // The filter may exclude the first failure of the value.
      let value = values.valueID(of: failure)
      let isNewValue = value.map { novelValues.insert($0).inserted } ?? false
      totals[model, default: ModelTotal(model)].add(count, isNewValue: isNewValue)
    }
    for model in partial { totals[model]?.isPartial = true }
    return (totals, models)
  }

  /// The counts of all models in a filter's window and releases, and the number of digests.
  private func digests(
    of filter: DigestFilter
  ) throws -> (models: CountsByID, allDigests: Int64) {
    let sums = try sumsOfAll(filter, from: .models)
    return (sums, sums.counts.sum(of: \.digests))
  }

  /// Whether all digests of a window are still there, and few enough to read one by one.
  private func hasFewDigests(in window: TimeWindow) throws -> Bool {
    guard try firstMomentInDetail(of: window) <= window.range.lowerBound else { return false }
    let ids = try Statement(
      connection,
      "SELECT max(last_digest_id) - min(first_digest_id) FROM hour WHERE hour BETWEEN ? AND ?"
    ).firstRow([.integer(window.range.lowerBound.hour), .integer(window.range.upperBound.hour)]) {
      $0.integer(at: 0)
    }
    // Every report reads the unfolded digests anyway.
    return ids ?? 0 < Self.fewDigests
  }

  /// Counts the digests of a window that have at least one of some failures, by model.
  ///
  /// - Parameter models: the failures, with their models.
  private func countDigests(
    in window: TimeWindow,
    of releases: Releases,
    by models: [Int64: Int64]
  ) throws -> [Int64: Int64] {
    var byModel: [Int64: Int64] = [:]
    try forEachDigest(in: window, of: releases) { counts, _ in
      // All failures of a digest belong to one model.
      let model = counts.lazy.compactMap { models[$0.id] }.first
      if let model { byModel[model, default: 0] += 1 }
    }
    return byModel
  }
}
