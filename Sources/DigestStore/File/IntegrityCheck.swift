import ResilientPlatform

/// Detects damage that SQLite reports only as an operation that fails.
enum IntegrityCheck {
  /// Reads a whole file and checks its header, pages and tables.
  ///
  /// - Parameter mode: `immutable` to read the file without its log.
  /// - Returns: the identity of the damaged file; nil if the file is sound or cannot be checked,
  ///   such as a file that is locked or may not be written.
  static func brokenFile(at path: String, _ mode: Connection.Mode = .readWrite) -> FileIdentity? {
    // SQLite would create companion files that other users could not write.
    guard access(path, W_OK) == 0, let file = FileIdentity(path: path) else { return nil }
    return isBroken(path, mode) && FileIdentity(path: path) == file ? file : nil
  }

  private static func isBroken(_ path: String, _ mode: Connection.Mode) -> Bool {
    do {
      let connection = try Connection(path: path, mode: mode)
      guard try connection.text("PRAGMA quick_check(1)") == "ok" else { return true }
      let version = try SchemaCheck.version(of: connection, path: path)
      guard version > 0 else { return true }
      let reference = try Migrator.current.upTo(version).makeStoreInMemory(named: "reference")
      let expected = try columns(of: reference, nil)
      return try columns(of: connection, expected.keys) != expected
    } catch let error as SQLiteError {
      // A view that SQLite cannot describe, or a table of another program.
      return error.isDamage || error.mayBeDamage
    } catch {
      return false
    }
  }

  /// Returns the columns of views.
  ///
  /// - Parameter names: the views; nil for all.
  private static func columns(
    of connection: Connection, _ names: Dictionary<String, [String]>.Keys?
  ) throws -> [String: [String]] {
    let found = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'view'") {
      $0.text(at: 0) ?? ""
    }
    return try found.filter { names?.contains($0) ?? true }.reduce(into: [:]) { columns, name in
      columns[name] = try connection.rows(
        "SELECT name FROM pragma_table_info(:view)", [":view": .text(name)]
      ) { $0.text(at: 0) ?? "" }
    }
  }
}
