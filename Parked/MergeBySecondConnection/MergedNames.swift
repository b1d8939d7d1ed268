import ResilientDecoding

/// The ids that the models, failures and contexts of another store have in this one. Adds those that
/// are missing, inside a transaction.
struct MergedNames {
  struct Model {
    let id: Int64
    let name: String
  }

  /// Ids here by ids of the other store.
  private(set) var models: [Int64: Model] = [:]
  private(set) var failures: [Int64: Int64] = [:]
  private(set) var contexts: [Int64: Int64] = [:]

  /// - Parameter source: the id of a source here, by that of the other store.
  init(
    _ other: MergedStore, _ connection: Connection, source: (Int64) -> Int64?
  ) throws {
    try addModels(other, connection)
    try addFailures(other, connection)
    try addContexts(other, connection, source)
  }

  /// The contexts here, and those of the other store that each of them takes up.
  var contextGroups: [(ours: Int64, theirs: [Int64])] {
    Dictionary(grouping: contexts.keys) { contexts[$0] ?? 0 }
      .map { (ours: $0, theirs: $1.sorted()) }.sorted { $0.ours < $1.ours }
  }

  private mutating func addModels(_ other: MergedStore, _ connection: Connection) throws {
    let find = try Statement(connection, "SELECT id FROM model WHERE name = ?")
    let add = try Statement(connection, "INSERT INTO model (name) VALUES (?) RETURNING id")
    try other.forEachRow("SELECT id, name FROM model WHERE name <> ''") { row in
      let name = row.text(at: 1) ?? ""
      let id = try Self.id([.text(name)], find, add)
      models[row.integer(at: 0)] = Model(id: id, name: name)
    }
  }

  /// A failure whose key is not the hash of its columns is left out: later errors would be counted
  /// under its name.
  private mutating func addFailures(_ other: MergedStore, _ connection: Connection) throws {
    // For the failures in digests.
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS merged_failure (theirs INTEGER PRIMARY KEY, ours);
      DELETE FROM merged_failure;
      """)
    let columns = """
      coding_path, kind, expected_type, novel_value, value_type, message, found_type, found_value,
      min(max(sampled_at, 0), \(Moment.latest.milliseconds))
      """
    let find = try Statement(connection, "SELECT id FROM failure WHERE key = ?")
    let add = try Statement(
      connection,
      """
      INSERT INTO failure (key, model, coding_path, kind, expected_type, novel_value, value_type,
        message, found_type, found_value, sampled_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING id
      """)
    let map = try Statement(connection, "INSERT INTO merged_failure VALUES (?, ?)")
    try other.forEachRow("SELECT id, key, model, \(columns) FROM failure") { row in
      guard let model = models[row.integer(at: 2)],
        let kind = ErrorDigest.Kind(rawValue: row.text(at: 4) ?? "")
      else { return }
      let record = FailureRecord(
        path: ErrorDigest.Path(), kind: kind, expectedType: row.text(at: 5),
        novelValue: row.text(at: 6), valueType: row.text(at: 7))
      let key = FailureKey(model: model.name, pattern: row.text(at: 3) ?? "", record)
      guard row.value(at: 1) == key.value else { return }
      let known = try find.firstRow([key.value]) { $0.integer(at: 0) }
      let id =
        try known
        ?? add.returnedInteger(
          [key.value, .integer(model.id)] + (3..<12).map { row.value(at: $0) })
      failures[row.integer(at: 0)] = id
      try map.run([row.value(at: 0), .integer(id)])
    }
  }

  private mutating func addContexts(
    _ other: MergedStore, _ connection: Connection, _ source: (Int64) -> Int64?
  ) throws {
    let find = try Statement(
      connection,
      """
      SELECT id FROM context
      WHERE source = ? AND release = ? AND environment = ? AND operation = ?
      """)
    let add = try Statement(
      connection,
      """
      INSERT INTO context (source, release, environment, operation) VALUES (?, ?, ?, ?)
      RETURNING id
      """)
    try other.forEachRow(
      "SELECT id, source, release, environment, operation FROM context WHERE id > 0"
    ) { row in
      guard let source = source(row.integer(at: 1)) else { return }
      contexts[row.integer(at: 0)] = try Self.id(
        [.integer(source)] + (2..<5).map { row.value(at: $0) }, find, add)
    }
  }

  private static func id(
    _ values: [SQLiteValue], _ find: borrowing Statement, _ add: borrowing Statement
  ) throws -> Int64 {
    try find.firstRow(values) { $0.integer(at: 0) } ?? add.returnedInteger(values)
  }
}
