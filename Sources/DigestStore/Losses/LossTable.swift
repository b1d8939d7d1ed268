/// The ledger in the file.
final class LossTable {
  private let addLoss: Statement

  init(_ connection: Connection) throws {
    addLoss = try Statement(
      connection,
      """
      INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET
        digests = min(digests + excluded.digests, \(Int64.maximumCount)),
        occurrences = min(occurrences + excluded.occurrences, \(Int64.maximumCount)),
        note = ifnull(note || ifnull(', ' || excluded.note, ''), excluded.note)
      """
    )
  }

  /// Adds to what was not kept of an hour, for one reason; part of a transaction.
  func add(_ count: PendingLosses.Count, to key: PendingLosses.Key) throws {
    try addLoss.run([
      .text(key.reason.rawValue), .integer(key.hour), .integer(Int64(count.digests)),
      .integer(Int64(count.occurrences)), SQLiteValue(key.note),
    ])
  }
}

extension LossTable {
  /// Reads what a file that is about to be set aside has counted of earlier losses, so that the next
  /// file goes on counting them; empty where it cannot be read.
  ///
  /// Without the losses that only say how a digest is still counted: the counts are set aside too.
  static func entries(ofFileAt path: String) -> [(
    key: PendingLosses.Key, count: PendingLosses.Count
  )] {
    guard let connection = try? Connection(path: path, mode: .readWrite) else { return [] }
    // The files stay as they are.
    connection.leaveLogOnClose()
    guard (try? connection.distrustSchema()) != nil else { return [] }
    let rows = try? connection.rows(
      // No view in the place of a table, which could go on for ever.
      """
      SELECT reason, hour, digests, occurrences, note
      FROM loss
      WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'loss')
      LIMIT 10000
      """
    ) { row -> (key: PendingLosses.Key, count: PendingLosses.Count)? in
      let reason = row.text(at: 0).flatMap(PendingLosses.Reason.init)
      guard let reason, reason != .evicted, reason != .undated else { return nil }
      // A damaged file may hold any number, and sums of these must not overflow.
      let numbers = (1...3).map { Int(clamping: min(max(row.integer(at: $0), 0), 1 << 48)) }
      return (
        PendingLosses.Key(reason: reason, hour: Int64(numbers[0]), note: row.text(at: 4)),
        PendingLosses.Count(digests: numbers[1], occurrences: numbers[2])
      )
    }
    return (rows ?? []).compactMap(\.self)
  }
}
