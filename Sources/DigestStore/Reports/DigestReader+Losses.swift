import ResilientPlatform

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
