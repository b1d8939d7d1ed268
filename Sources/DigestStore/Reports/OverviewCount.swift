import ResilientPlatform

/// Counts for an overview: first the totals, then the counts per period.
struct OverviewCount {
  private let snapshot: Snapshot
  private let filter: DigestFilter
  private let limit: Int

  /// The counts in the filter's window and releases, and those of them that match the filter.
  private let all: CountsByID
  private let sums: CountsByID

  /// The time range of the window, in milliseconds; empty if there is nothing to count.
  private let moments: Range<Int64>

  init(_ snapshot: Snapshot, _ filter: DigestFilter, limit: Int, reaching end: Moment?) throws {
    self.snapshot = snapshot
    self.filter = filter
    self.limit = max(0, limit)
    all = try snapshot.sumsOfAll(filter)
    let failures = try snapshot.chosen(filter)
    sums = failures.map { [all] in all.only($0, upTo: snapshot.values.last) } ?? all
    let counts = sums.counts
    let window = try snapshot.window(filter)
    let last = [counts.map(\.last).max().map { $0 + 1 }, end?.milliseconds].compactMap { $0 }.max()
    if let first = window.since?.milliseconds ?? counts.map(\.first).min(),
      let end = window.until?.milliseconds ?? last, first < end
    {
      moments = first..<end
    } else {
      moments = 0..<0
    }
  }

  func overview() throws -> DigestStore.Overview {
    let (novelty, newSums, newFilter) = try novelty()
    let (totals, allDigests, modelOfFailure) = try snapshot.modelTotals(filter, of: all)
    let rates = try snapshot.modelRates(filter)
    let models = try snapshot.ranked(totals, of: allDigests, rates, limit: limit)
    let values = try Table(
      snapshot, novelValueSums(), limit, by: FailureDescription.novelValuesPrecede)
    let failures = try Table(snapshot, sums, limit, by: FailureDescription.failuresPrecede)
    let new = try Table(snapshot, newSums, limit, by: FailureDescription.failuresPrecede)
    let failuresOfValue = snapshot.values.failures(ofValues: values.ids)
    let releases = try FirstReleases(
      snapshot, filter, ofFailures: failures.counts + (newFilter == nil ? new.counts : []),
      ofValues: values.counts)
    let newReleases =
      try newFilter.map { try FirstReleases(snapshot, $0, ofFailures: new.counts) } ?? releases
    let trend = try OverviewTrendCount(
      snapshot, filter, in: moments, of: modelOfFailure,
      failures: failures.ids + new.ids + values.ids.flatMap { failuresOfValue[$0] ?? [] },
      models: models.map(\.id))
    return DigestStore.Overview(
      totals: DigestStore.Totals(totals),
      decodes: try snapshot.decodeCounts(filter, rates),
      trend: trend.trend,
      models: .init(
        rows: models.map(\.count), total: totals.count,
        trends: models.map { trend.occurrences(ofModel: $0.id) }),
      novelValues: values.ranking(
        { DigestStore.NovelValueCount($0, $1, releases) },
        trend: { trend.occurrences(ofFailures: failuresOfValue[$0] ?? []) }),
      failures: failures.ranking(
        { DigestStore.FailureCount($0, $1, releases) },
        trend: { trend.occurrences(ofFailures: [$0]) }),
      novelty: novelty,
      newFailures: new.ranking(
        { DigestStore.FailureCount($0, $1, newReleases) },
        trend: { trend.occurrences(ofFailures: [$0]) })
    )
  }

  private func novelValueSums() throws -> CountsByID {
    // Only a filter by kind needs more than the counts already read.
    filter.kinds.isEmpty ? sums.ofNovelValues(snapshot.values) : try snapshot.novelValueSums(filter)
  }

  /// The definition of a new failure, and the counts of the new failures, with the filter that they
  /// match if it is another one.
  private func novelty() throws -> (DigestStore.Overview.Novelty, CountsByID, DigestFilter?) {
    if !filter.releases.isEmpty, !filter.hasNoRelease {
      return (.releases(filter.releases), sums.without(try snapshot.known(before: filter)), nil)
    }
    guard !moments.isEmpty else { return (.everything, sums, nil) }
    let week = (moments.upperBound - 1) / Self.day * Self.day - 6 * Self.day
    var recent = filter
    recent.since = max(filter.since ?? .distantPast, Moment(milliseconds: max(0, week)).date)
    let known = try snapshot.known(before: recent)
    if !known.counts.isEmpty {
      return (.since(recent.since ?? .distantPast), sums.without(known), nil)
    }
    guard let release = try snapshot.newestRelease(), !filter.hasNoRelease else {
      return (.everything, sums, nil)
    }
    var newest = filter
    newest.releases = [release]
    let older = try snapshot.known(before: newest)
    guard !older.counts.isEmpty else { return (.everything, sums, nil) }
    return (.releases([release]), try snapshot.sums(newest).without(older), newest)
  }

  private static let day = 24 * Moment.hour
}

/// The first rows of a report.
private struct Table {
  private let rows: [(count: Count, names: FailureDescription)]
  private let total: Int

  init(
    _ snapshot: Snapshot,
    _ sums: CountsByID,
    _ limit: Int,
    by precedes: (FailureDescription, FailureDescription) -> Bool
  ) throws {
    rows = try snapshot.ranked(sums, limit: limit, by: precedes)
    total = sums.counts.count
  }

  var counts: [Count] { rows.map(\.count) }
  var ids: [Int64] { rows.map(\.count.id) }

  func ranking<Row>(
    _ row: (Count, FailureDescription) -> Row,
    trend: (Int64) -> [Int?]
  ) -> DigestStore.Overview.Ranking<Row> {
    DigestStore.Overview.Ranking(
      rows: rows.map { row($0.count, $0.names) }, total: total, trends: ids.map(trend))
  }
}
