/// Counts: rows go to temporary tables of the receiver, and replace those of its tables.
extension Push {
  /// Sends rows, and makes a table `new_…` of them with the ids of the receiver.
  ///
  /// - Parameter table: its key may lack the period.
  func sendCounts(
    _ table: PushedTable, key: [String]? = nil,
    _ rows: @escaping (_ add: ([SQLValue]) throws -> Void) throws -> Void
  ) throws {
    let key = key ?? table.key
    let columns = ["context"] + key + table.counts + table.times
    let name = "\(table.name)\(key == table.key ? "" : "_of_all_time")"
    try receiver.makeTable(
      "in_\(name)", columns: PushedTable.list(columns) { "\($0) \(PushedTable.type(of: $0))" })
    try receiver.insert(into: "in_\(name)", columns: columns.count) { add in
      try rows {
        try progress()
        try add($0)
      }
    }
    let id = key.contains("failure") ? "failure" : "model"
    let names = PushedTable.list(key) { $0 == id ? "i.ours AS \($0)" : "r.\($0)" }
    let counts = table.counts.map { count in
      // A file may contain any number.
      let value = "CASE WHEN r.\(count) > 0 THEN r.\(count) ELSE 0 END"
      return "\(PushedTable.capped("sum(\(value))")) AS \(count)"
    }
    let times = zip(["min", "max"], table.times).map { "\($0)(r.\($1)) AS \($1)" }
    // In the order of the primary key, in which rows are added fastest.
    let order = key == table.key ? table.primaryKey : ["context"] + key
    try receiver.makeTable(
      "new_\(name)",
      as: """
        SELECT r.context, \(names), \(PushedTable.list(counts + times))
        FROM in_\(name) AS r JOIN in_\(id) AS i ON i.theirs = r.\(id) AND i.ours IS NOT NULL
        GROUP BY \(PushedTable.list(order) { $0 == id ? "i.ours" : "r.\($0)" })
        """)
    try receiver.execute("DROP TABLE in_\(name)")
  }

  /// Replaces the totals, and adds the difference to context 0, which also has the totals of contexts
  /// that were deleted.
  func replaceTotals(hasAll: Bool) throws {
    // Of a context whose totals were deleted here, context 0 has them already.
    try receiver.execute(
      """
      DELETE FROM new_total WHERE context IN (
        SELECT c.id FROM context AS c
        WHERE NOT EXISTS (SELECT 1 FROM total AS t WHERE t.context = c.id)
          AND EXISTS (
            SELECT 1 FROM decodes AS d WHERE d.span = 24 AND d.context = c.id AND d.failed > 0))
      """)
    let contexts = "(SELECT DISTINCT context FROM new_total)"
    if hasAll {
      try receiver.replace(
        .total, from: "\(contexts) AS n CROSS JOIN total AS t ON t.context = n.context",
        deleting: "context IN \(contexts)")
    } else {
      try receiver.replace(
        .total,
        from: """
          new_total AS n CROSS JOIN total AS t ON t.context = n.context AND t.failure = n.failure
          """, deleting: nil)
    }
  }

  /// Replaces the sums of the days that have no counts here: what the store has of all time, without
  /// the days that have counts.
  func replaceUndated(_ table: PushedTable) throws {
    try sendCounts(table, key: table.undatedKey) { try store.forEachSum(of: table, $0) }
    let new = "new_\(table.name)_of_all_time"
    let columns = PushedTable.list(["span", "context", "start"] + table.undatedKey + table.counts)
    let key = PushedTable.list(table.undatedKey)
    let contexts = "context IN (SELECT context FROM \(new))"
    let days = "span = 24 AND start >= 0"
    try receiver.execute(
      """
      DELETE FROM \(table.name)
      WHERE span = 24 AND start = -1 AND (\(contexts)\(receiver.addsUp ? "" : " OR context = 0"))
      """)
    try receiver.execute(
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
    guard !receiver.addsUp else { return }
    try receiver.execute(
      """
      INSERT INTO \(table.name) (\(columns))
      SELECT 24, 0, -1, \(key), \(PushedTable.list(table.counts) { "sum(\($0))" })
      FROM \(table.name)
      WHERE span = 24 AND start = -1 AND context IN (SELECT id FROM context)
      GROUP BY \(key)
      """)
  }
}
