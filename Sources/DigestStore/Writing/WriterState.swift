/// The writer of a store, kept behind a lock. Opens a new writer when the files were moved or are
/// damaged.
struct WriterState {
  /// The most attempts to open files that other processes move or replace at the same time.
  static let maximumAttempts = 5

  let path: String
  let configuration: DigestStore.Configuration
  let pendingLosses: PendingLosses
  let pendingDecodes: PendingDecodes
  let process: BackgroundProcess
  var access = FileAccess.open

  /// Nil until the next use opens one.
  var writer: Writer?

  /// How long to wait for the lock of the directory, in milliseconds.
  var directoryPatience = Connection.Patience.default

  init(
    path: String,
    configuration: DigestStore.Configuration,
    pendingLosses: PendingLosses,
    pendingDecodes: PendingDecodes
  ) {
    self.path = path
    self.configuration = configuration
    self.pendingLosses = pendingLosses
    self.pendingDecodes = pendingDecodes
    process = BackgroundProcess(configuration)
  }

  /// Runs `body` with the writer. Repeats it with a new writer if the file is damaged.
  ///
  /// - Throws: ``Connection/FilesMoved`` if the files were moved. Call
  ///   ``leaveMovedFiles(copyingLog:)`` before the next attempt.
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
      // The lock may be on files that are no longer at the path.
      guard [.unchanged, .emptied].contains(connection.place()) else {
        throw Connection.FilesMoved()
      }
      // The process with the lock may be stuck, so later attempts wait less.
      connection.patience = .afterVainWait
      throw error
    }
  }

  mutating func suspend() {
    guard access == .open else { return }
    endBackgroundWriting()
    access = .suspended
    letGo()
  }

  mutating func resume() {
    if access == .suspended { access = .open }
  }

  /// Whether the writer's files are no longer at the path.
  var hasMovedFiles: Bool {
    writer.map { ![.unchanged, .emptied].contains($0.connection.place()) } ?? false
  }

  /// Closes the writer, and leaves the store complete in its one file unless others use it. The next
  /// use opens a new writer.
  mutating func letGo() {
    // If the log cannot be copied, it is kept, so nothing is lost.
    if hasMovedFiles {
      try? leaveMovedFiles(copyingLog: true)
    } else {
      try? writer?.connection.emptyLog()
    }
    writer = nil
  }

  /// Records in the file that no digest of this store waits in memory, also if its connection was
  /// closed for a fork.
  mutating func endBackgroundWriting() {
    guard access == .open, process.isAdded else { return }
    try? current().endBackgroundWriting()
  }

  mutating func close() {
    endBackgroundWriting()
    letGo()
    access = .closed
  }

  private mutating func current() throws -> Writer {
    try access.check(path)
    return try writer ?? open()
  }

  /// Runs `body` while no other process opens or renames files in the directory.
  mutating func withDirectoryLock<Result>(
    _ body: (inout Self, _ isLocked: Bool) throws -> Result
  ) rethrows -> Result {
    try lockingDirectory(of: path, waiting: directoryPatience.rawValue) { isLocked in
      // The process with the lock may be stuck, so later attempts wait less.
      directoryPatience = isLocked ? .default : .afterVainWait
      return try body(&self, isLocked)
    }
  }
}
