import CSQLite

/// The SQLite library that this process uses. Its version may differ from the one at compile time.
enum SQLiteLibrary {
  /// The version, such as `3.51.3`.
  static var version: String { String(cString: sqlite3_libversion()) }
}
