package import ResilientPlatform

extension DigestStore {
  /// A summary of a store, all counted in one snapshot.
  package struct Overview: Sendable, Hashable, Codable {
    /// The totals.
    package let totals: Totals
    /// The decodes; nil if they were not counted.
    package let decodes: DecodeCounts?
    /// The number of errors over time.
    package let trend: OverviewTrend
    /// The models with the most errors.
    package let models: Ranking<ModelCount>
    /// The most frequent new failures, and then the most frequent ones that are not new.
    package let failures: Ranking<FailureCount>
    /// The definition of a new failure.
    package let novelty: Novelty
    /// The number of new failures.
    package let newFailures: Int
    /// The number of those that are rows of ``failures``, the first ones.
    package let newRowCount: Int
  }
}

extension DigestStore.Overview {
  /// The first rows of a report, and the number of all rows.
  package struct Ranking<Row: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
    /// The first rows, in the order of the report.
    package let rows: [Row]
    /// The number of rows without a limit.
    package let total: Int
    /// For each row, the number of errors in each period of ``DigestStore/Overview/trend``; nil as
    /// there.
    package let trends: [[Int?]]
  }

  /// The definition of a new failure.
  package enum Novelty: Sendable, Hashable, Codable {
    /// The failure never occurred before this moment.
    case since(Date)
    /// The failure occurred in one of these releases, and in no release older than all of them.
    case releases([String])
    /// Every failure is new, because nothing is older.
    case everything
  }
}

extension DigestStore {
  /// The number of errors in each period of the window.
  ///
  /// The length of the periods limits their number: minutes, hours, days, weeks or several weeks.
  package struct OverviewTrend: Sendable, Hashable, Codable {
    /// The unit of the periods.
    package let unit: Trend.Unit
    /// The number of units in a period: 1, unless the window spans years.
    package let unitsPerPeriod: Int
    /// The starts of the periods, without gaps.
    package let starts: [Date]
    /// The number of errors in each period; nil if counts of a day in the period were deleted, as
    /// in ``DigestStore/Trend/Point/occurrences``.
    package let occurrences: [Int?]
  }
}

extension DigestReader {
  /// Returns an overview: totals, a trend, and the first rows of each report.
  ///
  /// The counts are those of ``totals(matching:)``, ``models(matching:by:limit:)``,
  /// ``failures(matching:limit:)`` and ``trend(matching:by:groupedBy:limit:reaching:rates:)``, all
  /// from one snapshot of the file.
  ///
  /// A failure is new if it first occurred in the releases of the filter. Without releases, it is
  /// new if it first occurred in the last seven days of the window, in UTC. If nothing is older
  /// than those days, it is new if it first occurred in the newest release.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most models, new failures, and failures to choose the others from.
  ///   - end: a time that the window includes if the filter has no upper bound.
  ///   - latest: the latest end of the trend; errors after it are only in the other counts.
  /// - Throws: ``DigestStoreError`` as ``failures(matching:limit:)`` does.
  package func overview(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int,
    reaching end: Date? = nil,
    atMost latest: Date? = nil
  ) throws -> DigestStore.Overview {
    try snapshot { connection in
      try OverviewCount(
        connection, filter, limit: max(0, limit), reaching: end.map { Moment($0) },
        atMost: latest.map { Moment($0) }
      ).overview()
    }
  }
}

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
    let seen =
      totals.occurrences == 0 || window.since != nil && window.until != nil
      ? nil : try connection.errorMoments(filter, in: window)
    moments = TrendCount.moments(of: seen, window, end, atMost: latest)
  }

  func overview() throws -> DigestStore.Overview {
    let (novelty, known) = try novelty()
    let older = try known.map(connection.contexts(olderThan:)) ?? []
    let newQuery = try FailureQuery(connection, filter, newTo: known)
    let new = try newQuery.read(limit: limit, older: older)
    let isNew = Set(new.map(\.id))
    let failures =
      try new
      + FailureQuery(connection, filter).read(limit: limit).filter { !isNew.contains($0.id) }
    let shown = models.prefix(limit)
    let trend = try OverviewPeriods(connection, filter, in: moments)
    let ofFailures = try trend.occurrences(ofFailures: failures.map(\.id))
    let ofModels = try trend.occurrencesOfModels()
    return DigestStore.Overview(
      totals: totals,
      decodes: try connection.decodeRates(filter)?.counts,
      trend: trend.trend(ofModels.values.map { $0 }),
      models: .init(
        rows: Array(shown), total: models.count,
        trends: shown.map { trend.known(ofModels[$0.model]) }),
      failures: .init(
        rows: failures.map(\.failure), total: totals.failures,
        trends: failures.map { trend.known(ofFailures[$0.id]) }),
      novelty: novelty,
      newFailures: new.count < limit ? new.count : try newQuery.count(older: older),
      newRowCount: new.count
    )
  }

  /// The definition of a new failure, and a filter: what occurred before it is not new. Without one,
  /// everything is new.
  private func novelty() throws -> (DigestStore.Overview.Novelty, known: DigestFilter?) {
    if !filter.releases.isEmpty, !filter.hasNoRelease {
      return (.releases(filter.releases), filter)
    }
    guard !moments.isEmpty else { return (.everything, nil) }
    let week = (moments.upperBound - 1) / Self.day * Self.day - 6 * Self.day
    let since = max(filter.window.since ?? .earliest, Moment(milliseconds: max(0, week)))
    var known = filter
    known.since = since.date
    if try connection.hasErrors(before: since, filter.ofAllReleases) {
      return (.since(since.date), known)
    }
    guard let release = try connection.newestRelease(filter), !filter.hasNoRelease else {
      return (.everything, nil)
    }
    known = filter
    known.releases = [release]
    let isOldest = try connection.contexts(olderThan: known).isEmpty
    return isOldest ? (.everything, nil) : (.releases([release]), known)
  }
}

extension Engine {
  /// Whether anything occurred before a moment.
  func hasErrors(before moment: Moment, _ filter: DigestFilter) throws -> Bool {
    try rows(
      """
      SELECT EXISTS (SELECT 1 FROM (\(TotalRows(self, filter).sql())) AS t
        WHERE first_seen < \(moment.milliseconds))
      """, filter.values()
    ) { $0.integer(at: 0) } == [1]
  }
}
