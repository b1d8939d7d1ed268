public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// The window that a report counts, and the numbers that it leaves out.
  public struct Coverage: Sendable, Hashable {
    /// The window that is counted.
    public let window: CountedWindow
    /// The losses in the window, by reason and hour. For a day whose counts were deleted, the reason is
    /// `undated`.
    public let losses: [Loss]
    /// The limits that were reached. Errors beyond them are counted together under another name.
    public let reachedLimits: [ReachedLimit]
    /// The identities of the stores whose last push has not ended, sorted. Their counts are partly
    /// missing until it is repeated.
    public let interruptedPushes: [String]
    /// The notices that match the filter and are left out, because it names no kind.
    public let notices: [ErrorDigest.Kind: Int]
  }
}

extension DigestReader {
  /// Returns what a report with a filter counts, and what its numbers leave out.
  ///
  /// Its parts are read one after the other, so digests that are recorded meanwhile may be in only
  /// some of them.
  ///
  /// - Parameters:
  ///   - filter: the filter of the report.
  ///   - unit: the length of the periods, if the report is a trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func coverage(
    matching filter: DigestFilter = DigestFilter(), by unit: DigestStore.Trend.Unit? = nil
  ) throws -> DigestStore.Coverage {
    try DigestStore.Coverage(
      window: countedWindow(matching: filter, by: unit), losses: losses(matching: filter),
      reachedLimits: reachedLimits(matching: filter), interruptedPushes: interruptedPushes(),
      notices: snapshot { try $0.notices(filter) })
  }
}

extension Engine {
  /// Counts the notices that a filter leaves out, because it names no kind.
  func notices(_ filter: DigestFilter) throws -> [ErrorDigest.Kind: Int] {
    guard filter.kinds.isEmpty, filter.novelValues.isEmpty else { return [:] }
    var notices = filter
    notices.kinds = ErrorKinds.others
    let rows = try GroupedCounts(self, notices, in: widened(filter.window), by: [.kind]).rows()
    return Dictionary(
      rows.map { (ErrorDigest.Kind(stored: $0.names[0].text), Int(clamping: $0.occurrences)) }
    ) { first, _ in first }.filter { $1 > 0 }
  }
}

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

  /// The numbers of the periods in a range that lack the counts of a day.
  ///
  /// - Parameter number: returns the number of the period that contains a moment.
  func unknownPeriods(
    in range: Range<Int64>, _ number: (Int64) -> Int64
  ) throws -> Set<Int64> {
    try Set(
      deletedDays(in: range).flatMap { day in
        (0..<24).map { number((day * 24 + $0) * Moment.hour) }
      })
  }
}

extension DigestReader {
  /// Returns the losses recorded in the file, oldest first.
  ///
  /// A store counts new losses in memory, and writes them with the next digest or when it closes;
  /// until then no report includes them.
  ///
  /// - Parameter filter: only its window is used. An hour that is partly in it counts as a whole.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func losses(matching filter: DigestFilter = DigestFilter()) throws -> [DigestStore.Loss] {
    try read { try $0.losses(matching: filter) }
  }
}

extension Engine {
  /// Reads the losses in a filter's window, the oldest first.
  func losses(matching filter: DigestFilter) throws -> [DigestStore.Loss] {
    let window = filter.window
    // The hour of an `undated` loss is the first of its day.
    return try rows(
      """
      SELECT reason, hour, digests, occurrences, note FROM loss
      WHERE hour >= :first - CASE WHEN reason = 'undated' THEN 23 ELSE 0 END AND hour <= :last
      ORDER BY hour, reason
      """,
      [
        ":first": .integer(window.since?.hour ?? 0),
        ":last": .integer(
          window.until.map { ($0.milliseconds - 1) / Moment.hour } ?? Moment.latest.hour),
      ]
    ) { row in
      DigestStore.Loss(
        reason: DigestStore.Loss.Reason(rawValue: row.text(at: 0) ?? ""),
        hour: row.moment(at: 1, inPeriodsOf: Moment.hour).date,
        digests: Int(clamping: row.count(at: 2)),
        occurrences: Int(clamping: row.count(at: 3)),
        note: row.text(at: 4)
      )
    }
  }
}
