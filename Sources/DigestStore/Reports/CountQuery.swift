/// A query for exact counts in a filter's window, in one statement and so at one point in time.
///
/// It reads whole periods from the tallies, the odd ends of the window from the digests of their
/// hours, and what has not been folded yet from the digests behind the last folded one.
struct CountQuery {
  private let filter: DigestFilter
  private(set) var values: [String: SQLiteValue]
  private var parts: [String] = []

  init(_ filter: DigestFilter) {
    self.filter = filter
    values = filter.values
    let window = filter.window
    for periods in window.periods { add(periods) }
    for edge in window.edges { add(edge) }
    addUnfolded(window)
  }

  /// A query whose rows begin with `occurrences, digests, first_seen, last_seen`, the most
  /// frequent first.
  ///
  /// All its parts are SQL on the tables `failure AS f` and `model AS m`, and on the counts `c` of a
  /// failure: `occurrences`, `digests`, `shared_digests`, `first_seen` and `last_seen`.
  func sql(
    digests: String,
    columns: String,
    where condition: String = "true",
    groupBy group: String,
    thenBy order: String
  ) -> String {
    """
    SELECT sum(c.occurrences) AS occurrences, \(digests) AS digests,
      min(c.first_seen), max(c.last_seen), \(columns)
    FROM (
    \(parts.joined(separator: "\nUNION ALL\n"))
    ) AS c
    JOIN failure AS f ON f.id = c.failure_id
    JOIN model AS m ON m.id = f.model_id
    WHERE \(condition) AND \(filter.failureCondition)
    GROUP BY \(group)
    ORDER BY occurrences DESC, \(order)
    LIMIT :limit
    """
  }

  private mutating func add(_ periods: TimeWindow.Periods) {
    let span = bind(periods.span)
    let first = bind(periods.hours.lowerBound)
    let end = bind(periods.hours.upperBound)
    parts.append(
      """
      SELECT failure_id, occurrences, digests, shared_digests, first_seen, last_seen
      FROM tally
      WHERE span = \(span) AND period >= \(first) AND period < \(end)
        AND \(filter.releaseCondition)
      """
    )
  }

  private mutating func add(_ edge: Range<Moment>) {
    let first = bind(edge.lowerBound.hour)
    let last = bind(edge.upperBound.hour)
    let hours = "FROM hour WHERE hour BETWEEN \(first) AND \(last)"
    addDigests([
      "d.id >= (SELECT min(first_digest_id) \(hours))",
      "d.id <= (SELECT min(folded_through, (SELECT max(last_digest_id) \(hours))) FROM store)",
      "d.recorded_at >= \(bind(edge.lowerBound.milliseconds))",
      "d.recorded_at < \(bind(edge.upperBound.milliseconds))",
    ])
  }

  private mutating func addUnfolded(_ window: TimeWindow) {
    var conditions = ["d.id > (SELECT folded_through FROM store)"]
    if let since = window.since {
      conditions.append("d.recorded_at >= \(bind(since.milliseconds))")
    }
    if let until = window.until { conditions.append("d.recorded_at < \(bind(until.milliseconds))") }
    addDigests(conditions)
  }

  private mutating func addDigests(_ conditions: [String]) {
    let condition = (conditions + [filter.releaseCondition]).joined(separator: " AND ")
    parts.append(
      """
      SELECT failure_id, occurrences, 1 AS digests, shared AS shared_digests,
        recorded_at AS first_seen, recorded_at AS last_seen
      FROM (\(CountSQL.digestFailures(where: condition)))
      """
    )
  }

  /// Makes a parameter for a number, and returns its name.
  private mutating func bind(_ number: Int64) -> String {
    let name = ":n\(values.count)"
    values[name] = .integer(number)
    return name
  }
}
