/// Drops the packed counts of hours and days in one table, some at a time.
final class PackedCountDropper {
  private let findFirst: Statement
  private let dropHours: Statement
  private let readDay: Statement
  private let drop: Statement

  /// - Parameter maximumPacks: the number of packs that one step drops.
  init(_ connection: Connection, _ table: CountTable, maximumPacks: Int) throws {
    let name = table.name
    findFirst = try Statement(
      connection, "SELECT min(start) FROM \(name) WHERE span = ? AND start < ?")
    dropHours = try Statement(
      connection,
      """
      DELETE FROM \(name) WHERE id IN (
        SELECT id FROM \(name) WHERE span = 1 AND start < ? ORDER BY start LIMIT \(maximumPacks))
      """
    )
    readDay = try Statement(
      connection,
      "SELECT id, cells FROM \(name) WHERE span = 24 AND start < ? LIMIT \(maximumPacks)")
    drop = try Statement(connection, "DELETE FROM \(name) WHERE id = ?")
  }

  /// Returns the start of the first period with a given length, if it begins before `end`; both are
  /// hours.
  func first(_ span: Int64, before end: Int64) throws -> Int64? {
    try findFirst.firstRow([.integer(span), .integer(end)]) { $0.optionalInteger(at: 0) } ?? nil
  }

  /// Drops the counts of some of the oldest hours.
  func dropHours(before end: Int64) throws {
    try dropHours.run([.integer(end)])
  }

  /// Drops some counts of a day.
  ///
  /// - Returns: the number of errors they counted. Damaged packs are dropped too.
  func drop(ofDay day: Int64) throws -> Int64 {
    var ids: [Int64] = []
    var occurrences: Int64 = 0
    // Also finds the first day if its number is damaged and not an integer.
    try readDay.bind([.integer(day + 1)])
    while try readDay.step() {
      ids.append(readDay.integer(at: 0))
      readDay.withBytes(at: 1) { bytes in
        var counts = CountDecoder(bytes, Period(span: 24, start: day))
        while let count = try? counts.next() {
          occurrences = occurrences.adding(count: count.occurrences)
        }
      }
    }
    for id in ids { try drop.run([.integer(id)]) }
    return occurrences
  }
}
