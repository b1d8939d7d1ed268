/// The tallies of all time by release, in one table.
final class TotalTable {
  private let periods: PeriodTable
  private let find: Statement
  private let removeCells: Statement

  init(_ connection: Connection, _ table: TallyTable) throws {
    periods = try PeriodTable(connection, table)
    let ofRelease = "FROM \(table.rawValue) WHERE span = 0 AND start = 0 AND release_id = ?"
    find = try Statement(connection, "SELECT cells \(ofRelease)")
    removeCells = try Statement(connection, "DELETE \(ofRelease)")
  }

  /// Reads what a release has come to.
  ///
  /// - Parameter length: grows by how many bytes that takes.
  /// - Returns: nil where it is damaged.
  func cells(of release: Int64, length: inout Int) throws -> [Cell]? {
    var cells: [Cell]? = []
    try find.bind(release, at: 1)
    while try find.step() {
      find.withBytes(at: 0) { bytes in
        length += bytes.count
        var decoder = CellDecoder(bytes, Period(span: 0, start: 0))
        do {
          while let cell = try decoder.next() { cells?.append(cell) }
        } catch {
          cells = nil
        }
      }
    }
    return cells
  }

  /// Adds what others have come to, in any order.
  func add(
    _ cells: [Cell],
    to release: Int64,
    span: Int64 = 0,
    budget: inout Int
  ) throws {
    let tallies = cells.map { Tally(release: release, start: 0, cell: $0) }
    try periods.add(Tally.sums(of: tallies, span: 0), span: span, budget: &budget)
  }

  /// Removes what a release has come to.
  func remove(_ release: Int64) throws {
    try removeCells.bind(release, at: 1)
    try removeCells.run()
  }
}
