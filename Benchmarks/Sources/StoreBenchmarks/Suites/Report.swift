/// A report of digest-query, with its budget.
struct Report: Sendable {
  let arguments: String

  /// The budget in milliseconds, beyond what `--help` takes.
  let limit: @Sendable (Shape) -> Double

  /// The novel values on the flat table that the report counts; nil if the peers do not answer it.
  ///
  /// The flat table's times are milliseconds since 1970.
  var condition: String?

  /// The reports that the peers answer, too.
  static let compared = [
    Report(
      arguments: "top-novel-values --limit 20", limit: { _ in 6 }, condition: "true"),
    Report(
      arguments: "top-novel-values --limit 20 \(oddWindow)", limit: limitOfWindows,
      condition: "recorded_at >= 1767676401123 AND recorded_at < 1769542867456"),
  ]

  static let others =
    [
      "top-novel-values --limit 20 \(oddWindow) --release 4.3.0",
      "top-novel-values --limit 20 --model *Listing",
      "top-failures --limit 20 --kind unknownNovelValue --since 2026-01-06T05:13:21Z",
      "trend --by hour --group value --since 2026-01-20T05:13:21Z",
      "new --limit 20 --since 2026-01-20T05:13:21Z",
      "diff --limit 20 2026-01-06..2026-01-13 2026-01-13..2026-01-20",
      "report",
      "report --since 2026-01-20T05:13:21Z",
    ].map { Report(arguments: $0, limit: limitOfWindows) } + [
      Report(arguments: "top-failures --format csv", limit: { _ in 60 })
    ]

  /// The reports that add up many failures, under filters and windows.
  static let wide = [
    "top-failures", "models", "models --by release", "models --by operation", "trend --by day",
    "new --limit 20 --release 4.3.0", "diff --limit 20 4.2.0 4.3.0",
  ].flatMap { report in
    [
      "", " \(oddWindow)", " --operation GET\u{a0}/listings/3",
      " --operation GET\u{a0}/listings/3 \(oddWindow)",
    ]
    .map { Report(arguments: "\(report)\($0)", limit: { _ in 2_000 }) }
  }

  /// Three weeks.
  private static let oddWindow =
    "--since 2026-01-06T05:13:21.123Z --until 2026-01-27T19:41:07.456Z"

  @Sendable
  private static func limitOfWindows(_ shape: Shape) -> Double { shape == .few ? 40 : 300 }

  /// The same question on the flat table.
  var sql: String? {
    condition.map { condition in
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
  }

  func program(_ options: Options, _ store: String) -> Program {
    // A no-break space is one within an argument.
    let arguments = arguments.split(separator: " ").map {
      String($0).replacing("\u{a0}", with: " ")
    }
    return Program(arguments: [options.query] + arguments + ["--store", store])
  }
}
