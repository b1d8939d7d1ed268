/// Compares a recount of the digests with the stored counts: hours with digests, days with hours,
/// totals with days, their times with digests, and context 0 with the sum of all contexts.
///
/// Recounts an hour at a time, and compares by keys of tables, so each row costs a search or two.
struct TallyCheck {
  private let connection: Connection
  private let progress: ((DigestReader.Progress) -> Void)?

  /// The number of digests, folded or not, and of their errors.
  private(set) var digests = 0
  private(set) var occurrences: Int64 = 0

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
      try checkHours()
      try checkDays()
      try checkTotals()
    } catch let error as SQLiteError where error.isOverflow {
      add(1, "sums of counts are larger than any store's")
    }
    return problemCounts.filter { $0.count > 0 }.map { "\($0.count) \($0.problem)" }
  }

  private mutating func add(_ count: Int64?, _ problem: String) {
    if let index = problemCounts.firstIndex(where: { $0.problem == problem }) {
      problemCounts[index].count = problemCounts[index].count.adding(count: count ?? 0)
    } else {
      problemCounts.append((count ?? 0, problem))
    }
  }

  /// Runs a query with counts of problems in one row, one column each.
  private mutating func add(
    _ problems: [String], _ sql: String, _ values: [String: SQLValue] = [:]
  ) throws {
    let counts = try connection.firstRow(sql, values) { row in
      problems.indices.map { row.integer(at: Int32($0)) }
    }
    for (problem, count) in zip(problems, counts ?? []) { add(count, problem) }
  }
}

extension TallyCheck {
  /// Counts rows with numbers that no store writes, and rows that refer to no failure or model.
  private mutating func checkRanges() throws {
    let moments = "BETWEEN \(Moment.earliest.milliseconds) AND \(Moment.latest.milliseconds)"
    let counts = "BETWEEN 0 AND \(Int64.maximumCount)"
    let starts = "BETWEEN -1 AND \(Moment.latest.hour)"
    let ranges = [
      ("source", "counted NOT \(counts) OR counted_at NOT \(moments) OR evicted NOT \(counts)"),
      (
        "total",
        "occurrences NOT \(counts) OR digests NOT \(counts) OR first_seen NOT \(moments) "
          + "OR last_seen NOT \(moments) OR first_seen > last_seen"
      ),
      (
        "tally",
        "span NOT IN (1, 24) OR start NOT \(starts) OR occurrences NOT \(counts) "
          + "OR digests NOT \(counts)"
      ),
      (
        "decodes",
        "span NOT IN (1, 24) OR start NOT \(starts) OR decodes NOT \(counts) "
          + "OR digests NOT \(counts) OR failed NOT \(counts) OR occurrences NOT \(counts) "
          + "OR failed > digests OR digests > decodes"
      ),
      ("loss", "hour NOT \(starts) OR digests NOT \(counts) OR occurrences NOT \(counts)"),
    ]
    for (table, condition) in ranges {
      try add(
        ["rows of \(table) have numbers that no store writes"],
        "SELECT count(*) FROM \(table) WHERE \(condition)")
    }
    for (table, column) in [("total", "failure"), ("tally", "failure"), ("decodes", "model")] {
      try add(
        ["rows of \(table) refer to no \(column) or context"],
        """
        SELECT count(*) FROM \(table)
        WHERE \(column) NOT IN (SELECT id FROM \(column))
          OR context <> 0 AND context NOT IN (SELECT id FROM context)
        """)
    }
  }

  /// Counts digests, folded or not, and those that cannot be read.
  private mutating func checkDigests() throws {
    _ = try connection.firstRow(
      """
      SELECT count(*),
        ifnull(sum(NOT (\(OccurrenceRows.isSound)) OR NOT \(OccurrenceRows.isArray("d.errors"))), 0)
      FROM digest AS d
      """
    ) { row in
      digests = Int(clamping: row.integer(at: 0))
      add(row.integer(at: 1), "digests cannot be read")
    }
    try checkErrors(where: "d.id > (SELECT folded FROM store)")
  }

  /// Adds up the errors of digests, and counts those that cannot be.
  private mutating func checkErrors(where condition: String) throws {
    _ = try connection.firstRow(
      """
      SELECT count(DISTINCT iif(isCounted, NULL, id)), ifnull(sum(iif(isCounted, times, 0)), 0),
        ifnull(sum(isCounted AND failure NOT IN (SELECT id FROM failure)), 0)
      FROM (
        SELECT id, failure, times, (\(OccurrenceRows.isCounted)) AS isCounted FROM (
          SELECT d.id, \(OccurrenceRows.failure()) AS failure, \(OccurrenceRows.times()) AS times
          FROM digest AS d CROSS JOIN json_each(\(OccurrenceRows.errors())) AS e
          WHERE \(condition)
          LIMIT -1))
      """
    ) { row in
      add(row.integer(at: 0), "digests cannot be read")
      occurrences = occurrences.adding(count: max(0, row.integer(at: 1)))
      add(row.integer(at: 2), "errors are of no known failure")
    }
  }

  /// The number of elements in the errors of the folded digests.
  private func foldedErrors() throws -> Int64? {
    try connection.integer(
      """
      SELECT sum(json_array_length(\(OccurrenceRows.errors()))) FROM digest AS d
      WHERE d.id <= (SELECT folded FROM store)
      """)
  }
}

extension TallyCheck {
  /// The contexts whose counts agree with each other. Of a source whose push has not ended, some
  /// are new and others old.
  private static let settled = """
    SELECT c.id FROM context AS c CROSS JOIN source AS s ON s.id = c.source WHERE s.pushing = 0
    """

  /// Whether a context is one of them. Looks up this context alone.
  private static func isSettled(_ context: String) -> String {
    """
    EXISTS (SELECT 1 FROM context AS c CROSS JOIN source AS s ON s.id = c.source
      WHERE c.id = \(context) AND s.pushing = 0)
    """
  }

  /// The contexts that are settled, and context 0 if all pushes have ended.
  private static let settledOrAll = """
    SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM source WHERE pushing <> 0) UNION ALL \(settled)
    """

  /// Compares each hour with its digests. Where some are deleted, the rest must be counted.
  private mutating func checkHours() throws {
    // The hours that have all their digests. A time in one of them must be that of a digest.
    try connection.execute("CREATE TEMP TABLE complete_hour (start INTEGER PRIMARY KEY)")
    // By hour, because the keys of the file's tables begin with the context.
    try connection.execute(
      """
      CREATE TEMP TABLE hour_of_tally (start INTEGER PRIMARY KEY, rows INTEGER);
      INSERT INTO hour_of_tally
      SELECT start, count(*) FROM tally WHERE span = 1 AND context IN (\(Self.settled)) GROUP BY 1;
      CREATE TEMP TABLE hour_of_decodes (
        start INTEGER, context INTEGER, model INTEGER, digests INTEGER, failed INTEGER,
        occurrences INTEGER, PRIMARY KEY (start, context, model)) WITHOUT ROWID;
      INSERT INTO hour_of_decodes
      SELECT start, context, model, digests, failed, occurrences FROM decodes
      WHERE span = 1 AND context IN (\(Self.settled))
      """)
    let recount = try NewCounts(
      connection, of: SingleDigests.folded(from: "?1", before: "?2"))
    let addComplete = try Statement(connection, "INSERT INTO complete_hour VALUES (?)")
    let isPushing = try connection.integer("SELECT count(*) FROM source WHERE pushing <> 0") != 0
    var (firsts, lasts, recounted): (Int64, Int64, Int64) = (0, 0, 0)
    var (errors, times): (Int64, Int64) = (0, 0)
    for hour in try hours() {
      recounted += try countDigests(inHour: hour)
      defer { progress?(.init(unit: .digests, done: Int(clamping: recounted), total: digests)) }
      guard try connection.hasHours(day: hour / 24) else { continue }
      try recount.count(hour * Moment.hour, (hour + 1) * Moment.hour)
      _ = try connection.firstRow("SELECT count(*), ifnull(sum(times), 0) FROM new_occurrence") {
        errors += $0.integer(at: 0)
        times += $0.integer(at: 1)
      }
      if isPushing {
        try connection.execute(
          """
          DELETE FROM new_count AS n WHERE NOT \(Self.isSettled("n.context"));
          DELETE FROM new_decode AS n WHERE NOT \(Self.isSettled("n.context"))
          """)
      }
      let isComplete = try connection.hasDigests(hour: hour)
      if isComplete { try addComplete.run([.integer(hour)]) }
      _ = try connection.firstRow(Self.tallies, Self.values(hour, isComplete)) { row in
        add(row.integer(at: 0), "counts are missing")
        add(row.integer(at: 1), "counts differ from a recount")
        add(row.integer(at: 2), "totals have later first or earlier last times than a digest")
        firsts += row.integer(at: 3)
        lasts += row.integer(at: 4)
      }
      if isComplete {
        try add(
          ["counts differ from a recount", "hours whose decodes disagree with their digests"],
          Self.completeHour, [":hour": .integer(hour)])
      } else {
        add(try missingDigests(inHour: hour), "digests are missing, and no loss says so")
      }
    }
    // Most files have counted all errors here; otherwise some cannot be read, or have no hour.
    if try foldedErrors() ?? 0 == errors {
      occurrences = occurrences.adding(count: times)
    } else {
      try checkErrors(where: "d.id <= (SELECT folded FROM store)")
    }
    try add(
      ["totals have first times of no digest", "totals have last times of no digest"],
      """
      SELECT max(0, sum(first_seen / \(Moment.hour) IN complete_hour) - :firsts),
        max(0, sum(last_seen / \(Moment.hour) IN complete_hour) - :lasts)
      FROM total WHERE context IN (\(Self.settled))
      """, [":firsts": .integer(firsts), ":lasts": .integer(lasts)])
    for name in ["complete_hour", "hour_of_tally", "hour_of_decodes"] {
      try connection.execute("DROP TABLE \(name)")
    }
  }

  /// The hours that have digests or counts of them.
  private func hours() throws -> [Int64] {
    try connection.rows(
      """
      SELECT start FROM (
        SELECT DISTINCT recorded_at / \(Moment.hour) AS start FROM digest
        UNION SELECT DISTINCT start FROM decodes WHERE span = 1 AND context = 0
      )
      WHERE start BETWEEN 0 AND \(Moment.latest.hour) ORDER BY 1
      """
    ) { $0.integer(at: 0) }
  }

  private func countDigests(inHour hour: Int64) throws -> Int64 {
    let start = hour * Moment.hour
    return try connection.integer(
      """
      SELECT count(*) FROM digest
      WHERE recorded_at >= \(start) AND recorded_at < \(start + Moment.hour)
      """) ?? 0
  }

  private static func values(_ hour: Int64, _ isComplete: Bool) -> [String: SQLValue] {
    [":hour": .integer(hour), ":isComplete": .integer(isComplete ? 1 : 0)]
  }

  /// Looks up each recounted row in the hour and in the totals. The numbers of first and last times
  /// that are those of a digest are the last two columns.
  private static let tallies = """
    SELECT ifnull(sum(s.failure IS NULL), 0),
      ifnull(sum(iif(:isComplete, n.occurrences <> s.occurrences OR n.digests <> s.digests,
        n.occurrences > s.occurrences OR n.digests > s.digests)), 0),
      ifnull(sum(t.first_seen > n.first_seen OR t.last_seen < n.last_seen), 0),
      ifnull(sum(:isComplete AND t.first_seen = n.first_seen), 0),
      ifnull(sum(:isComplete AND t.last_seen = n.last_seen), 0)
    FROM new_count AS n
    LEFT JOIN tally AS s ON s.span = 1 AND s.context = n.context AND s.start = :hour
      AND s.failure = n.failure
    LEFT JOIN total AS t ON t.context = n.context AND t.failure = n.failure
    """

  /// The number of rows that are stored and not recounted, and of decodes that differ.
  private static let completeHour = """
    SELECT
      ifnull((SELECT rows FROM hour_of_tally WHERE start = :hour), 0)
      - (SELECT count(*) FROM new_count AS n CROSS JOIN tally AS s
        ON s.span = 1 AND s.context = n.context AND s.start = :hour AND s.failure = n.failure),
      (SELECT count(*) FROM (
        SELECT context, model FROM (
          SELECT context, model, digests, failed, occurrences FROM new_decode
          UNION ALL
          SELECT context, model, -digests, -failed, -occurrences
          FROM hour_of_decodes WHERE start = :hour
        )
        GROUP BY 1, 2 HAVING sum(digests) <> 0 OR sum(failed) <> 0 OR sum(occurrences) <> 0))
    """

  /// The number of digests that an hour lacks, besides those that were evicted. Of stores that were
  /// merged, some may have been evicted there.
  private func missingDigests(inHour hour: Int64) throws -> Int64 {
    func isUnmerged(_ source: String) -> String {
      "EXISTS (SELECT 1 FROM source AS s WHERE s.id = \(source) AND (s.id = 1 OR s.counted = 0 AND s.pushing = 0))"
    }
    let missing = try connection.integer(
      """
      SELECT
        (SELECT ifnull(sum(h.digests), 0)
          FROM hour_of_decodes AS h CROSS JOIN context AS c ON c.id = h.context
          WHERE h.start = :hour AND \(isUnmerged("c.source")))
        - (SELECT count(*) FROM digest AS d
          WHERE \(SingleDigests.folded(from: ":hour * \(Moment.hour)", before: "(:hour + 1) * \(Moment.hour)"))
            AND \(isUnmerged("ifnull(d.source, 1)")))
        - (SELECT ifnull(sum(digests), 0) FROM loss WHERE reason = 'evicted' AND hour = :hour)
      """, [":hour": .integer(hour)])
    return max(0, missing ?? 0)
  }
}

extension TallyCheck {
  /// A table of counts by periods.
  private struct Table {
    let name: String
    let key: [String]
    let counts: [String]

    static let all = [
      Table(name: "tally", key: ["failure"], counts: ["occurrences", "digests"]),
      Table(
        name: "decodes", key: ["model"], counts: ["decodes", "digests", "failed", "occurrences"]),
    ]

    /// The number of rows in which two queries differ; a search by the key of this table finds the
    /// second row of each.
    ///
    /// - Parameters:
    ///   - sums: the query with sums by `context, start` and the key.
    ///   - rows: the `FROM` and `WHERE` clauses of the rows of this table that they are compared
    ///     with.
    func differences(_ sums: String, _ rows: String, span: Int64) -> String {
      let isSame = (["context", "start"] + key)
        .map { "s.\($0) = n.\($0)" }.joined(separator: " AND ")
      // Counts stop at the largest one.
      let isEqual = counts.map { "s.\($0) = min(n.\($0), \(Int64.maximumCount))" }
        .joined(separator: " AND ")
      return """
        SELECT count(*) - ifnull(sum(s.context IS NOT NULL), 0)
            + (SELECT count(*) \(rows)) - ifnull(sum(s.context IS NOT NULL), 0)
            + ifnull(sum(NOT (\(isEqual))), 0)
        FROM (\(sums)) AS n LEFT JOIN \(name) AS s ON s.span = \(span) AND \(isSame)
        """
    }

    func sums(_ columns: String, _ condition: String) -> String {
      let key = key.joined(separator: ", ")
      return """
        SELECT \(columns), \(key), \(counts.map { "sum(\($0)) AS \($0)" }.joined(separator: ", "))
        FROM \(name) WHERE \(condition) GROUP BY 1, 2, \(key)
        """
    }
  }

  private static let contexts = "context IN (SELECT id FROM context)"

  /// Compares each day with its hours, where it has all of them, and context 0 with all contexts.
  private mutating func checkDays() throws {
    let days = try connection.rows(
      """
      SELECT day FROM (
        SELECT DISTINCT start AS day FROM decodes WHERE span = 24 AND context = 0
        UNION SELECT DISTINCT start / 24 FROM decodes WHERE span = 1 AND context = 0
        UNION SELECT DISTINCT start FROM tally WHERE span = 24 AND context = 0
      )
      WHERE day BETWEEN 0 AND \(Moment.latest.hour / 24) ORDER BY 1
      """
    ) { $0.integer(at: 0) }
    for day in days {
      let hours = "span = 1 AND start BETWEEN \(day) * 24 AND \(day) * 24 + 23"
      let theDay = "span = 24 AND start = \(day)"
      let isComplete = try connection.hasHours(day: day)
      for table in Table.all {
        if isComplete {
          try add(
            ["counts of days differ from their hours"],
            table.differences(
              table.sums(
                "context, \(day) AS start", "\(hours) AND context IN (\(Self.settledOrAll))"),
              "FROM \(table.name) WHERE \(theDay) AND context IN (\(Self.settledOrAll))", span: 24))
        }
        // A day that equals its hours is a sum if they are.
        for span in isComplete ? [1] : [1, 24] {
          let periods = span == 1 ? hours : theDay
          try add(
            ["counts of all contexts differ from their sum"],
            table.differences(
              table.sums("0 AS context, start", "\(periods) AND \(Self.contexts)"),
              "FROM \(table.name) WHERE \(periods) AND context = 0", span: Int64(span)))
        }
      }
    }
  }

  /// Compares the totals of context 0 with those of all contexts, and with days.
  private mutating func checkTotals() throws {
    let lacksContexts = try hasLost("unattributed")
    let lacksDays = try hasLost("undated")
    let capped = "min(%, \(Int64.maximumCount))"
    func sum(_ condition: String, _ column: String) -> String {
      capped.replacing("%", with: "sum(iif(\(condition), \(column), 0))")
    }
    // Deleted contexts leave larger totals, and earlier first and later last times.
    try add(
      [
        "totals differ from the sum of their contexts",
        "totals have other times than their contexts",
      ],
      """
      SELECT
        ifnull(sum(o < oc OR d < dc \(lacksContexts ? "" : "OR o > oc OR d > dc")), 0),
        ifnull(sum(f > fc OR l < lc \(lacksContexts ? "" : "OR f < fc OR l > lc")), 0)
      FROM (
        SELECT \(sum("context = 0", "occurrences")) AS o, \(sum("context > 0", "occurrences")) AS oc,
          \(sum("context = 0", "digests")) AS d, \(sum("context > 0", "digests")) AS dc,
          min(iif(context = 0, first_seen, NULL)) AS f, min(iif(context > 0, first_seen, NULL)) AS fc,
          max(iif(context = 0, last_seen, NULL)) AS l, max(iif(context > 0, last_seen, NULL)) AS lc
        FROM total GROUP BY failure)
      """)
    let pushed = try connection.integer("SELECT count(*) FROM source WHERE pushing <> 0")
    guard pushed == 0 else { return }
    // Deleted days leave larger totals.
    try add(
      ["totals differ from the sum of their days"],
      """
      SELECT ifnull(sum(ot < o OR dt < d \(lacksDays ? "" : "OR ot > o OR dt > d")), 0)
      FROM (
        SELECT \(capped.replacing("%", with: "sum(o)")) AS o,
          \(capped.replacing("%", with: "sum(d)")) AS d, sum(ot) AS ot, sum(dt) AS dt FROM (
          SELECT failure, 0 AS o, 0 AS d, occurrences AS ot, digests AS dt FROM total
          WHERE context = 0
          UNION ALL SELECT failure, occurrences, digests, 0, 0 FROM tally
          WHERE span = 24 AND context = 0) GROUP BY failure)
      """)
  }

  private func hasLost(_ reason: String) throws -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM loss WHERE reason = '\(reason)')") == 1
  }
}
