package import ResilientPlatform

extension DigestReader {
  /// When the newest error was recorded, or the newest hour with a decode began.
  ///
  /// - Returns: nil without decodes.
  package func newestTime() throws -> Date? {
    try snapshot { connection in
      let hour = try connection.newestHour(before: .latest, DigestFilter(), "decodes > digests")
      return try [connection.newestError(before: nil, DigestFilter()), hour].compactMap(\.self)
        .max()?.date
    }
  }

  /// When the newest error of a filter's models and releases was recorded: after now, if the clock of a
  /// device was ahead.
  ///
  /// A failure that recurred after the end, by a clock that was ahead, counts with its last hour before
  /// it.
  ///
  /// - Parameter end: the first moment that is not searched; nil for no end.
  /// - Returns: nil without errors.
  package func newestError(
    matching filter: DigestFilter = DigestFilter(), before end: Date? = nil
  ) throws -> Date? {
    try snapshot { connection in
      let end = end.map { Moment($0) }
      let exact = try connection.newestError(before: end, filter.ofAllFailures)
      guard let end else { return exact?.date }
      let hour = try connection.newestHour(before: end, filter, "failed > 0")
      return [exact, hour].compactMap(\.self).max()?.date
    }
  }

  /// When the newest decode of a filter's models and releases was recorded, before a moment.
  ///
  /// Decodes without errors are counted by the hour, and taken to be at its end.
  ///
  /// - Returns: nil without decodes.
  package func newestDecode(
    matching filter: DigestFilter, before end: Date
  ) throws -> Date? {
    let error = try newestError(matching: filter, before: end)
    let clean = try snapshot { connection in
      try connection.newestHour(before: Moment(end), filter, "decodes > digests").map {
        min(Moment(milliseconds: $0.milliseconds + Moment.hour).date, end)
      }
    }
    return [error, clean].compactMap(\.self).max()
  }
}

extension Engine {
  /// - Parameter end: nil for no limit.
  fileprivate func newestError(before end: Moment?, _ filter: DigestFilter) throws -> Moment? {
    let totals = try TotalRows(self, filter)
    return try rows(
      """
      SELECT max(last_seen) FROM (\(totals.sql())) AS t
      WHERE last_seen < \((end ?? .latest).milliseconds + (end == nil ? 1 : 0))
      """, totals.values
    ) { $0.optionalMoment(at: 0) }.first ?? nil
  }

  /// The start of the newest hour before a moment whose counts of a model meet a condition.
  func newestHour(
    before end: Moment, _ filter: DigestFilter, _ condition: String
  ) throws -> Moment? {
    try rows(
      """
      SELECT max(d.start) FROM decodes AS d CROSS JOIN model AS m ON m.id = d.model
      WHERE \(filter.contexts("d.context")) AND d.span = 1 AND d.start BETWEEN 0 AND \(end.hour)
        AND d.\(condition) AND \(filter.modelCondition())
      """, filter.values()
    ) { $0.optionalMoment(at: 0, inPeriodsOf: Moment.hour) }.first ?? nil
  }
}
