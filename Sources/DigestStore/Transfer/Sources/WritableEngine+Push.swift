/// Pushes to an engine with transactions: rows go to temporary tables, and replace those of its
/// tables.
extension WritableEngine {
  package func interruptedSources() throws -> Set<Int64> { [] }

  package func add(source identity: String) throws {
    try execute(
      "INSERT INTO source (identity, counted, counted_at, evicted) VALUES (:identity, 0, 0, 0)",
      [":identity": .text(identity)])
  }

  package func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {}

  package func add(contexts rows: SQLRows) throws -> [Int64: Int64] {
    try makeTable(
      "in_context",
      columns: "theirs bigint, source bigint, release text, environment text, operation text")
    try insert(into: "in_context", columns: 5, rows)
    try execute(
      """
      INSERT INTO context (source, release, environment, operation)
      SELECT DISTINCT source, release, environment, operation FROM in_context
      WHERE true ON CONFLICT DO NOTHING
      """)
    return try ids(
      """
      SELECT i.theirs, c.id FROM in_context AS i JOIN context AS c
      ON c.source = i.source AND c.release = i.release AND c.environment = i.environment
        AND c.operation = i.operation
      """)
  }

  package func add(models rows: SQLRows) throws -> [Int64: Int64] {
    try makeTable("in_model", columns: "theirs bigint, name text")
    try insert(into: "in_model", columns: 2, rows)
    try execute(
      "INSERT INTO model (name) SELECT name FROM in_model WHERE true ON CONFLICT DO NOTHING")
    return try ids("SELECT i.theirs, m.id FROM in_model AS i JOIN model AS m ON m.name = i.name")
  }

  private func ids(_ sql: String) throws -> [Int64: Int64] {
    Dictionary(try rows(sql) { ($0.integer(at: 0), $0.integer(at: 1)) }) { first, _ in first }
  }

  package func add(
    failures rows: SQLRows, _ set: (_ theirs: Int64, _ ours: Int64) throws -> Void
  ) throws {
    let names = """
      key, model, coding_path, kind, expected_type, novel_value, value_type, message, found_type,
      found_value, sampled_at
      """
    try makeTable(
      "in_failure",
      columns: """
        theirs bigint, key bytea, model bigint, coding_path text, kind text, expected_type text,
        novel_value text, value_type text, message text, found_type text, found_value text,
        sampled_at bigint
        """)
    try insert(into: "in_failure", columns: 12, rows)
    try execute(
      """
      INSERT INTO failure (\(names)) SELECT \(names) FROM in_failure
      WHERE true ON CONFLICT DO NOTHING
      """)
    try forEachRow(
      "SELECT i.theirs, f.id FROM in_failure AS i CROSS JOIN failure AS f ON f.key = i.key", [:]
    ) {
      try set($0.integer(at: 0), $0.integer(at: 1))
      return true
    }
    try execute("DROP TABLE in_failure")
  }

  /// Makes a table of rows with columns of counts.
  private func makeTable(
    _ name: String, _ columns: [String], _ rows: SQLRows
  ) throws {
    try makeTable(
      name, columns: PushedTable.list(columns) { "\($0) \(PushedTable.type(of: $0))" })
    try insert(into: name, columns: columns.count, rows)
  }

  package func replaceTotals(hasAll: Bool, _ rows: SQLRows) throws {
    try makeTable("new_total", PushedTable.total.columns, rows)
    // Of a context whose totals were deleted here, context 0 has them already.
    try execute(
      """
      DELETE FROM new_total WHERE context IN (
        SELECT c.id FROM context AS c
        WHERE NOT EXISTS (SELECT 1 FROM total AS t WHERE t.context = c.id)
          AND EXISTS (
            SELECT 1 FROM decodes AS d WHERE d.span = 24 AND d.context = c.id AND d.failed > 0))
      """)
    guard hasAll else { return try replaceRows(of: .total) }
    let contexts = "(SELECT DISTINCT context FROM new_total)"
    try replace(
      .total, from: "\(contexts) AS n CROSS JOIN total AS t ON t.context = n.context",
      deleting: "context IN \(contexts)")
  }

  /// Replaces only the rows with a new one.
  private func replaceRows(of table: PushedTable) throws {
    let isSame = table.primaryKey.map { "t.\($0) = n.\($0)" }.joined(separator: " AND ")
    try replace(
      table, from: "new_\(table.name) AS n CROSS JOIN \(table.name) AS t ON \(isSame)",
      deleting: nil)
  }

  package func replace(
    _ table: PushedTable, of periods: [PushedPeriod], hasAll: Bool, _ rows: SQLRows
  ) throws {
    try makeTable("new_\(table.name)", table.columns, rows)
    guard hasAll else { return try replaceRows(of: table) }
    try makeTable("in_period", columns: "source bigint, span bigint, start bigint")
    try insert(into: "in_period", columns: 3) { add in
      for period in periods {
        try add([.integer(period.source), .integer(period.span), .integer(period.start)])
      }
    }
    let contexts = "in_period AS p CROSS JOIN context AS c ON c.source = p.source"
    try replace(
      table,
      from: """
        \(contexts) CROSS JOIN \(table.name) AS t
          ON t.span = p.span AND t.context = c.id AND t.start = p.start
        """, deleting: "(span, context, start) IN (SELECT p.span, c.id, p.start FROM \(contexts))")
    try execute("DROP TABLE in_period")
  }

  package func replaceUndated(_ table: PushedTable, _ rows: SQLRows) throws {
    let new = "new_\(table.name)_of_all_time"
    try makeTable(new, ["context"] + table.undatedKey + table.counts, rows)
    let columns = PushedTable.list(["span", "context", "start"] + table.undatedKey + table.counts)
    let key = PushedTable.list(table.undatedKey)
    let contexts = "context IN (SELECT context FROM \(new))"
    let days = "span = 24 AND start >= 0"
    try execute(
      """
      DELETE FROM \(table.name)
      WHERE span = 24 AND start = -1 AND (\(contexts)\(addsUp ? "" : " OR context = 0"))
      """)
    try execute(
      """
      INSERT INTO \(table.name) (\(columns))
      SELECT 24, context, -1, \(key), \(PushedTable.list(table.counts) {
        "CASE WHEN sum(\($0)) > 0 THEN sum(\($0)) ELSE 0 END"
      })
      FROM (
        SELECT context, \(PushedTable.list(table.undatedKey + table.counts)) FROM \(new)
        UNION ALL
        SELECT context, \(key), \(PushedTable.list(table.counts) { "-\($0)" })
        FROM \(table.name) WHERE \(days) AND \(contexts)
      ) AS sums
      GROUP BY context, \(key) HAVING sum(\(table.counts[0])) > 0
      """)
    guard !addsUp else { return }
    try execute(
      """
      INSERT INTO \(table.name) (\(columns))
      SELECT 24, 0, -1, \(key), \(PushedTable.list(table.counts) { "sum(\($0))" })
      FROM \(table.name)
      WHERE span = 24 AND start = -1 AND context IN (SELECT id FROM context)
      GROUP BY \(key)
      """)
  }

  package func add(digests rows: SQLRows, of source: KnownSource) throws -> Int {
    try makeTable(
      "in_digest",
      columns: "number bigint, recorded_at bigint, model bigint, context bigint, errors text")
    try insert(into: "in_digest", columns: 5, rows)
    defer { _ = try? execute("DROP TABLE in_digest") }
    if source.hasImported {
      // An import may have changed what the source still has.
      try execute(
        """
        DELETE FROM digest WHERE source = \(source.id) AND number > \(source.counted)
          AND number IN (SELECT number FROM in_digest)
        """)
    }
    let last = try lastNumber
    let isMissing =
      source.hasImported
      ? """
      NOT EXISTS (SELECT 1 FROM digest AS k WHERE k.source = \(source.id) AND k.number = n.number)
      """ : "true"
    let added = try execute(
      """
      INSERT INTO digest (id, recorded_at, model, context, source, number, errors)
      SELECT \(last) + row_number() OVER (ORDER BY n.number), n.recorded_at, n.model, n.context,
        \(source.id), n.number, n.errors
      FROM in_digest AS n
      WHERE n.number > \(source.evicted) AND \(isMissing)
      """)
    guard !addsUp else { return Int(clamping: added) }
    try execute(
      "UPDATE store SET folded = \(last + added) WHERE folded < \(last + added)")
    return Int(clamping: added)
  }

  package func set(counted: Int64, at time: Int64, of source: KnownSource) throws {
    try execute(
      "UPDATE source SET counted = :counted, counted_at = :at WHERE id = :id",
      [":counted": .integer(counted), ":at": .integer(time), ":id": .integer(source.id)])
  }
}

extension WritableEngine {
  /// Replaces rows by those of the table `new_…`, and adds the difference to context 0.
  ///
  /// - Parameters:
  ///   - old: the `FROM` clause of the rows to replace, as `t`.
  ///   - deleted: the condition on the rows to delete; nil if each has a new one.
  func replace(_ table: PushedTable, from old: String, deleting deleted: String?) throws {
    let name = table.name
    let kept = table.counts + table.times
    let columns = PushedTable.list(["context"] + table.key + kept)
    let key = PushedTable.list(table.key)
    let times = zip(["min", "max"], table.times).map { "\($0)(\($1)) AS \($1)" }
    let values = table.counts.map { "-t.\($0)" } + table.times.map { "t.\($0)" }
    let conflict = "ON CONFLICT (\(PushedTable.list(table.primaryKey))) DO UPDATE SET"
    let replacement = "\(conflict) \(PushedTable.list(kept) { "\($0) = excluded.\($0)" })"
    guard !addsUp else {
      if let deleted {
        let isKept = table.primaryKey.map { "n.\($0) = \(name).\($0)" }.joined(separator: " AND ")
        try execute(
          """
          DELETE FROM \(name) WHERE \(deleted)
            AND NOT EXISTS (SELECT 1 FROM new_\(name) AS n WHERE \(isKept))
          """)
      }
      // Skips equal rows.
      let isOther = kept.map { "\(name).\($0) <> excluded.\($0)" }.joined(separator: " OR ")
      try execute(
        """
        INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM new_\(name) WHERE true
        \(replacement) WHERE \(isOther)
        """)
      try execute("DROP TABLE new_\(name)")
      return
    }
    try makeTable(
      "change_\(name)",
      as: """
        SELECT \(key), \(PushedTable.list(table.counts.map { "sum(\($0)) AS \($0)" } + times))
        FROM (
          SELECT \(key), \(PushedTable.list(kept)) FROM new_\(name)
          UNION ALL
          SELECT \(PushedTable.list(table.key) { "t.\($0)" }), \(PushedTable.list(values)) FROM \(old)
        ) AS rows GROUP BY \(key)
        """)
    if let deleted { try execute("DELETE FROM \(name) WHERE \(deleted)") }
    try execute(
      """
      INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM new_\(name) WHERE true
      \(replacement)
      """)
    // A negative count is no row: a server refuses to add one, even if it would change another.
    func sums(_ change: String) -> String {
      let sums = table.counts.map {
        "\($0) = \(PushedTable.capped("\(name).\($0) + \(change).\($0)"))"
      }
      let bounds = zip(["<", ">"], table.times).map { comparison, time in
        let (ours, new) = ("\(name).\(time)", "\(change).\(time)")
        return "\(time) = CASE WHEN \(new) \(comparison) \(ours) THEN \(new) ELSE \(ours) END"
      }
      return PushedTable.list(sums + bounds)
    }
    let isLess = table.counts.map { "c.\($0) < 0" }.joined(separator: " OR ")
    try execute(
      """
      INSERT INTO \(name) (\(columns))
      SELECT 0, \(PushedTable.list(table.key + kept)) FROM change_\(name) AS c WHERE NOT (\(isLess))
      \(conflict) \(sums("excluded"))
      """)
    try execute(
      """
      UPDATE \(name) SET \(sums("c")) FROM change_\(name) AS c
      WHERE (\(isLess)) AND \(name).context = 0
        AND \(table.key.map { "\(name).\($0) = c.\($0)" }.joined(separator: " AND "))
      """)
    let changed = PushedTable.list(table.primaryKey) { $0 == "context" ? "0" : $0 }
    try execute(
      """
      DELETE FROM \(name)
      WHERE \(table.counts[0]) <= 0
        AND (\(PushedTable.list(table.primaryKey))) IN (SELECT \(changed) FROM change_\(name))
      """)
    for table in ["new_\(name)", "change_\(name)"] { try execute("DROP TABLE \(table)") }
  }
}
