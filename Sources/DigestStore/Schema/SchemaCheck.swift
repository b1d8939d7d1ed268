import CSQLite

/// Checks that the schema of a file is that of a store, before any other query.
///
/// The author of a file controls its schema. A view, a virtual table or a generated column in place
/// of a table may never end. So each statement of the schema must be the one that this code wrote.
enum SchemaCheck {
  /// Reads the version of a file's schema and checks the schema, in one transaction.
  ///
  /// - Returns: 0 for a file without a schema.
  /// - Throws: ``DigestStoreError`` as ``Migrator/version(of:path:)``; ``SQLiteError`` if the file
  ///   is damaged.
  static func version(
    of connection: Connection, path: String, _ migrator: Migrator = .current
  ) throws -> Int64 {
    do {
      try connection.execute("BEGIN")
      defer { try? connection.execute("COMMIT") }  // Reads only: a failed COMMIT loses nothing.
      return try check(connection, path: path, migrator)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
      // The statements are sound, so the file is not.
      throw damage(error.message)
    }
  }

  private static func check(
    _ connection: Connection, path: String, _ migrator: Migrator
  ) throws -> Int64 {
    let version = try migrator.version(of: connection, path: path)
    guard version > 0 else { return version }
    let expected = try schema(ofVersion: version, migrator)
    let found = try schema(of: connection)
    // Reports the first name, so that the error for a file is always the same.
    let names = Set(expected.keys).union(found.keys).sorted()
    if let name = names.first(where: { expected[$0] != found[$0] }) {
      throw damage("\(name) in the schema differs from that of a store")
    }
    let rows = try connection.integer(
      "SELECT count(*) FROM store WHERE length(identity) = 32 AND folded BETWEEN 0 AND \(Int64.maximumCount)"
    )
    guard rows == 1, try connection.integer("SELECT count(*) FROM store") == 1 else {
      throw damage("the table store has an invalid row")
    }
    return version
  }

  /// The statements of the current schema by name, as ``schema(of:)`` reads them. Taking the text
  /// apart is faster than running it.
  private static let current = statements(of: Migration.tables + Migration.views)

  /// The statements of a schema's text by name. SQLite stores each from `CREATE` on.
  static func statements(of sql: String) -> [String: String] {
    var statements: [String: String] = [:]
    for text in sql.split(separator: ";") {
      guard let start = text.firstRange(of: "CREATE ")?.lowerBound else { continue }
      let words = text[start...].utf8.prefix(100).split { $0 <= UInt8(ascii: " ") }
        .compactMap { String($0) }.filter { $0 != "UNIQUE" }
      let (type, name) = (words[1].lowercased(), words[2])
      let table = type == "index" ? words[4] : name
      statements[name] = "\(type) \(table) \(type == "view" ? 0 : 1) \(text[start...])"
    }
    return statements
  }

  private static func schema(
    ofVersion version: Int64, _ migrator: Migrator
  ) throws -> [String: String] {
    guard version == Migrator.current.version, migrator.version == version else {
      return try schema(of: migrator.upTo(version).makeStoreInMemory(named: "reference"))
    }
    return current
  }

  /// Reads the statements of a schema by name. Tables that SQLite itself makes, such as the
  /// statistics of ANALYZE, and indexes without a statement are left out.
  private static func schema(of connection: Connection) throws -> [String: String] {
    let rows = try connection.rows(
      """
      SELECT name, type || ' ' || tbl_name || ' ' || (rootpage > 0) || ' ' || sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    ) { ($0.text(at: 0) ?? "", $0.text(at: 1) ?? "") }
    return Dictionary(rows) { first, _ in first + " twice" }
  }

  private static func damage(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil)
  }
}
