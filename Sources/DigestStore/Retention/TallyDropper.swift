/// Makes room once there are no more digests: ids go, then hours, then days, the oldest first.
///
/// The tallies of all time never go.
final class TallyDropper {
  private static let maximumIDs: Int64 = 2_000
  private static let maximumPacks = 100

  private let losses: LossTable
  private let findIDs: Statement
  private let dropIDs: Statement
  private let findFirst: Statement
  private let dropHours: Statement
  private let dropModelHours: Statement
  private let forgetHours: Statement
  private let coarsen: Statement
  private let readDay: Statement
  private let dropDay: Statement
  private let dropModelDay: Statement
  private let changes: Statement

  init(_ connection: Connection, _ losses: LossTable) throws {
    self.losses = losses
    findIDs = try Statement(
      connection,
      """
      SELECT (SELECT min(digest_id) FROM foreign_digest), digest_id
      FROM foreign_digest
      WHERE digest_id <= (SELECT evicted_through FROM store)
      ORDER BY digest_id DESC LIMIT 1 OFFSET ?
      """
    )
    dropIDs = try Statement(
      connection,
      """
      DELETE FROM foreign_digest
      WHERE digest_id IN (
        SELECT digest_id FROM foreign_digest
        WHERE digest_id BETWEEN ?1 AND ?2
          AND NOT EXISTS (SELECT 1 FROM digest WHERE id = digest_id)
        ORDER BY digest_id LIMIT \(Self.maximumIDs))
      """
    )
    findFirst = try Statement(
      connection, "SELECT min(start) FROM period WHERE span = ?1 AND start < ?2")
    func dropHours(_ table: TallyTable) throws -> Statement {
      try Statement(
        connection,
        """
        DELETE FROM \(table.rawValue) WHERE id IN (
          SELECT id FROM \(table.rawValue) WHERE span = 1 AND start < ? ORDER BY start
          LIMIT \(Self.maximumPacks))
        """
      )
    }
    self.dropHours = try dropHours(.failures)
    dropModelHours = try dropHours(.models)
    forgetHours = try Statement(
      connection,
      """
      DELETE FROM hour WHERE hour < ?
        AND last_digest_id <= (SELECT evicted_through FROM store)
      """
    )
    coarsen = try Statement(
      connection, "UPDATE store SET coarse_before = max(coarse_before, ?)")
    readDay = try Statement(
      connection,
      "SELECT cells FROM period WHERE span = 24 AND start = ?"
    )
    dropDay = try Statement(connection, "DELETE FROM period WHERE span = 24 AND start = ?")
    dropModelDay = try Statement(
      connection, "DELETE FROM model_period WHERE span = 24 AND start = ?")
    changes = try Statement(connection, "SELECT changes()")
  }

  /// Drops ids of evicted digests, but not the last ones.
  ///
  /// - Returns: whether there were any.
  func dropForeignIDs(keeping count: Int64) throws -> Bool {
    let ids = try findIDs.firstRow([.integer(count)]) { ($0.integer(at: 0), $0.integer(at: 1)) }
    guard let (first, last) = ids else { return false }
    try dropIDs.run([.integer(first), .integer(last)])
    // Of digests from before a jump of the clock some may still be there.
    return try changes.firstRow { $0.integer(at: 0) } ?? 0 > 0
  }

  /// Drops some tallies from before the day of `now`.
  ///
  /// - Returns: whether there were any.
  func drop(before now: Moment) throws -> Bool {
    let today = now.hour / 24 * 24
    if let first = try first(1, before: today) {
      let end = first / 24 * 24 + 24
      try coarsen.run([.integer(end)])
      try dropHours.run([.integer(end)])
      try dropModelHours.run([.integer(end)])
      if try self.first(1, before: end) == nil { try forgetHours.run([.integer(end)]) }
      return true
    }
    if try dropForeignIDs(keeping: 0) { return true }
    guard let day = try first(24, before: today) else { return false }
    var occurrences: Int64 = 0
    try readDay.bind([.integer(day)])
    while try readDay.step() {
      try readDay.withBytes(at: 0) { bytes in
        var cells = CellDecoder(bytes, Period(span: 24, start: day))
        while let cell = try cells.next() { occurrences &+= cell.occurrences }
      }
    }
    try dropDay.run([.integer(day)])
    try dropModelDay.run([.integer(day)])
    try losses.add(
      Ledger.Count(digests: 0, occurrences: Int(occurrences)),
      to: Ledger.Key(reason: .undated, hour: day))
    return true
  }

  private func first(_ span: Int64, before end: Int64) throws -> Int64? {
    try findFirst.firstRow([.integer(span), .integer(end)]) { $0.optionalInteger(at: 0) } ?? nil
  }
}
