import CSQLite

/// The salt of a write-ahead log, which changes when the log begins anew (SQLite, "WAL-mode File
/// Format", section 1).
struct LogSalt: Equatable {
  fileprivate var value: UInt64 = 0
}

extension Connection {
  /// Reads the salt of the log that this connection has open; nil where there is none yet.
  func logSalt() -> LogSalt? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead
    else { return nil }
    var salt = LogSalt()
    // Behind the magic number, the version, the page size and the number of checkpoints.
    guard read(file, &salt.value, 8, 16) == SQLITE_OK else { return nil }
    return salt
  }
}
