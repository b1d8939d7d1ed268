#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Connection {
  /// Opens a store for writing, makes it if there is none, and brings it to this version's schema.
  static func openStore(
    at path: String,
    _ configuration: DigestStore.Configuration
  ) throws -> Connection {
    createPrivateFile(at: path)
    // SQLite would open it all the same, to read, and make files beside it that those who may write
    // it could not write.
    guard access(path, F_OK) != 0 || access(path, W_OK) == 0 else { throw SQLiteError.readOnly }
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.distrustSchema()
    _ = try SchemaCheck.version(of: connection, path: path)
    // Space of deleted rows can be given back only if this is set before the first table.
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.beginLog(path: path)
    try connection.setDurability(configuration.durability)
    try connection.prepareDeletion(maximumBytes: configuration.maximumBytes)
    try Migrator.current.migrate(connection, path: path)
    try connection.rememberFiles()
    return connection
  }

  /// Decides what waits for the disk.
  func setDurability(_ durability: DigestStore.Durability) throws {
    try execute("PRAGMA synchronous = \(durability.synchronous)")
    // On Apple's systems only this waits for the disk's own memory; elsewhere it changes nothing
    // (SQLite, "PRAGMA fullfsync").
    if case .powerLoss = durability { try execute("PRAGMA fullfsync = ON") }
  }

  /// Has a new file keep a write-ahead log, as an older one does already.
  ///
  /// Of many that open a new file together SQLite tells some at once that it is locked, for fear of
  /// a deadlock, and does not wait (SQLite, "sqlite3_busy_handler").
  ///
  /// - Throws: ``DigestStoreError`` where there can be none: without it a flush would wait for every
  ///   report, and a power cut could break the file.
  func beginLog(path: String) throws {
    for attempt in 1... {
      do {
        // What cannot be done is no error, but answered with what is done instead (SQLite, "PRAGMA
        // journal_mode").
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
    // The files that readers of a WAL database share would be those of someone who may not write
    // it, and those who may could not write them.
    let isForeign = access(path, F_OK) == 0 && access(path, W_OK) != 0
    if isForeign, FileIdentity(path: path + "-shm") == nil, !hasLog(path) {
      return try open(path, .immutable)
    }
    do {
      return try open(path, .readOnly)
    } catch let error as SQLiteError where error.isAboutSharedMemory && !hasLog(path) {
      // A directory that may not be written, and no one writes there: SQLite cannot make these
      // files, and there is nothing in a WAL either (SQLite, "Write-Ahead Logging", section
      // "Read-Only Databases").
      return try open(path, .immutable)
    }
  }

  /// Has the files go that SQLite has made for a connection which only reads, and which it can
  /// remove only for one that may write.
  ///
  /// When another process has the store open they stay, as SQLite finds out by its locks; and so
  /// they do where the file may not be written.
  static func removeNeedlessCompanions(of path: String) {
    // With something in the log, closing would change the database.
    guard FileIdentity(path: path + "-wal")?.size == 0, access(path, W_OK) == 0,
      let connection = try? Connection(path: path, mode: .readWrite)
    else { return }
    connection.patience = .afterVainWait
    // Only a connection that has seen the log removes it. An error means that it is needed.
    _ = try? connection.schemaVersion()
  }

  /// Checks that reports can be read, and that whoever made the file cannot make us do more.
  private static func open(_ path: String, _ mode: Mode) throws -> Connection {
    let connection = try Connection(path: path, mode: mode)
    try connection.distrustSchema()
    let version = try SchemaCheck.version(of: connection, path: path)
    guard version > 0 else {
      throw DigestStoreError(
        .notAStore,
        "\(path) is an empty database; let the app write to it first"
      )
    }
    try Migrator.current.checkReadable(version, path: path)
    try connection.execute("PRAGMA query_only = ON")
    if mode != .immutable { try connection.rememberFiles() }
    return connection
  }
}

/// Whether the write-ahead log beside a file has something in it.
private func hasLog(_ path: String) -> Bool {
  (FileIdentity(path: path + "-wal")?.size ?? 0) > 0
}
