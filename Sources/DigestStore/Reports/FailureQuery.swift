public import ResilientDecoding

/// A failure with its counts, and its id in the file.
struct FailureRow {
  let id: Int64
  var failure: DigestStore.FailureCount

  /// The number of columns that ``init(_:)`` reads.
  static let columnCount = StoredFailure.columnCount + 7

  /// Reads ``StoredFailure/columns`` and the columns `model, occurrences, digests, first_seen, last_seen,
  /// release, failure`.
  init(_ row: any Row) {
    let stored = StoredFailure(row)
    let next = StoredFailure.columnCount
    failure = DigestStore.FailureCount(
      model: row.text(at: next) ?? "",
      codingPath: stored.codingPath,
      kind: ErrorDigest.Kind(stored: stored.kind),
      expectedType: stored.expectedType,
      novelValue: stored.novelValue,
      valueType: stored.valueType,
      occurrences: Int(clamping: row.count(at: next + 1)),
      digests: Int(clamping: row.count(at: next + 2)),
      firstSeen: row.moment(at: next + 3).date,
      lastSeen: row.moment(at: next + 4).date,
      foundType: stored.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init),
      foundValue: stored.foundValue,
      firstRelease: row.text(at: next + 5).flatMap { $0.isEmpty ? nil : $0 })
    id = row.integer(at: next + 6)
  }
}

/// The statement of reports on failures.
struct FailureQuery {
  private let connection: any Engine
  private let filter: DigestFilter
  private let window: TimeWindow

  /// The condition on `failure AS f` and `model AS m`.
  private let condition: String

  private let isOfNew: Bool
  private let totals: TotalRows

  /// The value of the parameter `:since`.
  private let since: Moment?

  /// The value of the parameter `:unset`: what occurred before that only by clocks that weren't set.
  private let unset: [Int64]

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - filter: the occurrences to count.
  ///   - known: leaves out the failures that occurred before the window of this filter, or in the
  ///     contexts of the parameter `:older`; nil for none.
  init(
    _ connection: any Engine, _ filter: DigestFilter, newTo known: DigestFilter? = nil
  ) throws {
    self.connection = connection
    condition = filter.errorCondition()
    // The condition selects failures that have a value when it reads their names. Selecting them
    // before they are counted takes longer.
    var filter = filter
    if filter.novelValues == ["*"] { filter.novelValues = [] }
    totals = try TotalRows(connection, filter)
    self.filter = filter
    since = known?.window.since
    unset = try since.map { try connection.failuresOfUnsetClocks(before: $0, filter) } ?? []
    window = try connection.widened(filter.window)
    isOfNew = known != nil
  }

  /// The failures that occurred before the moment `:since`, or in the contexts `:older`, in the
  /// filter's environments and operations.
  ///
  /// One that occurred in a release whose totals were deleted may have occurred in an older one.
  private var known: String {
    // In any release.
    let past = filter.ofContexts.ofAllReleases
    return """
      SELECT failure FROM total WHERE \(past.contexts("context")) AND \(Self.isBefore)
      UNION ALL SELECT failure FROM total WHERE context IN (SELECT value FROM json_each(:older))
      UNION ALL SELECT failure FROM total
      WHERE :has_older = 1 AND EXISTS (SELECT 1 FROM loss WHERE reason = 'unattributed')
      GROUP BY 1 HAVING sum(CASE WHEN context = 0 THEN occurrences ELSE -occurrences END) > 0
      UNION ALL SELECT failure FROM \(totals.unfolded)
      WHERE \(past.contexts("context")) AND \(Self.isBefore)
        OR context IN (SELECT value FROM json_each(:older))
      """
  }

  private static let isBefore =
    "first_seen < :since AND failure NOT IN (SELECT value FROM json_each(:unset))"

  /// The tables that the other statements read.
  private func tables() throws -> String {
    let known = isOfNew ? "known AS MATERIALIZED (\(known))," : ""
    return "WITH \(known) counts AS (\(isOfAllTime ? countsOfAllTime : try counts()))"
  }

  /// Known failures are left out before counts are added up.
  private var isNew: String { isOfNew ? "failure NOT IN (SELECT failure FROM known)" : "true" }

  private var isOfAllTime: Bool { window.since == nil && window.until == nil }

  private func counts() throws -> String {
    """
    SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
    FROM (\(try Counts(connection, filter, in: window, where: isNew).sql)) AS c GROUP BY 1
    """
  }

  /// The counts of all time. Most rows are those of the table, which need no sorting to be added
  /// up.
  private var countsOfAllTime: String {
    func sums(where failures: String) -> String {
      """
      SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests
      FROM (\(totals.sql(where: "\(failures) AND \(isNew)"))) AS t GROUP BY 1
      """
    }
    guard !filter.choosesContexts else { return sums(where: "true") }
    return """
      SELECT failure, occurrences, digests FROM total
      WHERE context = 0 AND failure NOT IN (SELECT failure FROM \(totals.unfolded)) AND \(filter.choosesFailures(""))
        AND \(isNew)
      UNION ALL
      \(sums(where: "failure IN (SELECT failure FROM \(totals.unfolded))"))
      """
  }

  /// The failures of `counts AS c` that meet the condition.
  private var chosen: String {
    """
    FROM counts AS c CROSS JOIN failure AS f ON f.id = c.failure
    CROSS JOIN model AS m ON m.id = f.model
    WHERE \(condition)
    """
  }

  private static let order = "ORDER BY c.occurrences DESC, m.name, \(StoredFailure.order)"

  /// The statement that reads the rows of a table with the columns `failure, occurrences, digests`.
  ///
  /// The release is that of the first time. Its totals may have been deleted.
  private func sql(_ rows: String, isOfFewFailures: Bool, hasReleases: Bool) -> String {
    let isShown = "failure IN (SELECT failure FROM \(rows))"
    // From each table, because SQLite looks up no rows of a union. The cast keeps it from looking
    // up each pair of a failure and a chosen context.
    let releases = ["total", totals.unfolded].map { table in
      """
      SELECT s.failure AS failure, x.release AS release
      FROM times AS s
      CROSS JOIN (
        SELECT failure, first_seen, CAST(context AS bigint) AS context FROM \(table)
        WHERE \(isShown)
      ) AS t ON t.failure = s.failure AND t.first_seen = s.first_seen
      CROSS JOIN context AS x ON x.id = t.context
      WHERE \(filter.contextsOfDigests("x.id"))
      """
    }
    let table = """
      releases AS (
        SELECT failure, min(nullif(release, '\(Overflow.release)')) AS release
        FROM (\(releases.joined(separator: "\nUNION ALL\n"))) AS r GROUP BY 1
      ),
      """
    let ofReleases = "UNION ALL SELECT failure, 0, 0, NULL, NULL, release FROM releases"
    return """
      WITH times AS (\(totals.times(where: isShown, isOfFewFailures: isOfFewFailures))),
      \(hasReleases ? table : "")
      shown AS (
        SELECT failure, sum(occurrences) AS occurrences, sum(digests) AS digests,
          min(first_seen) AS first_seen, max(last_seen) AS last_seen, min(release) AS release
        FROM (
          SELECT failure, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
            NULL AS release
          FROM \(rows) AS c
          UNION ALL SELECT failure, 0, 0, first_seen, last_seen, NULL FROM times
          \(hasReleases ? ofReleases : "")
        ) AS s
        GROUP BY 1
      )
      SELECT \(StoredFailure.columns), m.name, c.occurrences, c.digests, c.first_seen, c.last_seen,
        \(hasReleases ? "coalesce(c.release, '\(Overflow.release)')" : "''"), c.failure
      FROM shown AS c CROSS JOIN failure AS f ON f.id = c.failure
      CROSS JOIN model AS m ON m.id = f.model
      -- ClickHouse looks up no rows of a join.
      WHERE f.id IN (SELECT failure FROM \(rows))
      \(Self.order)
      """
  }

  /// Reads the rows.
  ///
  /// - Parameters:
  ///   - limit: the most rows; nil for all.
  ///   - older: the contexts in which new failures did not occur.
  ///   - hasRates: whether to count the rates.
  ///   - hasReleases: whether to look up the first releases.
  func read(
    limit: Int? = nil, older: [Int64] = [], hasRates: Bool = true, hasReleases: Bool = true
  ) throws -> [FailureRow] {
    let values = values(older, limit)
    let rows = try connection.temporaryTable(
      """
      \(try tables()) SELECT c.failure AS failure, c.occurrences AS occurrences, c.digests AS digests \(chosen)
      \(limit == nil ? "" : "\(Self.order) \(DigestFilter.limit(limit))")
      """, values, key: "failure")
    let found = try connection.rows(
      sql(rows, isOfFewFailures: limit ?? .max <= 1_000, hasReleases: hasReleases), values,
      FailureRow.init)
    guard hasRates, !found.isEmpty else { return found }
    let rates = try FailureRates(
      connection, filter, reportWindow: window, where: "failure IN (SELECT failure FROM \(rows))")
    return found.map { row in
      var row = row
      row.failure.rate =
        rates.rate(ofFailure: row.id, row.failure.model, digests: row.failure.digests)?.share
      return row
    }
  }

  /// Reads the ids of the failures, in no particular order.
  func ids(older: [Int64] = []) throws -> [Int64] {
    try connection.rows("\(try tables()) SELECT c.failure \(chosen)", values(older)) {
      $0.integer(at: 0)
    }
  }

  private func values(_ older: [Int64], _ limit: Int? = nil) -> [String: SQLValue] {
    var values = filter.values(limit: limit)
    values[":since"] = .integer(since?.milliseconds ?? 0)
    values[":unset"] = .integers(unset)
    values[":older"] = .integers(older)
    values[":has_older"] = .integer(older.isEmpty ? 0 : 1)
    return values
  }
}

extension Engine {
  /// The failures, in the contexts of a filter and any release, that occurred before a moment only by clocks
  /// that weren't set: before ``Moment/firstOfSwift``.
  func failuresOfUnsetClocks(before moment: Moment, _ filter: DigestFilter) throws -> [Int64] {
    var past = filter.ofContexts.ofAllReleases
    past.failures = try rows(
      """
      SELECT DISTINCT failure FROM (\(TotalRows(self, past).sql())) AS t
      WHERE first_seen < \(Moment.firstOfSwift.milliseconds)
      """, past.values()
    ) { $0.integer(at: 0) }
    let days = Moment.firstOfSwift.milliseconds..<max(moment, .firstOfSwift).milliseconds
    // On a day whose counts were deleted, it may have occurred.
    guard !past.failures.isEmpty, try deletedDays(in: days).isEmpty else { return [] }
    let window = try widened(TimeWindow(since: .firstOfSwift, until: moment))
    let seen = try GroupedCounts(self, of: .entries, past, in: window, by: [.failure]).rows()
    return Array(Set(past.failures).subtracting(seen.map(\.failure)))
  }
}

extension DigestStore.ModelCount {
  /// Whether this row counts the models over a limit.
  ///
  /// They are counted exactly, all in one row: see ``DigestReader/reachedLimits(matching:)``.
  public var isOverflow: Bool { model == Overflow.model }
}

extension DigestStore.FailureCount {
  /// Whether this row counts values, failures or models over a limit.
  ///
  /// They are counted exactly, all in one row: see ``DigestReader/reachedLimits(matching:)``.
  public var isOverflow: Bool {
    hasOtherValues || hasOtherPaths || model == Overflow.model
  }

  /// Whether the store kept only the beginning of the novel value, followed by a mark.
  ///
  /// A payload that contains such a mark looks like a truncated value too.
  public var isCut: Bool { novelValue.map(ValueLimit.hasCut) ?? false }

  /// Whether the found value is only the beginning of what came.
  package var hasCutFoundValue: Bool {
    foundValue.map { ValueLimit.hasCut($0) || $0.hasSuffix("…") } ?? false
  }

  /// Whether this counts the novel values over the limit of a path.
  var hasOtherValues: Bool {
    kind == .unknownNovelValue && novelValue == Overflow.value
      && valueType == nil && expectedType == nil
  }

  /// Whether this counts the failures over the limit of a file.
  var hasOtherPaths: Bool {
    kind == .other && codingPath == Overflow.codingPath
      && novelValue == nil && expectedType == nil
  }
}

// A row has its coding path as text, which sorts and filters use and which isn't a path if it stands
// for those over a limit.

extension DigestStore.FailureCount {
  /// The coding path as a path; nil if the row counts failures over a limit.
  public var path: ErrorDigest.Path? { ErrorDigest.Path(stored: codingPath) }
}

extension DigestStore.FailureChange {
  /// The coding path as a path; nil if the row counts failures over a limit.
  public var path: ErrorDigest.Path? { ErrorDigest.Path(stored: codingPath) }
}

extension ErrorDigest.Path {
  /// Nil for the text that stands for all paths over a limit.
  init?(stored text: String) {
    guard text != Overflow.codingPath else { return nil }
    self.init(text)
  }
}
