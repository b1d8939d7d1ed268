/// Counts what could not be kept, and writes it with the next transaction that succeeds.
final class Ledger {
  /// Why something was not kept.
  enum Reason: String {
    /// The disk was full, the file locked or broken.
    case failedWrite = "failed write"
  }

  private struct Key: Hashable {
    let reason: Reason
    let hour: Int64
  }

  private var pending: [Key: (digests: Int, occurrences: Int)] = [:]
  private let add: Statement

  init(_ connection: Connection) throws {
    add = try Statement(
      connection,
      """
      INSERT INTO loss VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET digests = digests + excluded.digests,
        occurrences = occurrences + excluded.occurrences
      """
    )
  }

  /// Whether something has been counted that the file does not say yet.
  var hasPending: Bool { !pending.isEmpty }

  func count(_ reason: Reason, of record: DigestRecord) {
    let key = Key(reason: reason, hour: record.recordedAt.hour)
    let counted = pending[key] ?? (0, 0)
    pending[key] = (counted.digests + 1, counted.occurrences + record.occurrences)
  }

  /// Writes what is pending; part of a transaction.
  func write() throws {
    for (key, counted) in pending {
      try add.run([
        .text(key.reason.rawValue), .integer(key.hour), .integer(Int64(counted.digests)),
        .integer(Int64(counted.occurrences)),
      ])
    }
  }

  /// Forgets what was pending, once the transaction is committed.
  func forget() {
    pending = [:]
  }
}
