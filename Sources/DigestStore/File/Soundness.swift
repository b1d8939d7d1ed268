#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Looks for damage of which SQLite only says that something does not work.
enum Soundness {
  /// Whether a file of ours is not what was written: its header, its pages, or its tables.
  ///
  /// Reads all of the file, through SQLite alone. What cannot be told, as where it is locked or may
  /// not be written, is no damage.
  static func isBroken(_ path: String) -> Bool {
    // SQLite would make files beside it that those who may write it could not write.
    guard access(path, W_OK) == 0 else { return false }
    do {
      let connection = try Connection(path: path, mode: .readWrite)
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
