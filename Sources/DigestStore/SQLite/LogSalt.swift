import CSQLite

/// The salt of a write-ahead log, which changes when the log restarts (SQLite, "WAL-mode File
/// Format", section 1).
struct LogSalt: Equatable {
  fileprivate var value: UInt64 = 0
}

extension Connection {
  /// Reads the salt of this connection's open log; nil if there is no log yet.
  func logSalt() -> LogSalt? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead
    else { return nil }
    var salt = LogSalt()
    // The salt follows the magic number, the version, the page size and the checkpoint number.
    guard read(file, &salt.value, 8, 16) == SQLITE_OK else { return nil }
    return salt
  }
}
