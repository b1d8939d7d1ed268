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
    /// The most frequent novel values.
    package let novelValues: Ranking<FailureCount>
    /// The most frequent failures, including novel values.
    package let failures: Ranking<FailureCount>
    /// The definition of a new failure.
    package let novelty: Novelty
    /// The most frequent new failures.
    package let newFailures: Ranking<FailureCount>
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
