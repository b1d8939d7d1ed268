/// The ledger in the file.
final class LossTable {
  private let addLoss: Statement

  init(_ connection: Connection) throws {
    addLoss = try Statement(
      connection,
      """
      INSERT INTO loss (reason, hour, digests, occurrences, note) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET digests = digests + excluded.digests,
        occurrences = occurrences + excluded.occurrences,
        note = ifnull(note || ', ' || excluded.note, ifnull(note, excluded.note))
      """
    )
  }

  /// Adds to what was not kept of an hour, for one reason; part of a transaction.
  func add(_ count: Ledger.Count, to key: Ledger.Key) throws {
    try addLoss.run([
      .text(key.reason.rawValue), .integer(key.hour), .integer(Int64(count.digests)),
      .integer(Int64(count.occurrences)), SQLiteValue(key.note),
    ])
  }
}
