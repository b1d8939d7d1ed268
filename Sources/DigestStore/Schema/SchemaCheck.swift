import CSQLite

/// Checks, before anything else is asked of a file, that its tables are those that this library makes.
///
/// The schema of a file is whatever its author wrote. Reading a view, a virtual table or a generated
/// column in the place of a table may never end, and after the largest number there is no next row.
enum SchemaCheck {
  /// A column of a table in a file.
  struct Column: Hashable {
    let name: String
    let type: String

    /// Its place in the primary key; 0 where it is in none.
    let key: Int

    /// Whether it is generated, or hidden by a virtual table.
    var isHidden = false
  }

  /// Reads the version of a file's schema, and checks its tables: all of one moment.
  ///
  /// - Returns: 0 for a file without a schema.
  /// - Throws: ``DigestStoreError`` as ``Migrator/version(of:path:)``; ``SQLiteError`` of damage.
  static func version(of connection: Connection, path: String) throws -> Int64 {
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }  // Only reads: there is nothing to fail.
    let version = try Migrator.current.version(of: connection, path: path)
    guard version > 0 else { return version }
    let expected = Dictionary(
      uniqueKeysWithValues: StoredTable.all.map { table in
        (table.name, table.columns.map { Column(name: $0.name, type: $0.type, key: $0.key) })
      })
    let found = try columns(of: connection, expected.keys)
    // The first by name, so that the same file gets the same answer.
    if let table = expected.keys.sorted().first(where: { found[$0] != expected[$0] }) {
      throw damage("the table \(table) is not one of a store")
    }
    try checkNumbers(connection)
    return version
  }

  /// The columns of some tables in their order.
  ///
  /// - Parameter names: of tables of ours.
  static func columns(
    of connection: Connection,
    _ names: some Sequence<String>
  ) throws -> [String: [Column]] {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    // Only tables have pages: views have none, nor have virtual tables.
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

  /// Checks the first and the last row of each table, and what the file says of itself.
  ///
  /// Numbers of other columns are in no order, and are looked at row by row. All of it is one
  /// statement, for each takes its time to be prepared.
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
