import ResilientDecoding
import ResilientPlatform

/// The file of a store, and the connections of this process to it: one writes, others read, one
/// copies the write-ahead log.
///
/// Connections are opened as needed: a file that was moved, deleted or damaged is replaced by a new
/// one, and a suspended store has no connection.
final class StoreFile: Sendable {
  let path: String

  /// Losses that are not in the file yet.
  let pendingLosses: PendingLosses

  /// Clean decodes that are not in the file yet.
  let pendingDecodes: PendingDecodes

  /// The connections for reports, separate so that reports do not delay a flush.
  let readers: ReaderConnections

  private let writing: Locked<WriterState>

  /// The time of the last check for damage.
  private let lastCheck = Locked<ContinuousClock.Instant?>(nil)

  /// The connection that copies the log, separate because the copy waits for the disk.
  private let copying = Locked<Connection?>(nil)

  private let durability: DigestStore.Durability
  private let onQuarantine: (@Sendable (DigestStore.Quarantine) -> Void)?

  /// Opens the file for writing, or creates it.
  init(path: String, configuration: DigestStore.Configuration) throws {
    self.path = path
    durability = configuration.durability
    onQuarantine = configuration.onQuarantine
    readers = ReaderConnections(path: path, isReadOnly: false)
    pendingLosses = PendingLosses()
    pendingDecodes = PendingDecodes()
    writing = Locked(
      WriterState(
        path: path, configuration: configuration, pendingLosses: pendingLosses,
        pendingDecodes: pendingDecodes))
    defer { reportQuarantines() }
    try write { _ in }
  }

  deinit {
    // An error here means that pending losses are lost; there is no caller to report it to.
    try? close()
  }

  /// Runs `body` with the only writer of this process. Repeats it with a new writer if the file was
  /// moved or is damaged.
  ///
  /// The caller holds the turn to write, and calls ``reportQuarantines()`` after the turn.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    try attempting { try writing.withLock { try $0.use(body) } }
  }

  /// Copies the write-ahead log into the file and truncates it, unless another process needs it.
  func emptyLog() throws {
    // Waits until no other thread copies the log, which would block this.
    try attempting {
      try copying.withLock { _ in
        try writing.withLock { try $0.use { try $0.connection.emptyLog() } }
      }
    }
  }

  /// Repeats `body` if files were moved.
  private func attempting<Value>(_ body: () throws -> Value) throws -> Value {
    for _ in 1..<WriterState.maximumAttempts {
      do {
        return try body()
      } catch let moved as Connection.FilesMoved {
        try leaveMovedFiles(copyingLog: !moved.isCommitted)
      }
    }
    return try body()
  }

  /// Closes all connections to files that were moved, deleted or replaced.
  ///
  /// It has to close all of them: the connections of a process to one database share the memory of
  /// its log, and a new connection would get the memory of the abandoned log.
  private func leaveMovedFiles(copyingLog: Bool) throws {
    // Does not wait for a long report, because a closure that it calls may be what is writing here.
    let hasLeft = try readers.closeUnlessReadingAlone {
      try copying.withLock { copier in
        copier = nil
        try writing.withLock { try $0.leaveMovedFiles(copyingLog: copyingLog) }
      }
    }
    guard hasLeft else {
      throw DigestStoreError(
        .busy, "\(path): the file was moved during a check; try again after it")
    }
  }

  /// Runs `body`, which uses ``readers``. Sets the file aside if it is damaged.
  func reading<Value>(_ body: () throws -> Value) throws -> Value {
    try leaveFilesBehind()
    do {
      return try body()
    } catch let damage as FileDamage {
      // The next report finds a new file.
      try setAside(damage)
      throw damage.error
    }
  }

  /// Closes files that were moved since the last write, before the file at the path is read.
  ///
  /// A reader opened beside such a writer would get the memory of the writer's log.
  private func leaveFilesBehind() throws {
    guard readers.mustReopen, writing.withLock({ $0.hasMovedFiles }) else { return }
    try leaveMovedFiles(copyingLog: true)
  }

  /// Sets a damaged file aside, unless another file has replaced it.
  func setAside(_ damage: FileDamage) throws {
    defer { reportQuarantines() }
    try writing.withLock { try $0.setAside(damage) }
  }

  /// Sets the file aside if it has damage that SQLite reports only as a failing operation. Reads
  /// the whole file, at most once every ten minutes.
  func checkSoundness() throws {
    let isTime = lastCheck.withLock { last in
      let isTime = last.map { .now - $0 > .seconds(600) } ?? true
      if isTime { last = .now }
      return isTime
    }
    guard isTime, writing.withLock({ $0.writer != nil }) else { return }
    // Holds the lock of checkpoints: writers can continue, and no fork happens during the check.
    guard let file = copying.withLock({ _ in IntegrityCheck.brokenFile(at: path) }) else { return }
    try setAside(FileDamage(error: .unsound, file: file))
  }

  /// Copies the write-ahead log into the file, while others read and write.
  func checkpoint() throws {
    try copying.withLock { copier in
      if copier?.place() != .unchanged { copier = nil }
      let file = writing.withLock { slot in
        slot.hasMovedFiles ? nil : slot.writer?.connection.files?.database
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
    try connection.setDurability(durability)
    // Opens the log.
    _ = try connection.schemaVersion()
    try connection.rememberFiles()
    return connection
  }

  /// Writes the decodes counted so far, or leaves them to the next transaction. The caller holds the
  /// turn to write.
  ///
  /// - Returns: the tasks that are due after the write.
  @discardableResult
  func writeDecodes() -> Maintenance.Tasks {
    guard !pendingDecodes.isEmpty else { return [] }
    do {
      return try write { writer in
        try writer.append([])
        return writer.removeDueTasks()
      }
    } catch {
      // The counts stay in memory. If the error lasts, the next digest reports it.
      return (error as? SQLiteError)?.mayBeDamage == true ? .check : []
    }
  }

  /// Closes all connections, so that this process holds no lock on the file.
  func suspend() {
    // Takes the locks in the same order as reports.
    readers.close(.suspended) {
      copying.withLock { $0 = nil }
      writing.withLock { $0.suspend() }
    }
  }

  /// Calls `onQuarantine` for each file that was set aside.
  ///
  /// Call this without a lock and outside a turn, because the closure may use the store.
  func reportQuarantines() {
    guard let onQuarantine else { return }
    for quarantine in pendingLosses.takeQuarantines() { onQuarantine(quarantine) }
  }

  /// Records in the file that no digest waits in memory, because the process exits.
  func endBackgroundWriting() {
    writing.withLock { state in
      state.endBackgroundWriting()
      state.process.end()
    }
  }

  /// Allows connections to be opened again.
  func resume() {
    writing.withLock { $0.resume() }
    readers.resume()
  }

  /// Closes all connections for good.
  ///
  /// - Throws: an error when pending losses cannot be written to the file.
  func close() throws {
    defer { closeConnections() }
    if writing.withLock({ $0.access == .open }) {
      if !pendingLosses.pending.isEmpty { try write { try $0.append([]) } }
      writeDecodes()
    }
  }

  private func closeConnections() {
    readers.close(.closed) {
      copying.withLock { $0 = nil }
      writing.withLock { $0.close() }
    }
  }
}

extension StoreFile {
  /// Closes all connections before a fork, and keeps other threads from opening them.
  ///
  /// A connection carried into a child corrupts the file (SQLite, "How To Corrupt An SQLite
  /// Database File", section 2.6).
  func beginFork() {
    readers.beginFork()
    copying.lock { $0 = nil }
    writing.lock { $0.letGo() }
    pendingLosses.beginFork()
    pendingDecodes.beginFork()
  }

  /// Lets both processes open their own connections.
  func endFork(inChild isChild: Bool) {
    pendingDecodes.endFork(inChild: isChild)
    pendingLosses.endFork(inChild: isChild)
    writing.unlock()
    copying.unlock()
    readers.endFork(inChild: isChild)
  }
}
