import CSQLite
import ResilientPlatform

extension Connection {
  /// How long a connection waits for a file that another process has locked, in milliseconds.
  ///
  /// Each transaction of a store takes some milliseconds. A process that holds a lock for longer is
  /// stuck, or does something large.
  static let usualPatience = 2_000

  /// Installs a busy handler that waits for locks in short steps, so that many processes get their
  /// turn.
  ///
  /// SQLite's own handler sleeps up to 100 ms at a time (SQLite, "sqlite3_busy_timeout").
  func waitForLocks() {
    let context = UnsafeMutableRawPointer(bitPattern: patience)
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        // Sleeps 0.25 ms, then twice as long each time, up to 4 ms. So the total is known without a
        // clock.
        let doublings = 4
        let milliseconds = Int(bitPattern: context)
        let quarters =
          attempt < doublings ? (1 << attempt) - 1 : 15 + 16 * (Int(attempt) - doublings)
        guard quarters < 4 * milliseconds else { return 0 }
        usleep(UInt32(250 << min(Int(attempt), doublings)))
        return 1
      }, context)
  }

  /// Copies the write-ahead log into the file, as far as readers allow.
  ///
  /// Neither readers nor writers wait for it (SQLite, "sqlite3_wal_checkpoint_v2", PASSIVE).
  ///
  /// - Returns: whether all of it was copied, so that the next write restarts the log.
  @discardableResult
  func checkpoint() throws -> Bool {
    // If the files were moved, the log may be older than the contents of the database.
    try checkPlace()
    // A connection that has not read anything yet does not know the log, and would report that all
    // of it is copied.
    _ = try schemaVersion()
    var pages: Int32 = 0
    var copied: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied)
    // Another process is running a checkpoint.
    guard code & 0xff != SQLITE_BUSY else { return false }
    try check(code, sql: "PRAGMA wal_checkpoint")
    return pages == copied
  }

  /// Copies the write-ahead log into the file and empties it, unless another connection needs it.
  ///
  /// - Parameter attempts: how often to try. SQLite does not wait for another checkpoint (SQLite,
  ///   "sqlite3_wal_checkpoint_v2").
  /// - Returns: whether the log is empty.
  @discardableResult
  func emptyLog(attempts: Int = 3) throws -> Bool {
    let patience = patience
    // This need not be done now.
    self.patience = 50
    defer { self.patience = patience }
    // A connection that has not read anything yet does not know the log.
    _ = try schemaVersion()
    for attempt in 1... {
      let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      guard code & 0xff == SQLITE_BUSY else {
        try check(code, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return true
      }
      if attempt == attempts { return false }
      usleep(2_000)
    }
    return false
  }

  /// Disables the file's triggers and views, and all but harmless functions in its schema, and
  /// checks pages more strictly (SQLite, "Defense Against The Dark Arts", section 2.2).
  func distrustSchema() throws {
    // These calls cannot fail on an open connection.
    shim_distrust_schema(handle)
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
  }

  /// Sets the size of the page cache. Reads the file.
  func setCacheSize() throws {
    // SQLite's own default may be as small as 128 pages, which would write the pages of a fold
    // several times. 2 MiB contain the counts of some hours and the names of 10,000 failures.
    try execute("PRAGMA cache_size = -2048")
  }

  /// Whether the file can only be read, for example because its format is newer (SQLite,
  /// "sqlite3_db_readonly").
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }
}

extension Connection {
  /// Copies a snapshot of the database into another one, page by page (SQLite, "Online Backup
  /// API").
  func copy(into copy: Connection) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      return try copy.check(sqlite3_errcode(copy.handle), sql: nil)
    }
    // Copies all pages in one step, because a write between two steps would restart the copy.
    let code = sqlite3_backup_step(backup, -1)
    let last = sqlite3_backup_finish(backup)
    // `sqlite3_backup_finish` does not report that another connection is busy (SQLite,
    // "sqlite3_backup_finish").
    guard code != SQLITE_DONE else { return }
    throw SQLiteError(
      code: last == SQLITE_OK ? code : last, message: String(cString: sqlite3_errstr(code)),
      sql: nil)
  }
}

extension Connection {
  /// The files that a connection has open.
  struct OpenFiles {
    let database: FileIdentity

    /// Nil for a connection that needs no write-ahead log.
    let log: FileIdentity?
    let sharedMemory: FileIdentity?
  }

  /// Where the open database is now.
  enum PathStatus {
    case unchanged

    /// It was truncated to 0 bytes.
    case emptied

    /// It was renamed or deleted, and another file may have its name.
    case moved
  }

  /// The open files are no longer at their paths, and nothing was committed.
  struct FilesMoved: Error {}

  /// Records which files are open, for ``place()``, and keeps other programs from deleting the log.
  ///
  /// Call it after the first read, because SQLite opens the log then.
  ///
  /// - Throws: ``FilesMoved`` if the database was moved after it was opened.
  func rememberFiles() throws {
    let database = try FileIdentity.find(path)
    let lock = try DescriptorLock(path: path, waiting: patience)
    let log = try FileIdentity.find(path + "-wal")
    // SQLite compares the open descriptor with the file at the path (SQLite,
    // "SQLITE_FCNTL_HAS_MOVED"). The second lookup ensures that both saw the same file. A
    // connection that writes always has a log.
    guard let database, try !hasMoved(), try FileIdentity.find(path) == database,
      log != nil || mode != .readWrite
    else { throw FilesMoved() }
    remember(
      OpenFiles(
        database: database, log: log, sharedMemory: try FileIdentity.find(path + "-shm")), lock)
  }

  /// Compares the open database with the file at its path.
  ///
  /// A file that cannot be examined counts as unchanged; SQLite reports its errors.
  func place() -> PathStatus {
    guard let files else { return .unchanged }
    return switch FileIdentity.lookUp(path) {
    case .unknown: .unchanged
    case .file(let found) where found == files.database: found.size == 0 ? .emptied : .unchanged
    case .file, .missing: .moved
    }
  }

  /// Compares the open log with the file at its path.
  ///
  /// - Returns: the file that is there; nil if it is the open log.
  func logReplacement() -> FileIdentity.Lookup? {
    guard let log = files?.log else { return nil }
    switch FileIdentity.lookUp(path + "-wal") {
    case .unknown, .file(log): return nil
    case let found: return found
    }
  }

  /// Checks that a write would go to the file at the path.
  ///
  /// - Throws: ``FilesMoved``, or ``SQLiteError`` if the database was truncated to 0 bytes.
  func checkPlace() throws {
    switch place() {
    case .unchanged: return
    case .emptied: throw SQLiteError.emptied
    case .moved: throw FilesMoved()
    }
  }

  /// Whether SQLite reports that the open database is not the file at its path.
  private func hasMoved() throws -> Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    // Not every VFS supports this.
    guard code != SQLITE_NOTFOUND else { return false }
    try check(code, sql: nil)
    return moved != 0
  }
}

/// Tracks the length of the write-ahead log, and prevents SQLite from checkpointing within a
/// commit.
///
/// SQLite's automatic checkpoint uses the same hook, and this one replaces it (SQLite,
/// "sqlite3_wal_hook").
final class WALWatch {
  /// The number of pages in the log after this connection's last commit.
  private(set) var pages = 0

  /// Watches a connection. The connection must keep this object alive.
  init(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let watch = Unmanaged<WALWatch>.fromOpaque(context).takeUnretainedValue()
        watch.pages = Int(pages)
        return SQLITE_OK
      }, context)
  }
}

extension Connection {
  /// Runs `body` with an empty temporary database, which is in memory (SQLite, "PRAGMA temp_store").
  func withTemporaryDatabase<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    try execute("ATTACH '' AS \(name)")
    // The connection may be closed already.
    defer { try? execute("DETACH \(name)") }
    return try body()
  }
}
