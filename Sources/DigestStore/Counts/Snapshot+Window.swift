extension Snapshot {
  /// Returns the window of a filter, widened to what the file can still count.
  ///
  /// An end within an hour whose digests have been deleted moves outwards to the hour's
  /// boundary, or to the day's if the counts by hour have been deleted too.
  func window(_ filter: DigestFilter) throws -> TimeWindow {
    let window = filter.window
    guard !window.isEmpty else { return window }
    return TimeWindow(
      since: try window.since.map { try countable($0, step: 0) },
      until: try window.until.map { try countable($0, step: 1) }
    )
  }

  /// - Parameter step: 0 to move to the beginning of a period, 1 to the end.
  private func countable(_ moment: Moment, step: Int64) throws -> Moment {
    if moment.hour < firstFineHour {
      return moment.moved(toPeriodOf: 24 * Moment.hour, step: step)
    }
    guard evictedThrough > 0, moment.milliseconds % Moment.hour != 0 else { return moment }
    guard source.hasDigests else {
      return moment.moved(toPeriodOf: Moment.hour, step: step)
    }
    let findFirst = try Statement(connection, "SELECT first_digest_id FROM hour WHERE hour = ?")
    let first = try findFirst.firstRow([.integer(moment.hour)]) { $0.integer(at: 0) }
    guard let first, first <= evictedThrough else { return moment }
    return moment.moved(toPeriodOf: Moment.hour, step: step)
  }
}

extension TimeWindow {
  /// Whether each end is the other window's, moved outwards to the full hour.
  func isInWholeHours(of other: TimeWindow) -> Bool {
    since == other.since?.moved(toPeriodOf: Moment.hour, step: 0)
      && until == other.until?.moved(toPeriodOf: Moment.hour, step: 1)
  }
}

extension Snapshot {
  /// The periods in a range of milliseconds that include a day with dropped counts.
  ///
  /// - Parameter number: returns the number of the period that contains a moment.
  func unknownPeriods(
    in moments: Range<Int64>,
    numberedBy number: (_ moment: Int64) -> Int64
  ) throws -> Set<Int64> {
    let day = 24 * Moment.hour
    let days = moments.lowerBound / day...max(moments.lowerBound, moments.upperBound - 1) / day
    return try connection.rows(
      """
      SELECT DISTINCT hour / 24 FROM loss
      WHERE reason = :reason AND hour BETWEEN :first * 24 AND :last * 24 + 23
      """,
      [
        ":reason": .text(DigestStore.Loss.Reason.undated.rawValue),
        ":first": .integer(days.lowerBound),
        ":last": .integer(days.upperBound),
      ]
    ) { $0.integer(at: 0) * day }
    .reduce(into: []) { periods, start in
      let (first, last) = (max(moments.lowerBound, start), min(moments.upperBound, start + day) - 1)
      if first <= last { periods.formUnion(number(first)...number(last)) }
    }
  }
}

extension Moment {
  /// Moves the moment to the beginning (0) or the end (1) of its hour, unless an hour begins with
  /// it.
  func inWholeHours(step: Int64) -> Moment { moved(toPeriodOf: Self.hour, step: step) }

  /// Returns the beginning (0) or the end (1) of the day that contains the moment.
  func inWholeDays(step: Int64) -> Moment {
    let day = 24 * Self.hour
    return Moment(milliseconds: (milliseconds / day + step) * day)
  }

  fileprivate func moved(toPeriodOf length: Int64, step: Int64) -> Moment {
    guard milliseconds % length != 0 else { return self }
    return Moment(milliseconds: (milliseconds / length + step) * length)
  }
}
