/// The names and digests that an engine takes from temporary tables.
extension WritableEngine {
  package var lastNumberOfSource: (join: String, column: String) {
    ("", "(SELECT max(number) FROM digest WHERE source = s.id)")
  }

  package func add(source identity: String) throws {
    try execute(
      "INSERT INTO source (identity, counted, counted_at, evicted) VALUES (:identity, 0, 0, 0)",
      [":identity": .text(identity)])
  }

  package func add(contexts rows: SQLRows) throws -> [Int64: Int64] {
    try addNew(
      "context",
      ["source": "bigint", "release": "text", "environment": "text", "operation": "text"], rows)
    return try ids(
      """
      SELECT i.theirs, c.id FROM in_context AS i JOIN context AS c
      ON c.source = i.source AND c.release = i.release AND c.environment = i.environment
        AND c.operation = i.operation
      """)
  }

  package func add(models rows: SQLRows) throws -> [Int64: Int64] {
    try addNew("model", ["name": "text"], rows)
    return try ids("SELECT i.theirs, m.id FROM in_model AS i JOIN model AS m ON m.name = i.name")
  }

  /// Makes a table `in_…` of rows, with their ids in the store, and adds those that are not there
  /// yet.
  private func addNew(
    _ table: String, _ columns: KeyValuePairs<String, String>, _ rows: SQLRows
  ) throws {
    let names = columns.map(\.key).joined(separator: ", ")
    let types = columns.map { ", \($0) \($1)" }.joined()
    try makeTable("in_\(table)", columns: "theirs bigint\(types)")
    try insert(into: "in_\(table)", columns: columns.count + 1, rows)
    try forSomeRows(of: "in_\(table)") { condition in
      try execute(
        """
        INSERT INTO \(table) (\(names)) SELECT \(names) FROM in_\(table) AS n
        WHERE \(condition) ON CONFLICT DO NOTHING
        """)
    }
  }

  private func ids(_ sql: String) throws -> [Int64: Int64] {
    Dictionary(try rows(sql) { ($0.integer(at: 0), $0.integer(at: 1)) }) { first, _ in first }
  }

  package func find(
    failures rows: SQLRows, _ set: (_ theirs: Int64, _ ours: Int64) throws -> Void
  ) throws {
    try makeTable("in_failure", columns: "theirs bigint, key bytea")
    try insert(into: "in_failure", columns: 2, rows)
    try setFailures(set)
  }

  package func add(
    failures rows: SQLRows, _ set: (_ theirs: Int64, _ ours: Int64) throws -> Void
  ) throws {
    try addNew(
      "failure",
      [
        "key": "bytea", "model": "bigint", "coding_path": "text", "kind": "text",
        "expected_type": "text", "novel_value": "text", "value_type": "text", "message": "text",
        "found_type": "text", "found_value": "text", "sampled_at": "bigint",
      ], rows)
    try setFailures(set)
  }

  private func setFailures(_ set: (_ theirs: Int64, _ ours: Int64) throws -> Void) throws {
    try forEachRow(
      "SELECT i.theirs, f.id FROM in_failure AS i CROSS JOIN failure AS f ON f.key = i.key", [:]
    ) {
      try set($0.integer(at: 0), $0.integer(at: 1))
      return true
    }
    try execute("DROP TABLE in_failure")
  }

  /// Makes a table with rows of counts.
  package func makeTable(_ name: String, _ columns: [String], _ rows: SQLRows) throws {
    try makeTable(
      name, columns: CountTable.list(columns) { "\($0) bigint" })
    try insert(into: name, columns: columns.count, rows)
  }

  /// Makes a table with periods.
  package func makeTable(_ name: String, of periods: [PushedPeriod]) throws {
    try makeTable(name, columns: "source bigint, span bigint, start bigint")
    try insert(into: name, columns: 3) { add in
      for period in periods {
        try add([.integer(period.source), .integer(period.span), .integer(period.start)])
      }
    }
  }

  package func add(digests rows: SQLRows, of source: KnownSource) throws -> Int {
    try makeTable(
      "in_digest",
      columns: """
        number bigint PRIMARY KEY, recorded_at bigint, model bigint, context bigint, errors text
        """)
    try insert(into: "in_digest", columns: 5, rows)
    var added: Int64 = 0
    try forSomeRows(of: "in_digest") { condition in
      if source.hasImported {
        // An import may have changed what the source still has.
        try execute(
          """
          DELETE FROM digest WHERE id IN (
            SELECT d.id FROM in_digest AS n CROSS JOIN digest AS d
            WHERE \(condition) AND d.source = \(source.id) AND d.number = n.number
              AND d.number > \(source.counted)
              AND (d.recorded_at <> n.recorded_at OR d.model <> n.model OR d.context <> n.context
                OR d.errors <> n.errors))
          """)
      }
      let last = try lastNumber
      added += try execute(
        """
        INSERT INTO digest (id, recorded_at, model, context, source, number, errors)
        SELECT \(last) + row_number() OVER (ORDER BY n.number), n.recorded_at, n.model, n.context,
          \(source.id), n.number, n.errors
        FROM in_digest AS n
        WHERE \(condition) AND n.number > \(source.evicted) AND NOT EXISTS (
          SELECT 1 FROM digest AS k WHERE k.source = \(source.id) AND k.number = n.number)
        """)
      try addedDigests()
    }
    try execute("DROP TABLE in_digest")
    return Int(clamping: added)
  }
}
