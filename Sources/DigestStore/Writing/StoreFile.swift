import ResilientDecoding
import ResilientPlatform

/// The file of a store, and the connections of this process to it: one writes, others read, one
/// copies the write-ahead log.
///
/// Connections are opened as needed: a file that was moved, deleted or damaged is replaced by a new
/// one, and a suspended store has no connection.
///
/// One lock says whose turn it is to write. Others, one for each connection, say which file it is: a
/// connection is used with its lock held, and all are closed before another file is opened. A thread
/// that takes several locks takes them in this order:
///
///     readers.withoutLongRead   verify; suspend and close, which wait for it
///       │
///     WriteQueue                whose turn it is: flushes, folds, imports …
///       │
///     readers                   the connection for reports       ┐
///     copying                   the one that copies the log      │ which file it is
///     writing                   the writer                       │
///     lockingDirectory          the names, among processes       ┘
///
/// A long read comes first, because its progress closure may record, flush and run reports. A thread
/// that has a turn does not wait for a long read: if it has to close all connections then, it fails
/// as though the file were busy. ``PendingLosses`` and ``PendingDecodes`` have locks of their own,
/// under which no other is taken.
final class StoreFile: Sendable {
  /// How often to try again with another file after one was moved or damaged.
  private static let maximumAttempts = 8

  let path: String
  let configuration: DigestStore.Configuration

  /// Losses that are not in the file yet.
  let pendingLosses = PendingLosses()

  /// Clean decodes that are not in the file yet.
  let pendingDecodes = PendingDecodes()

  /// The connections for reports, separate so that reports do not delay a flush.
  let readers: ReaderConnections

  struct WritingConnection {
    var writer: Writer?

    /// The writer that met damage, until another connection has looked. As long as it is open,
    /// SQLite keeps its memory of the log, and does not take a damaged log for an empty one.
    var suspect: Writer?
    var access = FileAccess.open
  }

  /// Used only by the file itself.
  let writing = Locked(WritingConnection())

  /// The connection that copies the log, separate because the copy waits for the disk.
  let copying = Locked<Connection?>(nil)

  /// Opens the file for writing, or creates it.
  ///
  /// - Throws: errors of opening, but not for a file that another process has locked, or a disk
  ///   that is full: then each write tries to open it again.
  init(path: String, configuration: DigestStore.Configuration) throws {
    self.path = path
    self.configuration = configuration
    readers = ReaderConnections(path: path)
    defer { reportQuarantines() }
    do {
      try write { _ in }
      // Why the file is new, for its readers.
      if !pendingLosses.pending.isEmpty { _ = try append([]) }
    } catch let error where DigestStoreError(error, path: path).isTemporary {}
  }

  deinit {
    // An error here means that pending losses are lost; there is no caller to report it to.
    try? close()
  }

  /// Runs `body` with the only writer of this process. Repeats it with a new writer if the file was
  /// moved or is damaged.
  ///
  /// The caller has the turn to write, and calls ``reportQuarantines()`` after the turn.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    var earlierDamage: FileDamage?
    var hasSetAside = false
    defer { writing.withLock { $0.suspect = nil } }
    for _ in 1..<Self.maximumAttempts {
      do {
        return try attempt(body)
      } catch is Connection.FilesMoved {
        try leaveMovedFiles()
      } catch is Connection.SchemaChanged {
        writing.withLock { $0.writer = nil }
      } catch let damage as FileDamage {
        guard !hasSetAside else { throw damage.error }
        // One failed read looks like damage, and a file in which it is the only one is sound. So a
        // new connection repeats the work.
        if damage.confirms(earlierDamage) {
          try setAside(damage)
          hasSetAside = true
        } else {
          replaceWriter()
        }
        earlierDamage = damage
      }
    }
    return try attempt(body)
  }

  /// Writes digests in one transaction, with the losses and decodes counted so far.
  func append(_ digests: [DigestRecord]) throws -> MaintenanceTasks {
    try write { try $0.append(digests) }
  }

  private func attempt<Value: Sendable>(
    _ body: @Sendable (Writer) throws -> Value
  ) throws -> Value {
    try writing.withLock { state in
      try state.access.check(path)
      let writer = try state.writer ?? open()
      state.writer = writer
      return try FileDamage.catching(on: writer.connection) { try body(writer) }
    }
  }

  /// Opens a writer while no other process renames the files.
  private func open() throws -> Writer {
    try lockingDirectory(of: path, waiting: configuration.patience) { lock in
      if try Connection.isAbandoned(path) {
        try lock.check(path)
        try leaveCompanions()
      }
      try createPrivateFile(at: path)
      let file = try FileIdentity.find(path)
      do {
        return try Writer(
          path: path, configuration: configuration, pendingLosses: pendingLosses,
          pendingDecodes: pendingDecodes)
      } catch let error as SQLiteError {
        // The file may have been renamed meanwhile, for which SQLite reports one of several errors.
        guard try FileIdentity.find(path) == file else { throw Connection.FilesMoved() }
        guard error.isDamage, StoreHeader.mayBeStore(path, error) else { throw error }
        throw FileDamage(error: error, file: file)
      }
    }
  }

  /// Copies the write-ahead log into the file, while others read and write.
  func checkpoint() throws {
    try copying.withLock { copier in
      if copier?.place() != .unchanged { copier = nil }
      // Without a writer, or beside one of moved files, there is nothing to copy.
      let file = writing.withLock { state in
        state.writer?.connection.place() == .unchanged
          ? state.writer?.connection.files?.database : nil
      }
      guard let file else { return }
      let connection = try copier ?? openCopier()
      // The path may have the file of another store or program now.
      guard connection.files?.database == file else { return }
      copier = connection
      try connection.checkpoint()
    }
  }

  private func openCopier() throws -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.setDurability(configuration.durability)
    // Opens the log.
    _ = try connection.schemaVersion()
    try connection.rememberFiles()
    return connection
  }
}

extension StoreFile {
  /// Copies the write-ahead log into the file and empties it, unless another connection needs it.
  func emptyLog() throws {
    // Another thread may be copying the log, which takes longer than a few attempts.
    try write { _ = try $0.connection.emptyLog(attempts: 50) }
  }

  /// Writes the decodes counted so far. The caller has the turn to write.
  ///
  /// - Returns: the tasks that are due then: to try again if this fails.
  func writeDecodes() -> MaintenanceTasks {
    // The counts stay in memory if this fails. A lasting error also fails the next digest.
    pendingDecodes.isEmpty ? [] : (try? append([])) ?? .write
  }

  /// Closes all connections, so that this process holds no lock on the file.
  ///
  /// Like ``close(after:)``, it is called in a turn during which no long read runs.
  func suspend() {
    closeConnections(.suspended)
  }

  /// Calls `onQuarantine` for each file that was set aside.
  ///
  /// Call this without a lock and outside a turn, because the closure may use the store.
  func reportQuarantines() {
    guard let onQuarantine = configuration.onQuarantine else { return }
    for quarantine in pendingLosses.takeQuarantines() { onQuarantine(quarantine) }
  }

  /// Allows connections to be opened again.
  func resume() {
    writing.withLock { if $0.access == .suspended { $0.access = .open } }
    readers.resume()
  }

  /// Closes all connections for good. A closed store is complete in its one file.
  ///
  /// - Parameter error: the error of the last attempt to write, after which there is no other.
  /// - Throws: an error when pending losses cannot be written to the file.
  func close(after error: DigestStoreError? = nil) throws {
    defer { closeConnections(.closed) }
    guard writing.withLock({ $0.access == .open }) else { return }
    if let error { throw error }
    if !pendingLosses.pending.isEmpty || !pendingDecodes.isEmpty {
      do {
        _ = try append([])
      } catch  where pendingLosses.pending.isEmpty {}
    }
  }

  private func closeConnections(_ access: FileAccess) {
    readers.close(access) {
      copying.withLock { $0 = nil }
      writing.withLock { state in
        // Another connection may need the log, or the disk may be full: the log stays then.
        _ = try? state.writer?.connection.emptyLogInPlace()
        (state.writer, state.suspect) = (nil, nil)
        if state.access != .closed { state.access = access }
      }
    }
  }
}

extension Connection {
  /// Empties the log, unless the files were moved.
  fileprivate func emptyLogInPlace() throws {
    try checkPlace()
    try emptyLog()
  }
}

extension DigestStoreError {
  /// Whether a later attempt may succeed without a change of path or permissions.
  var isTemporary: Bool { code == .busy || code == .diskFull }
}
