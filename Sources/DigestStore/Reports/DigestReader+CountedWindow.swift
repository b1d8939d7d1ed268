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
  /// A trend by hour begins with the first day whose hours all have counts. A trend by minute
  /// begins after the last hour with evicted digests.
  ///
  /// - Parameters:
  ///   - filter: the filter of the report.
  ///   - unit: the length of the periods, if the report is a trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func countedWindow(
    matching filter: DigestFilter,
    by unit: DigestStore.Trend.Unit? = nil
  ) throws -> DigestStore.CountedWindow {
    try snapshot { connection in
      let counted = try connection.window(filter, by: unit)
      return DigestStore.CountedWindow(
        since: counted.since?.date,
        until: counted.until?.date,
        isExact: counted.since == filter.window.since && counted.until == filter.window.until
      )
    }
  }
}

extension Engine {
  /// The window of a filter, limited to the time for which a trend can count periods of this
  /// length: hours with counts or, for minutes, with digests.
  func window(_ filter: DigestFilter, by unit: DigestStore.Trend.Unit?) throws -> TimeWindow {
    let window = try widened(filter.window)
    guard !window.isEmpty else { return window }
    let first: Moment? =
      switch unit {
      case .minute:
        try [firstHour(withCountsIn: window), firstHour(withDigestsIn: window)]
          .compactMap(\.self).max()
      case .hour: try firstHour(withCountsIn: window)
      case .day, .week, nil: nil
      }
    guard let first, window.range.lowerBound < first,
      !window.beginsWithRightClock || first >= .firstOfSwift
    else { return window }
    return TimeWindow(since: first, until: window.until)
  }

  /// The end of the last day of a window whose hours do not add up to it, or whose counts were
  /// deleted.
  private func firstHour(withCountsIn window: TimeWindow) throws -> Moment? {
    let day = 24 * Moment.hour
    let last = try rows(
      """
      SELECT max(start) FROM (
        SELECT start FROM (
          SELECT start, decodes FROM decodes
          WHERE span = 24 AND context = 0 AND start BETWEEN :first AND :last
          UNION ALL
          SELECT start / 24, -decodes FROM decodes
          WHERE span = 1 AND context = 0 AND start BETWEEN :first * 24 AND :last * 24 + 23
        ) AS d
        -- Hours without their day belong to deleted counts.
        GROUP BY 1 HAVING sum(decodes) <> 0 AND max(decodes) > 0
        UNION ALL
        SELECT hour / 24 FROM loss
        WHERE reason = 'undated' AND hour BETWEEN :first * 24 AND :last * 24 + 23
      ) AS days
      """,
      [
        ":first": .integer(window.range.lowerBound.milliseconds / day),
        ":last": .integer((window.range.upperBound.milliseconds - 1) / day),
      ]
    ) { $0.optionalMoment(at: 0, inPeriodsOf: day) }
    return last.first.flatMap(\.self).map { Moment(milliseconds: $0.milliseconds + day) }
  }

  /// The end of the last hour of a window that lacks digests.
  private func firstHour(withDigestsIn window: TimeWindow) throws -> Moment? {
    let last = try rows(
      """
      SELECT max(start) FROM (
        SELECT start FROM (
          SELECT start, digests FROM decodes
          WHERE span = 1 AND context = 0 AND start BETWEEN :first AND :last
          UNION ALL
          SELECT d.recorded_at / \(Moment.hour), -1 FROM digest AS d
          WHERE \(SingleDigests.folded(window.inWholeHours.range))
        ) AS d
        -- Only counted hours can lack digests.
        GROUP BY 1 HAVING sum(digests) <> 0 AND max(digests) > 0
      ) AS hours
      """,
      [
        ":first": .integer(window.range.lowerBound.hour),
        ":last": .integer((window.range.upperBound.milliseconds - 1) / Moment.hour),
      ]
    ) { $0.optionalMoment(at: 0, inPeriodsOf: Moment.hour) }
    return last.first.flatMap(\.self).map { Moment(milliseconds: $0.milliseconds + Moment.hour) }
  }

  /// The days of a range whose counts were deleted, in days since 1970.
  func deletedDays(in range: Range<Int64>) throws -> [Int64] {
    guard !range.isEmpty else { return [] }
    let day = 24 * Moment.hour
    return try rows(
      """
      SELECT DISTINCT hour / 24 FROM loss
      WHERE reason = 'undated' AND hour BETWEEN :first AND :last
      """,
      [
        ":first": .integer(range.lowerBound / day * 24),
        ":last": .integer((range.upperBound - 1) / day * 24),
      ]
    ) { $0.integer(at: 0) }
  }
}
