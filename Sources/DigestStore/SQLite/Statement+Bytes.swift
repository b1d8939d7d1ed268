import CSQLite

extension Statement {
  /// Runs `body` with the bytes of a text or blob as they are in the file, none for null.
  ///
  /// They are gone with the next step.
  func withBytes<Result>(
    at column: Int32,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    // The bytes first, then how many (SQLite, "Result Values From A Query").
    let bytes = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  /// Binds a blob; SQLite makes a copy.
  func bind(_ blob: [UInt8], at index: Int32) throws {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code = blob.withUnsafeBytes { bytes in
      // An empty blob may have no address at all, and that would bind NULL.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), transient)
    }
    try connection.check(code, sql: sql)
  }

  /// Binds an integer, without an array of values.
  func bind(_ integer: Int64, at index: Int32) throws {
    try connection.check(sqlite3_bind_int64(handle, index, integer), sql: sql)
  }

  /// Goes back to the beginning, before the last row.
  func reset() {
    // Of a step that failed, the error has been thrown already.
    sqlite3_reset(handle)
  }
}
