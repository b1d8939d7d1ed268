extension Engine {
  /// Returns the window that a report with this window counts.
  ///
  /// Deleted digests leave only the counts of their hour, and deleted counts of hours only those of
  /// their day. An end of the window that is inside such an hour or day moves outwards, to its
  /// beginning or end.
  ///
  /// No mark in the file says what was deleted. An hour is complete if it has as many counted
  /// digests as its counts say, and a day has its hours if they add up to it. So one phone that
  /// deletes its digests does not affect the hours of others.
  func widened(_ window: TimeWindow) throws -> TimeWindow {
    guard !window.isEmpty else { return window }
    return TimeWindow(
      since: try window.since.map { try widened($0, by: 0) },
      until: try window.until.map { try widened($0, by: 1) })
  }

  /// - Parameter periods: 0 to move to the beginning of the hour or day, 1 to its end.
  private func widened(_ moment: Moment, by periods: Int64) throws -> Moment {
    let (hour, day) = (Moment.hour, 24 * Moment.hour)
    let milliseconds = moment.milliseconds
    if milliseconds.isMultiple(of: day) { return moment }
    if try !hasHours(day: milliseconds / day) {
      return Moment(milliseconds: (milliseconds / day + periods) * day)
    }
    if try milliseconds.isMultiple(of: hour) || hasDigests(hour: milliseconds / hour) {
      return moment
    }
    return Moment(milliseconds: (milliseconds / hour + periods) * hour)
  }

  /// Whether all counted digests of an hour are in the file.
  func hasDigests(hour: Int64) throws -> Bool {
    try isTrue(
      """
      SELECT (
        SELECT count(*) FROM digest
        WHERE recorded_at >= :start * \(Moment.hour) AND recorded_at < (:start + 1) * \(Moment.hour)
          AND CAST(id AS bigint) <= (SELECT folded FROM store)
      ) = (
        SELECT coalesce(sum(digests), 0) FROM decodes
        WHERE span = 1 AND context = 0 AND start = :start
      )
      """, [":start": .integer(hour)])
  }

  /// Whether the counts of a day's hours add up to those of the day.
  func hasHours(day: Int64) throws -> Bool {
    try isTrue(
      """
      SELECT (
        SELECT coalesce(sum(decodes), 0) FROM decodes
        WHERE span = 1 AND context = 0 AND start >= :start * 24 AND start < (:start + 1) * 24
      ) = (
        SELECT coalesce(sum(decodes), 0) FROM decodes
        WHERE span = 24 AND context = 0 AND start = :start
      )
      """, [":start": .integer(day)])
  }

  private func isTrue(_ sql: String, _ values: [String: SQLValue]) throws -> Bool {
    try rows(sql, values) { $0.integer(at: 0) != 0 }.first == true
  }
}
