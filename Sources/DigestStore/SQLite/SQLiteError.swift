import CSQLite

/// What SQLite says when a call fails: code, message and the SQL, never a bound value.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (SQLite, "Result and Error Codes").
  let code: Int32
  let message: String
  let sql: String?

  /// The class of the error: the low byte of the extended code.
  var primaryCode: Int32 { code & 0xff }

  var description: String {
    let words = sql?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let place = words.map { " in: \($0.count > 60 ? "\($0.prefix(60))…" : $0)" }
    return "SQLite error \(code): \(message)\(place ?? "")"
  }
}

extension SQLiteError {
  /// What a statement that always has a row did not have.
  static func noRow(_ sql: String) -> Self {
    Self(code: SQLITE_MISUSE, message: "no row returned", sql: sql)
  }

  /// Whether another process has kept the file locked for longer than we wait.
  var isBusy: Bool { primaryCode == SQLITE_BUSY }

  /// Whether the file is not what SQLite has written.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

  /// Whether a sound file, enough room and all permissions would not have led to this error.
  var mayBeDamage: Bool {
    switch primaryCode {
    // The file ends before a page that it should have. SQLITE_IOERR_SHORT_READ, a C macro that Swift
    // does not see.
    case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: true
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_CANTOPEN,
      SQLITE_PERM, SQLITE_INTERRUPT, SQLITE_PROTOCOL, SQLITE_TOOBIG:
      false
    default: true
    }
  }

  /// What SQLite says at the first write to a file that may not be written.
  static let readOnly = SQLiteError(
    code: SQLITE_READONLY, message: "attempt to write a readonly database", sql: nil)

  /// What is said of a file in which a check has found something.
  static let unsound = SQLiteError(
    code: SQLITE_CORRUPT, message: "the file is not what was written", sql: nil)

  /// What SQLite would find in an empty file, if it did not remember what was in it.
  static let emptied = SQLiteError(code: SQLITE_CORRUPT, message: "the file was emptied", sql: nil)

  /// Whether the files could not be made that the readers of a WAL database share.
  var isAboutSharedMemory: Bool {
    primaryCode == SQLITE_CANTOPEN || primaryCode == SQLITE_READONLY
  }
}
