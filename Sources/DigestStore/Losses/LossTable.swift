/// Writes losses to the table `loss`.
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

  /// Adds to the losses of an hour and reason. Runs in a transaction of the caller.
  func add(_ count: PendingLosses.Count, to key: PendingLosses.Key) throws {
    try addLoss.run([
      .text(key.reason.rawValue), .integer(key.hour), .integer(Int64(count.digests)),
      .integer(Int64(count.occurrences)), SQLiteValue(key.note),
    ])
  }
}

extension LossTable {
  /// Reads the losses recorded in a file before it is quarantined, so that the next file continues
  /// to count them. Empty if the file cannot be read.
  ///
  /// Skips losses of digests that the file still counts, because its counts are quarantined too.
  static func entries(ofFileAt path: String) -> [(
    key: PendingLosses.Key, count: PendingLosses.Count
  )] {
    guard let connection = try? Connection(path: path, mode: .readWrite) else { return [] }
    guard (try? connection.distrustSchema()) != nil else { return [] }
    let rows = try? connection.rows(
      // The condition rejects a view instead of the table, because reading a view may never end.
      """
      SELECT reason, hour, digests, occurrences, note
      FROM loss
      WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'loss')
      LIMIT 10000
      """
    ) { row -> (key: PendingLosses.Key, count: PendingLosses.Count)? in
      // Deleted digests and counts are missing in that file, and not in the store.
      let reasons: [DigestStore.Loss.Reason] = [
        .failedWrite, .overflow, .quarantined, .movedAway, .notClosed, .redacted,
      ]
      let reason = reasons.first { $0.rawValue == row.text(at: 0) }
      guard let reason else { return nil }
      // A damaged file may contain any number, and the sums must not overflow.
      let numbers = (1...3).map { Int(clamping: min(max(row.integer(at: $0), 0), 1 << 48)) }
      return (
        PendingLosses.Key(reason: reason, hour: Int64(numbers[0]), note: row.text(at: 4)),
        PendingLosses.Count(digests: numbers[1], occurrences: numbers[2])
      )
    }
    return (rows ?? []).compactMap(\.self)
  }
}
