import CSQLite

/// Checks that the tables of a file are those of a store, before any other query.
///
/// The author of a file controls its schema. Reading a view, a virtual table or a generated column
/// instead of a table may never end, and no row can follow the largest id.
enum SchemaCheck {
  /// A column of a table in a file.
  struct Column: Hashable {
    let name: String
    let type: String

    /// The position in the primary key, starting at 1; 0 if the column is not part of it.
    let key: Int

    /// Whether the column is generated, or hidden by a virtual table.
    var isHidden = false
  }

  /// Reads the version of a file's schema and checks its tables, in one transaction.
  ///
  /// - Returns: 0 for a file without a schema.
  /// - Throws: ``DigestStoreError`` as ``Migrator/version(of:path:)``; ``SQLiteError`` if the file
  ///   is damaged.
  static func version(
    of connection: Connection, path: String, _ migrator: Migrator = .current
  ) throws -> Int64 {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }  // Reads only: a failed COMMIT loses nothing.
    let version = try migrator.version(of: connection, path: path)
    guard version > 0 else { return version }
    let expected = try columns(ofVersion: version, migrator)
    let found = try columns(of: connection, expected.keys)
    // Reports the first table by name, so that the error for a file is always the same.
    if let table = expected.keys.sorted().first(where: { found[$0] != expected[$0] }) {
      throw damage("the table \(table) is not one of a store")
    }
    if version == Migrator.current.version { try checkNumbers(connection) }
    return version
  }

  /// Returns the columns of the tables of a schema.
  private static func columns(
    ofVersion version: Int64, _ migrator: Migrator
  ) throws -> [String: [Column]] {
    guard version == Migrator.current.version else {
      let reference = try migrator.upTo(version).makeStoreInMemory(named: "reference")
      let names = try reference.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        $0.text(at: 0) ?? ""
      }
      return try columns(of: reference, names)
    }
    return Dictionary(
      uniqueKeysWithValues: StoredTable.all.map { table in
        (table.name, table.columns.map { Column(name: $0.name, type: $0.type, key: $0.key) })
      })
  }

  /// Returns the columns of the given tables, in order.
  ///
  /// - Parameter names: names of a store's own tables. They are not escaped.
  static func columns(
    of connection: Connection,
    _ names: some Sequence<String>
  ) throws -> [String: [Column]] {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    // Only tables have a root page; views and virtual tables do not.
    let find = try Statement(
      connection,
      """
      SELECT s.name, x.name, x.type, x.pk, x.hidden
      FROM sqlite_schema AS s CROSS JOIN pragma_table_xinfo(s.name, 'main') AS x
      WHERE s.type = 'table' AND s.name IN (\(list)) AND s.rootpage > 0
      ORDER BY s.name, x.cid
      """)
    var columns: [String: [Column]] = [:]
    while try find.step() {
      columns[find.text(at: 0) ?? "", default: []].append(
        Column(
          name: find.text(at: 1) ?? "", type: find.text(at: 2) ?? "",
          key: Int(find.integer(at: 3)), isHidden: find.integer(at: 4) != 0))
    }
    return columns
  }

  /// Checks the smallest and the largest key of each table, and the row of `store`.
  ///
  /// The numbers of other columns are not indexed; they are checked when their row is read. A
  /// single statement runs all checks, because preparing each statement takes time.
  private static func checkNumbers(_ connection: Connection) throws {
    var cases = [
      "WHEN (SELECT count(*) FROM (SELECT 1 FROM store LIMIT 2)) <> 1 THEN 'store'",
      "WHEN (SELECT length(identity) FROM store) <> 32 THEN 'store'",
    ]
    for table in StoredTable.all {
      for column in table.columns {
        guard let numbers = column.numbers, column.key == 1 || table.name == "store" else {
          continue
        }
        let (name, table) = (column.name, table.name)
        cases.append(
          """
          WHEN (SELECT min(\(name)) FROM \(table)) < \(numbers.lowerBound)
            OR (SELECT max(\(name)) FROM \(table)) > \(numbers.upperBound) THEN '\(table)'
          """)
      }
    }
    let table = try connection.text("SELECT CASE \(cases.joined(separator: "\n")) END")
    if let table { throw damage("the table \(table) has numbers that no store writes") }
  }

  private static func damage(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil)
  }
}
