/// A report, and the same question in SQL.
struct Question {
  let name: String

  /// The budget in milliseconds, beyond what `--help` takes.
  let limit: Double
  let arguments: [String]

  /// The same window on the flat table, whose times are milliseconds since 1970.
  let condition: String

  static let allTime = Question(name: "all time", limit: 6, arguments: [], condition: "true")

  static let window = Question(
    name: "three weeks with odd ends",
    limit: 50,
    arguments: ["--since", "2026-01-06T05:13:21.123Z", "--until", "2026-01-27T19:41:07.456Z"],
    condition: "recorded_at >= 1767676401123 AND recorded_at < 1769542867456"
  )

  var sql: String {
    """
    SELECT model, coding_path, novel_value, value_type, count(*) AS occurrences,
      min(recorded_at), max(recorded_at)
    FROM occurrence
    WHERE novel_value IS NOT NULL AND \(condition)
    GROUP BY 1, 2, 3, 4
    ORDER BY 5 DESC, 1, 2, 3
    LIMIT 20
    """
  }

  func program(_ options: Options, _ store: String) -> Program {
    Program(
      arguments: [options.query, "top-novel-values", "--limit", "20", "--store", store] + arguments)
  }
}
