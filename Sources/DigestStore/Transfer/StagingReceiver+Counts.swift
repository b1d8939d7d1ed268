/// Replaces the counts of sources.
///
/// A table `new_…` has the rows that were sent. First, rows that the receiver already has leave it, and
/// rows that only the receiver has join it, without counts. Then it deletes its rows with these
/// keys, and inserts the rows with counts.
extension StagingReceiver {
  package func replaceTotals(_ rows: SQLRows) throws {
    try makeTable("new_total", CountTable.total.columns, rows)
    // Context 0 has the totals that were deleted of a context. They are not added twice.
    try execute(
      """
      DELETE FROM new_total WHERE context IN (
        SELECT c.id FROM context AS c
        WHERE NOT EXISTS (SELECT 1 FROM total AS t WHERE t.context = c.id)
          AND EXISTS (
            SELECT 1 FROM decodes AS d WHERE d.span = 24 AND d.context = c.id AND d.failed > 0))
      """)
    try replaceRows(
      of: .total, old: "total AS t WHERE t.context IN (SELECT context FROM new_total)")
  }

  package func replace(
    _ table: CountTable, of periods: [PushedPeriod], _ rows: SQLRows
  ) throws {
    try makeTable("new_\(table.name)", table.columns, rows)
    try makeTable("in_period", of: periods)
    try replaceRows(
      of: table,
      old: """
        \(PushedPeriod.ranges(in: "in_period")) AS b
        CROSS JOIN context AS c ON c.source = b.source
        CROSS JOIN \(table.name) AS t
          ON t.span = b.span AND t.context = c.id AND t.start BETWEEN b.first AND b.last
        CROSS JOIN in_period AS p ON p.source = b.source AND p.span = t.span AND p.start = t.start
        """)
    try execute("DROP TABLE in_period")
  }

  /// Replaces rows by those of `new_…`, and drops that table.
  ///
  /// - Parameter old: what follows `FROM` in a query of the rows to replace, as `t`.
  func replaceRows(of table: CountTable, old: String) throws {
    try stage(table, old: old)
    try forSomeRows(of: "new_\(table.name)") { try replaceStaged(table, where: $0) }
    try execute("DROP TABLE new_\(table.name)")
  }

  /// Makes the rows of `new_…` those that differ from the old ones.
  private func stage(_ table: CountTable, old: String) throws {
    let name = table.name
    let columns = CountTable.list(table.columns)
    let values = CountTable.list(table.columns) {
      table.counts.contains($0) ? "0" : "o.\($0)"
    }
    try execute(
      """
      INSERT INTO new_\(name) (\(columns))
      SELECT \(values)
      FROM (SELECT t.* FROM \(old)) AS o
      LEFT JOIN new_\(name) AS n ON \(CountTable.isSame(table.primaryKey, "n", "o"))
      WHERE n.context IS NULL
      """)
    try execute(
      """
      DELETE FROM new_\(name) AS n
      WHERE EXISTS (SELECT 1 FROM \(name) AS t WHERE \(CountTable.isSame(table.columns, "t", "n")))
      """)
  }

  /// Replaces the rows that have the keys of some rows of `new_…`, inside a transaction.
  private func replaceStaged(_ table: CountTable, where condition: String) throws {
    let name = table.name
    let key = CountTable.list(table.primaryKey)
    let columns = CountTable.list(table.columns)
    if table == .tally {
      // Does not write rows again that a size limit has deleted.
      try execute(
        """
        DELETE FROM new_tally AS n WHERE \(condition) AND n.occurrences > 0 AND NOT EXISTS (
          SELECT 1 FROM decodes AS d
          WHERE d.span = n.span AND d.context = n.context AND d.start = n.start)
        """)
    }
    try addingUp(table, where: condition) {
      try execute(
        """
        DELETE FROM \(name)
        WHERE (\(key)) IN (SELECT \(key) FROM new_\(name) AS n WHERE \(condition))
        """)
      try execute(
        """
        INSERT INTO \(name) (\(columns))
        SELECT \(columns) FROM new_\(name) AS n WHERE \(condition) AND n.\(table.counts[0]) > 0
        """)
    }
  }
}

extension StagingReceiver {
  /// The most contexts whose days a transaction adds up: some 100 rows each.
  private static var maximumContexts: Int64 { 20 }

  package func replaceUndated(_ rows: SQLRows) throws {
    let table = CountTable.decodes
    let key = "context, \(table.subject)"
    let columns = CountTable.list(table.counts)
    let types = (["context", table.subject] + table.counts).map { "\($0) bigint" }
    try makeTable("new_sum", columns: CountTable.list(types + ["PRIMARY KEY (\(key))"]))
    try insert(into: "new_sum", columns: types.count, rows)
    // A damaged store may have fewer of all time than of some days.
    let counts = CountTable.list(table.counts) {
      "CASE WHEN sum(\($0)) > 0 THEN sum(\($0)) ELSE 0 END"
    }
    try makeTable("sum_context", columns: "id bigint")
    try execute("INSERT INTO sum_context SELECT DISTINCT context FROM new_sum")
    try makeTable("new_decodes", table.columns) { _ in }
    // Adds up the days inside the transaction, because others may delete some.
    try forSomeRows(of: "sum_context", atMost: Self.maximumContexts) { condition in
      let contexts = "SELECT id FROM sum_context AS n WHERE \(condition)"
      try execute(
        """
        INSERT INTO new_decodes (context, span, start, \(table.subject), \(columns))
        SELECT context, 24, -1, \(table.subject), \(counts)
        FROM (
          SELECT \(key), \(columns) FROM new_sum WHERE context IN (\(contexts))
          UNION ALL
          SELECT \(key), \(CountTable.list(table.counts) { "-\($0)" }) FROM decodes
          WHERE span = 24 AND start >= 0 AND context IN (\(contexts))
        ) AS d
        GROUP BY \(key) HAVING sum(\(table.counts[0])) > 0
        """)
      let undated = "t.span = 24 AND t.start = -1 AND t.context IN (\(contexts))"
      try stage(table, old: "decodes AS t WHERE \(undated)")
      try replaceStaged(table, where: "true")
      try execute("DELETE FROM new_decodes")
    }
    for name in ["new_sum", "sum_context", "new_decodes"] { try execute("DROP TABLE \(name)") }
  }
}
