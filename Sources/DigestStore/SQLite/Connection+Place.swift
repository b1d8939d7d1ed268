import CSQLite

extension Connection {
  /// The files that a connection has open.
  struct OpenFiles {
    let database: FileIdentity

    /// Nil for a connection that needs no write-ahead log.
    let log: FileIdentity?
    let sharedMemory: FileIdentity?
  }

  /// Where the open database is now.
  enum Place {
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
    let lock = try DescriptorLock(path: path, waiting: patience.rawValue)
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
  func place() -> Place {
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
