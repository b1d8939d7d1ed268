import CSQLite

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
