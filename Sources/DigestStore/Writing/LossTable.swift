/// The ledger in the file.
final class LossTable {
  private let addLoss: Statement
  private let addNote: Statement

  init(_ connection: Connection) throws {
    addLoss = try Statement(
      connection,
      """
      INSERT INTO loss (reason, hour, digests, occurrences) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET digests = digests + excluded.digests,
        occurrences = occurrences + excluded.occurrences
      """
    )
    addNote = try Statement(
      connection,
      """
      INSERT INTO loss_note (reason, hour, note) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET note = note || ', ' || excluded.note
      """
    )
  }

  /// Adds to what was not kept of an hour, for one reason; part of a transaction.
  func add(_ count: Ledger.Count, to key: Ledger.Key) throws {
    let reason = SQLiteValue.text(key.reason.rawValue)
    try addLoss.run([
      reason, .integer(key.hour), .integer(Int64(count.digests)),
      .integer(Int64(count.occurrences)),
    ])
    if let note = key.note { try addNote.run([reason, .integer(key.hour), .text(note)]) }
  }
}
