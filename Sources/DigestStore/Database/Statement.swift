import CSQLite

/// A prepared statement, finalized when it goes out of scope.
struct Statement: ~Copyable, SQLiteRow {
  let connection: Connection
  let handle: OpaquePointer
  let sql: String

  /// Prepares one statement.
  init(_ connection: Connection, _ sql: String) throws {
    var handle: OpaquePointer?
    let (code, rest) = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(
        connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &rest)
      return (code, rest.map { String(cString: $0) } ?? "")
    }
    try connection.check(code, sql: sql)
    guard let handle, rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
      sqlite3_finalize(handle)
      throw SQLiteError(code: SQLITE_MISUSE, message: "not one statement", sql: sql)
    }
    self.connection = connection
    self.handle = handle
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Binds all parameters in order.
  ///
  /// - Throws: ``SQLiteError`` with code `SQLITE_MISUSE` if there is another number of parameters.
  func bind(_ values: [SQLValue]) throws {
    guard values.count == sqlite3_bind_parameter_count(handle) else {
      let count = sqlite3_bind_parameter_count(handle)
      throw SQLiteError(
        code: SQLITE_MISUSE, message: "\(values.count) values for \(count) parameters", sql: sql)
    }
    for (index, value) in values.enumerated() {
      try bind(value, at: Int32(index + 1))
    }
  }

  /// Binds all parameters by name. Ignores names that the statement does not have.
  ///
  /// - Throws: ``MissingValue`` for a parameter without a value, which SQLite would take for null.
  func bind(named values: [String: SQLValue]) throws {
    let count = sqlite3_bind_parameter_count(handle)
    guard count > 0 else { return }
    for index in 1...count {
      let name = sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) }
      try bind(values.value(of: name ?? "?"), at: index)
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
  func run(_ values: [SQLValue] = []) throws {
    try bind(values)
    while try step() {}
  }

  /// Runs the statement and reads its first row, if any.
  func firstRow<Value>(
    _ values: [SQLValue] = [],
    _ read: (borrowing Statement) throws -> Value
  ) throws -> Value? {
    try bind(values)
    // If the statement failed, its error has been thrown already.
    defer { sqlite3_reset(handle) }
    return try step() ? try read(self) : nil
  }

  /// Runs a statement that returns one integer, such as an `INSERT … RETURNING id`.
  func returnedInteger(_ values: [SQLValue] = []) throws -> Int64 {
    try bind(values)
    guard try step() else { throw SQLiteError.noRow(sql) }
    let integer = integer(at: 0)
    while try step() {}
    return integer
  }

  private func bind(_ value: SQLValue, at index: Int32) throws {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .text(let text): bind(text, at: index)
      case .pattern(let pattern): bind(pattern.globPattern, at: index)
      case .integers(let integers): bind(integers.jsonArray, at: index)
      case .texts(let texts): bind(texts.jsonArray, at: index)
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

extension String {
  /// The pattern for `GLOB`, with brackets escaped (SQLite, "The GLOB operator").
  var globPattern: String { replacingScalars("[", with: "[[]") }
}

extension Statement {
  /// Binds a blob, which SQLite copies, and returns the result code.
  func bind(_ blob: [UInt8], at index: Int32) -> Int32 {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return blob.withUnsafeBytes { bytes in
      // An empty blob may have a null address, which would bind NULL.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), transient)
    }
  }

  /// Resets the statement before its last row.
  func reset() {
    // If a step failed, its error has been thrown already.
    sqlite3_reset(handle)
  }
}

/// The current row of a statement.
package protocol SQLiteRow: Row, ~Copyable {
  var handle: OpaquePointer { get }
}

/// The current row of a statement that is passed on. It is valid until the next step.
struct StatementRow: SQLiteRow {
  let handle: OpaquePointer
}

extension SQLiteRow where Self: ~Copyable {
  package func integer(at column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  package func optionalInteger(at column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(at: column)
  }

  /// Reads the text of a column and repairs invalid UTF-8; nil for null.
  package func text(at column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func value(at column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(integer(at: column))
    case SQLITE_BLOB: .blob(withBytes(at: column, Array.init))
    default: SQLValue(text(at: column))
    }
  }

  /// Reads a number; nil for null.
  package func real(at column: Int32) -> Double? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_double(handle, column)
  }

  /// Runs `body` with the stored bytes of a text or blob. Null has no bytes.
  ///
  /// The bytes are valid until the next step.
  func withBytes<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    // Reads the bytes before their count (SQLite, "Result Values From A Query").
    let bytes = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }
}
