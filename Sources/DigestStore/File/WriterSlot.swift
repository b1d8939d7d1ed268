#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the writer of a store is, if it has one, and how it gets one.
struct WriterSlot {
  enum Access {
    case writing, reading, suspended, closed
  }

  let path: String
  let configuration: DigestStore.Configuration
  let ledger: Ledger
  let known: KnownFailures
  var access = Access.writing

  /// Nil when it is to be opened.
  var writer: Writer?

  /// Which file the writer has, and which ones beside it.
  private var identity: FileIdentity?
  private var companions: [String: FileIdentity] = [:]

  /// Files that were set aside, to be told of once no lock is held.
  private var quarantines: [DigestStore.Quarantine] = []

  init(
    path: String,
    configuration: DigestStore.Configuration,
    ledger: Ledger,
    known: KnownFailures
  ) {
    self.path = path
    self.configuration = configuration
    self.ledger = ledger
    self.known = known
  }

  /// Why there can be no report, if so.
  var readingError: DigestStoreError? {
    switch access {
    case .writing, .reading: nil
    case .suspended: .suspended(path)
    case .closed: .closed(path)
    }
  }

  /// Runs `body` with the writer, and again with one on a fresh file if this one is damaged.
  mutating func use<Value>(_ body: (Writer) throws -> Value) throws -> Value {
    do {
      let value = try body(current())
      writer?.connection.patience = .default
      return value
    } catch let error as SQLiteError where error.isDamage {
      try setAside(after: error)
      return try body(current())
    } catch let error as SQLiteError where error.isBusy {
      // Whoever holds the lock may do so for ever: the next ones do not wait as long for it.
      writer?.connection.patience = .afterVainWait
      throw error
    }
  }

  /// The writer of the file that is at the path now.
  mutating func current() throws -> Writer {
    switch access {
    case .writing: break
    case .suspended: throw DigestStoreError.suspended(path)
    case .reading, .closed: throw DigestStoreError.closed(path)
    }
    guard let writer else { return try open() }
    let file = FileIdentity(path: path)
    guard file == identity else {
      leaveMovedFile(writer)
      return try open()
    }
    // What is cached would hide for long that someone has emptied it.
    if file?.size == 0 { throw SQLiteError.emptied }
    return writer
  }

  mutating func takeQuarantines() -> [DigestStore.Quarantine] {
    defer { quarantines = [] }
    return quarantines
  }

  mutating func suspend() {
    guard access == .writing else { return }
    access = .suspended
    writer = nil
  }

  mutating func resume() {
    if access == .suspended { access = .writing }
  }

  mutating func close() throws {
    defer {
      writer = nil
      access = .closed
    }
    guard access == .writing, !ledger.pending.isEmpty else { return }
    try use { try $0.append([]) }
  }

  private mutating func open() throws -> Writer {
    if FileIdentity(path: path)?.size == 0, FileIdentity(path: path + "-wal")?.size ?? 0 > 0 {
      // The log is all that is left of a store; SQLite would delete it.
      try setAside(after: .emptied)
    }
    // The file that is there now may be another one.
    known.forget()
    let writer: Writer
    do {
      writer = try makeWriter()
    } catch let error as SQLiteError where error.isDamage || error.mayBeDamage {
      // What is another program's stays where it is.
      guard StoreHeader.isStore(path),
        error.isDamage || !StoreHeader.isSound(path) || Soundness.isBroken(path)
      else {
        throw DigestStoreError(error, path: path)
      }
      try setAside(after: error)
      writer = try makeWriter()
    }
    self.writer = writer
    identity = FileIdentity(path: path)
    companions = SetAside.companions.reduce(into: [:]) { $0[$1] = FileIdentity(path: path + $1) }
    return writer
  }
}

extension WriterSlot {
  private func makeWriter() throws -> Writer {
    try Writer(path: path, configuration: configuration, ledger: ledger, known: known)
  }

  /// Puts the files of a damaged store out of the way if they are still those that the writer has.
  mutating func setAsideCurrent(after error: SQLiteError) throws {
    if writer != nil { try setAside(after: error) }
  }

  /// Puts the files of a damaged store out of the way, for a fresh one to take their place.
  private mutating func setAside(after error: SQLiteError) throws {
    guard access == .writing else { return }
    let count = writer?.totals
    try withDirectoryLock(of: path) {
      // Another process may have been faster: then what is at the path is sound.
      let isTheSame = writer == nil || FileIdentity(path: path) == identity
      // The files as they are, log included.
      writer?.connection.leaveLogOnClose()
      writer = nil
      guard isTheSame else { return }
      let now = configuration.clock()
      let aside = try SetAside.rename(path, at: now)
      let name = String(aside.dropFirst(path.count - path.fileName.count))
      ledger.add(
        count ?? Ledger.Count(digests: 0, occurrences: 0),
        to: Ledger.Key(reason: .quarantined, hour: Moment(now).hour, note: name))
      quarantines.append(
        DigestStore.Quarantine(path: aside, error: DigestStoreError(error, path: path)))
    }
  }

  /// Lets go of a file that someone has moved, deleted or replaced.
  private mutating func leaveMovedFile(_ writer: Writer) {
    let now = Moment(configuration.clock())
    // What is still in the log belongs into the file, wherever that is now; and the log's name to
    // whatever comes next (SQLite, "How To Corrupt An SQLite Database File", section 2.4). An error
    // here has no one to go to: the file is not ours any more.
    let isWhole = (try? writer.connection.checkpoint()) == true
    ledger.add(writer.totals, to: Ledger.Key(reason: .movedAway, hour: now.hour))
    self.writer = nil
    withDirectoryLock(of: path) {
      for (companion, identity) in companions
      where FileIdentity(path: path + companion) == identity {
        SetAside.removeCompanion(path + companion, isNeeded: !isWhole, at: now.date)
      }
    }
  }
}
