import CSQLite

extension Statement {
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

extension Statement {
  /// Reads a number; nil for null.
  func real(at column: Int32) -> Double? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_double(handle, column)
  }
}
