extension Connection {
  /// Runs `body` with an empty temporary database, which SQLite keeps on the disk when it is large.
  func withTemporaryDatabase<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    try execute("ATTACH '' AS \(name)")
    // The connection may be closed already.
    defer { try? execute("DETACH \(name)") }
    return try body()
  }
}
