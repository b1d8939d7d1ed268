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
    moments = Self.moments(
      from: sums.counts, in: try snapshot.window(filter), reaching: end)
  }

  /// The time range of the periods of an overview, in milliseconds; empty if there are none.
  static func moments(
    from counts: [Count], in window: TimeWindow, reaching end: Moment?
  ) -> Range<Int64> {
    let last = [counts.map(\.last).max().map { $0 + 1 }, end?.milliseconds].compactMap { $0 }.max()
    guard let first = window.since?.milliseconds ?? counts.map(\.first).min(),
      let end = window.until?.milliseconds ?? last, first < end
    else { return 0..<0 }
    return first..<end
  }

  func overview() throws -> DigestStore.Overview {
    let past = try Self.past(of: filter, moments, in: snapshot)
    let isOfFilter = past.counted == filter
    var newSums = isOfFilter ? sums : try snapshot.sums(past.counted)
    if let known = past.filter { newSums = newSums.without(try snapshot.known(before: known)) }
    let (totals, allDigests, modelOfFailure) = try snapshot.modelTotals(filter, of: all)
    let rates = try snapshot.modelRates(filter)
    let models = try snapshot.ranked(totals, of: allDigests, rates, limit: limit)
    let values = try Table(
      snapshot, novelValueSums(), limit, by: FailureDescription.novelValuesPrecede)
    let failures = try Table(snapshot, sums, limit, by: FailureDescription.failuresPrecede)
    let new = try Table(snapshot, newSums, limit, by: FailureDescription.failuresPrecede)
    let failuresOfValue = snapshot.values.failures(ofValues: values.ids)
    let releases = try FirstReleases(
      snapshot, filter, ofFailures: failures.counts + (isOfFilter ? new.counts : []),
      ofValues: values.counts)
    let newReleases =
      isOfFilter ? releases : try FirstReleases(snapshot, past.counted, ofFailures: new.counts)
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
      novelty: past.novelty,
      newFailures: new.ranking(
        { DigestStore.FailureCount($0, $1, newReleases) },
        trend: { trend.occurrences(ofFailures: [$0]) })
    )
  }

  private func novelValueSums() throws -> CountsByID {
    // Only a filter by kind needs more than the counts already read.
    filter.kinds.isEmpty ? sums.ofNovelValues(snapshot.values) : try snapshot.novelValueSums(filter)
  }

  /// The definition of a new failure.
  struct Past {
    let novelty: DigestStore.Overview.Novelty

    /// The errors among which the new failures are counted.
    let counted: DigestFilter

    /// Failures that occurred before this filter are not new: see ``Snapshot/known(before:)``. Nil if
    /// everything is new.
    let filter: DigestFilter?
  }

  /// - Parameter moments: the time range of the window.
  static func past(
    of filter: DigestFilter, _ moments: Range<Int64>, in snapshot: Snapshot
  ) throws -> Past {
    if !filter.releases.isEmpty, !filter.hasNoRelease {
      return Past(novelty: .releases(filter.releases), counted: filter, filter: filter)
    }
    let everything = Past(novelty: .everything, counted: filter, filter: nil)
    guard !moments.isEmpty else { return everything }
    let week = (moments.upperBound - 1) / day * day - 6 * day
    var recent = filter
    recent.since = max(filter.since ?? .distantPast, Moment(milliseconds: max(0, week)).date)
    if try snapshot.hasKnown(before: recent) {
      return Past(
        novelty: .since(recent.since ?? .distantPast), counted: filter, filter: recent)
    }
    guard let release = try snapshot.newestRelease(), !filter.hasNoRelease else {
      return everything
    }
    var newest = filter
    newest.releases = [release]
    guard try snapshot.hasKnown(before: newest) else { return everything }
    return Past(novelty: .releases([release]), counted: newest, filter: newest)
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
