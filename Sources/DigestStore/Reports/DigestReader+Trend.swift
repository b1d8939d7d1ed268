public import ResilientDecoding
public import ResilientPlatform

extension DigestReader {
  /// Counts errors by minute, hour, day or week.
  ///
  /// The periods cover the filter's window. Where the window has no bound, they begin with the
  /// first error or end with the last. They skip errors before 2 June 2014, when Swift was
  /// published: a clock that shows an earlier time wasn't set. ``DigestStore/Trend/occurrences``
  /// includes these errors. A window without a beginning has at most 5,000 periods. The counts are
  /// exact to the millisecond, even in periods that are partly in the window. If counts of hours
  /// were deleted, a trend by hour begins with the first hour that has counts. If digests were
  /// evicted, a trend by minute begins after them: see ``countedWindow(matching:by:)``. If counts of
  /// days were deleted too, a period has no count: see ``DigestStore/Trend/Point/occurrences``.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - unit: the length of the periods. Nil for minutes up to 3 hours, hours up to 3 days, days
  ///     up to 26 weeks, and weeks beyond that; or a longer unit, if needed to cover the whole
  ///     window.
  ///   - grouping: the property to count by. Groups are sorted by count, highest first, then by
  ///     their texts.
  ///   - limit: the most groups to return; nil for all.
  ///   - end: a time that the periods include if the window has no upper bound.
  ///   - rates: whether to count digests and decodes too. The window is then that of
  ///     ``decodeCounts(matching:)``. Not possible by minute or by kind. If the filter or the
  ///     grouping chooses failures, the decodes are those of their models.
  /// - Throws: ``DigestStoreError`` when the file cannot be read. With code `invalidInput` when
  ///   there would be more than 5,000 periods and the filter has no ``DigestFilter/since``, or more
  ///   than a million points, when the counts of all requested minutes or hours were deleted, or
  ///   when no group has rates.
  public func trend(
    matching filter: DigestFilter = DigestFilter(),
    by unit: DigestStore.Trend.Unit? = nil,
    groupedBy grouping: DigestStore.Trend.Grouping = .nothing,
    limit: Int? = nil,
    reaching end: Date? = nil,
    rates: Bool = false
  ) throws -> [DigestStore.Trend] {
    try snapshot { connection in
      try TrendCount(
        connection, filter, by: unit, grouping, limit: limit, reaching: end.map { Moment($0) },
        rates: rates
      ).trends(at: clock())
    }
  }

  /// Counts the errors before the periods of a trend, by clocks that weren't set.
  ///
  /// - Parameter filter: the filter of the trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func occurrencesBeforeTrend(matching filter: DigestFilter) throws -> Int {
    guard filter.window.beginsWithRightClock else { return 0 }
    let earlier = TimeWindow(since: nil, until: .firstOfSwift)
    return try occurrences(matching: filter.limited(to: earlier))
  }
}

extension DigestStore {
  /// The number of errors in each period of a window.
  public struct Trend: Sendable, Hashable, Codable {
    /// The length of the periods.
    public enum Unit: String, Sendable, Hashable, CaseIterable, Codable {
      /// Minutes in UTC. They have no stored counts, and are counted from the digests that are
      /// left.
      case minute
      /// Hours in UTC.
      case hour
      /// Days in UTC.
      case day
      /// Weeks in UTC, beginning on Monday.
      case week
    }

    /// The property that groups errors.
    public enum Grouping: String, Sendable, Hashable, CaseIterable, Codable {
      /// No grouping: there is one trend.
      case nothing
      /// By model.
      case model
      /// By kind of failure.
      case kind
      /// By release; digests without a release are a separate group.
      case release
      /// By environment; digests without one are a separate group.
      case environment
      /// By operation; digests without one are a separate group.
      case operation
      /// By the name of the store that was pushed, or its identity.
      case source
      /// By coding path, per model.
      case codingPath
      /// By novel value, per model and coding path; other failures are omitted.
      case novelValue
    }

    /// The number of errors in one period.
    public struct Point: Sendable, Hashable, Codable {
      /// The start of the period.
      public let start: Date
      /// The number of errors; in a period that is partly in the window, only those in the window.
      ///
      /// Nil if counts of a day in the period were deleted
      /// (``DigestStore/Loss/Reason-swift.struct/undated``), even if its other days have counts:
      /// use shorter periods to see those.
      public let occurrences: Int?
      /// The number of digests with at least one of these errors; nil unless the trend has rates,
      /// and for several failures of a model, which can be in the same digest.
      public let digests: Int?
      /// The number of decodes, with and without errors; nil unless the trend has rates.
      public let decodes: Int?
      /// Whether only a part of the period is counted: the window begins or ends within it, or it
      /// hasn't ended yet.
      public let isPartial: Bool

      /// The share of ``decodes``, from 0 to 1, with errors; nil without decodes.
      public var rate: Double? {
        guard let digests, let decodes, decodes > 0 else { return nil }
        return Double(digests) / Double(decodes)
      }
    }

    /// The length of the periods.
    public let unit: Unit
    /// The model, if grouped by model, coding path or novel value.
    public let model: String?
    /// The pattern of the coding path, if grouped by coding path or novel value.
    public let codingPath: String?
    /// The kind of the errors, if grouped by kind.
    public let kind: ErrorDigest.Kind?
    /// The release, if grouped by release; nil for digests without a release.
    public let release: String?
    /// The environment, if grouped by environment; nil for digests without one.
    public let environment: String?
    /// The operation, if grouped by operation; nil for digests without one.
    public let operation: String?
    /// The name or the identity of the store, if grouped by source.
    public let source: String?
    /// The raw value, as text, if grouped by novel value.
    public let novelValue: String?
    /// The type of the raw value.
    public let valueType: String?
    /// The number of errors in the window, as far as they are counted.
    ///
    /// With no bounds, this includes errors of days whose counts were deleted.
    public let occurrences: Int
    /// All periods in order, including those without errors; the same periods in every group.
    public let points: [Point]
  }
}

extension DigestStore.Trend.Unit {
  /// The longest periods with counts that add up to the unit's.
  var split: Counts.Split {
    switch self {
    case .minute: .minute
    case .hour: .hour
    case .day, .week: .day
    }
  }

  /// Selects the unit for a window: minutes up to 3 hours, hours up to 3 days, days up to 26 weeks,
  /// then weeks.
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

  /// The number of the period that contains a moment.
  func number(of moment: Int64) -> Int64 { (moment + offset) / length }

  /// The start of a period.
  func start(of number: Int64) -> Date { Moment(milliseconds: number * length - offset).date }

  /// The length of a period in milliseconds.
  private var length: Int64 { self == .week ? 7 * Counts.Split.day.length : split.length }

  /// The time from the start of a period to 1970, which began on a Thursday.
  private var offset: Int64 { self == .week ? 3 * Counts.Split.day.length : 0 }
}
