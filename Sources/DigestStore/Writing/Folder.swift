/// Adds digests to the tallies, some thousand at a time.
///
/// What the tallies contain is decided by one number in the file, the last folded digest, written
/// in the same transaction: whoever folds, a digest is counted once.
final class Folder {
  /// How many digests one transaction folds at most.
  private static let batch: Int64 = 4_000

  /// How much of them, as characters of their entries, some ten for each: no other writer waits
  /// longer than for these, however full the digests are.
  private static let batchLength = 300_000

  /// How many digests may wait before they are folded.
  private static let interval: Int64 = 1_000

  private let connection: Connection
  private let findBatch: Statement
  private let addTallies: Statement
  private let addHours: Statement
  private let advance: Statement

  /// The id of the digest with which the next batch is folded.
  private var next: Int64 = 0

  init(_ connection: Connection) throws {
    self.connection = connection
    findBatch = try Statement(
      connection,
      """
      SELECT folded_through, ifnull((
        SELECT max(id) FROM (
          SELECT id, sum(length(entries)) OVER (ORDER BY id) - length(entries) AS length_before
          FROM digest
          WHERE id > folded_through AND id <= folded_through + \(Self.batch)
        )
        WHERE length_before < \(Self.batchLength)
      ), folded_through)
      FROM store
      """
    )
    addTallies = try Statement(
      connection,
      """
      INSERT INTO tally
      \(CountSQL.tallies(where: "d.id > ?1 AND d.id <= ?2"))
      ON CONFLICT DO UPDATE SET
        occurrences = occurrences + excluded.occurrences,
        digests = digests + excluded.digests,
        shared_digests = shared_digests + excluded.shared_digests,
        first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen)
      """
    )
    addHours = try Statement(
      connection,
      """
      INSERT INTO hour
      SELECT recorded_at / \(Moment.hour), min(id), max(id)
      FROM digest
      WHERE id > ?1 AND id <= ?2
      GROUP BY 1
      ON CONFLICT DO UPDATE SET
        first_digest_id = min(first_digest_id, excluded.first_digest_id),
        last_digest_id = max(last_digest_id, excluded.last_digest_id)
      """
    )
    advance = try Statement(connection, "UPDATE store SET folded_through = ?")
    next = try connection.integer("SELECT folded_through FROM store") ?? 0
    next += Self.interval
  }

  /// Folds when enough has come together.
  ///
  /// An error is not told: nothing is lost, for reports read what is not folded from the digests,
  /// and a disk that fails here fails the next digest too, which does tell.
  func digestAdded(_ id: Int64) {
    guard id >= next else { return }
    do { try fold() } catch { next = id + Self.interval }
  }

  /// Folds all that there is, as far as that succeeds: what is left is folded later.
  func foldAll() {
    do { while try fold() > 0 {} } catch {}
  }

  /// Folds one batch.
  ///
  /// - Returns: how many digests it had.
  @discardableResult
  private func fold() throws -> Int64 {
    try connection.transaction {
      // Read here, under the lock: another process may have folded in the meantime.
      let batch = try findBatch.firstRow { ($0.integer(at: 0), $0.integer(at: 1)) }
      let (first, last) = batch ?? (0, 0)
      if last > first {
        try addTallies.run([.integer(first), .integer(last)])
        try addHours.run([.integer(first), .integer(last)])
        try advance.run([.integer(last)])
      }
      next = last + Self.interval
      return last - first
    }
  }
}
