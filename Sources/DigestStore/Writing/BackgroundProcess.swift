import ResilientPlatform

/// The row of a store in `background_process`, which says that digests may wait in memory.
///
/// A store that writes in the background adds its row with the first digest that it writes. It
/// deletes the row when it is closed or suspended, and when the process exits. A row that is left
/// means that a process ended without doing so. Use it behind the lock of the writer.
final class BackgroundProcess {
  /// The most rows that a file keeps. Nobody can tell whether a process of another container, or of
  /// another boot, still runs.
  private static let maximumRows = 100

  private let isInBackground: Bool
  private let number = Int64.random(in: 1..<1 << 20)

  /// The id of the row that was added last; of the parent's row in the child of a fork.
  private var added: Int64?
  private var isEnding = false

  init(_ configuration: DigestStore.Configuration) {
    isInBackground = if case .inBackground = configuration.writing { true } else { false }
  }

  /// Whether the file has a row of this store.
  var isAdded: Bool { added != nil && added == id }

  /// Adds the row. With the first transaction of a connection, also counts the processes that ended
  /// without deleting theirs.
  ///
  /// Must run inside a transaction. Call ``committed()`` after it.
  func update(on connection: Connection, isFirst: Bool, _ losses: LossTable) throws {
    if isFirst { try countEnded(connection, losses) }
    guard isInBackground, !isEnding, isFirst || !isAdded else { return }
    try Statement(
      connection,
      "INSERT OR IGNORE INTO background_process (id, process, namespace, since) VALUES (?, ?, ?, ?)"
    ).run([
      .integer(id), .integer(Int64(getpid())), .text(ThisProcess.namespace ?? ""),
      .integer(Moment(Date()).milliseconds),
    ])
  }

  func committed() {
    if isInBackground, !isEnding { added = id }
  }

  /// Deletes the row. If that fails, the row is left as if the process had been killed.
  func remove(from connection: Connection) throws {
    try connection.transaction {
      try Statement(connection, "DELETE FROM background_process WHERE id = ?").run([.integer(id)])
    }
    added = nil
  }

  /// Adds no row from now on, because the process exits.
  func end() { isEnding = true }

  /// The id of the row: the same for all connections of the store, and another one in the child of a
  /// fork.
  private var id: Int64 { ThisProcess.token << 20 | number }

  private func countEnded(_ connection: Connection, _ losses: LossTable) throws {
    try connection.execute(
      """
      DELETE FROM background_process WHERE id IN (
        SELECT id FROM background_process ORDER BY since DESC LIMIT -1 OFFSET \(Self.maximumRows))
      """)
    for (id, hour) in try connection.endedProcesses() {
      try Statement(connection, "DELETE FROM background_process WHERE id = ?").run([.integer(id)])
      // The number of digests is unknown.
      try losses.add(.none, to: PendingLosses.Key(reason: .notClosed, hour: hour))
    }
  }
}
