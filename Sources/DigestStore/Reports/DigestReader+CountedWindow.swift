public import ResilientPlatform

extension DigestStore {
  /// The time window that a report can count, after details of the past were deleted.
  public struct CountedWindow: Sendable, Hashable, Codable {
    /// The first moment counted; nil for no lower bound.
    public let since: Date?

    /// The first moment no longer counted; nil for no upper bound.
    public let until: Date?

    /// Whether this is the requested window, to the millisecond.
    public let isExact: Bool

    /// Creates a value, for example for a test or a preview.
    public init(since: Date? = nil, until: Date? = nil, isExact: Bool) {
      self.init(since: since, until: until, isExact: isExact, isInWholeHours: false)
    }

    init(since: Date?, until: Date?, isExact: Bool, isInWholeHours: Bool) {
      self.since = since
      self.until = until
      self.isExact = isExact
      self.isInWholeHours = isInWholeHours
    }

    /// Whether this is the requested window in whole hours, because the store is a fleet, which
    /// counts by the hour.
    package let isInWholeHours: Bool
  }
}

extension DigestReader {
  /// Returns the window that a report with a filter counts: the filter's window if possible.
  ///
  /// Evicted digests leave only counts. A bound of the window inside an hour with evicted digests
  /// moves outwards, to the start or end of that hour. If the counts of hours are deleted too, it
  /// moves to the start or end of the day in UTC. The report then counts exactly this larger
  /// window.
  ///
  /// A trend by hour begins with the first hour that still has counts. A trend by minute begins
  /// after the last hour with evicted digests.
  ///
  /// - Parameters:
  ///   - filter: the filter of the report.
  ///   - unit: the length of the periods, if the report is a trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func countedWindow(
    matching filter: DigestFilter,
    by unit: DigestStore.Trend.Unit? = nil
  ) throws -> DigestStore.CountedWindow {
    try snapshot { snapshot in
      let asked = filter.window
      let counted = try snapshot.window(filter, by: unit)
      return DigestStore.CountedWindow(
        since: counted.since?.date,
        until: counted.until?.date,
        isExact: counted.since == asked.since && counted.until == asked.until,
        isInWholeHours: !snapshot.source.hasDigests && counted.isInWholeHours(of: asked)
      )
    }
  }
}

extension Snapshot {
  /// The window of a filter, limited to the time for which a trend can count periods of this
  /// length.
  ///
  /// It begins no earlier than the first hour from which all counts of hours are left or, for
  /// minutes, all digests.
  func window(_ filter: DigestFilter, by unit: DigestStore.Trend.Unit?) throws -> TimeWindow {
    let window = try window(filter)
    let first: Moment? =
      switch unit {
      case .minute: try firstMomentInDetail(of: window)
      case .hour: Moment(milliseconds: firstFineHour * Moment.hour)
      case .day, .week, nil: nil
      }
    guard let first, window.range.lowerBound < first, !window.isEmpty else { return window }
    return TimeWindow(since: first, until: window.until)
  }
}
