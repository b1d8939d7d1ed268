extension ClickHouseSchema {
  /// The statements that make the views for people and their tools, with the names and columns of
  /// those in a store's file. Times are timestamps.
  static let views =
    [
      """
      CREATE VIEW IF NOT EXISTS failures AS
      SELECT f.id AS id, m.name AS model, f.coding_path AS coding_path, f.kind AS kind,
        f.expected_type AS expected_type, f.novel_value AS novel_value, f.value_type AS value_type,
        t.occurrences AS occurrences, t.digests AS digests,
        \(time("t.first_seen / 1000.0")) AS first_seen, \(time("t.last_seen / 1000.0")) AS last_seen,
        f.found_type AS found_type, f.found_value AS found_value
      FROM total AS t JOIN failure AS f ON f.id = t.failure JOIN model AS m ON m.id = f.model
      WHERE t.context = 0
      """,
      """
      CREATE VIEW IF NOT EXISTS novel_values AS
      SELECT model, coding_path, novel_value, value_type, occurrences, digests, first_seen, last_seen
      FROM failures WHERE novel_value IS NOT NULL
      """,
    ] + views(of: "hour", span: 1) + views(of: "day", span: 24)

  private static func views(of period: String, span: Int) -> [String] {
    let start = time("t.start * \(span * 3_600)")
    let names = """
      nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
        nullif(c.operation, '') AS operation
      """
    return [
      """
      CREATE VIEW IF NOT EXISTS counts_by_\(period) AS
      SELECT \(start) AS start, \(names),
        m.name AS model, f.coding_path AS coding_path, f.kind AS kind,
        f.expected_type AS expected_type, f.novel_value AS novel_value, f.value_type AS value_type,
        sum(t.occurrences) AS occurrences, sum(t.digests) AS digests
      FROM tally AS t JOIN context AS c ON c.id = t.context JOIN failure AS f ON f.id = t.failure
      JOIN model AS m ON m.id = f.model
      WHERE t.span = \(span) AND t.context > 0
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
      """,
      """
      CREATE VIEW IF NOT EXISTS decodes_by_\(period) AS
      SELECT CASE WHEN t.start >= 0 THEN \(start) END AS start, \(names),
        m.name AS model, sum(t.decodes) AS decodes, sum(t.failed) AS failed,
        sum(t.occurrences) AS occurrences
      FROM decodes AS t JOIN context AS c ON c.id = t.context JOIN model AS m ON m.id = t.model
      WHERE t.span = \(span) AND t.context > 0
      GROUP BY 1, 2, 3, 4, 5
      """,
    ]
  }

  /// An expression for the time that is some seconds since 1970.
  private static func time(_ seconds: String) -> String { "toDateTime64(\(seconds), 3, 'UTC')" }
}
