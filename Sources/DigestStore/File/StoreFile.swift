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
  let ledger: Ledger

  /// What the file is known to have.
  let known: KnownFailures

  private let writing: Locked<WriterSlot>

  /// Reports have a connection of their own, so that they do not keep a flush waiting.
  private let reading: Locked<Connection?>

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
    reading = Locked(nil)
    ledger = Ledger()
    known = KnownFailures(maximumValueLength: configuration.maximumValueLength)
    writing = Locked(
      WriterSlot(path: path, configuration: configuration, ledger: ledger, known: known))
    try write { _ in }
  }

  /// Opens the file for reading, and nothing of it is changed.
  convenience init(readingFrom path: String) throws {
    self.init(readingOnly: path, by: nil)
    try read { _ in }
  }

  /// Reads by a connection that is open already, or else by one that is opened for it.
  init(readingOnly path: String, by connection: sending Connection?) {
    self.path = path
    durability = .processCrash
    onQuarantine = nil
    ledger = Ledger()
    let configuration = DigestStore.Configuration()
    known = KnownFailures(maximumValueLength: configuration.maximumValueLength)
    var slot = WriterSlot(path: path, configuration: configuration, ledger: ledger, known: known)
    slot.access = .reading
    writing = Locked(slot)
    reading = Locked(connection)
  }

  deinit {
    // What could not be kept is lost with an error here, for which there is no one to hear it.
    try? close()
  }

  /// Runs `body` with the only writer of this process; twice, when the file turns out to be damaged.
  func write<Value: Sendable>(_ body: @Sendable (Writer) throws -> Value) throws -> Value {
    defer { tellQuarantines() }
    return try writing.withLock { try $0.use(body) }
  }

  /// Runs `body` with the connection for reports.
  func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
    do {
      return try reading.withLock { connection in
        // What no one wrote when it was opened may be written by now: then it is opened again.
        if let connection, connection.mode != .immutable, try !connection.hasMoved() {
          return try body(connection)
        }
        connection = nil
        if let error = writing.withLock({ $0.readingError }) { throw error }
        let new = try Connection.openStoreForReading(at: path)
        connection = new
        return try body(new)
      }
    } catch let error as SQLiteError where error.isDamage {
      // A fresh file is there for the next report.
      try setAside(after: error)
      throw error
    }
  }

  /// Puts the file out of the way, if it is damaged in a way of which SQLite only says that
  /// something does not work; looks for that now and then, for it reads all of the file.
  func checkSoundness() throws {
    let isTime = lastCheck.withLock { last in
      let isTime = last.map { .now - $0 > .seconds(600) } ?? true
      if isTime { last = .now }
      return isTime
    }
    guard isTime, writing.withLock({ $0.writer != nil }) else { return }
    // In the place of a checkpoint: others write meanwhile, and no fork carries the connection away.
    guard copying.withLock({ _ in Soundness.isBroken(path) }) else { return }
    try setAside(after: .unsound)
  }

  private func setAside(after error: SQLiteError) throws {
    defer { tellQuarantines() }
    try writing.withLock { try $0.setAsideCurrent(after: error) }
  }

  /// Copies the write-ahead log into the file, while others read and write.
  func checkpoint() throws {
    try copying.withLock { copier in
      if let connection = copier, try connection.hasMoved() { copier = nil }
      guard writing.withLock({ $0.access == .writing }) else { return }
      let connection = try copier ?? openCopier()
      copier = connection
      try connection.checkpoint()
    }
  }

  private func openCopier() throws -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.setDurability(durability)
    return connection
  }

  /// Closes all connections, so that there is no lock on the file.
  func suspend() {
    // In the order in which a report takes the locks.
    reading.withLock { reader in
      reader = nil
      copying.withLock { $0 = nil }
      writing.withLock { $0.suspend() }
    }
  }

  /// Tells of files that were set aside, while no lock is held.
  private func tellQuarantines() {
    guard let onQuarantine else { return }
    for quarantine in writing.withLock({ $0.takeQuarantines() }) { onQuarantine(quarantine) }
  }

  /// Lets the connections be opened again.
  func resume() {
    writing.withLock { $0.resume() }
  }

  /// Closes all connections for good.
  ///
  /// - Throws: an error when the file could not be told what was not kept.
  func close() throws {
    try reading.withLock { reader in
      let hasRead = reader != nil
      reader = nil
      copying.withLock { $0 = nil }
      let wasReading = writing.withLock { $0.access == .reading }
      try writing.withLock { try $0.close() }
      if wasReading, hasRead { Connection.removeNeedlessCompanions(of: path) }
    }
  }
}

extension StoreFile {
  /// Closes all connections before a fork, and keeps others from opening them.
  ///
  /// A connection that is carried into a child spoils the file (SQLite, "How To Corrupt An SQLite
  /// Database File", section 2.6).
  func beginFork() {
    reading.lock { $0 = nil }
    copying.lock { $0 = nil }
    writing.lock { $0.writer = nil }
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
  }
}
