/// The counts that a store sends.
extension PushedStore {
  static let spans = "(SELECT 1 AS span UNION ALL SELECT 24)"

  /// The name of the table with the counts of digests that are not folded yet.
  private func unfolded(_ table: PushedTable) -> String {
    switch table.name {
    case "tally": unfolded.tally
    case "decodes": unfolded.decodes
    default: unfolded.total
    }
  }

  /// A query with the columns `context`, `span`, `start`, and the others of a table with periods:
  /// the rows of the chosen periods. They have the receiver's contexts, and the store's failures or
  /// models.
  func rows(_ table: PushedTable) -> String {
    func columns(_ row: String) -> String {
      PushedTable.list(table.undatedKey + table.counts) { "\(row).\($0)" }
    }
    // Not each period of each context, because there may be thousands of both, and few rows.
    return """
      SELECT x.ours AS context, t.span, t.start, \(columns("t"))
      FROM \(PushedPeriod.ranges(in: "sent_period")) AS b
      CROSS JOIN sent_context AS x ON x.source = b.source
      CROSS JOIN \(table.name) AS t
        ON t.span = b.span AND t.context = x.theirs AND t.start BETWEEN b.first AND b.last
      CROSS JOIN sent_period AS p
        ON p.source = b.source AND p.span = t.span AND p.start = t.start
      UNION ALL
      SELECT x.ours, p.span, p.start, \(columns("u"))
      FROM \(unfolded(table)) AS u CROSS JOIN sent_context AS x ON x.theirs = u.context
      CROSS JOIN \(Self.spans) AS s
      CROSS JOIN sent_period AS p
        ON p.source = x.source AND p.span = s.span AND p.start = u.start / s.span
      """
  }

  /// A query with the columns `context`, the key without a period, and the counts of all days,
  /// including those whose counts were deleted.
  private func sums(_ table: PushedTable) -> String {
    let columns = PushedTable.list(table.undatedKey + table.counts)
    return """
      SELECT x.ours AS context, \(columns)
      FROM (
        SELECT context, \(columns) FROM \(table.name) WHERE span = 24 AND context > 0
        UNION ALL SELECT context, \(columns) FROM \(unfolded(table))
      ) AS t
      CROSS JOIN sent_context AS x ON x.theirs = t.context
      """
  }

  /// A query with the columns of `total`.
  private var totals: String {
    let columns = "t.failure, t.occurrences, t.digests, t.first_seen, t.last_seen"
    return """
      SELECT x.ours AS context, \(columns)
      FROM sent_context AS x CROSS JOIN total AS t ON t.context = x.theirs
      UNION ALL
      SELECT x.ours, \(columns)
      FROM \(unfolded.total) AS t CROSS JOIN sent_context AS x ON x.theirs = t.context
      """
  }

  /// Calls `body` with the rows of a query as the receiver gets them: with its ids, each key once,
  /// in the order of its primary key, in which rows are added fastest.
  private func forEachSent(
    of table: PushedTable, _ query: String, key: [String], order: [String],
    _ body: ([SQLValue]) throws -> Void
  ) throws {
    func ours(_ column: String) -> String { column == table.subject ? "y.ours" : "r.\(column)" }
    // A file may contain any number.
    let counts = PushedTable.list(table.counts) {
      "min(sum(min(max(r.\($0), 0), \(Int64.maximumCount))), \(Int64.maximumCount))"
    }
    let times = zip(["min", "max"], table.times).map { ", \($0)(r.\($1))" }.joined()
    try forEachRow(
      """
      SELECT \(PushedTable.list(key, ours)), \(counts)\(times)
      FROM (\(query)) AS r
      CROSS JOIN sent_\(table.subject) AS y ON y.theirs = r.\(table.subject) AND y.ours IS NOT NULL
      WHERE r.context IS NOT NULL
      GROUP BY \(PushedTable.list(order, ours))
      """, columns: key.count + table.counts.count + table.times.count, body)
  }
}

extension PushedStore {
  /// Calls `body` with the counts of the chosen periods.
  func forEachRow(of table: PushedTable, _ body: ([SQLValue]) throws -> Void) throws {
    try forEachSent(
      of: table, rows(table), key: ["context"] + table.key, order: table.primaryKey, body)
  }

  /// Calls `body` with the sums of all days.
  func forEachSum(of table: PushedTable, _ body: ([SQLValue]) throws -> Void) throws {
    let key = ["context"] + table.undatedKey
    try forEachSent(of: table, sums(table), key: key, order: key, body)
  }

  /// Calls `body` with all totals.
  func forEachTotal(_ body: ([SQLValue]) throws -> Void) throws {
    let key = PushedTable.total.primaryKey
    try forEachSent(of: .total, totals, key: key, order: key, body)
  }
}
