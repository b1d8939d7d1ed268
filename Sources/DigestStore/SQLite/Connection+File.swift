import CSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Connection {
  /// For how long a connection waits for a file that another process has locked.
  enum Patience: Int {
    /// Every transaction of ours takes some milliseconds: who holds a lock for longer is stuck.
    case `default` = 2_000

    /// What is left of it once a wait was in vain, until one is not.
    case afterVainWait = 50
  }

  /// Waits for other processes' locks in short steps, so that many of them come to their turn.
  ///
  /// SQLite's own waiting sleeps up to 100 ms at a time (SQLite, "sqlite3_busy_timeout").
  func waitForLocks() {
    let context = UnsafeMutableRawPointer(bitPattern: patience.rawValue)
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        // 0.25 ms, then twice as long each time, up to 4 ms: so the sum is known without a clock.
        let doublings = 4
        let milliseconds = Int(bitPattern: context)
        let quarters =
          attempt < doublings ? (1 << attempt) - 1 : 15 + 16 * (Int(attempt) - doublings)
        guard quarters < 4 * milliseconds else { return 0 }
        usleep(UInt32(250 << min(Int(attempt), doublings)))
        return 1
      }, context)
  }

  /// Copies what is in the write-ahead log into the file, as far as no reader stands in the way.
  ///
  /// Neither readers nor writers wait for it (SQLite, "sqlite3_wal_checkpoint_v2", PASSIVE).
  ///
  /// - Returns: whether all of it was copied, so that the next write begins the log anew.
  @discardableResult
  func checkpoint() throws -> Bool {
    // The log of files that were moved may be older than what the database holds by now.
    try checkPlace()
    // A connection that has read nothing yet knows of no log, and would say that all of it is copied.
    _ = try schemaVersion()
    var pages: Int32 = 0
    var copied: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &copied)
    // Another process is at it.
    guard code & 0xff != SQLITE_BUSY else { return false }
    try check(code, sql: "PRAGMA wal_checkpoint")
    return pages == copied
  }

  /// Copies all of the write-ahead log into the file, and waits for other writers and readers as
  /// ``patience`` says.
  ///
  /// - Returns: whether all of it was copied while nobody was writing (SQLite,
  ///   "sqlite3_wal_checkpoint_v2", FULL).
  /// - Throws: ``SQLiteError`` of code `SQLITE_BUSY` when another process is in the middle of a
  ///   checkpoint: the file alone may be inconsistent until that ends.
  func checkpointWhole() throws -> Bool {
    _ = try schemaVersion()
    var pages: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_FULL, &pages, nil)
    // The number of pages is set once the lock for checkpoints is taken.
    if code & 0xff == SQLITE_BUSY, pages >= 0 { return false }
    try check(code, sql: "PRAGMA wal_checkpoint(FULL)")
    return true
  }

  /// Disables triggers and views of the file, and all functions in its schema but harmless ones, and
  /// checks pages more closely (SQLite, "Defense Against The Dark Arts", section 2.2).
  func distrustSchema() throws {
    // They cannot fail with a connection that is open.
    shim_distrust_schema(handle)
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
  }

  /// Leaves the write-ahead log as it is when the connection is closed.
  ///
  /// SQLite would copy it into the file and delete it (SQLite, "SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE").
  func leaveLogOnClose() {
    // It cannot fail with a connection that is open.
    shim_no_checkpoint_on_close(handle)
  }
}
