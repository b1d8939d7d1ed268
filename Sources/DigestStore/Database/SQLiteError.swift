import CSQLite
import ResilientPlatform

/// An error of SQLite: code, message and SQL, but never a bound value.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (SQLite, "Result and Error Codes").
  let code: Int32
  let message: String
  let sql: String?

  /// The `errno` of the system call that failed; 0 if there was none.
  var systemCode: Int32 = 0

  /// The class of the error: the low byte of the extended code.
  var primaryCode: Int32 { code & 0xff }

  var description: String {
    let words = sql?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let place = words.map { " in: \($0.count > 60 ? "\($0.prefix(60))…" : $0)" }
    return "SQLite error \(code): \(message)\(place ?? "")"
  }
}

extension SQLiteError {
  /// The error for a statement that must return a row and did not.
  static func noRow(_ sql: String) -> Self {
    Self(code: SQLITE_MISUSE, message: "no row returned", sql: sql)
  }

  /// The error for a file or a directory that the system does not open or examine.
  ///
  /// - Parameter code: the value of `errno`.
  static func system(_ code: Int32) -> Self {
    Self(
      code: SQLITE_CANTOPEN, message: String(cString: strerror(code)), sql: nil, systemCode: code)
  }

  /// Whether another process kept the file locked for longer than the connection waits.
  var isBusy: Bool { primaryCode == SQLITE_BUSY }

  /// Whether the disk is full.
  var isDiskFull: Bool {
    // SQLITE_IOERR_SHMSIZE: the shared memory of the log cannot grow. It is a C macro that Swift
    // cannot import.
    primaryCode == SQLITE_FULL || code == SQLITE_IOERR | 19 << 8
      || primaryCode == SQLITE_CANTOPEN && [ENOSPC, EDQUOT].contains(systemCode)
  }

  /// Whether the file is damaged or not a database.
  var isDamage: Bool {
    // SQLITE_IOERR_SHORT_READ: the file ends before a page that it should contain. It is a C macro
    // that Swift cannot import.
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB || code == SQLITE_IOERR | 2 << 8
  }

  /// Whether a sum is larger than an integer, which no counts of a store are.
  var isOverflow: Bool { code == SQLITE_ERROR && message == "integer overflow" }

  /// The error that SQLite reports at the first write to a read-only file.
  static let readOnly = SQLiteError(
    code: SQLITE_READONLY, message: "attempt to write a readonly database", sql: nil)

  /// The error for a file whose header has a version of the format that no SQLite writes.
  static let unknownFormat = SQLiteError(
    code: SQLITE_CORRUPT, message: "the version of the file format is unknown", sql: nil)

  /// The error for a read that looked like damage, which a new connection does not find.
  static let failedRead = SQLiteError(
    code: SQLITE_IOERR, message: "a read failed, and no longer does", sql: nil)

  /// The error for a file that was truncated to 0 bytes. SQLite itself may not notice, because it
  /// caches the contents.
  static let emptied = SQLiteError(code: SQLITE_CORRUPT, message: "the file was emptied", sql: nil)

  /// Whether SQLite could not create the shared files of a WAL database's readers: the directory
  /// may not be written, or the disk is full.
  var isAboutSharedMemory: Bool {
    switch primaryCode {
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_FULL: true
    // SQLITE_IOERR_SHMOPEN, SHMSIZE and SHMMAP are C macros that Swift cannot import.
    case SQLITE_IOERR: [18, 19, 21].contains(code >> 8)
    default: false
    }
  }
}

/// The SQLite library that this process uses. Its version may differ from the one at compile time.
enum SQLiteLibrary {
  /// The version, such as `3.51.3`.
  static var version: String { String(cString: sqlite3_libversion()) }
}
