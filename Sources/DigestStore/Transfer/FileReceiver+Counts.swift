/// Replaces counts by those of the temporary database.
extension FileReceiver {
  func replaceTotals(_ rows: SQLRows) throws {
    try makeTable("new_total", CountTable.total.columns, rows)
    try staging {
      try execute("DELETE FROM new_total WHERE \(hasNoTotals)")
      // A row whose counts are 0 deletes the row in the table.
      try execute(
        """
        INSERT INTO new_total
        SELECT t.context, t.failure, 0, 0, t.first_seen, t.last_seen FROM total AS t
        WHERE t.context IN (SELECT context FROM new_total)
          AND (t.context, t.failure) NOT IN (SELECT context, failure FROM new_total)
        """)
    }
    try replaceRows(of: .total)
  }

  func replace(_ table: CountTable, of periods: [PushedPeriod], _ rows: SQLRows) throws {
    let name = table.name
    try makeTable("new_\(name)", table.columns, rows)
    try makeTable("in_period", of: periods)
    let key = ["context"] + table.key
    let keys = CountTable.list(key)
    try staging {
      try execute(
        """
        INSERT INTO new_\(name)
        SELECT \(CountTable.list(key) { "t.\($0)" }), \(CountTable.list(table.counts) { _ in "0" })
        FROM \(PushedPeriod.ranges(in: "in_period")) AS b
        CROSS JOIN context AS c ON c.source = b.source
        CROSS JOIN \(name) AS t
          ON t.span = b.span AND t.context = c.id AND t.start BETWEEN b.first AND b.last
        CROSS JOIN in_period AS p ON p.source = b.source AND p.span = t.span AND p.start = t.start
        WHERE (\(CountTable.list(key) { "t.\($0)" })) NOT IN (SELECT \(keys) FROM new_\(name))
        """)
    }
    try execute("DROP TABLE in_period")
    try replaceRows(of: table)
  }

  /// Replaces the rows with the keys of the table `new_…`, which is gone then.
  func replaceRows(of table: CountTable) throws {
    try forSomeRows(of: "new_\(table.name)") { try replaceRows(of: table, where: $0) }
    try execute("DROP TABLE new_\(table.name)")
  }

  /// Replaces the rows with the keys of some rows of the table `new_…`, and adds the differences to
  /// context 0, inside a transaction.
  private func replaceRows(of table: CountTable, where condition: String) throws {
    let name = table.name
    let counts = table.counts
    let values = counts + table.times
    let columns = CountTable.list(["context"] + table.key + values)
    let isSame = table.primaryKey.map { "t.\($0) = n.\($0)" }.joined(separator: " AND ")
    let isOther = "(\(values.map { "t.\($0) IS NOT n.\($0)" }.joined(separator: " OR ")))"
    // Rows that a size limit has deleted since are not written again.
    let isKept =
      table.name == "tally"
      ? """
      (n.\(counts[0]) = 0 OR EXISTS (
        SELECT 1 FROM decodes AS d
        WHERE d.span = n.span AND d.context = n.context AND d.start = n.start))
      """ : "true"
    let times = zip(["min", "max"], table.times).map { ", \($0)(n.\($1))" }.joined()
    let bounds = zip(["min", "max"], table.times).map { "\($1) = \($0)(\($1), excluded.\($1))" }
    let sums = counts.map(Fold.sum)
    try execute(
      """
      INSERT INTO \(name) (\(columns))
      SELECT 0, \(CountTable.list(table.key) { "n.\($0)" }),
        \(CountTable.list(counts) { "sum(n.\($0) - ifnull(t.\($0), 0))" })\(times)
      FROM new_\(name) AS n LEFT JOIN \(name) AS t ON \(isSame)
      WHERE \(condition) AND \(isOther) AND \(isKept)
      GROUP BY \(CountTable.list(table.key) { "n.\($0)" })
      ON CONFLICT DO UPDATE SET \(CountTable.list(sums + bounds))
      """)
    try execute(
      """
      INSERT INTO \(name) (\(columns))
      SELECT \(columns) FROM new_\(name) AS n
      WHERE \(condition) AND n.\(counts[0]) > 0 AND \(isKept)
      ON CONFLICT DO UPDATE SET \(CountTable.list(values) { "\($0) = excluded.\($0)" })
      WHERE \(values.map { "\($0) <> excluded.\($0)" }.joined(separator: " OR "))
      """)
    func deleting(_ context: String, _ which: String) -> String {
      """
      DELETE FROM \(name) WHERE (\(CountTable.list(table.primaryKey))) IN (
        SELECT \(CountTable.list(table.primaryKey) { $0 == "context" ? context : "n.\($0)" })
        FROM new_\(name) AS n WHERE \(condition) AND n.\(counts[0]) = 0
      )\(which)
      """
    }
    try execute(deleting("n.context", ""))
    try execute(deleting("0", " AND \(counts[0]) <= 0"))
    guard !table.times.isEmpty else { return }
    // The first and the last time of those that are left.
    try execute(
      """
      UPDATE total SET first_seen = rest.first_seen, last_seen = rest.last_seen
      FROM (
        SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM total
        WHERE context > 0 AND failure IN (
          SELECT n.failure FROM new_total AS n WHERE \(condition) AND n.occurrences = 0)
        GROUP BY 1
      ) AS rest
      WHERE total.context = 0 AND total.failure = rest.failure
      """)
  }
}

extension FileReceiver {
  /// The most contexts whose sums a transaction adds up: some 100 rows each.
  private static let maximumContexts = 20

  func replaceUndated(_ table: CountTable, _ rows: SQLRows) throws {
    let sums = "new_\(table.name)_of_all_time"
    let key = ["context"] + table.undatedKey
    let keys = CountTable.list(key)
    try makeTable(sums, key + table.counts, rows)
    // The counts of all time, minus the days that this store has. A row whose counts are 0 deletes
    // the row in the table.
    func undated(_ contexts: String) -> String {
      let counts = CountTable.list(table.counts) {
        "iif(sum(\(table.counts[0])) > 0, max(sum(\($0)), 0), 0) AS \($0)"
      }
      return """
        SELECT \(keys), \(counts)
        FROM (
          SELECT \(keys), \(CountTable.list(table.counts)) FROM \(sums) WHERE context IN (\(contexts))
          UNION ALL
          SELECT \(keys), \(CountTable.list(table.counts) { "iif(start < 0, 0, -\($0))" })
          FROM \(table.name) WHERE span = 24 AND context IN (\(contexts))
        ) GROUP BY \(keys)
        """
    }
    let isSame = key.map { "t.\($0) = n.\($0)" }.joined(separator: " AND ")
    let isOther = table.counts.map { "ifnull(t.\($0), 0) <> n.\($0)" }.joined(separator: " OR ")
    let changed = try self.rows(
      """
      SELECT DISTINCT n.context FROM (\(undated("SELECT context FROM \(sums)"))) AS n
      LEFT JOIN \(table.name) AS t ON t.span = 24 AND t.start = -1 AND \(isSame)
      WHERE \(isOther)
      """
    ) { $0.integer(at: 0) }
    try makeTable("new_\(table.name)", table.columns) { _ in }
    for first in stride(from: 0, to: changed.count, by: Self.maximumContexts) {
      let some = changed[first...].prefix(Self.maximumContexts).map(String.init)
      try step {
        try execute("DELETE FROM new_\(table.name)")
        try execute(
          """
          INSERT INTO new_\(table.name) (span, start, \(keys), \(CountTable.list(table.counts)))
          SELECT 24, -1, * FROM (\(undated(some.joined(separator: ", "))))
          """)
        try replaceRows(of: table, where: "true")
      }
    }
    for name in [sums, "new_\(table.name)"] { try execute("DROP TABLE \(name)") }
  }
}
