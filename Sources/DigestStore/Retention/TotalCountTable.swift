/// The counts of all time by release, in one table.
final class TotalCountTable {
  private let periods: PeriodCountTable
  private let find: Statement
  private let removeCells: Statement

  init(_ connection: Connection, _ table: CountTable) throws {
    periods = try PeriodCountTable(connection, table)
    let ofRelease = "FROM \(table.name) WHERE span = 0 AND start = 0 AND release_id = ?"
    find = try Statement(connection, "SELECT cells \(ofRelease)")
    removeCells = try Statement(connection, "DELETE \(ofRelease)")
  }

  /// Reads the counts of a release.
  ///
  /// - Parameter length: increased by the number of bytes read.
  /// - Returns: nil if the counts are damaged.
  func counts(of release: Int64, length: inout Int) throws -> [Count]? {
    var counts: [Count]? = []
    try find.bind(release, at: 1)
    while try find.step() {
      find.withBytes(at: 0) { bytes in
        length += bytes.count
        var decoder = CountDecoder(bytes, Period(span: 0, start: 0))
        do {
          while let count = try decoder.next() { counts?.append(count) }
        } catch {
          counts = nil
        }
      }
    }
    return counts
  }

  /// Adds counts of other releases, in any order.
  func add(
    _ counts: [Count],
    to release: Int64,
    span: Int64 = 0,
    budget: inout Int
  ) throws {
    let counts = counts.map { PeriodCount(release: release, start: 0, count: $0) }
    try periods.add(PeriodCount.sums(of: counts, span: 0), span: span, budget: &budget)
  }

  /// Removes the counts of a release.
  func remove(_ release: Int64) throws {
    try removeCells.bind(release, at: 1)
    try removeCells.run()
  }
}
