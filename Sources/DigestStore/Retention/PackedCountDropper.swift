/// Drops packed tallies of hours and days of one table, some at a time.
final class PackedCountDropper {
  private let findFirst: Statement
  private let dropHours: Statement
  private let readDay: Statement
  private let drop: Statement

  /// - Parameter maximumPacks: how many packs one step drops.
  init(_ connection: Connection, _ table: CountTable, maximumPacks: Int) throws {
    let name = table.rawValue
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

  /// The first period of a length that there is, if it begins before an hour.
  func first(_ span: Int64, before end: Int64) throws -> Int64? {
    try findFirst.firstRow([.integer(span), .integer(end)]) { $0.optionalInteger(at: 0) } ?? nil
  }

  /// Drops some of the oldest hours.
  func dropHours(before end: Int64) throws {
    try dropHours.run([.integer(end)])
  }

  /// Drops some of a day.
  ///
  /// - Returns: how many errors that counted; a pack that is damaged has to make room too.
  func drop(ofDay day: Int64) throws -> Int64 {
    var ids: [Int64] = []
    var occurrences: Int64 = 0
    // The first day, also where its number is not a whole one.
    try readDay.bind([.integer(day + 1)])
    while try readDay.step() {
      ids.append(readDay.integer(at: 0))
      readDay.withBytes(at: 1) { bytes in
        var cells = CountDecoder(bytes, Period(span: 24, start: day))
        while let cell = try? cells.next() {
          occurrences = occurrences.adding(count: cell.occurrences)
        }
      }
    }
    for id in ids { try drop.run([.integer(id)]) }
    return occurrences
  }
}
