/// The tables of a push are in a temporary database in memory.
extension Connection: WritableEngine, PushReceiver {
  package var addsUp: Bool { false }

  @discardableResult
  package func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64 {
    let statement = try Statement(self, sql)
    try statement.bind(named: values)
    while try statement.step() {}
    return changes
  }

  package func makeTable(_ name: String, columns: String) throws {
    // With another affinity, a key is not compared by its index.
    let columns = columns.replacing("bytea", with: "blob")
    try execute("CREATE TABLE incoming.\(name) (\(columns))")
  }

  package func makeTable(_ name: String, as query: String) throws {
    try execute("CREATE TABLE incoming.\(name) AS \(query)")
  }

  package func insert(into table: String, columns: Int, _ rows: SQLRows) throws {
    let places = Array(repeating: "?", count: columns).joined(separator: ", ")
    let add = try Statement(self, "INSERT INTO incoming.\(table) VALUES (\(places))")
    try rows { try add.run($0) }
  }

  /// Runs `body` with the temporary database.
  func withIncomingTables<Value>(_ body: () throws -> Value) throws -> Value {
    try withTemporaryDatabase("incoming", body)
  }
}
