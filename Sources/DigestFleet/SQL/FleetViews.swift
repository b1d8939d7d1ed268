/// The views of a fleet for people and their tools, with the names and columns of those in a
/// store's file. Times are timestamps.
enum FleetViews {
  /// - Parameters:
  ///   - create: begins the statement that makes a view.
  ///   - time: an expression for the time that is some seconds since 1970.
  /// - Returns: the statements that make the views.
  static func statements(
    create: (_ name: String) -> String, time: (_ seconds: String) -> String
  ) -> [String] {
    let periods = [("hour", 1), ("day", 24)]
    return [
      """
      \(create("failures")) AS
      SELECT f.id AS id, m.name AS model, f.coding_path AS coding_path, f.kind AS kind,
        f.expected_type AS expected_type, f.novel_value AS novel_value, f.value_type AS value_type,
        t.occurrences AS occurrences, t.digests AS digests,
        \(time("t.first_seen / 1000.0")) AS first_seen, \(time("t.last_seen / 1000.0")) AS last_seen,
        f.found_type AS found_type, f.found_value AS found_value
      FROM total AS t JOIN failure AS f ON f.id = t.failure JOIN model AS m ON m.id = f.model
      WHERE t.context = 0
      """,
      """
      \(create("novel_values")) AS
      SELECT model, coding_path, novel_value, value_type, occurrences, digests, first_seen, last_seen
      FROM failures WHERE novel_value IS NOT NULL
      """,
    ]
      + periods.map { period, span in
        """
        \(create("counts_by_\(period)")) AS
        SELECT \(time("t.start * \(span * 3_600)")) AS start, \(names),
          m.name AS model, f.coding_path AS coding_path, f.kind AS kind,
          f.expected_type AS expected_type, f.novel_value AS novel_value, f.value_type AS value_type,
          sum(t.occurrences) AS occurrences, sum(t.digests) AS digests
        FROM tally AS t JOIN context AS c ON c.id = t.context JOIN failure AS f ON f.id = t.failure
        JOIN model AS m ON m.id = f.model
        WHERE t.span = \(span) AND t.context > 0
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        """
      }
      + periods.map { period, span in
        """
        \(create("decodes_by_\(period)")) AS
        SELECT
          CASE WHEN t.start >= 0 THEN \(time("t.start * \(span * 3_600)")) END AS start, \(names),
          m.name AS model, sum(t.decodes) AS decodes, sum(t.failed) AS failed,
          sum(t.occurrences) AS occurrences
        FROM decodes AS t JOIN context AS c ON c.id = t.context JOIN model AS m ON m.id = t.model
        WHERE t.span = \(span) AND t.context > 0
        GROUP BY 1, 2, 3, 4, 5
        """
      }
  }

  private static let names = """
    nullif(c.release, '') AS release, nullif(c.environment, '') AS environment,
      nullif(c.operation, '') AS operation
    """
}
