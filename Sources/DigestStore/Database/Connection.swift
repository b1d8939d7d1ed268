import CSQLite
import ResilientPlatform

/// A connection to a database file. Not thread-safe: its owner must protect it with a lock.
final class Connection: Engine {
  enum OpenMode {
    /// The file exists and may be written.
    case readWrite
    /// The file exists and is only read.
    case readOnly
    /// The file exists, and no process writes it. Uses no locks and no other files.
    case immutable
    /// The database is in memory.
    case memory
    /// The database is in a temporary file, which is gone once the connection is closed. SQLite keeps
    /// a small one in memory.
    case temporary
  }

  let handle: OpaquePointer
  let path: String
  let mode: OpenMode

  /// The open files, once ``rememberFiles()`` was called.
  private(set) var files: OpenFiles?

  /// Keeps the log, once ``rememberFiles()`` was called.
  private var lock: DescriptorLock?

  /// The length of the write-ahead log.
  let wal: WALWatch

  /// How long to wait for a file that another process has locked, in milliseconds.
  var patience = usualPatience {
    didSet { if patience != oldValue { waitForLocks() } }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The names of the temporary tables of the open transaction.
  private var temporaryTables: [Query: String] = [:]

  private var begin: OpaquePointer?
  private var commit: OpaquePointer?

  /// The schema of the file when it was checked; nil before that.
  private var schema: SchemaState?
  private var readVersion: OpaquePointer?
  private var readCookie: OpaquePointer?

  /// Opens an existing database file, or a database in memory.
  init(path: String, mode: OpenMode) throws {
    var handle: OpaquePointer?
    // Uses a URI because only a URI supports `immutable`, and NOMUTEX because the owner has a lock
    // of its own.
    let flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let access =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      case .temporary: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let query = mode == .immutable ? "?immutable=1" : ""
    // Without a name, the file is temporary (SQLite, "In-Memory Databases").
    let name = mode == .temporary ? "" : path.fileURI + query
    let code = sqlite3_open_v2(name, &handle, flags | access, nil)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let systemCode = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code, message: message, sql: nil, systemCode: systemCode)
    }
    // The last connection to close would delete the log. SQLite finds other connections by their
    // locks, which a process releases when it closes any descriptor of the file (SQLite, "How To
    // Corrupt An SQLite Database File", section 2.2).
    let setting = shim_no_checkpoint_on_close(handle)
    guard setting == SQLITE_OK else {
      sqlite3_close_v2(handle)
      throw SQLiteError(
        code: setting, message: "the log cannot be kept on close", sql: nil)
    }
    self.handle = handle
    self.path = path
    self.mode = mode
    wal = WALWatch(handle)
    waitForLocks()
    try execute("PRAGMA temp_store = MEMORY")
  }

  deinit {
    sqlite3_finalize(begin)
    sqlite3_finalize(commit)
    sqlite3_finalize(readVersion)
    sqlite3_finalize(readCookie)
    sqlite3_close_v2(handle)
  }

  /// The number of rows that the last statement changed.
  var changes: Int64 { sqlite3_changes64(handle) }

  /// Runs statements that return nothing.
  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  /// Runs a statement that returns nothing, with values by name.
  ///
  /// - Returns: the number of rows that it changed.
  @discardableResult
  func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64 {
    try forEachRow(sql, values) { _ in true }
    return changes
  }

  /// Runs a transaction that may write, and rolls it back if `body` throws.
  ///
  /// `IMMEDIATE`, so that it waits for other writers here, where the busy handler applies, and not
  /// at the first write (SQLite, "Transaction", section 2.2).
  ///
  /// - Throws: ``SchemaChanged`` before `body` if the schema isn't the one that was checked;
  ///   ``FilesMoved`` if the file is no longer at its path.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run(&begin, "BEGIN IMMEDIATE")
    do {
      guard try hasCheckedSchema() else { throw SchemaChanged() }
      let result = try body()
      try checkPlace()
      try run(&commit, "COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  func beginSnapshot() throws {
    try execute("BEGIN")
  }

  /// Ends a transaction without its changes, unless an error has ended it already.
  ///
  /// If the rollback fails, the error that led to it says more.
  func rollBack() {
    if isInTransaction { try? execute("ROLLBACK") }
    temporaryTables = [:]
  }

  func interruptedSources() throws -> Set<Int64> {
    Set(try rows("SELECT id FROM source WHERE pushing <> 0") { $0.integer(at: 0) })
  }

  func temporaryTable(
    _ sql: String, _ values: [String: SQLValue], key: String?
  ) throws -> String {
    assert(isInTransaction, "nothing would delete the table")
    let query = Query(sql: sql, values: values)
    if let name = temporaryTables[query] { return name }
    let name = "temporary_\(temporaryTables.count)"
    try execute("CREATE TEMP TABLE \(name) (\(try typedColumns(of: sql)))")
    _ = try rows("INSERT INTO \(name) \(sql)", values) { _ in }
    if let key { try execute("CREATE INDEX temp.key_of_\(name) ON \(name) (\(key))") }
    temporaryTables[query] = name
    return name
  }

  /// The columns of a query with their types; an expression is an integer.
  ///
  /// `CREATE TABLE AS` would give expressions no type. A column without one has no affinity, so
  /// SQLite would not use its index where it is joined with an integer.
  private func typedColumns(of query: String) throws -> String {
    let statement = try Statement(self, query)
    return (0..<sqlite3_column_count(statement.handle)).map { column in
      let name = String(cString: sqlite3_column_name(statement.handle, column))
      let type = sqlite3_column_decltype(statement.handle, column).map { String(cString: $0) }
      return "\"\(name.replacingScalars("\"", with: "\"\""))\" \(type ?? "INTEGER")"
    }.joined(separator: ", ")
  }

  func remember(_ files: OpenFiles, _ lock: consuming DescriptorLock?) {
    self.files = files
    self.lock = lock
  }

  func forEachRow(
    _ sql: String, _ values: [String: SQLValue] = [:], _ body: (any Row) throws -> Bool
  ) throws {
    let statement = try Statement(self, sql)
    try statement.bind(named: values)
    while try statement.step() {
      guard try body(StatementRow(handle: statement.handle)) else { return }
    }
  }

  func check(_ code: Int32, sql: String?) throws {
    guard code != SQLITE_OK else { return }
    throw SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
      systemCode: sqlite3_system_errno(handle))
  }

  /// Runs a statement, and prepares it on first use.
  ///
  /// - Returns: the integer that it returns; 0 if it returns nothing.
  @discardableResult
  private func run(_ statement: inout OpaquePointer?, _ sql: String) throws -> Int64 {
    if statement == nil {
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil), sql: sql)
    }
    let code = sqlite3_step(statement)
    // Reads the error before the reset, which may cause another one.
    defer { sqlite3_reset(statement) }
    if code == SQLITE_ROW { return sqlite3_column_int64(statement, 0) }
    if code != SQLITE_DONE { try check(code, sql: sql) }
    return 0
  }
}

extension Connection {
  /// The numbers in a file that change whenever its schema does.
  private struct SchemaState: Equatable {
    /// The version that a migration writes.
    let version: Int64

    /// SQLite's own number, which each change of the schema increments.
    let cookie: Int64
  }

  /// Another process has changed the schema since it was checked. A new connection checks it again.
  struct SchemaChanged: Error {}

  /// Remembers the schema, which has just been checked in the open transaction.
  func rememberSchema() throws {
    schema = try currentSchema()
  }

  /// Whether the schema is the one that was checked, or none was checked.
  func hasCheckedSchema() throws -> Bool {
    guard let schema else { return true }
    return try currentSchema() == schema
  }

  private func currentSchema() throws -> SchemaState {
    SchemaState(
      version: try run(&readVersion, "PRAGMA user_version"),
      cookie: try run(&readCookie, "PRAGMA schema_version"))
  }
}

extension String {
  /// The path as a file URI (SQLite, "URI Filenames"), with special characters escaped.
  var fileURI: String {
    let escaped = replacingScalars("%", with: "%25").replacingScalars("?", with: "%3f")
      .replacingScalars("#", with: "%23")
    // After an empty authority a path may begin with two slashes. After ./ even :memory: is a file
    // name.
    return hasPrefix("/") ? "file://\(escaped)" : "file:./\(escaped)"
  }
}
