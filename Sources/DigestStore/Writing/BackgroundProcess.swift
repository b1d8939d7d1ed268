#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The rows of `background_process`: processes whose digests may wait in memory.
///
/// A process adds its row with the first digest that it writes in the background. It deletes the
/// row when it closes or suspends its store, or exits. A leftover row means that a process ended
/// without doing so.
final class BackgroundProcesses {
  private let connection: Connection

  /// The row id of this process; nil if it has no row.
  private var row: Int64?
  private var hasLookedForEnded = false

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Adds the row of this process, and counts the processes that ended without deleting theirs.
  /// Must run inside a transaction.
  ///
  /// - Parameters:
  ///   - isWaiting: whether digests of this process may wait in memory.
  ///   - now: the current time.
  /// - Returns: a function that the caller calls once the transaction is committed.
  func update(isWaiting: Bool, now: Moment, _ losses: LossTable) throws -> () -> Void {
    if !hasLookedForEnded { try countEnded(losses) }
    var row = row
    if isWaiting, row == nil {
      row = try Statement(
        connection,
        "INSERT INTO background_process (process, namespace, since) VALUES (?, ?, ?) RETURNING id"
      ).returnedInteger([
        .integer(Int64(getpid())), .text(Self.namespace), .integer(now.milliseconds),
      ])
    }
    return {
      self.row = row
      self.hasLookedForEnded = true
    }
  }

  /// Deletes the row of this process.
  ///
  /// - Returns: whether it had a row.
  func remove() -> Bool {
    guard let row else { return false }
    // If this fails, the row stays, as if the process had been killed.
    try? connection.transaction {
      try Statement(connection, "DELETE FROM background_process WHERE id = ?").run([.integer(row)])
    }
    self.row = nil
    return true
  }

  private func countEnded(_ losses: LossTable) throws {
    let rows = try connection.rows(
      """
      SELECT id, process, namespace,
        ifnull((SELECT recorded_at FROM digest ORDER BY id DESC LIMIT 1), since)
      FROM background_process
      """
    ) { ($0.integer(at: 0), $0.integer(at: 1), $0.text(at: 2), $0.moment(at: 3).hour) }
    for (id, process, namespace, hour) in rows
    where namespace == Self.namespace && Self.hasEnded(process) {
      try Statement(connection, "DELETE FROM background_process WHERE id = ?").run([.integer(id)])
      // The number of digests that waited is unknown.
      try losses.add(.none, to: PendingLosses.Key(reason: .notClosed, hour: hour))
    }
  }

  /// Whether no process has this id. A new process may have reused the id of one that ended.
  private static func hasEnded(_ process: Int64) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// The namespace of process ids on Linux, where a container has its own; empty on other systems.
  private static var namespace: String {
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = readlink("/proc/self/ns/pid", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, length)), as: UTF8.self)
  }
}
