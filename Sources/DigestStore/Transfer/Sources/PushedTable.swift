/// A table of counts that a push replaces.
struct PushedTable {
  let name: String

  /// The columns of the primary key, without the context.
  let key: [String]

  /// The columns with counts. A row without the first one is deleted.
  let counts: [String]

  /// The columns with the first and the last time.
  var times: [String] { name == "total" ? ["first_seen", "last_seen"] : [] }

  /// The columns of the primary key, in their order.
  var primaryKey: [String] {
    key.first == "span" ? ["span", "context"] + key.dropFirst() : ["context"] + key
  }

  /// The columns of the key, without the context and the period.
  var undatedKey: [String] { key.filter { $0 != "span" && $0 != "start" } }

  /// The type of a column in SQL.
  static func type(of column: String) -> String { column == "kind" ? "text" : "bigint" }

  static let total = Self(name: "total", key: ["failure"], counts: ["occurrences", "digests"])

  static let tally = Self(
    name: "tally", key: ["span", "start", "failure"], counts: ["occurrences", "digests"])

  static let decodes = Self(
    name: "decodes", key: ["span", "start", "model"],
    counts: ["decodes", "digests", "failed", "occurrences"])

  static let failed = Self(
    name: "failed", key: ["span", "start", "model", "kind"], counts: ["digests"])

  /// The tables with periods.
  static let periods = [tally, decodes, failed]
}

extension PushedTable {
  private static let maximum = Int64.maximumCount

  static func list(_ columns: [String], _ format: (String) -> String = { $0 }) -> String {
    columns.map(format).joined(separator: ", ")
  }

  /// A sum of counts, at most the largest count that a store writes.
  static func capped(_ sum: String) -> String {
    "CASE WHEN \(sum) > \(maximum) THEN \(maximum) ELSE \(sum) END"
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
      // What is equal is not written again.
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
