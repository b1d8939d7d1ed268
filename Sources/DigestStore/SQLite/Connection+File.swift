import CSQLite
import ResilientPlatform

extension Connection {
  /// How long a connection waits for a file that another process has locked, in milliseconds.
  struct Patience: RawRepresentable, Equatable {
    let rawValue: Int

    /// Each transaction of a store takes some milliseconds. A process that holds a lock for longer
    /// is stuck, or does something large.
    static let `default` = Self(rawValue: 2_000)

    /// For what need not be done now.
    static let short = Self(rawValue: 50)
  }

  /// Installs a busy handler that waits for locks in short steps, so that many processes get their
  /// turn.
  ///
  /// SQLite's own handler sleeps up to 100 ms at a time (SQLite, "sqlite3_busy_timeout").
  func waitForLocks() {
    let context = UnsafeMutableRawPointer(bitPattern: patience.rawValue)
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
    self.patience = .short
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
