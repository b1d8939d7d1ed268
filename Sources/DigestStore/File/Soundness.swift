#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Looks for damage that SQLite reports only as something that does not work.
enum Soundness {
  /// Reads a whole file and checks its header, pages and tables.
  ///
  /// - Parameter mode: `immutable` to read the file as it is without its log.
  /// - Returns: which file is broken; nil if it is sound, or where that cannot be told, as for a
  ///   file that is locked or may not be written.
  static func brokenFile(at path: String, _ mode: Connection.Mode = .readWrite) -> FileIdentity? {
    // SQLite would make files beside it that other users could not write.
    guard access(path, W_OK) == 0, let file = FileIdentity(path: path) else { return nil }
    return isBroken(path, mode) && FileIdentity(path: path) == file ? file : nil
  }

  private static func isBroken(_ path: String, _ mode: Connection.Mode) -> Bool {
    do {
      let connection = try Connection(path: path, mode: mode)
      // A damaged log must not be copied into the file.
      if mode == .readWrite { connection.leaveLogOnClose() }
      guard try connection.text("PRAGMA quick_check(1)") == "ok" else { return true }
      return try columns(of: connection) != columns(of: .reference())
    } catch let error as SQLiteError {
      // A table or a view that cannot even be described.
      return error.isDamage || error.mayBeDamage
    } catch {
      return false
    }
  }

  /// The columns of every table and view.
  private static func columns(of connection: Connection) throws -> [String: [String]] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'"
    ) { $0.text(at: 0) ?? "" }
    return try names.reduce(into: [:]) { columns, name in
      columns[name] = try connection.rows(
        "SELECT name FROM pragma_table_info(:table)", [":table": .text(name)]
      ) { $0.text(at: 0) ?? "" }
    }
  }
}

extension Connection {
  /// An empty store in memory.
  fileprivate static func reference() throws -> Connection {
    let connection = try Connection(path: "reference", mode: .memory)
    try Migrator.migrate(connection, path: "reference")
    return connection
  }
}
