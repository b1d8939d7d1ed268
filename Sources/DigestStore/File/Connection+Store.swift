import CSQLite
import ResilientPlatform

extension Connection {
  /// Opens a store for writing. Creates it if it does not exist, and migrates it to the current
  /// schema.
  ///
  /// - Throws: ``FilesMoved`` if the file was moved after the caller had looked at it. Its log or
  ///   its shared memory is still at the path, and SQLite would use it for a new file.
  static func openStore(
    at path: String,
    _ configuration: DigestStore.Configuration,
    _ migrator: Migrator = .current
  ) throws -> Connection {
    guard try !isAbandoned(path) else { throw FilesMoved() }
    try checkSingleName(path)
    try createPrivateFile(at: path)
    // SQLite would open the file for reading all the same, and create companion files that the
    // users who may write the store could not write.
    guard !isProtected(path) else { throw SQLiteError.readOnly }
    let connection = try Connection(path: path, mode: .readWrite)
    connection.patience = configuration.patience
    // Once more: SQLite has opened the file now, but nothing beside it yet.
    guard try !isAbandoned(path) else { throw FilesMoved() }
    try connection.distrustSchema()
    let version = try SchemaCheck.version(of: connection, path: path, migrator)
    try connection.setCacheSize()
    guard !connection.isReadOnly else {
      throw StoreHeader.isWritable(path) ? SQLiteError.readOnly : .unknownFormat
    }
    // SQLite can return the space of deleted rows only if this is set before the first table
    // exists. An existing file is locked for writing instead, to fail now if that is impossible.
    try connection.execute(
      version == 0 ? "PRAGMA auto_vacuum = INCREMENTAL" : "BEGIN IMMEDIATE; ROLLBACK")
    try connection.beginLog(path: path)
    try connection.setDurability(configuration.durability)
    try connection.prepareDeletion()
    if version < migrator.version {
      try migrator.migrate(connection, path: path)
      _ = try SchemaCheck.version(of: connection, path: path, migrator)
    }
    try connection.rememberFiles()
    return connection
  }

  /// Whether a path has no database, but the log or the shared memory of one that was moved away.
  ///
  /// - Throws: ``SQLiteError`` if the path cannot be examined: then the log may be in use.
  static func isAbandoned(_ path: String) throws -> Bool {
    guard try FileIdentity.size(of: path) == 0 else { return false }
    return try QuarantinedFile.companions.contains { try FileIdentity.find(path + $0) != nil }
  }

  /// Whether a file exists that this user may not write. Other errors are reported by SQLite.
  private static func isProtected(_ path: String) -> Bool {
    access(path, W_OK) != 0 && [EACCES, EPERM, EROFS].contains(errno)
  }

  /// Refuses a file with several names: SQLite would keep a log for each of them (SQLite, "How To
  /// Corrupt An SQLite Database File", "Multiple links to the same file").
  private static func checkSingleName(_ path: String) throws {
    guard let file = try FileIdentity.find(path), file.links > 1 else { return }
    throw DigestStoreError(
      .inputOutput, "\(path): the file has several names (hard links); use a copy of it")
  }

  /// Sets which writes wait for the disk.
  func setDurability(_ durability: DigestStore.Durability) throws {
    try execute("PRAGMA synchronous = \(durability.synchronous)")
    // On Apple's systems only this waits for the disk's own cache; elsewhere it has no effect
    // (SQLite, "PRAGMA fullfsync").
    if case .powerLoss = durability { try execute("PRAGMA fullfsync = ON") }
  }

  /// Enables the write-ahead log of a new file. Existing files have one already.
  ///
  /// If many connections open a new file at once, SQLite reports to some of them at once that it is
  /// locked, without waiting, to avoid a deadlock (SQLite, "sqlite3_busy_handler").
  ///
  /// - Throws: ``DigestStoreError`` if there can be no log. Without it a flush would wait for every
  ///   report, and a power cut could damage the file.
  func beginLog(path: String) throws {
    for attempt in 1... {
      do {
        // If SQLite cannot use WAL, it does not fail, but returns the mode it uses instead (SQLite,
        // "PRAGMA journal_mode").
        let mode = try text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
          throw DigestStoreError(
            .inputOutput,
            "\(path): SQLite cannot keep a write-ahead log here (journal_mode is \(mode ?? "unknown")); "
              + "put the store on a local disk")
        }
        return
      } catch let error as SQLiteError where error.isBusy && attempt < 400 {
        usleep(5_000)
      }
    }
  }

  /// Opens a store for reports.
  static func openStoreForReading(at path: String) throws -> Connection {
    // Readers of a WAL database share companion files. Created by a user who may not write the
    // store, they could not be written by those who may.
    if isProtected(path), try FileIdentity.size(of: path + "-wal") == 0,
      try QuarantinedFile.companions.contains(where: { try FileIdentity.find(path + $0) == nil })
    {
      return try open(path, .immutable)
    }
    do {
      return try open(path, .readOnly)
    } catch let error as SQLiteError
      // Without a size there is no log, and the error stands.
      where error.isAboutSharedMemory && (try? FileIdentity.size(of: path + "-wal")) == 0
    {
      // The directory is read-only and no process writes there: SQLite cannot create the companion
      // files, and there is nothing in the WAL either (SQLite, "Write-Ahead Logging", section
      // "Read-Only Databases").
      return try open(path, .immutable)
    }
  }

  /// Opens a store, and checks that reports can read it and that its author cannot make them do
  /// more.
  private static func open(_ path: String, _ mode: OpenMode) throws -> Connection {
    let connection = try Connection(path: path, mode: mode)
    try connection.distrustSchema()
    let version = try SchemaCheck.version(of: connection, path: path)
    try connection.setCacheSize()
    guard version > 0 else {
      throw DigestStoreError(
        .notAStore,
        "\(path) is an empty database; let the app write to it first"
      )
    }
    try Migrator.current.checkReadable(version, path: path)
    if mode != .immutable { try connection.rememberFiles() }
    return connection
  }

  /// Configures the overwriting of deleted content, and the length that the log keeps.
  private func prepareDeletion() throws {
    // Overwrites deleted content. It is gone from the disk after the next checkpoint.
    try execute("PRAGMA secure_delete = ON")
    try execute("PRAGMA journal_size_limit = \(LogLength.limit)")
  }
}

/// The length of the write-ahead log.
enum LogLength {
  /// The length that the log keeps, in bytes: some thousand digests. A larger log needs fewer
  /// checkpoints, and each checkpoint waits for the disk.
  static let limit = 4 << 20

  /// The length at which the log is copied into the file, in bytes. The rest of the limit is room
  /// for what others write meanwhile.
  static let checkpoint = limit / 4 * 3
}

/// Creates an empty file that only its owner may read or write, if none exists.
///
/// SQLite gives the companion files the same mode.
///
/// - Throws: ``SQLiteError`` with the system's code if the file can neither be created nor found.
func createPrivateFile(at path: String) throws {
  let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
  guard descriptor < 0 else {
    close(descriptor)
    return
  }
  let code = errno
  // SQLite reports the errors of a file that exists.
  if code == EEXIST { return }
  if case .file = FileIdentity.lookUp(path) { return }
  throw SQLiteError.system(code)
}
