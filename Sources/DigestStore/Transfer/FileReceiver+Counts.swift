/// Keeps the sums of context 0.
extension FileReceiver {
  /// Adds the differences between the rows of `new_…` and those that they replace.
  ///
  /// To add up all contexts again would read what all other sources have of a period, and would lose
  /// the totals of contexts that a size limit has deleted.
  func addingUp(
    _ table: CountTable, where condition: String, _ replace: () throws -> Void
  ) throws {
    let name = table.name
    let key = CountTable.list(table.key) { "n.\($0)" }
    let values = table.counts.map { "sum(n.\($0) - ifnull(t.\($0), 0))" }
    let isSame = CountTable.isSame(table.primaryKey, "t", "n")
    let times = zip(["min", "max"], table.times)
    let bounds = times.map { "\($1) = \($0)(\($1), excluded.\($1))" }
    try execute(
      """
      INSERT INTO \(name) (\(CountTable.list(table.columns)))
      SELECT 0, \(key), \(CountTable.list(values + times.map { "\($0)(n.\($1))" }))
      FROM new_\(name) AS n LEFT JOIN \(name) AS t ON \(isSame)
      WHERE \(condition) GROUP BY \(key)
      ON CONFLICT DO UPDATE SET \(CountTable.list(table.counts.map(Fold.sum) + bounds))
      """)
    try replace()
    let keyOfAll = CountTable.list(table.primaryKey) { $0 == "context" ? "0" : "n.\($0)" }
    try execute(
      """
      DELETE FROM \(name) WHERE \(table.counts[0]) <= 0
        AND (\(CountTable.list(table.primaryKey))) IN (
          SELECT \(keyOfAll) FROM new_\(name) AS n WHERE \(condition))
      """)
    guard !table.times.isEmpty else { return }
    try execute(
      CountTable.updateTimes(
        ofFailures:
          "SELECT n.failure FROM new_total AS n WHERE \(condition) AND n.occurrences = 0"))
  }
}
