#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a store has to say at a glance, all of it counted at the same moment.
public struct Overview: Sendable, Hashable {
  /// All of it, as one.
  public let totals: Totals
  /// When they occurred.
  public let course: Course
  /// The models with the most errors.
  public let models: Ranking<ModelCount>
  /// The most frequent novel values.
  public let novelValues: Ranking<NovelValueCount>
  /// The most frequent failures, novel values among them.
  public let failures: Ranking<FailureCount>
  /// What makes a failure a new one.
  public let novelty: Novelty
  /// The most frequent of the failures that are new.
  public let newFailures: Ranking<FailureCount>
}

extension Overview {
  /// The first rows of a report, and how many there are.
  public struct Ranking<Row: Sendable & Hashable>: Sendable, Hashable {
    /// The most frequent ones, in the order of the report.
    public let rows: [Row]
    /// How many rows the report has without a limit.
    public let total: Int
    /// How many errors each row has in each period of ``Overview/course``; nil as there.
    public let courses: [[Int?]]
  }

  /// How many errors there were in each period of the window.
  ///
  /// The periods are so long that there are not many: minutes, hours, days, weeks or several weeks.
  public struct Course: Sendable, Hashable {
    /// What the periods are made of.
    public let unit: Trend.Unit
    /// How many of those a period has: 1, unless the window is one of years.
    public let unitsPerPeriod: Int
    /// The beginnings of the periods, without a gap.
    public let starts: [Date]
    /// How many errors each period has; nil where counts of a day in it were dropped, as in
    /// ``Trend/Point/occurrences``.
    public let occurrences: [Int?]
  }

  /// What makes a failure a new one.
  public enum Novelty: Sendable, Hashable {
    /// That it had never been met before this moment.
    case since(Date)
    /// That it was met in one of these releases, and in none that is older than all of them.
    case releases([String])
    /// Nothing, for there is nothing that is older.
    case everything
  }
}
