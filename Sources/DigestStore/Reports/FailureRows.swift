import ResilientDecoding

/// A failure with its counts, as reports return it.
struct FailureRow {
  let id: Int64
  let model: String
  let failure: Failure
  let occurrences: Int64
  let digests: Int64

  /// Of all time, in the releases that the filter chooses.
  let firstSeen: Moment
  let lastSeen: Moment

  /// The release of the first occurrence; nil if it has none.
  let firstRelease: String?
}

/// The statement of reports on failures and novel values.
struct FailureRows {
  private let filter: DigestFilter
  private let window: TimeWindow

  /// The condition on `failure AS f` and `model AS m`.
  private let condition: String

  /// The value of the parameter `:since`.
  private let since: Moment?

  /// - Parameters:
  ///   - filter: the occurrences to count.
  ///   - window: the window to count, after ``Connection/widened(_:)``.
  ///   - isOfNovelValues: whether to count only failures with a novel value.
  ///   - known: leaves out the failures that occurred before the window of this filter, or in the
  ///     contexts of the parameter `:older`; nil for none.
  init(
    _ filter: DigestFilter, in window: TimeWindow, isOfNovelValues: Bool,
    newTo known: DigestFilter? = nil
  ) {
    self.filter = filter
    since = known?.window.since
    self.window = window
    let conditions =
      [filter.errorCondition()] + (isOfNovelValues ? ["f.novel_value IS NOT NULL"] : [])
      + (known == nil ? [] : ["f.id NOT IN (\(Self.known))"])
    condition = conditions.joined(separator: " AND ")
  }

  /// The failures that occurred before the moment `:since`, or in the contexts `:older`.
  ///
  /// One that occurred in a release whose totals were deleted may have occurred in an older one.
  private static let known = """
    SELECT failure FROM total WHERE context = 0 AND first_seen < :since
    UNION ALL SELECT failure FROM total WHERE context IN (SELECT value FROM json_each(:older))
    UNION ALL SELECT failure FROM total
    WHERE json_array_length(:older) > 0 AND EXISTS (SELECT 1 FROM loss WHERE reason = 'unattributed')
    GROUP BY 1 HAVING sum(CASE context WHEN 0 THEN occurrences ELSE -occurrences END) > 0
    UNION ALL SELECT failure FROM (\(OccurrenceRows.sql(where: """
      d.id > (SELECT folded FROM store) AND (d.recorded_at < :since
        OR d.context IN (SELECT value FROM json_each(:older)))
      """)))
    """

  /// The counts, by failure. Those of all time have the times already.
  private var counts: String {
    guard window.since == nil, window.until == nil else {
      return """
        SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
        FROM (\(Counts(filter, in: window).sql)) GROUP BY 1
        """
    }
    let grouped = """
      SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
        min(first_seen) AS first_seen, max(last_seen) AS last_seen
      """
    guard !filter.choosesReleases else {
      return "\(grouped) FROM (\(Totals(filter).sql())) GROUP BY 1"
    }
    // Only failures of digests that are not folded yet have several rows to add up.
    let new = OccurrenceRows.sql(where: "d.id > (SELECT folded FROM store)")
    return """
      WITH new AS MATERIALIZED (SELECT DISTINCT failure FROM (\(new)))
      SELECT failure, occurrences, digests, first_seen, last_seen FROM total
      WHERE context = 0 AND failure NOT IN new AND \(filter.choosesFailures(""))
      UNION ALL
      \(grouped) FROM (\(Totals(filter).sql(where: "failure IN new"))) GROUP BY 1
      """
  }

  /// The times of the rows in `top`.
  private var times: String {
    window.since == nil && window.until == nil
      ? "SELECT failure, first_seen, last_seen FROM top"
      : """
      SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM (\(Totals(filter).sql(where: "failure IN (SELECT failure FROM top)"))) GROUP BY 1
      """
  }

  private static let order = """
    m.name, f.coding_path, f.novel_value, f.kind, f.expected_type, f.value_type
    """

  /// Ranks the failures, with the most frequent first, and joins the other columns of only those.
  private func sql(isLimited: Bool) -> String {
    let ofTop = isLimited ? "failure IN (SELECT failure FROM top)" : "true"
    return """
      WITH counts AS (\(counts)),
      top AS MATERIALIZED (
        SELECT c.*
        FROM counts AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
        WHERE \(condition)
        \(isLimited ? "ORDER BY c.occurrences DESC, \(Self.order) LIMIT :limit" : "")
      ),
      times AS MATERIALIZED (\(times)),
      -- Releases by age at a tie: by name.
      names AS MATERIALIZED (
        SELECT id AS context, release, min(16383, dense_rank() OVER (
          ORDER BY release = '\(Overflow.release)', release)) AS place
        FROM context
      ),
      first AS MATERIALIZED (
        SELECT t.failure, min(t.first_seen * 16384 + n.place) AS key
        FROM (\(Totals(filter, splitsContexts: true).sql(where: ofTop))) AS t
        CROSS JOIN names AS n ON n.context = t.context
        GROUP BY 1
      ),
      releases AS (SELECT place, min(release) AS release FROM names GROUP BY 1)
      SELECT \(Failure.columns), m.name, t.occurrences, t.digests, s.first_seen, s.last_seen,
        -- The totals of the first release may have been deleted.
        CASE WHEN s.first_seen >= first.key / 16384
          THEN (SELECT release FROM releases WHERE place = first.key % 16384)
          ELSE '\(Overflow.release)' END,
        t.failure
      FROM top AS t
      CROSS JOIN failure AS f ON f.id = t.failure CROSS JOIN model AS m ON m.id = f.model
      LEFT JOIN times AS s ON s.failure = t.failure
      LEFT JOIN first ON first.failure = t.failure
      ORDER BY t.occurrences DESC, \(Self.order)
      """
  }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - limit: the most rows; nil for all.
  ///   - older: the contexts in which new failures did not occur.
  func read(
    _ connection: Connection, limit: Int? = nil, older: [Int64] = []
  ) throws -> [FailureRow] {
    guard limit.map({ $0 > 0 }) != false else { return [] }
    var values = values(older)
    values[":limit"] = SQLiteValue(limit.map { Int64($0) })
    let names = Failure.columnCount
    return try connection.rows(sql(isLimited: limit != nil), values) { row in
      FailureRow(
        id: row.integer(at: names + 6), model: row.text(at: names) ?? "", failure: Failure(row),
        occurrences: row.count(at: names + 1), digests: row.count(at: names + 2),
        firstSeen: row.moment(at: names + 3), lastSeen: row.moment(at: names + 4),
        firstRelease: row.text(at: names + 5).flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  /// Counts the rows without a limit.
  func count(_ connection: Connection, older: [Int64] = []) throws -> Int {
    try connection.rows(
      """
      SELECT count(*) FROM (\(counts)) AS c
      CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
      WHERE \(condition)
      """, values(older)
    ) { Int(clamping: $0.integer(at: 0)) }.first ?? 0
  }

  private func values(_ older: [Int64]) -> [String: SQLiteValue] {
    var values = filter.values()
    values[":since"] = .integer(since?.milliseconds ?? 0)
    values[":older"] = .text("[\(older.map(String.init).joined(separator: ","))]")
    return values
  }
}
