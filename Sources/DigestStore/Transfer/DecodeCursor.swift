/// A position between the hours with clean decodes.
struct DecodeCursor {
  /// The first hour to read.
  fileprivate let hour: Int64

  /// - Parameter part: decodes of earlier hours were exported with earlier digests.
  init(after part: DigestStore.IncrementalExport?) {
    hour = part?.lastExported.hour ?? 0
  }

  fileprivate init(hour: Int64) {
    self.hour = hour
  }
}

extension Engine {
  /// Reads the clean decodes of an hour that can be copied to other stores.
  ///
  /// Hours with evicted digests are left out: without these, their clean decodes would lower the
  /// rates of the other store.
  ///
  /// - Returns: the records, and the next hour; nil at the end.
  func decodes(
    matching filter: DigestFilter, from cursor: DecodeCursor
  ) throws -> ([DecodeRecord], next: DecodeCursor?) {
    let hours = filter.window.range
    let values: [String: SQLValue] = [
      ":first": .integer(max(cursor.hour, hours.lowerBound.hour)),
      ":last": .integer((hours.upperBound.milliseconds - 1) / Moment.hour),
    ]
    let next = try rows(
      """
      SELECT min(start) FROM decodes
      WHERE span = 1 AND context = 0 AND start BETWEEN :first AND :last AND decodes > digests
      """, values
    ) { $0.optionalInteger(at: 0) }.first.flatMap(\.self)
    guard let hour = next else { return ([], nil) }
    let after = DecodeCursor(hour: hour + 1)
    guard try hasDigests(hour: hour) else { return ([], after) }
    let records = try rows(
      """
      SELECT s.identity, m.name, x.release, x.environment, x.operation, c.decodes - c.digests
      FROM decodes AS c
      CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS s ON s.id = x.source
      CROSS JOIN model AS m ON m.id = c.model
      WHERE c.span = 1 AND c.start = :hour AND \(filter.eachContext("c.context"))
        AND c.decodes > c.digests AND m.name <> '' AND \(filter.modelCondition())
      ORDER BY 1, 2, 3, 4, 5
      """, filter.values().merging([":hour": .integer(hour)]) { first, _ in first }
    ) { row in
      DecodeRecord(
        source: row.text(at: 0) ?? "", hour: hour, model: row.text(at: 1) ?? "",
        context: DigestContext(
          release: row.text(at: 2), environment: row.text(at: 3), operation: row.text(at: 4)),
        decodes: row.count(at: 5))
    }
    return (records, after)
  }
}
