/// The counts that a store sends.
extension PushedStore {
  static let spans = "(SELECT 1 AS span UNION ALL SELECT 24)"

  /// A query with the columns `context`, `span`, `start`, and the others of a table with periods:
  /// the rows of the chosen periods. They have the receiver's contexts, and the store's failures or
  /// models.
  private func rows(_ table: CountTable) -> String {
    func columns(_ row: String) -> String {
      CountTable.list([table.subject] + table.counts) { "\(row).\($0)" }
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
      FROM unfolded_\(table.name) AS u CROSS JOIN sent_context AS x ON x.theirs = u.context
      CROSS JOIN \(Self.spans) AS s
      CROSS JOIN sent_period AS p
        ON p.source = x.source AND p.span = s.span AND p.start = u.start / s.span
      """
  }

  /// A query with the columns `context`, `model`, and the counts of `decodes` of all days, including
  /// those whose counts were deleted.
  private var decodesOfAllTime: String {
    let columns = CountTable.list(["model"] + CountTable.decodes.counts)
    return """
      SELECT x.ours AS context, \(columns)
      FROM (
        SELECT context, \(columns) FROM decodes WHERE span = 24 AND context > 0
        UNION ALL SELECT context, \(columns) FROM unfolded_decodes
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
      FROM unfolded_total AS t CROSS JOIN sent_context AS x ON x.theirs = t.context
      """
  }

  /// Calls `body` with the rows of a query as the receiver gets them: with its ids, each key once,
  /// in the order of its primary key, in which rows are added fastest.
  private func forEachSent(
    of table: CountTable, _ query: String, key: [String], order: [String],
    _ body: ([SQLValue]) throws -> Void
  ) throws {
    func ours(_ column: String) -> String { column == table.subject ? "y.ours" : "r.\(column)" }
    // A file may contain any number.
    let counts = CountTable.list(table.counts) {
      "min(sum(min(max(r.\($0), 0), \(Int64.maximumCount))), \(Int64.maximumCount))"
    }
    let times = zip(["min", "max"], table.times).map { ", \($0)(r.\($1))" }.joined()
    try forEachRow(
      """
      SELECT \(CountTable.list(key, ours)), \(counts)\(times)
      FROM (\(query)) AS r
      CROSS JOIN sent_\(table.subject) AS y ON y.theirs = r.\(table.subject) AND y.ours IS NOT NULL
      WHERE r.context IS NOT NULL
      GROUP BY \(CountTable.list(order, ours))
      """, columns: key.count + table.counts.count + table.times.count, body)
  }
}

extension PushedStore {
  /// Calls `body` with the counts of the chosen periods.
  func forEachRow(of table: CountTable, _ body: ([SQLValue]) throws -> Void) throws {
    try forEachSent(
      of: table, rows(table), key: ["context"] + table.key, order: table.primaryKey, body)
  }

  /// Calls `body` with the decodes of all days.
  func forEachDecodesOfAllTime(_ body: ([SQLValue]) throws -> Void) throws {
    let key = ["context", "model"]
    try forEachSent(of: .decodes, decodesOfAllTime, key: key, order: key, body)
  }

  /// Calls `body` with all totals.
  func forEachTotal(_ body: ([SQLValue]) throws -> Void) throws {
    let key = CountTable.total.primaryKey
    try forEachSent(of: .total, totals, key: key, order: key, body)
  }
}

/// The names and digests that a store sends.
extension PushedStore {
  /// Calls `body` with the id and the name of each model.
  func forEachModel(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow("SELECT id, name FROM model", columns: 2, body)
  }

  /// Calls `body` with the contexts: their ids, sources and names.
  func forEachContext(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      """
      SELECT c.id, x.source, c.release, c.environment, c.operation
      FROM context AS c CROSS JOIN sent_context AS x ON x.theirs = c.id
      """, columns: 5, body)
  }

  /// Calls `body` with the chosen failures: their ids, and the columns of `failure` with the models
  /// of the receiver.
  func forEachFailure(_ body: ([SQLValue]) throws -> Void) throws {
    let columns = CountTable.list(["id"] + NameTable.failure.columns) {
      $0 == "model" ? "m.ours" : "f.\($0)"
    }
    try forEachRow(
      """
      SELECT \(columns) FROM sent_failure AS s CROSS JOIN failure AS f ON f.id = s.theirs
      CROSS JOIN sent_model AS m ON m.theirs = f.model
      """, columns: NameTable.failure.columns.count + 1, body)
  }

  /// Calls `body` with digests of a source that have a number above another one, in their order:
  /// number, time, model, context, and errors. All ids are those of the receiver.
  ///
  /// Skips digests that cannot be read.
  func forEachDigest(
    of source: SentSource, after number: Int64, limit: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    try forEachRow(
      """
      SELECT number, recorded_at, model, context, errors
      FROM (
        SELECT \(source.isOwn ? "d.id" : "d.number") AS number, d.recorded_at, m.ours AS model,
          x.ours AS context,
          (SELECT json_group_array(json_replace(value, '$[0]', ours)) FROM (
            SELECT e.value, f.ours FROM json_each(\(OccurrenceRows.errors())) AS e
            CROSS JOIN sent_failure AS f ON f.theirs = \(OccurrenceRows.failure()) ORDER BY e.key)
          ) AS errors,
          json_array_length(\(OccurrenceRows.errors())) AS length
        FROM digest AS d CROSS JOIN sent_context AS x ON x.theirs = d.context
        CROSS JOIN sent_model AS m ON m.theirs = d.model
        WHERE \(digests(of: source, after: number)) AND x.ours IS NOT NULL
          AND \(OccurrenceRows.isSound) AND \(OccurrenceRows.isArray("d.errors"))
      )
      -- Skips digests with an error that refers to no failure.
      WHERE json_array_length(errors) = length AND number BETWEEN 1 AND \(Int64.max - 1)
      ORDER BY number LIMIT \(limit)
      """, columns: 5, body)
  }

  /// The condition on `digest AS d` for the digests of a source.
  private func digests(of source: SentSource, after number: Int64) -> String {
    source.isOwn
      ? "d.id > \(number) AND d.source IS NULL"
      : "d.source = \(source.id) AND d.number > \(number)"
  }

  /// Counts the digests of a source that have a number above another one, also those that cannot be
  /// read.
  func countDigests(of source: SentSource, after number: Int64) throws -> Int {
    let count = try mappingErrors {
      try connection.integer(
        """
        SELECT count(*) FROM digest AS d WHERE \(digests(of: source, after: number))
        """)
    }
    return Int(clamping: count ?? 0)
  }

  /// Counts all digests.
  func countDigests() throws -> Int {
    Int(clamping: try mappingErrors { try connection.integer("SELECT count(*) FROM digest") } ?? 0)
  }

  /// Sets the ids in the receiver, by those here, in a temporary table.
  func set(_ ids: [Int64: Int64], in table: String) throws {
    let set = try Statement(connection, "UPDATE \(table) SET ours = ? WHERE theirs = ?")
    for (theirs, ours) in ids { try set.run([.integer(ours), .integer(theirs)]) }
  }

  func forEachRow(
    _ sql: String, columns: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    let statement = try Statement(connection, sql)
    while try mappingErrors({ try statement.step() }) {
      try body((0..<Int32(columns)).map { statement.value(at: $0) })
    }
  }
}
