/// Adds counts to the packed counts of hours, days and all time.
///
/// A period and a release normally have one row. A small addition to a large row gets a row of its
/// own until the rows are worth adding up. This keeps it cheap to count digests that are not sorted
/// by time.
final class PeriodCountTable {
  /// Rows of at most this many bytes are always added to: they fit in one page of the file.
  private static let smallLength = 4_096

  /// A larger row is added to if it is at most this many times as long as the addition.
  private static let worthwhile = 16

  private let find: Statement
  private let add: Statement
  private let change: Statement
  private let remove: Statement

  init(_ connection: Connection, _ table: CountTable) throws {
    let name = table.name
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

  /// Adds the counts of digests to their hours, days and all time. Runs in a transaction of the
  /// caller.
  ///
  /// - Parameters:
  ///   - counts: counts of hours, in any order.
  ///   - budget: as in ``add(_:span:budget:)``.
  /// - Returns: the sums of all time.
  @discardableResult
  func add(_ counts: [PeriodCount], budget: inout Int) throws -> [PeriodCount] {
    let hours = PeriodCount.sums(of: counts, span: 1)
    try add(hours, span: 1, budget: &budget)
    let days = PeriodCount.sums(of: hours, span: 24)
    try add(days, span: 24, budget: &budget)
    let allTime = PeriodCount.sums(of: days, span: 0)
    try add(allTime, span: 0, budget: &budget)
    return allTime
  }

  /// Adds sums of one span, sorted as by ``PeriodCount/sums(of:span:)``. Runs in a transaction of
  /// the caller.
  ///
  /// - Parameter budget: the number of bytes that this transaction may still add up. At 0 all
  ///   additions get rows of their own.
  func add(_ sums: [PeriodCount], span: Int64, budget: inout Int) throws {
    var rest = sums[...]
    while let first = rest.first {
      let group = rest.prefix { $0.start == first.start && $0.release == first.release }
      rest = rest[group.endIndex...]
      let period = Period(span: span, start: first.start)
      let counts = CountEncoder.bytes(of: group.lazy.map(\.count), in: period)
      try add(counts, to: period, of: first.release, budget: &budget)
    }
  }

  func add(
    _ counts: [UInt8],
    to period: Period,
    of release: Int64,
    budget: inout Int
  ) throws {
    var counts = counts
    var rows: [Int64] = []
    let key = [period.span, period.start, release]
    for (index, value) in key.enumerated() { try find.bind(value, at: Int32(index + 1)) }
    while budget > 0, try find.step() {
      let sum = find.withBytes(at: 1) { row -> [UInt8]? in
        guard row.count <= max(Self.smallLength, counts.count * Self.worthwhile) else { return nil }
        budget -= row.count
        // A damaged row stays unchanged, and the counts get a row of their own.
        return try? counts.withUnsafeBytes { try CountEncoder.sum(row, $0, in: period) }
      }
      guard let sum else { break }
      counts = sum
      rows.append(find.integer(at: 0))
    }
    find.reset()

    if let oldest = rows.popLast() {
      for row in rows {
        try remove.bind(row, at: 1)
        try remove.run()
      }
      try change.bind(oldest, at: 1)
      try change.bind(counts, at: 2)
      try change.run()
    } else {
      for (index, value) in key.enumerated() { try add.bind(value, at: Int32(index + 1)) }
      try add.bind(counts, at: 4)
      try add.run()
    }
  }
}
