import DigestStore
import ResilientPlatform

extension PostgreSQLEngine: FleetEngine {
  /// The version of the tables in `fleet.sql`.
  static let tableVersion: Int64 = 1

  /// "DGSQ", as in a file.
  private static let lock = 0x4447_5351

  func version() throws -> Int64? {
    guard try integer("SELECT 1 FROM pg_namespace WHERE nspname = 'digests'") != nil else {
      return nil
    }
    return try integer("SELECT version FROM store")
  }

  func makeTables(readers: [String], writers: [String]) throws {
    try transaction {
      if try version() == nil {
        try runScript(String(decoding: PackageResources.fleet_sql, as: UTF8.self))
      }
      try DigestStoreError.check(version(), Self.tableVersion, of: name)
      for role in readers { try execute("SELECT grant_reading(:role)", [":role": .text(role)]) }
      for role in writers { try execute("SELECT grant_pushing(:role)", [":role": .text(role)]) }
    }
  }

  /// A transaction. All wait for each other, because each changes the counts of context 0.
  func changingCounts<Value>(_ body: () throws -> Value) throws -> Value {
    try transaction {
      try execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
      return try body()
    }
  }

  /// Its rows of `context` and `source` go, too: a sequence gives no id twice, and another role may
  /// push the store then.
  func forget(source name: String) throws -> Int {
    let id = try forgettableSource(name)
    let contexts = "SELECT id FROM context WHERE source = \(id)"
    let occurrences = try occurrences(ofContexts: contexts)
    try execute(
      """
      CREATE TEMP TABLE forgotten ON COMMIT DROP AS
      SELECT DISTINCT failure FROM total WHERE context IN (\(contexts))
      """)
    for table in CountTable.allCases {
      try execute("DELETE FROM \(table.name) WHERE context IN (\(contexts))")
    }
    try execute(CountTable.updateTimes(ofFailures: "SELECT failure FROM forgotten"))
    for table in ["digest", "context"] { try execute("DELETE FROM \(table) WHERE source = \(id)") }
    try execute("DELETE FROM source WHERE id = \(id)")
    return occurrences
  }

  func prune(before time: Int64) throws -> Int {
    let deleted = try execute("DELETE FROM digest WHERE recorded_at < \(time)")
    try execute("UPDATE failure SET \(StoredFailure.withoutSample) WHERE sampled_at < \(time)")
    return Int(deleted)
  }
}
