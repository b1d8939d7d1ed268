import CSQLite

/// A prepared statement, finalized when it goes out of scope.
struct Statement: ~Copyable {
  let connection: Connection
  let handle: OpaquePointer
  let sql: String

  /// Prepares one statement.
  init(_ connection: Connection, _ sql: String) throws {
    var handle: OpaquePointer?
    try connection.check(
      sqlite3_prepare_v3(
        connection.handle,
        sql,
        -1,
        UInt32(SQLITE_PREPARE_PERSISTENT),
        &handle,
        nil
      ),
      sql: sql
    )
    guard let handle else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "no statement", sql: sql)
    }
    self.connection = connection
    self.handle = handle
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds all parameters in order. Without values, those that were bound by name stay.
  ///
  /// - Throws: ``SQLiteError`` with code `SQLITE_MISUSE` if there is another number of parameters.
  func bind(_ values: [SQLiteValue]) throws {
    guard values.isEmpty || values.count == sqlite3_bind_parameter_count(handle) else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "another number of parameters", sql: sql)
    }
    for (index, value) in values.enumerated() {
      try bind(value, at: Int32(index + 1))
    }
  }

  /// Binds parameters by name. Ignores names that the statement does not have.
  func bind(named values: [String: SQLiteValue]) throws {
    for (name, value) in values {
      let index = sqlite3_bind_parameter_index(handle, name)
      if index > 0 { try bind(value, at: index) }
    }
  }

  /// Moves to the next row.
  ///
  /// - Returns: false if there is none; the statement can then be run again.
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    guard code != SQLITE_ROW else { return true }
    // Reads the error before the reset, which may cause another one.
    defer { sqlite3_reset(handle) }
    if code != SQLITE_DONE { try connection.check(code, sql: sql) }
    return false
  }

  /// Runs the statement to its end.
  func run(_ values: [SQLiteValue] = []) throws {
    try bind(values)
    while try step() {}
  }

  /// Runs the statement and reads its first row, if any.
  func firstRow<Value>(
    _ values: [SQLiteValue] = [],
    _ read: (borrowing Statement) throws -> Value
  ) throws -> Value? {
    try bind(values)
    // If the statement failed, its error has been thrown already.
    defer { sqlite3_reset(handle) }
    return try step() ? try read(self) : nil
  }

  /// Runs a statement that returns one integer, such as an `INSERT … RETURNING id`.
  func returnedInteger(_ values: [SQLiteValue] = []) throws -> Int64 {
    try bind(values)
    guard try step() else { throw SQLiteError.noRow(sql) }
    let integer = integer(at: 0)
    while try step() {}
    return integer
  }

  func integer(at column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  func optionalInteger(at column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(at: column)
  }

  /// Reads the text of a column and repairs invalid UTF-8; nil for null.
  func text(at column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func value(at column: Int32) -> SQLiteValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(integer(at: column))
    case SQLITE_BLOB: .blob(withBytes(at: column, Array.init))
    default: SQLiteValue(text(at: column))
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) throws {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .text(let text): bind(text, at: index)
      case .blob(let bytes): bind(bytes, at: index)
      }
    try connection.check(code, sql: sql)
  }

  private func bind(_ text: String, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT is a C macro that Swift cannot import. It makes SQLite copy the text.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // Passes the length because text may contain NUL. An empty buffer may have a null address,
    // which would bind NULL.
    guard !text.isEmpty else { return sqlite3_bind_text(handle, index, "", 0, transient) }
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(
          handle,
          index,
          $0.baseAddress,
          UInt64($0.count),
          transient,
          UInt8(SQLITE_UTF8)
        )
      }
    }
  }
}

extension Connection {
  /// Reads all rows of a query.
  func rows<Value>(
    _ sql: String,
    _ values: [String: SQLiteValue] = [:],
    _ read: (borrowing Statement) throws -> Value
  ) throws -> [Value] {
    let statement = try Statement(self, sql)
    try statement.bind(named: values)
    var rows: [Value] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }
}

/// A value to bind or to read.
enum SQLiteValue: Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }

  init(_ integer: Int64?) {
    self = integer.map { .integer($0) } ?? .null
  }
}

/// A row that SQLite can read, but whose contents this library cannot. The rest of the file is not
/// affected.
///
/// It is not a ``SQLiteError``, so that no file is quarantined because of one row.
struct UnreadableRow: Error, CustomStringConvertible {
  /// The problem, without any contents of the row.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension UnreadableRow {
  /// A digest with more errors than any export may have, and which no import accepts.
  static let tooManyErrors = UnreadableRow("it has more errors than an export may")
}
