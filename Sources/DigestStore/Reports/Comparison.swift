/// The statement of a comparison of two filters.
struct Comparison {
  /// A failure whose number or share of errors differs.
  struct Row {
    let change: DigestStore.Change
    let model: String
    let failure: Failure
    let before: Measure
    let after: Measure
  }

  /// How often a failure occurs on one side.
  struct Measure {
    let occurrences: Int

    /// The share of the model's decodes; nil if they were not counted.
    let rate: Double?
  }

  /// One side: its counts, and those among the counted decodes.
  private struct Side {
    let filter: DigestFilter
    let name: String
    let counts: Counts

    /// Nil if decodes were not counted.
    let rated: Counts?
    let decodes: [Int64: Int64]

    init(_ connection: Connection, _ filter: DigestFilter, name: String) throws {
      self.filter = filter
      self.name = name
      counts = try Counts(connection, filter, in: connection.widened(filter.window), name: name)
      var models = filter
      (models.codingPaths, models.kinds, models.novelValues) = ([], [], [])
      let rates = try connection.decodeRates(models)
      rated = try rates.map { try Counts(connection, filter, in: $0.window, name: name) }
      decodes = rates?.decodes ?? [:]
    }

    /// The rows of this side, with zeros for the other one.
    func rows(_ columns: (_ occurrences: String, _ digests: String) -> String) -> [String] {
      ["SELECT failure, \(columns("occurrences", "0")) FROM (\(counts.sql))"]
        + (rated.map { ["SELECT failure, \(columns("0", "digests")) FROM (\($0.sql))"] } ?? [])
    }

    /// Whether an occurrence of `failure AS f` counts on this side.
    var isCounted: String { filter.kinds.isEmpty ? ErrorKinds.condition("f.kind") : "true" }

    /// The decodes by model, as JSON.
    var decodesByModel: SQLiteValue {
      .text("[\(decodes.map { "[\($0),\($1)]" }.joined(separator: ","))]")
    }
  }

  private let before: Side
  private let after: Side
  private let isOfNovelValues: Bool

  init(
    _ connection: Connection, from before: DigestFilter, to after: DigestFilter,
    isOfNovelValues: Bool
  ) throws {
    self.before = try Side(connection, before, name: "before")
    self.after = try Side(connection, after, name: "after")
    self.isOfNovelValues = isOfNovelValues
  }

  /// Shares are compared where both sides have decodes of the model, otherwise the numbers of
  /// errors. A difference of shares counts as that many decodes of the second side.
  private var sql: String {
    let sides =
      before.rows { "\($0) AS before, 0 AS after, \($1) AS digests_before, 0 AS digests_after" }
      + after.rows { "0, \($0), 0, \($1)" }
    return """
      WITH sums AS (
        SELECT failure, sum(before) AS before, sum(after) AS after,
          sum(digests_before) AS digests_before, sum(digests_after) AS digests_after
        FROM (\(sides.joined(separator: "\nUNION ALL\n"))) GROUP BY 1
      ),
      decodes_before AS (SELECT value ->> 0 AS model, value ->> 1 AS decodes FROM json_each(:before)),
      decodes_after AS (SELECT value ->> 0 AS model, value ->> 1 AS decodes FROM json_each(:after)),
      chosen AS (
        SELECT f.id, m.name AS model, iif(\(before.isCounted), s.before, 0) AS before,
          iif(\(after.isCounted), s.after, 0) AS after,
          1.0 * iif(\(before.isCounted), s.digests_before, 0) / nullif(b.decodes, 0) AS rate_before,
          1.0 * iif(\(after.isCounted), s.digests_after, 0) / nullif(a.decodes, 0) AS rate_after,
          a.decodes
        FROM sums AS s CROSS JOIN failure AS f ON f.id = s.failure
        CROSS JOIN model AS m ON m.id = f.model
        LEFT JOIN decodes_before AS b ON b.model = f.model
        LEFT JOIN decodes_after AS a ON a.model = f.model
        \(isOfNovelValues ? "WHERE f.novel_value IS NOT NULL" : "")
      )
      SELECT \(Failure.columns), c.model, c.before, c.after, c.rate_before, c.rate_after,
        abs(ifnull((c.rate_after - c.rate_before) * c.decodes, c.after - c.before)) AS difference
      FROM chosen AS c CROSS JOIN failure AS f ON f.id = c.id
      WHERE (c.before > 0 OR c.after > 0) AND difference > 0
      ORDER BY difference DESC, c.model, f.coding_path, f.novel_value, f.kind, f.expected_type,
        f.value_type
      LIMIT :limit
      """
  }

  func rows(_ connection: Connection, limit: Int?) throws -> [Row] {
    var values = before.counts.values.merging(after.counts.values) { first, _ in first }
    values[":before"] = before.decodesByModel
    values[":after"] = after.decodesByModel
    values[":limit"] = .integer(limit.map { Int64(max(0, $0)) } ?? -1)
    let names = Failure.columnCount
    return try connection.rows(sql, values) { row -> Row? in
      let before = Measure(
        occurrences: Int(clamping: row.count(at: names + 1)), rate: row.real(at: names + 3))
      let after = Measure(
        occurrences: Int(clamping: row.count(at: names + 2)), rate: row.real(at: names + 4))
      return DigestStore.Change(from: before, to: after).map {
        Row(
          change: $0, model: row.text(at: names) ?? "", failure: Failure(row), before: before,
          after: after)
      }
    }.compactMap(\.self)
  }
}
