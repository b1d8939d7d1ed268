import ResilientDecoding
import ResilientPlatform

/// The connections of this process that read a file: one for reports, and another for a long read.
///
/// Connections are opened as needed: a file that was moved or replaced is opened again.
final class ReaderConnections: EngineConnections {
  private struct ReaderState {
    var access = FileAccess.open

    /// The connection for reports.
    var reports: Connection?

    /// Whether that connection is missing, or sees another file than the path, or a schema that
    /// was not checked.
    var mustReopen: Bool {
      guard let reports, !reports.isInTransaction else { return reports == nil }
      // A file that had no writer when it was opened may have one now. A check that fails is repeated, and
      // reported, by opening it again.
      return reports.mode == .immutable || reports.place() != .unchanged
        || reports.logReplacement() != nil || (try? reports.hasCheckedSchema()) == false
    }
  }

  let path: String

  private let state: Locked<ReaderState>

  /// Held during a long read, and to keep one from beginning.
  private let readingAlone = Locked(())

  /// Opens no connection yet.
  init(path: String) {
    self.path = path
    state = Locked(ReaderState())
  }

  /// Runs `body` with the connection for reports.
  ///
  /// - Throws: ``FileDamage`` when the file is damaged.
  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.mustReopen { state.reports = nil }
      let connection = try state.reports ?? open(state.access)
      state.reports = connection
      return try FileDamage.catching(on: connection) { try body(connection) }
    }
  }

  package func read<Value: Sendable>(
    _ body: @Sendable (any Engine) throws -> Value
  ) throws -> Value {
    try read { (connection: Connection) in try body(connection) }
  }

  /// Runs `body` with a separate connection: for long reads, while other reports continue.
  ///
  /// `body` must not close or suspend the store, because both wait for it.
  ///
  /// - Throws: ``FileDamage`` when the file is damaged.
  func readAlone<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    try readingAlone.withLock { _ in
      let access = state.withLock { state in
        // SQLite would share its memory of the log with the new connection.
        if state.mustReopen { state.reports = nil }
        return state.access
      }
      let connection = try open(access)
      return try FileDamage.catching(on: connection) { try body(connection) }
    }
  }

  /// Whether a new connection finds damage again, where one did whose work cannot be repeated.
  ///
  /// Reads all of the file.
  func confirm(_ damage: FileDamage) -> Bool {
    do {
      let connection = try open(state.withLock { $0.access })
      try FileDamage.catching(on: connection) { try connection.checkIntegrity() }
      return damage.isCertain
    } catch let found as FileDamage {
      return found.confirms(damage)
    } catch {
      // A file that cannot be examined is not known to be damaged.
      return damage.isCertain
    }
  }

  /// Whether the next report opens the file again.
  var mustReopen: Bool { state.withLock { $0.mustReopen } }

  /// Ends the transaction of ``DigestReader/atOneMoment(_:)``.
  package func endMoment() {
    // A rollback deletes the temporary tables of reports. A damaged file has been closed already.
    state.withLock { $0.reports?.rollBack() }
  }

  private func open(_ access: FileAccess) throws -> Connection {
    try access.check(path)
    let file = try FileIdentity.find(path)
    do {
      return try Connection.openStoreForReading(at: path)
    } catch let error as SQLiteError
      where error.isDamage && StoreHeader.mayBeStore(path, error)
    {
      throw FileDamage(error: error, file: file)
    }
  }
}

extension ReaderConnections {
  /// Runs `body` when no long read is running, and before the next one.
  func withoutLongRead<Value>(_ body: () throws -> Value) rethrows -> Value {
    try readingAlone.withLock { _ in try body() }
  }

  /// Closes the connection for reports, and then runs `body`, before it can be opened again.
  ///
  /// - Returns: nil if a long read is running; then nothing happens.
  func closeWithoutLongRead(_ body: () throws -> Void) rethrows -> Void? {
    try readingAlone.withLockIfAvailable { _ in
      try state.withLock { state in
        state.reports = nil
        try body()
      }
    }
  }

  /// Closes the connection for reports, and then runs `body`, before it can be opened again. Called
  /// in ``withoutLongRead(_:)``.
  ///
  /// - Parameter access: what is possible from now on. What is closed stays closed.
  func close(_ access: FileAccess, _ body: () -> Void = {}) {
    state.withLock { state in
      state.reports = nil
      if state.access != .closed { state.access = access }
      body()
    }
  }

  package func close() { withoutLongRead { close(.closed) } }

  package func suspend() { withoutLongRead { close(.suspended) } }

  /// Allows connections to be opened again after a suspension.
  package func resume() {
    state.withLock { if $0.access == .suspended { $0.access = .open } }
  }
}

/// Whether this process may have connections to a file.
enum FileAccess {
  case open, suspended, closed

  /// - Throws: ``DigestStoreError`` if no connection may be opened.
  func check(_ path: String) throws {
    switch self {
    case .open: return
    case .suspended: throw DigestStoreError.suspended(path)
    case .closed: throw DigestStoreError.closed(path)
    }
  }
}
