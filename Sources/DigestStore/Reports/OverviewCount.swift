import ResilientPlatform

/// Counts for an overview: the first rows of each report, and their counts per period.
struct OverviewCount {
  private static let day = 24 * Moment.hour

  private let connection: any Engine
  private let filter: DigestFilter
  private let limit: Int
  private let window: TimeWindow
  private let models: [DigestStore.ModelCount]
  private let totals: DigestStore.Totals

  /// The time range of the window, in milliseconds; empty if there is nothing to count.
  private let moments: Range<Int64>

  init(
    _ connection: any Engine, _ filter: DigestFilter, limit: Int, reaching end: Moment?,
    atMost latest: Moment?
  ) throws {
    self.connection = connection
    self.filter = filter
    self.limit = limit
    window = try connection.widened(filter.window)
    models = try connection.modelCounts(filter)
    totals = DigestStore.Totals(models)
    let last = [totals.lastSeen.map { Moment($0).milliseconds + 1 }, end?.milliseconds]
      .compactMap(\.self).max()
    var first = window.since ?? totals.firstSeen.map { Moment($0) }
    if window.beginsWithRightClock, let seen = first, seen < .firstOfSwift {
      first = try TrendRows(filter, .nothing).moments(connection, in: window).map {
        Moment(milliseconds: $0.lowerBound)
      }
    }
    if let first,
      let end = window.until?.milliseconds
        ?? last.map({ min($0, latest?.milliseconds ?? .max) }), first.milliseconds < end
    {
      moments = first.milliseconds..<end
    } else {
      moments = 0..<0
    }
  }

  func overview() throws -> DigestStore.Overview {
    let past = try past()
    let values = try FailureRows(connection, filter.ofNovelValues).read(limit: limit)
    let failures = try FailureRows(connection, filter).read(limit: limit)
    let older = try past.known.map(connection.contexts(olderThan:)) ?? []
    let newRows = try FailureRows(connection, past.counted, newTo: past.known)
    let new = try newRows.read(limit: limit, older: older)
    let shown = models.prefix(limit)
    let trend = try OverviewPeriods(connection, filter, in: moments)
    let ofFailures = try trend.occurrences(ofFailures: (values + failures + new).map(\.id))
    let ofModels = try trend.occurrencesOfModels()
    return DigestStore.Overview(
      totals: totals,
      decodes: try connection.decodeRates(filter)?.counts,
      trend: trend.trend(ofModels.values.map { $0 }),
      models: .init(
        rows: Array(shown), total: models.count,
        trends: shown.map { trend.known(ofModels[$0.model]) }),
      novelValues: .init(
        rows: values.map(DigestStore.FailureCount.init), total: totals.novelValues,
        trends: values.map { trend.known(ofFailures[$0.id]) }),
      failures: .init(
        rows: failures.map(DigestStore.FailureCount.init), total: totals.failures,
        trends: failures.map { trend.known(ofFailures[$0.id]) }),
      novelty: past.novelty,
      newFailures: .init(
        rows: new.map(DigestStore.FailureCount.init),
        total: new.count < limit ? new.count : try newRows.count(older: older),
        trends: new.map { trend.known(ofFailures[$0.id]) })
    )
  }

  /// The definition of a new failure.
  private struct Past {
    let novelty: DigestStore.Overview.Novelty

    /// The errors among which the new failures are counted.
    let counted: DigestFilter

    /// Failures that occurred before this filter are not new. Nil if everything is new.
    let known: DigestFilter?
  }

  private func past() throws -> Past {
    if !filter.releases.isEmpty, !filter.hasNoRelease {
      return Past(novelty: .releases(filter.releases), counted: filter, known: filter)
    }
    let everything = Past(novelty: .everything, counted: filter, known: nil)
    guard !moments.isEmpty else { return everything }
    let week = (moments.upperBound - 1) / Self.day * Self.day - 6 * Self.day
    let since = max(filter.window.since ?? .earliest, Moment(milliseconds: max(0, week)))
    var recent = filter
    recent.since = since.date
    if try connection.hasErrors(before: since, filter.ofAllReleases) {
      return Past(novelty: .since(since.date), counted: filter, known: recent)
    }
    guard let release = try connection.newestRelease(filter), !filter.hasNoRelease else {
      return everything
    }
    var newest = filter
    newest.releases = [release]
    guard try !connection.contexts(olderThan: newest).isEmpty else { return everything }
    return Past(novelty: .releases([release]), counted: newest, known: newest)
  }
}

extension Engine {
  /// Whether anything occurred before a moment.
  fileprivate func hasErrors(before moment: Moment, _ filter: DigestFilter) throws -> Bool {
    try rows(
      """
      SELECT EXISTS (SELECT 1 FROM (\(Totals(self, filter).sql())) AS t
        WHERE first_seen < \(moment.milliseconds))
      """, filter.values()
    ) { $0.integer(at: 0) } == [1]
  }
}
