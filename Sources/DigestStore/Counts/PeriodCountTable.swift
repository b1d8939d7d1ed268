/// Adds cells to the packed tallies of hours and days.
///
/// As a rule a period and a release have one row. What comes in small portions for a large row gets
/// one of its own until it is worth adding them up: so it costs little to count digests whose
/// moments are in no order.
final class PeriodCountTable {
  /// A row of so many bytes is always added to: it is a page of the file or less.
  private static let smallLength = 4_096

  /// A larger row is added to when it is at most so many times as long as what comes.
  private static let worthwhile = 16

  private let find: Statement
  private let add: Statement
  private let change: Statement
  private let remove: Statement

  init(_ connection: Connection, _ table: CountTable) throws {
    let name = table.rawValue
    find = try Statement(
      connection,
      """
      SELECT id, cells FROM \(name) WHERE span = ? AND start = ? AND release_id = ?
      ORDER BY id DESC
      """
    )
    add = try Statement(
      connection,
      "INSERT INTO \(name) (span, start, release_id, cells) VALUES (?, ?, ?, ?)"
    )
    change = try Statement(connection, "UPDATE \(name) SET cells = ?2 WHERE id = ?1")
    remove = try Statement(connection, "DELETE FROM \(name) WHERE id = ?")
  }

  /// Adds what digests have come to, to their hours, to the days and to all time; part of a
  /// transaction.
  ///
  /// - Parameters:
  ///   - tallies: of hours, in any order.
  ///   - budget: as in ``add(_:span:budget:)``.
  /// - Returns: the sums of all time.
  @discardableResult
  func add(_ tallies: [PeriodCount], budget: inout Int) throws -> [PeriodCount] {
    let hours = PeriodCount.sums(of: tallies, span: 1)
    try add(hours, span: 1, budget: &budget)
    let days = PeriodCount.sums(of: hours, span: 24)
    try add(days, span: 24, budget: &budget)
    let allTime = PeriodCount.sums(of: days, span: 0)
    try add(allTime, span: 0, budget: &budget)
    return allTime
  }

  /// Adds sums of one span, in the order of ``PeriodCount/sums(of:span:)``; part of a transaction.
  ///
  /// - Parameter budget: how many more bytes are to be added up in this transaction; when it is used
  ///   up, all that comes gets rows of its own.
  func add(_ sums: [PeriodCount], span: Int64, budget: inout Int) throws {
    var rest = sums[...]
    while let first = rest.first {
      let group = rest.prefix { $0.start == first.start && $0.release == first.release }
      rest = rest[group.endIndex...]
      let period = Period(span: span, start: first.start)
      let cells = CountEncoder.bytes(of: group.lazy.map(\.cell), in: period)
      try add(cells, to: period, of: first.release, budget: &budget)
    }
  }

  func add(
    _ cells: [UInt8],
    to period: Period,
    of release: Int64,
    budget: inout Int
  ) throws {
    var cells = cells
    var rows: [Int64] = []
    let key = [period.span, period.start, release]
    for (index, value) in key.enumerated() { try find.bind(value, at: Int32(index + 1)) }
    while budget > 0, try find.step() {
      let sum = find.withBytes(at: 1) { row -> [UInt8]? in
        guard row.count <= max(Self.smallLength, cells.count * Self.worthwhile) else { return nil }
        budget -= row.count
        // Of a row that is damaged nothing is lost by this: it stays as it is.
        return try? cells.withUnsafeBytes { try CountEncoder.sum(row, $0, in: period) }
      }
      guard let sum else { break }
      cells = sum
      rows.append(find.integer(at: 0))
    }
    find.reset()

    if let oldest = rows.popLast() {
      for row in rows {
        try remove.bind(row, at: 1)
        try remove.run()
      }
      try change.bind(oldest, at: 1)
      try change.bind(cells, at: 2)
      try change.run()
    } else {
      for (index, value) in key.enumerated() { try add.bind(value, at: Int32(index + 1)) }
      try add.bind(cells, at: 4)
      try add.run()
    }
  }
}
