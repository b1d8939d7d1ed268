/// Compares a recount of the digests with the stored counts: hours with digests, days with hours,
/// context 0 with the sum of all contexts, totals with days, and their times with digests.
///
/// Recounts and compares a day at a time, which bounds what is in memory.
struct TallyCheck {
  let connection: Connection
  private let progress: ((DigestReader.Progress) -> Void)?

  /// The number of digests, folded or not, and of their errors.
  var digests = 0
  var occurrences: Int64 = 0

  private var problemCounts: [(count: Int64, problem: String)] = []

  /// - Parameter progress: called with the number of digests recounted.
  init(_ connection: Connection, _ progress: ((DigestReader.Progress) -> Void)? = nil) {
    self.connection = connection
    self.progress = progress
  }

  /// Compares everything.
  ///
  /// - Returns: the problems found, one sentence each.
  mutating func problems() throws -> [String] {
    do {
      try checkRanges()
      try checkDigests()
      try connection.execute(Self.tables)
      let recount = try NewCounts(
        connection, of: SingleDigests.folded(from: "?1", before: "?2"))
      var recounted = 0
      for (day, digests) in try days() {
        try check(day: day, recount)
        recounted += digests
        if digests > 0 { progress?(.init(unit: .digests, done: recounted, total: self.digests)) }
      }
      try checkTotals()
    } catch let error as SQLiteError where error.isOverflow {
      add(1, "sums of counts are larger than any store's")
    }
    return problemCounts.filter { $0.count > 0 }.map { count, problem in
      "\(count) \(count == 1 ? Self.singular(problem) : problem)"
    }
  }

  /// The problem of one row, from that of several.
  private static func singular(_ problem: String) -> String {
    let noun = problem.prefix { $0 != " " }
    let forms = [
      (" differ ", " differs "), (" refer ", " refers "), (" have ", " has "), (" are ", " is "),
      (" their ", " its "),
    ]
    return forms.reduce(String(noun.dropLast() + problem.dropFirst(noun.count))) { text, form in
      text.replacing(form.0, with: form.1, maxReplacements: 1)
    }
  }

  mutating func add(_ count: Int64?, _ problem: String) {
    if let index = problemCounts.firstIndex(where: { $0.problem == problem }) {
      problemCounts[index].count = problemCounts[index].count.adding(count: count ?? 0)
    } else {
      problemCounts.append((count ?? 0, problem))
    }
  }

  /// Runs a query with counts of problems in one row, one column each.
  mutating func add(_ problems: [String], _ sql: String) throws {
    let counts = try connection.firstRow(sql) { row in
      problems.indices.map { row.integer(at: Int32($0)) }
    }
    for (problem, count) in zip(problems, counts ?? []) { add(count, problem) }
  }

  /// Adds the number of keys whose stored counts differ from a recount.
  ///
  /// - Parameters:
  ///   - missing: the problem of keys that are not stored, if it is another one.
  ///   - recount: the rows to add up, a query with the columns of the key and the counts.
  ///   - mayHaveMore: the condition on a key that its stored counts may include what was deleted
  ///     since.
  private mutating func compare(
    _ problem: String, missing: String? = nil, key: [String], counts: [String],
    recount: String, stored: String, mayHaveMore: String = "false"
  ) throws {
    let columns = (key + counts).joined(separator: ", ")
    let isOther = counts.map { count in
      // Counts stop at the largest one.
      let sum = "min(sum(iif(isStored, 0, \(count))), \(Int64.maximumCount))"
      let stored = "sum(iif(isStored, \(count), 0))"
      return "\(sum) > \(stored) OR \(sum) < \(stored) AND NOT (\(mayHaveMore))"
    }
    try add(
      [problem, missing ?? problem],
      """
      SELECT ifnull(sum(hasStored), 0), ifnull(sum(NOT hasStored), 0)
      FROM (
        SELECT max(isStored) AS hasStored
        FROM (
          SELECT false AS isStored, \(columns) FROM (\(recount))
          UNION ALL SELECT true, \(columns) FROM (\(stored))
        )
        GROUP BY \(key.joined(separator: ", ")) HAVING \(isOther.joined(separator: " OR "))
      )
      """)
  }
}

extension TallyCheck {
  /// A query of the contexts whose counts agree, and of context 0 if all pushes have ended. Of a
  /// source whose push has not ended, some are new and others old.
  private static let checked = """
    (SELECT 0 AS context WHERE NOT EXISTS (SELECT 1 FROM source WHERE pushing <> 0)
    UNION ALL
    SELECT c.id FROM context AS c CROSS JOIN source AS s ON s.id = c.source WHERE s.pushing = 0)
    """

  /// The hours that have all their digests, and the times of all digests.
  private static let tables = """
    DROP TABLE IF EXISTS temp.complete_hour;
    CREATE TEMP TABLE complete_hour (start INTEGER PRIMARY KEY);
    DROP TABLE IF EXISTS temp.new_total;
    CREATE TEMP TABLE new_total (
      context INTEGER, failure INTEGER, first_seen INTEGER, last_seen INTEGER,
      PRIMARY KEY (context, failure)) WITHOUT ROWID;
    """

  /// The days that have digests or counts, and the number of digests.
  private func days() throws -> [(day: Int64, digests: Int)] {
    try connection.rows(
      """
      SELECT day, sum(digests)
      FROM (
        SELECT recorded_at / \(24 * Moment.hour) AS day, count(*) AS digests FROM digest GROUP BY 1
        UNION ALL
        SELECT DISTINCT start * span / 24, 0 FROM decodes WHERE span IN (1, 24) AND context = 0
        UNION ALL SELECT DISTINCT start, 0 FROM tally WHERE span = 24 AND context = 0
      )
      WHERE day BETWEEN 0 AND \(Moment.latest.hour / 24) GROUP BY 1 ORDER BY 1
      """
    ) { ($0.integer(at: 0), Int(clamping: $0.integer(at: 1))) }
  }

  /// Compares the counts of a day and its hours.
  private mutating func check(day: Int64, _ recount: NewCounts) throws {
    // Otherwise the counts of some hours are deleted.
    let hasHours = try connection.hasHours(day: day)
    if hasHours {
      try recount.count(day * 24 * Moment.hour, (day + 1) * 24 * Moment.hour)
      try compareWithDigests(day)
      for table in CountTable.periods {
        try compare(
          "counts of days differ from their hours", key: ["context", table.subject],
          counts: table.counts, recount: Self.rows(of: table, span: 1, day),
          stored: Self.rows(of: table, span: 24, day))
      }
    }
    for table in CountTable.periods {
      func rows(_ contexts: String) -> String {
        Self.rows(of: table, span: 1, day, contexts) + " UNION ALL "
          + Self.rows(of: table, span: 24, day, contexts)
      }
      try compare(
        "counts of all contexts differ from their sum", key: ["span", "start", table.subject],
        counts: table.counts, recount: rows("(SELECT id AS context FROM context)"),
        stored: rows("(SELECT 0 AS context)"))
    }
  }

  /// A query with the rows of a day, or of its hours.
  ///
  /// - Parameter contexts: a table with the contexts to search.
  private static func rows(
    of table: CountTable, span: Int64, _ day: Int64, _ contexts: String = checked
  ) -> String {
    let first = day * 24 / span
    return """
      SELECT t.* FROM \(contexts) AS c CROSS JOIN \(table.name) AS t
      ON t.span = \(span) AND t.context = c.context
        AND t.start BETWEEN \(first) AND \(first + 24 / span - 1)
      """
  }

  /// Compares the hours of a day with their digests. Where some are deleted, the rest must be
  /// counted.
  private mutating func compareWithDigests(_ day: Int64) throws {
    let hours = "BETWEEN \(day * 24) AND \(day * 24 + 23)"
    let digests = SingleDigests.folded(
      from: "\(day * 24 * Moment.hour)", before: "\((day + 1) * 24 * Moment.hour)")
    try connection.execute(
      """
      INSERT INTO complete_hour
      SELECT start FROM (
        SELECT start, digests FROM decodes WHERE span = 1 AND context = 0 AND start \(hours)
        UNION ALL SELECT d.recorded_at / \(Moment.hour), -1 FROM digest AS d WHERE \(digests)
      )
      GROUP BY 1 HAVING sum(digests) = 0;
      INSERT INTO new_total SELECT context, failure, min(first_seen), max(last_seen) FROM new_count
      WHERE true GROUP BY 1, 2
      ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen)
      """)
    let (tally, decodes) = (CountTable.tally, CountTable.decodes)
    let mayHaveMore = "start NOT IN (SELECT start FROM complete_hour)"
    func stored(_ table: CountTable) -> String {
      Self.rows(of: table, span: 1, day) + " WHERE t.context > 0"
    }
    func recount(_ table: String) -> String {
      "SELECT *, hour AS start FROM \(table) WHERE context IN \(Self.checked)"
    }
    try compare(
      "counts differ from a recount", missing: "counts are missing",
      key: ["context", "start", tally.subject], counts: tally.counts,
      recount: recount("new_count"), stored: stored(tally),
      mayHaveMore: mayHaveMore)
    try compare(
      "hours whose decodes disagree with their digests",
      key: ["context", "start", decodes.subject], counts: ["digests", "failed", "occurrences"],
      recount: recount("new_decode"), stored: stored(decodes),
      mayHaveMore: mayHaveMore)
    // A pushed store may have evicted the digests that are missing.
    try add(
      ["digests are missing, and no loss says so"],
      """
      SELECT ifnull(sum(max(0, missing)), 0)
      FROM (
        SELECT sum(digests) AS missing
        FROM (
          SELECT t.start, t.digests FROM context AS c CROSS JOIN decodes AS t
            ON t.span = 1 AND t.context = c.id AND t.start \(hours)
          WHERE c.source = 1
          UNION ALL
          SELECT d.recorded_at / \(Moment.hour), -1 FROM digest AS d
          WHERE \(digests) AND d.source IS NULL
          UNION ALL
          SELECT hour, -digests FROM loss WHERE reason = 'evicted' AND hour \(hours)
        )
        WHERE \(mayHaveMore) GROUP BY start
      )
      """)
  }

  /// Compares totals with their contexts and days, and their times with digests.
  private mutating func checkTotals() throws {
    let total = CountTable.total
    func hasLost(_ reason: String) -> String {
      "EXISTS (SELECT 1 FROM loss WHERE reason = '\(reason)')"
    }
    // Deleted contexts leave larger totals, and earlier first and later last times.
    try compare(
      "totals differ from the sum of their contexts", key: [total.subject], counts: total.counts,
      recount: "SELECT * FROM total WHERE context > 0",
      stored: "SELECT * FROM total WHERE context = 0", mayHaveMore: hasLost("unattributed"))
    func times(_ condition: String) -> String {
      """
      SELECT failure, -min(first_seen) AS first, max(last_seen) AS last FROM total
      WHERE \(condition) GROUP BY failure
      """
    }
    try compare(
      "totals have other times than their contexts", key: [total.subject],
      counts: ["first", "last"], recount: times("context > 0"),
      stored: times("context = 0 AND failure IN (SELECT failure FROM total WHERE context > 0)"),
      mayHaveMore: hasLost("unattributed"))
    try add(
      [
        "totals have later first or earlier last times than a digest",
        "totals have first times of no digest", "totals have last times of no digest",
      ],
      """
      SELECT
        ifnull(sum(t.first_seen > r.first_seen OR t.last_seen < r.last_seen), 0),
        ifnull(sum(t.first_seen / \(Moment.hour) IN complete_hour
          AND t.first_seen < ifnull(r.first_seen, \(Int64.max))), 0),
        ifnull(sum(t.last_seen / \(Moment.hour) IN complete_hour
          AND t.last_seen > ifnull(r.last_seen, 0)), 0)
      FROM \(Self.checked) AS c CROSS JOIN total AS t ON t.context = c.context
      LEFT JOIN new_total AS r ON r.context = t.context AND r.failure = t.failure
      WHERE t.context > 0
      """)
    // Deleted days leave larger totals.
    let isAll = "context = 0 AND 0 IN \(Self.checked)"
    try compare(
      "totals differ from the sum of their days", key: [total.subject], counts: total.counts,
      recount: "SELECT * FROM tally WHERE span = 24 AND \(isAll)",
      stored: "SELECT * FROM total WHERE \(isAll)", mayHaveMore: hasLost("undated"))
  }
}
