extension Connection {
  /// Runs `body` with an empty temporary database, which is in memory (SQLite, "PRAGMA temp_store").
  func withTemporaryDatabase<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    try execute("ATTACH '' AS \(name)")
    // The connection may be closed already.
    defer { try? execute("DETACH \(name)") }
    return try body()
  }
}
