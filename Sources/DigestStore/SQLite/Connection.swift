import CSQLite
import Synchronization

/// One connection to a database file. Not thread-safe: its owner keeps it behind a lock.
final class Connection {
  enum Mode {
    /// The file is there and may be written.
    case readWrite
    /// The file is there and is not written.
    case readOnly
    /// The file is there, and no process writes it: read without any lock or other file.
    case immutable
    /// There is no file.
    case memory
  }

  private static let count = Atomic<UInt64>(0)

  let handle: OpaquePointer
  let path: String
  let mode: Mode

  /// The files that are open, once ``rememberFiles()`` was called.
  var files: OpenFiles?

  /// No other connection of this process ever has the same.
  let number = count.wrappingAdd(1, ordering: .relaxed).newValue

  /// How long the write-ahead log is.
  let wal: WALWatch

  /// For how long it waits for a file that another process has locked.
  var patience = Patience.default {
    didSet { if patience != oldValue { waitForLocks() } }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private var begin: OpaquePointer?
  private var commit: OpaquePointer?

  /// Opens a database file that exists.
  init(path: String, mode: Mode) throws {
    var handle: OpaquePointer?
    // A URI, for only that can say `immutable`; NOMUTEX, for the owner has a lock of its own.
    let flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let access =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      }
    let query = mode == .immutable ? "?immutable=1" : ""
    let code = sqlite3_open_v2(path.fileURI + query, &handle, flags | access, nil)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code, message: message, sql: nil)
    }
    self.handle = handle
    self.path = path
    self.mode = mode
    wal = WALWatch(handle)
    waitForLocks()
  }

  deinit {
    // SQLite would delete the log at its name, which may be the one of other connections.
    if place() != .unchanged { leaveLogOnClose() }
    sqlite3_finalize(begin)
    sqlite3_finalize(commit)
    sqlite3_close_v2(handle)
  }

  /// Runs statements that return nothing.
  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  /// Runs a transaction that may write, and rolls it back when `body` throws.
  ///
  /// `IMMEDIATE`, so that waiting for another writer happens here, where the busy timeout applies,
  /// and not at the first write (SQLite, "Transaction", section 2.2).
  ///
  /// - Throws: ``FilesMoved`` when the commit would not be, or is not, in the file at the path.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run(&begin, "BEGIN IMMEDIATE")
    do {
      try checkPlace()
      let result = try body()
      try run(&commit, "COMMIT")
      // Another process may have taken the log away meanwhile.
      if logPlace() != .unchanged { throw FilesMoved(isCommitted: true) }
      return result
    } catch {
      // Some errors have already ended the transaction; of another one the first error tells more.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Reads the first column of the first row: nil where there is none, or null.
  func integer(_ sql: String) throws -> Int64? {
    try Statement(self, sql).firstRow { $0.optionalInteger(at: 0) } ?? nil
  }

  /// Reads the first column of the first row: nil where there is none, or null.
  func text(_ sql: String) throws -> String? {
    try Statement(self, sql).firstRow { $0.text(at: 0) } ?? nil
  }

  func check(_ code: Int32, sql: String?) throws {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }

  /// Runs a statement that returns nothing and is prepared once.
  private func run(_ statement: inout OpaquePointer?, _ sql: String) throws {
    if statement == nil {
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil), sql: sql)
    }
    let code = sqlite3_step(statement)
    // Read before the reset, which may have another one.
    defer { sqlite3_reset(statement) }
    if code != SQLITE_DONE { try check(code, sql: sql) }
  }
}

extension String {
  /// The path as a URI (SQLite, "URI Filenames"), in which no path means anything but a file.
  fileprivate var fileURI: String {
    let escaped = replacingScalars("%", with: "%25").replacingScalars("?", with: "%3f")
      .replacingScalars("#", with: "%23")
    // With an empty authority a path may begin with two slashes; behind ./ even :memory: is a name.
    return hasPrefix("/") ? "file://\(escaped)" : "file:./\(escaped)"
  }
}
