/// A table of counts, and how the rows of another store are mapped.
struct MergedTable {
  let name: String

  /// The columns of the key, without the context.
  let key: [String]

  /// The columns with counts.
  let counts: [String]

  /// The rows of the other store, with its ids: context, key, counts.
  let rows: String

  /// The map of the ids in the column `failure` or `model`.
  let ids: (table: String, column: String)

  /// The temporary table of the rows of the other store, with our ids.
  var incoming: String { "in_\(name)" }

  /// Whether the rows are those of hours and days.
  var hasPeriods: Bool { key.contains("start") }

  /// Whether a start of -1 is the sum of the days whose counts were deleted.
  var hasUndated: Bool { hasPeriods && ids.column == "model" }

  /// The columns of the key, without the context and the period.
  var undatedKey: [String] { key.filter { $0 != "span" && $0 != "start" } }

  /// The columns with the first and the last time.
  var times: [String] { name == "total" ? ["first_seen", "last_seen"] : [] }

  static let all = [total, tally, decodes, failed]

  private static let hour = "recorded_at / \(Moment.hour)"
  private static let spans = "(SELECT 1 AS span UNION ALL SELECT 24)"

  private static let total = MergedTable(
    name: "total", key: ["failure"], counts: ["occurrences", "digests"],
    rows: """
      SELECT context, failure, occurrences, digests, first_seen, last_seen FROM s.total
      WHERE context > 0
      UNION ALL
      SELECT context, failure, sum(times), count(DISTINCT digest), min(recorded_at),
        max(recorded_at)
      FROM in_occurrence GROUP BY 1, 2
      """, ids: ("in_failure", "failure"))

  private static let tally = MergedTable(
    name: "tally", key: ["span", "start", "failure"], counts: ["occurrences", "digests"],
    rows: """
      SELECT context, span, start, failure, occurrences, digests FROM s.tally WHERE context > 0
      UNION ALL
      SELECT context, span, \(hour) / span, failure, sum(times), count(DISTINCT digest)
      FROM in_occurrence, \(spans) GROUP BY 1, 2, 3, 4
      """, ids: ("in_failure", "failure"))

  private static let decodes = MergedTable(
    name: "decodes", key: ["span", "start", "model"],
    counts: ["decodes", "digests", "failed", "occurrences"],
    rows: """
      SELECT context, span, start, model, decodes, digests, failed, occurrences FROM s.decodes
      WHERE context > 0
      UNION ALL
      SELECT d.context, span, \(hour) / span, d.model, count(*), count(*), count(e.digest),
        ifnull(sum(e.errors), 0)
      FROM s.digest AS d CROSS JOIN \(spans) LEFT JOIN (
        SELECT digest, sum(times) AS errors FROM in_occurrence
        WHERE \(ErrorKinds.condition("kind")) GROUP BY 1) AS e ON e.digest = d.id
      WHERE d.id > (SELECT folded FROM s.store) AND \(OccurrenceRows.isSound)
      GROUP BY 1, 2, 3, 4
      """, ids: ("in_model", "model"))

  private static let failed = MergedTable(
    name: "failed", key: ["span", "start", "model", "kind"], counts: ["digests"],
    rows: """
      SELECT context, span, start, model, kind, digests FROM s.failed WHERE context > 0
      UNION ALL
      SELECT context, span, \(hour) / span, model, kind, count(DISTINCT digest)
      FROM in_occurrence, \(spans) GROUP BY 1, 2, 3, 4, 5
      """, ids: ("in_model", "model"))
}
