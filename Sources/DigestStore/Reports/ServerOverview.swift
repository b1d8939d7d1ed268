import ResilientPlatform

/// Counts an overview of a server, one part after the other, so that no part needs more failures than it
/// shows.
struct ServerOverview {
  private let snapshot: Snapshot
  private let filter: DigestFilter
  private let limit: Int

  private let models: [ModelTotal]
  private let allDigests: Int64

  /// The time range of all periods, in milliseconds; empty if there are none.
  private let moments: Range<Int64>

  init(_ snapshot: Snapshot, _ filter: DigestFilter, limit: Int, reaching end: Moment?) throws {
    self.snapshot = snapshot
    self.filter = filter
    self.limit = max(0, limit)
    (models, allDigests) = try snapshot.modelTotals(filter)
    moments = OverviewCount.moments(
      from: models.map(\.count), in: try snapshot.window(filter), reaching: end)
  }

  func overview() throws -> DigestStore.Overview {
    let totals = DigestStore.Totals(models)
    let rates = try snapshot.modelRates(filter)
    let ranked = try snapshot.ranked(models, of: allDigests, rates, limit: limit)
    let trend = try trend(ofModels: ranked.map(\.id))
    let (novelty, new) = try newFailures()
    return DigestStore.Overview(
      totals: totals,
      decodes: try snapshot.decodeCounts(filter, rates),
      trend: trend.trend,
      models: .init(
        rows: ranked.map(\.count), total: totals.models,
        trends: ranked.map { trend.occurrences(ofModel: $0.id) }),
      novelValues: try novelValues(total: totals.novelValues),
      failures: try failures(
        snapshot.selecting(.failure, matching: filter, limit: limit), filter,
        total: totals.failures),
      novelty: novelty, newFailures: new)
  }

  private func novelValues(
    total: Int
  ) throws -> DigestStore.Overview.Ranking<DigestStore.NovelValueCount> {
    let values = try snapshot.selecting(.novelValue, matching: filter, limit: limit)
    let rows = try values.ranked(
      values.novelValueSums(filter), limit: limit, by: FailureDescription.novelValuesPrecede)
    let releases = try FirstReleases(values, filter, ofValues: rows.map(\.count))
    let failures = values.values.failures(ofValues: rows.map(\.count.id))
    let trend = try trend(of: values, failures: failures.values.flatMap { $0 })
    return .init(
      rows: rows.map { DigestStore.NovelValueCount($0.count, $0.names, releases) }, total: total,
      trends: rows.map { trend.occurrences(ofFailures: failures[$0.count.id] ?? []) })
  }

  /// - Parameters:
  ///   - selected: a snapshot of the failures to rank.
  ///   - filter: the errors to count.
  ///   - total: the number of rows without the limit.
  private func failures(
    _ selected: Snapshot, _ filter: DigestFilter, total: Int
  ) throws -> DigestStore.Overview.Ranking<DigestStore.FailureCount> {
    let rows = try selected.ranked(
      selected.sums(filter), limit: limit, by: FailureDescription.failuresPrecede)
    let releases = try FirstReleases(selected, filter, ofFailures: rows.map(\.count))
    let trend = try trend(of: selected, failures: rows.map(\.count.id))
    return .init(
      rows: rows.map { DigestStore.FailureCount($0.count, $0.names, releases) }, total: total,
      trends: rows.map { trend.occurrences(ofFailures: [$0.count.id]) })
  }

  private func newFailures() throws -> (
    DigestStore.Overview.Novelty, DigestStore.Overview.Ranking<DigestStore.FailureCount>
  ) {
    let past = try OverviewCount.past(of: filter, moments, in: snapshot)
    let selected = try snapshot.selecting(
      .failure, matching: past.counted, limit: limit, newTo: past.filter, countsAllGroups: true)
    return (
      past.novelty,
      try failures(selected, past.counted, total: selected.allGroups?.count ?? 0)
    )
  }

  /// Counts all errors, and those of some models, in each period.
  private func trend(ofModels models: [Int64]) throws -> OverviewTrendCount {
    guard !filter.choosesFailures else {
      return try trend(of: snapshot.selecting(.kind, matching: filter), models: models)
    }
    let matching = self.models.map { ($0.count.id, $0.count.id) }
    return try OverviewTrendCount(
      snapshot, filter, in: moments, from: .models, of: Dictionary(uniqueKeysWithValues: matching),
      models: models)
  }

  /// Counts the failures of a selection in each period.
  private func trend(
    of selected: Snapshot, failures: [Int64] = [], models: [Int64] = []
  ) throws -> OverviewTrendCount {
    let matching = try selected.connection.rows(
      """
      SELECT f.id, f.model_id FROM model AS m JOIN failure AS f ON f.model_id = m.id
      WHERE \(filter.failureCondition)
      """, filter.values
    ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    return try OverviewTrendCount(
      selected, filter, in: moments, of: Dictionary(uniqueKeysWithValues: matching),
      failures: failures, models: models)
  }
}
