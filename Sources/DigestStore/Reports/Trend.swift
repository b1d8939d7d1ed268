#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How often something went wrong in each period of a window.
public struct Trend: Sendable, Hashable {
  /// How long the periods are.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Minutes of UTC, which no tally has: they are counted by the digests that are left.
    case minute
    /// Hours of UTC.
    case hour
    /// Days of UTC.
    case day
    /// Weeks of UTC, from Monday on.
    case week
  }

  /// What is counted apart.
  public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// Nothing: there is one trend.
    case nothing
    /// Models.
    case model
    /// Kinds of failures.
    case kind
    /// Releases; those digests that have none are a group of their own.
    case release
    /// Novel values, each of a model and a coding path; other failures are left out.
    case novelValue
  }

  /// How many errors there were in one period.
  public struct Point: Sendable, Hashable {
    /// The beginning of the period.
    public let start: Date
    /// How many errors; of a period that is partly in the window, those in the window.
    ///
    /// It is nil where the counts of a day in the period were dropped (``Loss/undated``), also where
    /// counts of its other days are left: shorter periods tell those.
    public let occurrences: Int?
  }

  /// How long the periods are.
  public let unit: Unit
  /// The model, where they or novel values are counted apart.
  public let model: String?
  /// The pattern of the coding path, where novel values are counted apart.
  public let codingPath: String?
  /// The raw value of an `ErrorDigest.Kind`, where they are counted apart.
  public let kind: String?
  /// The release, where they are counted apart; nil for digests that have none.
  public let release: String?
  /// The raw value, as text, where they are counted apart.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// How many errors there were in the window, as far as they are counted.
  ///
  /// A window of all time also has those of days whose counts were dropped.
  public let occurrences: Int
  /// All periods in their order, also those without an error; the same ones in every group.
  public let points: [Point]
}

extension Trend.Unit {
  /// The unit of which a window has neither too few nor too many: minutes up to 3 hours, hours up to
  /// 3 days, days up to 26 weeks, weeks from there on.
  ///
  /// - Parameter hours: the length of the window.
  init(suiting hours: Double) {
    self =
      switch hours {
      case ...3: .minute
      case ...72: .hour
      case ...4_368: .day
      default: .week
      }
  }

  /// The number of the period that has a moment.
  func number(of moment: Int64) -> Int64 {
    switch self {
    case .minute: moment / 60_000
    case .hour: moment / Moment.hour
    case .day: moment / Moment.hour / 24
    // 1970 began on a Thursday.
    case .week: (moment / Moment.hour / 24 + 3) / 7
    }
  }

  /// The beginning of a period.
  func start(of number: Int64) -> Date {
    let milliseconds =
      switch self {
      case .minute: number * 60_000
      case .hour: number * Moment.hour
      case .day: number * 24 * Moment.hour
      case .week: (number * 7 - 3) * 24 * Moment.hour
      }
    return Moment(milliseconds: milliseconds).date
  }

  /// The longest tallies that lie in one period as a whole, in hours; 0 where there are none.
  var longestSpan: Int64 {
    switch self {
    case .minute: 0
    case .hour: 1
    case .day, .week: 24
    }
  }
}
