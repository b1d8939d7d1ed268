import CSQLite

extension Connection {
  /// The files that a connection has open.
  struct OpenFiles {
    let database: FileIdentity

    /// Nil for a connection that needs no write-ahead log.
    let log: FileIdentity?
    let logPath: String
  }

  /// Where the open files are, compared with where they were opened.
  enum Place: Equatable {
    case unchanged
    /// The database was cut to nothing.
    case emptied
    /// The database was renamed or deleted, and another file may have its name.
    case databaseMoved(isLogInPlace: Bool)
    /// The database is in its place, and its log was renamed or deleted.
    case logMissing
    /// The database is in its place, and beside it is the log of another opening.
    case logReplaced
  }

  /// The open files are not at their names any more: the transaction is not in the file at the path.
  struct FilesMoved: Error {
    /// Whether the transaction was committed to a log that had just been taken away.
    var isCommitted = false
  }

  /// Remembers which files are open, for ``place()``.
  ///
  /// Call it after a first read, because SQLite opens the log then.
  ///
  /// - Throws: ``FilesMoved`` if the database lost its name since it was opened.
  func rememberFiles() throws {
    let found = FileIdentity(path: path)
    // SQLite compares the open descriptor with the file at the path (SQLite,
    // "SQLITE_FCNTL_HAS_MOVED"); the second look makes sure that both saw the same file.
    guard let found, try !hasMoved(), FileIdentity(path: path) == found else { throw FilesMoved() }
    let logPath = path + "-wal"
    let log = FileIdentity(path: logPath)
    // A connection that writes has a log.
    guard log != nil || mode != .readWrite else { throw FilesMoved() }
    files = OpenFiles(database: found, log: log, logPath: logPath)
  }

  /// Compares the open files with those at their names.
  ///
  /// A file that cannot be examined counts as unchanged; SQLite reports what is wrong with it.
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

  /// Compares the open log with the one at its name.
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
  /// Within a transaction the result holds for its commit: a process that leaves a moved file copies
  /// the log into its database first, and no commit after that is acknowledged.
  ///
  /// - Throws: ``FilesMoved``; ``SQLiteError`` if the database was cut to nothing.
  func checkPlace() throws {
    switch place() {
    case .unchanged: return
    case .emptied: throw SQLiteError.emptied
    case .databaseMoved, .logMissing, .logReplaced: throw FilesMoved()
    }
  }

  /// Whether SQLite says that the open database is not the file at its path.
  private func hasMoved() throws -> Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    // Not every file system can tell.
    guard code != SQLITE_NOTFOUND else { return false }
    try check(code, sql: nil)
    return moved != 0
  }
}
