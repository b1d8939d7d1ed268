import DigestStore
import ResilientPlatform

/// Replaces counts by those of temporary tables. Triggers add up context 0.
extension PostgreSQLEngine {
  func prepare(_ sources: [(source: KnownSource, counted: Int64)]) throws {}

  func endPush(_ sources: [(source: KnownSource, counted: Int64, countedAt: Int64)]) throws {
    for (source, counted, countedAt) in sources {
      try execute(
        "UPDATE source SET counted = :counted, counted_at = :at WHERE id = :id",
        [":counted": .integer(counted), ":at": .integer(countedAt), ":id": .integer(source.id)])
    }
  }

  func replaceTotals(_ rows: SQLRows) throws {
    try makeTable("new_total", CountTable.total.columns, rows)
    try execute("DELETE FROM new_total WHERE \(hasNoTotals)")
    try replaceRows(of: .total, where: "context IN (SELECT context FROM new_total)")
  }

  func replace(_ table: CountTable, of periods: [PushedPeriod], _ rows: SQLRows) throws {
    try makeTable("new_\(table.name)", table.columns, rows)
    try makeTable("in_period", of: periods)
    try replaceRows(
      of: table,
      where: """
        (span, context, start) IN (
          SELECT p.span, c.id, p.start FROM in_period AS p JOIN context AS c ON c.source = p.source)
        """)
    try execute("DROP TABLE in_period")
  }

  func replaceUndated(_ table: CountTable, _ rows: SQLRows) throws {
    let sums = "new_\(table.name)_of_all_time"
    try makeTable(sums, ["context"] + table.undatedKey + table.counts, rows)
    let key = CountTable.list(table.undatedKey)
    try makeTable("new_\(table.name)", table.columns) { _ in }
    try execute(
      """
      INSERT INTO new_\(table.name) (span, context, start, \(key), \(CountTable.list(table.counts)))
      SELECT 24, context, -1, \(key), \(CountTable.list(table.counts) { "greatest(sum(\($0)), 0)" })
      FROM (
        SELECT context, \(key), \(CountTable.list(table.counts)) FROM \(sums)
        UNION ALL
        SELECT context, \(key), \(CountTable.list(table.counts) { "-\($0)" }) FROM \(table.name)
        WHERE span = 24 AND start >= 0 AND context IN (SELECT context FROM \(sums))
      ) AS days
      GROUP BY context, \(key) HAVING sum(\(table.counts[0])) > 0
      """)
    try replaceRows(
      of: table,
      where: "span = 24 AND start = -1 AND context IN (SELECT context FROM \(sums))")
    try execute("DROP TABLE \(sums)")
  }

  /// Replaces the rows that meet a condition by those of the table `new_…`. Equal rows stay.
  private func replaceRows(of table: CountTable, where condition: String) throws {
    let name = table.name
    let columns = CountTable.list(table.columns)
    let isSame = table.columns.map { "n.\($0) = \(name).\($0)" }.joined(separator: " AND ")
    try execute(
      """
      DELETE FROM \(name) WHERE \(condition)
        AND NOT EXISTS (SELECT 1 FROM new_\(name) AS n WHERE \(isSame))
      """)
    try execute(
      """
      INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM new_\(name) ON CONFLICT DO NOTHING
      """)
    try execute("DROP TABLE new_\(name)")
  }

  /// Removes the digests and counts of a source, inside a transaction.
  ///
  /// Its rows of `context` and `source` go, too: a sequence gives no id twice, and another role may
  /// push the store then.
  func forget(source identity: String) throws -> Int {
    let id = try forgettableSource(identity)
    let contexts = "SELECT id FROM context WHERE source = \(id)"
    let occurrences = try occurrences(ofContexts: contexts)
    try execute(
      """
      CREATE TEMP TABLE forgotten ON COMMIT DROP AS
      SELECT DISTINCT failure FROM total WHERE context IN (\(contexts))
      """)
    for table in CountTable.all {
      try execute("DELETE FROM \(table.name) WHERE context IN (\(contexts))")
    }
    // The first and the last time of those that are left.
    try execute(
      """
      UPDATE total SET first_seen = rest.first_seen, last_seen = rest.last_seen
      FROM (
        SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM total
        WHERE context > 0 AND failure IN (SELECT failure FROM forgotten) GROUP BY 1
      ) AS rest
      WHERE total.context = 0 AND total.failure = rest.failure
      """)
    for table in ["digest", "context"] { try execute("DELETE FROM \(table) WHERE source = \(id)") }
    try execute("DELETE FROM source WHERE id = \(id)")
    return occurrences
  }
}
