import DigestStore
import ResilientPlatform

extension ClickHouseEngine: FleetEngine {
  static let tableVersion = ClickHouseSchema.version

  func version() throws -> Int64? {
    let count = try integer(
      "SELECT count(*) FROM system.tables WHERE database = currentDatabase() AND name = 'source_rows'"
    )
    return count == 0 ? nil : try integer("SELECT version FROM store")
  }

  func makeTables(readers: [String], writers: [String]) throws {
    // `fleet init` refuses them with a remedy.
    precondition(readers.isEmpty && writers.isEmpty, "ClickHouse's users are granted by hand")
    if let version = try version() {
      try DigestStoreError.check(version, Self.tableVersion, of: name)
    }
    let identity = UUID().uuidString.lowercased().replacing("-", with: "")
    for statement in ClickHouseSchema.statements(identity: identity) { try run(statement) }
  }

  func changingCounts<Value>(_ body: () throws -> Value) throws -> Value {
    push = PushInProgress()
    return try body()
  }

  func forget(source name: String) throws -> Int {
    let source = try forgettableSource(name)
    let contexts = try rows("SELECT id FROM context WHERE source = \(source)") {
      $0.integer(at: 0)
    }
    let list = list(contexts)
    let occurrences = try occurrences(ofContexts: list)
    // The rows of contexts and of the source stay: a push at the same time relies on them. The
    // source is reset last, so that an interrupted removal can be repeated.
    for table in ClickHouseSchema.tablesOfCounts {
      try run("ALTER TABLE \(table) DELETE WHERE context IN (\(list))")
    }
    for table in ["digest_rows", "push_rows"] {
      try run("ALTER TABLE \(table) DELETE WHERE source = \(source)")
    }
    let identity = try rows("SELECT identity FROM source WHERE id = \(source)") { $0.text(at: 0) }
    try insert(id: source, identity.first.flatMap(\.self) ?? name)
    return occurrences
  }

  func prune(before time: Int64) throws -> Int {
    let isOlder = "recorded_at < \(time)"
    let deleted = try integer("SELECT count(*) FROM digest WHERE \(isOlder)") ?? 0
    try run("ALTER TABLE digest_rows DELETE WHERE \(isOlder)")
    try run(
      "ALTER TABLE failure_rows UPDATE \(StoredFailure.withoutSample) WHERE sampled_at < \(time)")
    return Int(deleted)
  }
}
