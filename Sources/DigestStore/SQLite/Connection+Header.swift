import CSQLite

extension Connection {
  /// Reads the first bytes of the database file; nil if the file is shorter.
  ///
  /// Takes no lock and does not read the log (SQLite, "SQLITE_FCNTL_FILE_POINTER").
  func firstBytes(_ count: Int) -> [UInt8]? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let read = file.pointee.pMethods?.pointee.xRead
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return read(file, &bytes, Int32(count), 0) == SQLITE_OK ? bytes : nil
  }
}
