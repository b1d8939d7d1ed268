import ResilientDecoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of a store, and this process's connections to it: one writes, one reads, one copies
/// the write-ahead log.
///
/// They come and go: a file that was moved, deleted or damaged is followed by a fresh one, and a
/// suspended store has none.
final class StoreFile: Sendable {
  let path: String

  /// What could not be kept, and is not in the file yet.
  let ledger: PendingLosses

  /// What the file is known to have.
  let known: KnownFailures

  /// Where the counts are, if the file has only the names of what is counted.
  let tallies: (any CountSource)?

  private let writing: Locked<WriterState>

  /// Reports have a connection of their own, so that they do not keep a flush waiting.
  private let reading: Locked<Connection?>

  /// Held while a report reads by a connection of its own.
  private let readingAlone = Locked(())

  /// When the file was last looked through.
  private let lastCheck = Locked<ContinuousClock.Instant?>(nil)

  /// And so has copying the log, which waits for the disk.
  private let copying = Locked<Connection?>(nil)

  private let durability: DigestStore.Durability
  private let onQuarantine: (@Sendable (DigestStore.Quarantine) -> Void)?

  /// Opens the file for writing, or makes it.
  init(path: String, configuration: DigestStore.Configuration) throws {
    self.path = path
    durability = configuration.durability
    onQuarantine = configuration.onQuarantine
    tallies = nil
    reading = Locked(nil)
    ledger = PendingLosses()
    known = KnownFailures(maximumValueLength: configuration.maximumValueLength)
    writing = Locked(
      WriterState(path: path, configuration: configuration, ledger: ledger, known: known))
    defer { tellQuarantines() }
    try write { _ in }
  }

  /// Opens the file for reading, and nothing of it is changed.
  convenience init(readingFrom path: String) throws {
    self.init(readingOnly: path, by: nil, nil)
    try read { _ in }
  }

  /// Reads by a connection that is open already, or else by one that is opened for it.
  init(
    readingOnly path: String,
    by connection: sending Connection?,
    _ tallies: (any CountSource)?
  ) {
    self.path = path
    self.tallies = tallies
    durability = .processCrash
    onQuarantine = nil
    ledger = PendingLosses()
    let configuration = DigestStore.Configuration()
    known = KnownFailures(maximumValueLength: configuration.maximumValueLength)
    var slot = WriterState(path: path, configuration: configuration, ledger: ledger, known: known)
    slot.access = .reading
    writing = Locked(slot)
    reading = Locked(connection)
  }

  deinit {
    // What could not be kept is lost with an error here, for which there is no one to hear it.
    try? close()
  }

  /// Runs `body` with the only writer of this process; again with a new one if the file was moved or
  /// is damaged.
  ///
  /// The caller that has the turn to write calls ``tellQuarantines()`` when it is over.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    try attempting { try writing.withLock { try $0.use(body) } }
  }

  /// Moves the write-ahead log into the file and cuts it, unless another process needs it just now.
  func emptyLog() throws {
    // Not while another thread copies the log, which would keep this one from it.
    try attempting {
      try copying.withLock { _ in
        try writing.withLock { try $0.use { try $0.connection.emptyLog() } }
      }
    }
  }

  /// Runs `body` again where files were moved.
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
  /// All of them: the connections of a process to one database share the memory of its log, and a
  /// new one would get that of the log that was left.
  private func leaveMovedFiles(copyingLog: Bool) throws {
    // Not waited for, because a closure that it calls may be what is writing here.
    let hasLeft: Void? = try readingAlone.withLockIfAvailable { _ in
      try reading.withLock { reader in
        try copying.withLock { copier in
          reader = nil
          copier = nil
          try writing.withLock { try $0.leaveMovedFiles(copyingLog: copyingLog) }
        }
      }
    }
    guard hasLeft != nil else {
      throw DigestStoreError(
        .busy, "\(path): the file was moved during a check; try again after it")
    }
  }

  /// Runs `body` with the connection for reports.
  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    try leaveFilesBehind()
    return try settingDamageAside {
      try reading.withLock { connection in
        // A file that nobody wrote when it was opened may be written by now.
        if connection?.isInTransaction != true,
          connection?.mode == .immutable || connection?.place() != .unchanged
        {
          connection = nil
        }
        let reader = try connection ?? openReader()
        connection = reader
        return try WriterState.Damage.catching(on: reader) { try body(reader) }
      }
    }
  }

  /// Ends the transaction of ``DigestStore/atOneMoment(_:)``.
  func endMoment() {
    // A file that was found damaged meanwhile has been closed.
    reading.withLock { try? $0?.execute("COMMIT") }
  }

  /// Runs `body` with a connection of its own, so that it may take long while reports go on.
  ///
  /// `body` must not close or suspend the store, which waits for it.
  func readAlone<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    try leaveFilesBehind()
    return try settingDamageAside {
      try readingAlone.withLock { _ in
        let reader = try openReader()
        return try WriterState.Damage.catching(on: reader) { try body(reader) }
      }
    }
  }

  /// Leaves files that were moved since the last write, before the file at the path is read.
  ///
  /// A reader that is opened beside such a writer would get the memory of its log.
  private func leaveFilesBehind() throws {
    let isReopened = reading.withLock { $0?.mode == .immutable || $0?.place() != .unchanged }
    guard isReopened, writing.withLock({ $0.hasMovedFiles }) else { return }
    try leaveMovedFiles(copyingLog: true)
  }

  private func openReader() throws -> Connection {
    if let error = writing.withLock({ $0.readingError }) { throw error }
    let file = FileIdentity(path: path)
    do {
      return try Connection.openStoreForReading(at: path)
    } catch let error as SQLiteError where error.isDamage {
      throw WriterState.Damage(error: error, file: file)
    }
  }

  private func settingDamageAside<Value: Sendable>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let damage as WriterState.Damage {
      // The next report finds a new file.
      try setAside(damage)
      throw damage.error
    }
  }

  /// Puts a damaged file out of the way, unless another one is at the path by now.
  func setAside(_ damage: WriterState.Damage) throws {
    defer { tellQuarantines() }
    try writing.withLock { try $0.setAside(damage) }
  }

  /// Puts the file out of the way if it is damaged in a way that SQLite only reports as something
  /// that does not work. Reads the whole file, at most every ten minutes.
  func checkSoundness() throws {
    let isTime = lastCheck.withLock { last in
      let isTime = last.map { .now - $0 > .seconds(600) } ?? true
      if isTime { last = .now }
      return isTime
    }
    guard isTime, writing.withLock({ $0.writer != nil }) else { return }
    // In the place of a checkpoint: others write meanwhile, and no fork carries the connection away.
    guard let file = copying.withLock({ _ in IntegrityCheck.brokenFile(at: path) }) else { return }
    try setAside(WriterState.Damage(error: .unsound, file: file))
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
      // Another store, or another program's file, may have come to the path.
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

  /// Closes all connections, so that there is no lock on the file.
  func suspend() {
    // In the order in which a report takes the locks.
    readingAlone.withLock { _ in
      reading.withLock { reader in
        reader = nil
        copying.withLock { $0 = nil }
        writing.withLock { $0.suspend() }
      }
    }
  }

  /// Calls `onQuarantine` for the files that were set aside.
  ///
  /// To be called without a lock and outside every turn, because the closure may use the store.
  func tellQuarantines() {
    guard let onQuarantine else { return }
    for quarantine in ledger.takeQuarantines() { onQuarantine(quarantine) }
  }

  /// Notes in the file that no digest waits in memory any more.
  func endBackgroundWriting() {
    writing.withLock { $0.writer?.endBackgroundWriting() }
  }

  /// Lets the connections be opened again.
  func resume() {
    writing.withLock { $0.resume() }
  }

  /// Closes all connections for good.
  ///
  /// - Throws: an error when the file could not be told what was not kept.
  func close() throws {
    defer { closeConnections() }
    if writing.withLock({ $0.access == .writing }), !ledger.pending.isEmpty {
      try write { try $0.append([]) }
    }
  }

  private func closeConnections() {
    readingAlone.withLock { _ in
      reading.withLock { reader in
        let hasRead = reader != nil
        reader = nil
        copying.withLock { $0 = nil }
        let wasReading = writing.withLock { slot in
          defer { slot.close() }
          return slot.access == .reading
        }
        if wasReading, hasRead { Connection.removeNeedlessCompanions(of: path) }
      }
    }
  }
}

extension StoreFile {
  /// Closes all connections before a fork, and keeps others from opening them.
  ///
  /// A connection that is carried into a child spoils the file (SQLite, "How To Corrupt An SQLite
  /// Database File", section 2.6).
  func beginFork() {
    readingAlone.lock { _ in }
    reading.lock { $0 = nil }
    copying.lock { $0 = nil }
    writing.lock { $0.letGo() }
    known.beginFork()
    ledger.beginFork()
  }

  /// Lets both processes open connections of their own.
  func endFork(inChild isChild: Bool) {
    ledger.endFork(inChild: isChild)
    known.endFork()
    writing.unlock()
    copying.unlock()
    reading.unlock()
    readingAlone.unlock()
  }
}
