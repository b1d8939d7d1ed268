/// Holds the writer of a store, and gets another one when its files were moved or are damaged; kept
/// behind a lock.
struct WriterState {
  enum Access {
    case writing, reading, suspended, closed
  }

  /// How often files are opened again that others move or replace at the same time.
  static let maximumAttempts = 5

  let path: String
  let configuration: DigestStore.Configuration
  let ledger: PendingLosses
  let known: KnownFailures
  var access = Access.writing

  /// Nil when it is to be opened.
  var writer: Writer?

  /// How long to wait for the lock of the directory, in milliseconds.
  var directoryPatience = Connection.Patience.default

  init(
    path: String,
    configuration: DigestStore.Configuration,
    ledger: PendingLosses,
    known: KnownFailures
  ) {
    self.path = path
    self.configuration = configuration
    self.ledger = ledger
    self.known = known
  }

  /// The reason why there can be no report now, if there is one.
  var readingError: DigestStoreError? {
    switch access {
    case .writing, .reading: nil
    case .suspended: .suspended(path)
    case .closed: .closed(path)
    }
  }

  /// Runs `body` with the writer, and again with a new one if the file is damaged.
  ///
  /// - Throws: ``Connection/FilesMoved`` if the files were moved; then ``leaveMovedFiles(copyingLog:)``
  ///   comes first.
  mutating func use<Value>(_ body: (Writer) throws -> Value) throws -> Value {
    do {
      let value = try body(current())
      writer?.connection.patience = .default
      return value
    } catch let error as SQLiteError where error.isDamage {
      try replaceDamagedFile(after: error)
      return try body(current())
    } catch let error as SQLiteError where error.isBusy {
      guard let connection = writer?.connection else { throw error }
      // The lock may be that of files which are not at the path any more.
      guard [.unchanged, .emptied].contains(connection.place()) else {
        throw Connection.FilesMoved()
      }
      // The process with the lock may be stuck: the next ones do not wait as long for it.
      connection.patience = .afterVainWait
      throw error
    }
  }

  mutating func suspend() {
    guard access == .writing else { return }
    access = .suspended
    writer?.endBackgroundWriting()
    letGo()
  }

  mutating func resume() {
    if access == .suspended { access = .writing }
  }

  /// Whether the writer's files are not at the path any more.
  var hasMovedFiles: Bool {
    writer.map { ![.unchanged, .emptied].contains($0.connection.place()) } ?? false
  }

  /// Closes the writer; the next use opens one.
  mutating func letGo() {
    if hasMovedFiles {
      // What cannot be copied stays in the log, where it is not lost.
      try? leaveMovedFiles(copyingLog: true)
    }
    writer = nil
  }

  mutating func close() {
    writer?.endBackgroundWriting()
    letGo()
    access = .closed
  }

  private mutating func current() throws -> Writer {
    switch access {
    case .writing: try writer ?? open()
    case .suspended: throw DigestStoreError.suspended(path)
    case .reading, .closed: throw DigestStoreError.closed(path)
    }
  }

  /// Runs `body` while no other process opens or renames files in the directory.
  mutating func withDirectoryLock<Result>(
    _ body: (inout Self, _ isLocked: Bool) throws -> Result
  ) rethrows -> Result {
    try lockingDirectory(of: path, waiting: directoryPatience.rawValue) { isLocked in
      // The process with the lock may be stuck: the next ones do not wait as long for it.
      directoryPatience = isLocked ? .default : .afterVainWait
      return try body(&self, isLocked)
    }
  }
}
