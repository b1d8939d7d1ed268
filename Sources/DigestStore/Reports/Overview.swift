public import ResilientPlatform

/// A summary of a store, all counted in one snapshot.
public struct Overview: Sendable, Hashable {
  /// The totals.
  public let totals: Totals
  /// The decodes; nil if they were not counted.
  public let decodes: DecodeCounts?
  /// The number of errors over time.
  public let trend: OverviewTrend
  /// The models with the most errors.
  public let models: Ranking<ModelCount>
  /// The most frequent novel values.
  public let novelValues: Ranking<NovelValueCount>
  /// The most frequent failures, including novel values.
  public let failures: Ranking<FailureCount>
  /// The definition of a new failure.
  public let novelty: Novelty
  /// The most frequent new failures.
  public let newFailures: Ranking<FailureCount>
}

extension Overview {
  /// The first rows of a report, and the number of all rows.
  public struct Ranking<Row: Sendable & Hashable>: Sendable, Hashable {
    /// The first rows, in the order of the report.
    public let rows: [Row]
    /// The number of rows without a limit.
    public let total: Int
    /// For each row, the number of errors in each period of ``Overview/trend``; nil as there.
    public let trends: [[Int?]]
  }

  /// The definition of a new failure.
  public enum Novelty: Sendable, Hashable {
    /// The failure never occurred before this moment.
    case since(Date)
    /// The failure occurred in one of these releases, and in no release older than all of them.
    case releases([String])
    /// Every failure is new, because nothing is older.
    case everything
  }
}

/// The number of errors in each period of the window.
///
/// The length of the periods limits their number: minutes, hours, days, weeks or several weeks.
public struct OverviewTrend: Sendable, Hashable {
  /// The unit of the periods.
  public let unit: Trend.Unit
  /// The number of units in a period: 1, unless the window spans years.
  public let unitsPerPeriod: Int
  /// The starts of the periods, without gaps.
  public let starts: [Date]
  /// The number of errors in each period; nil if counts of a day in the period were deleted, as
  /// in ``Trend/Point/occurrences``.
  public let occurrences: [Int?]
}
