/// The names and digests that a receiver takes from temporary tables.
extension StagingReceiver {
  package var lastNumberOfSource: (join: String, column: String) {
    ("", "(SELECT max(number) FROM digest WHERE source = s.id)")
  }

  package func add(source identity: String) throws {
    try execute(
      """
      INSERT INTO source (identity, name, counted, counted_at, pushed_at)
      VALUES (:identity, '', 0, 0, 0)
      """, [":identity": .text(identity)])
  }

  package func add(_ rows: SQLRows, to table: NameTable) throws -> [Int64: Int64] {
    let (name, columns) = (table.rawValue, CountTable.list(table.columns))
    let types = CountTable.list(["theirs"] + table.columns) { "\($0) \(NameTable.type(of: $0))" }
    try makeTable("in_\(name)", columns: types)
    try insert(into: "in_\(name)", columns: table.columns.count + 1, rows)
    let isKnown = CountTable.isSame(table.key, "t", "n")
    try forSomeRows(of: "in_\(name)") { condition in
      try execute(
        """
        INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM in_\(name) AS n
        WHERE \(condition) AND NOT EXISTS (SELECT 1 FROM \(name) AS t WHERE \(isKnown))
        ON CONFLICT DO NOTHING
        """)
    }
    let ids = try engine.rows(
      "SELECT n.theirs, t.id FROM in_\(name) AS n CROSS JOIN \(name) AS t ON \(isKnown)"
    ) { ($0.integer(at: 0), $0.integer(at: 1)) }
    try execute("DROP TABLE in_\(name)")
    return Dictionary(ids) { first, _ in first }
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
      let last = try engine.lastNumber
      added += try execute(
        """
        INSERT INTO digest (id, recorded_at, model, context, source, number, errors)
        SELECT \(last) + row_number() OVER (ORDER BY n.number), n.recorded_at, n.model, n.context,
          \(source.id), n.number, n.errors
        FROM in_digest AS n
        WHERE \(condition) AND NOT EXISTS (
          SELECT 1 FROM digest AS k WHERE k.source = \(source.id) AND k.number = n.number)
        """)
      try addedDigests()
    }
    try execute("DROP TABLE in_digest")
    return Int(clamping: added)
  }
}
