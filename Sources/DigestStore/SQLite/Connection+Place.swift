import CSQLite

extension Connection {
  /// The files that a connection has open.
  struct OpenFiles {
    let database: FileIdentity

    /// Nil for a connection that needs no write-ahead log.
    let log: FileIdentity?
    let logPath: String
  }

  /// Where the open files are now, compared with where they were opened.
  enum Place: Equatable {
    case unchanged
    /// The database was truncated to 0 bytes.
    case emptied
    /// The database was renamed or deleted, and another file may have its name.
    case databaseMoved(isLogInPlace: Bool)
    /// The database is still at its path, but its log was renamed or deleted.
    case logMissing
    /// The database is still at its path, but with another log.
    case logReplaced
  }

  /// The open files are no longer at their paths, so the transaction is not in the file at the
  /// path.
  struct FilesMoved: Error {
    /// Whether the transaction was committed to a log that had just been moved or deleted.
    var isCommitted = false
  }

  /// Records which files are open, for ``place()``, and keeps other programs from deleting the log.
  ///
  /// Call it after the first read, because SQLite opens the log then.
  ///
  /// - Throws: ``FilesMoved`` if the database was moved after it was opened.
  func rememberFiles() throws {
    let found = FileIdentity(path: path)
    lock = try DescriptorLock(path: path, waiting: patience.rawValue)
    // SQLite compares the open descriptor with the file at the path (SQLite,
    // "SQLITE_FCNTL_HAS_MOVED"). The second lookup ensures that both saw the same file.
    guard let found, try !hasMoved(), FileIdentity(path: path) == found else { throw FilesMoved() }
    let logPath = path + "-wal"
    let log = FileIdentity(path: logPath)
    // A connection that writes always has a log.
    guard log != nil || mode != .readWrite else { throw FilesMoved() }
    files = OpenFiles(database: found, log: log, logPath: logPath)
  }

  /// Compares the open files with those at their paths.
  ///
  /// A file that cannot be examined counts as unchanged; SQLite reports its errors.
  func place() -> Place {
    guard let files else { return .unchanged }
    switch FileIdentity.lookUp(path) {
    case .unknown: return .unchanged
    case .file(let found) where found == files.database:
      if found.size == 0 { return .emptied }
    case .file, .missing:
      return .databaseMoved(isLogInPlace: FileIdentity(path: files.logPath) == files.log)
    }
    return logPlace(files)
  }

  /// Compares the open log with the one at its path.
  func logPlace() -> Place { files.map(logPlace) ?? .unchanged }

  private func logPlace(_ files: OpenFiles) -> Place {
    guard let log = files.log else { return .unchanged }
    switch FileIdentity.lookUp(files.logPath) {
    case .unknown, .file(log): return .unchanged
    case .file: return .logReplaced
    case .missing: return .logMissing
    }
  }

  /// Checks that a write would go to the file at the path.
  ///
  /// In a transaction, the result still holds for the commit, unless the log is renamed or deleted
  /// before it: see ``confirmCommit()``.
  ///
  /// - Throws: ``FilesMoved``, or ``SQLiteError`` if the database was truncated to 0 bytes.
  func checkPlace() throws {
    switch place() {
    case .unchanged: return
    case .emptied: throw SQLiteError.emptied
    case .databaseMoved, .logMissing, .logReplaced: throw FilesMoved()
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
