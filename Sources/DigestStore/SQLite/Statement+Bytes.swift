import CSQLite

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
