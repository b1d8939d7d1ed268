/// Compares a recount of the digests with the stored counts: hours with digests, days with hours,
/// totals with days, and context 0 with the sum of all contexts.
///
/// Works hour by hour and day by day, so its memory does not grow with the file.
struct TallyCheck {
  /// The number of ids between two progress reports.
  private static let stride: Int64 = 4_096

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
      ("failed", "span NOT IN (1, 24) OR start NOT \(starts) OR digests NOT \(counts)"),
      (
        "hour",
        "start NOT \(starts) OR first NOT \(counts) OR last NOT \(counts) OR first > last"
      ),
      ("loss", "hour NOT \(starts) OR digests NOT \(counts) OR occurrences NOT \(counts)"),
    ]
    for (table, condition) in ranges {
      add(
        try connection.integer("SELECT count(*) FROM \(table) WHERE \(condition)"),
        "rows of \(table) have numbers that no store writes")
    }
    for (table, column) in [
      ("total", "failure"), ("tally", "failure"), ("decodes", "model"), ("failed", "model"),
    ] {
      add(
        try connection.integer(
          """
          SELECT count(*) FROM \(table)
          WHERE \(column) NOT IN (SELECT id FROM \(column))
            OR context <> 0 AND context NOT IN (SELECT id FROM context)
          """), "rows of \(table) refer to no \(column) or context")
    }
  }

  /// Counts digests, and those that cannot be read, by ranges of ids.
  private mutating func checkDigests() throws {
    guard let first = try connection.integer("SELECT min(id) FROM digest"),
      let last = try connection.integer("SELECT max(id) FROM digest")
    else { return }
    let count = try Statement(
      connection,
      """
      SELECT count(*),
        ifnull(sum(NOT (\(OccurrenceRows.isSound)) OR NOT \(OccurrenceRows.isArray("d.errors"))), 0),
        ifnull(sum(d.id <= (SELECT folded FROM store) AND NOT EXISTS (
          SELECT 1 FROM hour WHERE start = d.recorded_at / \(Moment.hour)
            AND d.id BETWEEN first AND last)), 0)
      FROM digest AS d WHERE d.id BETWEEN ?1 AND ?2
      """)
    let read = try Statement(
      connection,
      """
      SELECT count(DISTINCT iif(isCounted, NULL, id)), ifnull(sum(iif(isCounted, times, 0)), 0),
        ifnull(sum(isCounted AND failure NOT IN (SELECT id FROM failure)), 0)
      FROM (
        SELECT id, failure, times, (\(OccurrenceRows.isCounted)) AS isCounted FROM (
          SELECT d.id, \(OccurrenceRows.failure()) AS failure, \(OccurrenceRows.times()) AS times
          FROM digest AS d CROSS JOIN json_each(\(OccurrenceRows.errors())) AS e
          WHERE d.id BETWEEN ?1 AND ?2
          LIMIT -1))
      """)
    let total = try connection.integer("SELECT count(*) FROM digest").map { Int(clamping: $0) }
    var next: Int64? = first
    while let start = next {
      let end = start > last - Self.stride ? last : start + Self.stride - 1
      let range: [SQLValue] = [.integer(start), .integer(end)]
      _ = try count.firstRow(range) { row in
        digests += Int(clamping: row.integer(at: 0))
        add(row.integer(at: 1), "digests cannot be read")
        add(row.integer(at: 2), "digests are not found by their hour")
      }
      _ = try read.firstRow(range) { row in
        add(row.integer(at: 0), "digests cannot be read")
        occurrences = occurrences.adding(count: max(0, row.integer(at: 1)))
        add(row.integer(at: 2), "errors are of no known failure")
      }
      progress?(.init(unit: .digests, done: digests, total: total))
      // Ids may have gaps.
      next =
        try Statement(connection, "SELECT min(id) FROM digest WHERE id > ?")
        .firstRow([.integer(end)]) { $0.optionalInteger(at: 0) } ?? nil
    }
  }
}

extension TallyCheck {
  /// Compares each hour with its digests. Where some are deleted, the rest must be counted.
  private mutating func checkHours() throws {
    let hours = try connection.rows("SELECT start FROM hour ORDER BY start") { $0.integer(at: 0) }
    let recount = """
      WITH occurrence AS MATERIALIZED (
        SELECT o.id, o.recorded_at, o.model, o.context, o.failure, f.kind, o.times
        FROM (\(OccurrenceRows.sql(where: Self.digestsOfHour))) AS o
        CROSS JOIN failure AS f ON f.id = o.failure
      )
      """
    // EXCEPT instead of a left join, for which SQLite builds no index on these tables.
    let tallies = try Statement(
      connection,
      """
      \(recount),
      recount AS (
        SELECT context, failure, sum(times) AS occurrences, count(DISTINCT id) AS digests,
          min(recorded_at) AS first_seen, max(recorded_at) AS last_seen
        FROM occurrence GROUP BY 1, 2
      ),
      stored AS (
        SELECT * FROM tally
        WHERE span = 1 AND context IN (SELECT id FROM context) AND start = :hour
      )
      SELECT
        (SELECT count(*) FROM (
          SELECT context, failure FROM recount EXCEPT SELECT context, failure FROM stored)),
        (SELECT count(*) FROM recount AS r JOIN stored AS s USING (context, failure)
          WHERE iif(:isComplete, r.occurrences <> s.occurrences OR r.digests <> s.digests,
            r.occurrences > s.occurrences OR r.digests > s.digests)),
        iif(:isComplete, (SELECT count(*) FROM (
          SELECT context, failure FROM stored EXCEPT SELECT context, failure FROM recount)), 0),
        (SELECT count(*) FROM recount AS r LEFT JOIN total AS t USING (context, failure)
          WHERE t.first_seen > r.first_seen OR t.last_seen < r.last_seen)
      """)
    let decodes = try Statement(
      connection,
      """
      \(recount),
      recount AS (
        SELECT d.context, d.model, count(*) AS digests, count(e.id) AS failed,
          ifnull(sum(e.errors), 0) AS occurrences
        FROM digest AS d LEFT JOIN (
          SELECT id, sum(times) AS errors FROM occurrence
          WHERE \(ErrorKinds.condition("kind")) GROUP BY 1
        ) AS e ON e.id = d.id
        WHERE \(Self.digestsOfHour) AND \(OccurrenceRows.isSound)
        GROUP BY 1, 2
      ),
      stored AS (
        SELECT context, model, digests, failed, occurrences FROM decodes
        WHERE span = 1 AND context IN (SELECT id FROM context) AND start = :hour AND digests > 0
      )
      SELECT count(*) FROM (
        SELECT * FROM (SELECT * FROM recount EXCEPT SELECT * FROM stored)
        UNION ALL SELECT * FROM (SELECT * FROM stored EXCEPT SELECT * FROM recount))
      """)
    for hour in hours where try connection.hasHours(day: hour / 24) {
      let isComplete = try connection.hasDigests(hour: hour)
      let values: [String: SQLValue] = [
        ":hour": .integer(hour), ":isComplete": .integer(isComplete ? 1 : 0),
      ]
      try tallies.bind(named: values)
      _ = try tallies.firstRow { row in
        add(row.integer(at: 0), "counts are missing")
        add(row.integer(at: 1), "counts differ from a recount")
        add(row.integer(at: 2), "counts differ from a recount")
        add(row.integer(at: 3), "totals have later first or earlier last times than a digest")
      }
      guard isComplete else {
        add(try missingDigests(inHour: hour), "digests are missing, and no loss says so")
        continue
      }
      try decodes.bind(named: values)
      add(
        try decodes.firstRow { $0.integer(at: 0) },
        "hours whose decodes disagree with their digests")
    }
  }

  /// The condition on the counted digests of the hour `:hour`.
  private static let digestsOfHour = """
    d.id BETWEEN (SELECT first FROM hour WHERE start = :hour)
        AND (SELECT min(last, (SELECT folded FROM store)) FROM hour WHERE start = :hour)
      AND d.recorded_at >= :hour * \(Moment.hour) AND d.recorded_at < (:hour + 1) * \(Moment.hour)
    """

  /// The number of digests that an hour lacks, besides those that were evicted. Of stores that were
  /// merged, some may have been evicted there.
  private func missingDigests(inHour hour: Int64) throws -> Int64 {
    let unmerged = "SELECT id FROM source WHERE id = 1 OR counted = 0"
    let missing = try connection.rows(
      """
      SELECT
        (SELECT ifnull(sum(digests), 0) FROM decodes
          WHERE span = 1 AND start = :hour
            AND context IN (SELECT id FROM context WHERE source IN (\(unmerged))))
        - (SELECT count(*) FROM digest AS d
          WHERE \(Self.digestsOfHour) AND ifnull(d.source, 1) IN (\(unmerged)))
        - (SELECT ifnull(sum(digests), 0) FROM loss WHERE reason = 'evicted' AND hour = :hour)
      """, [":hour": .integer(hour)]
    ) { $0.integer(at: 0) }
    return max(0, missing.first ?? 0)
  }
}

extension TallyCheck {
  /// Compares each day with its hours, where it has all of them, and context 0 with all contexts.
  private mutating func checkDays() throws {
    let days = try connection.rows(
      """
      SELECT DISTINCT start FROM decodes WHERE span = 24 AND context = 0 AND start >= 0
      UNION SELECT DISTINCT start / 24 FROM decodes WHERE span = 1 AND context = 0
      UNION SELECT DISTINCT start FROM tally WHERE span = 24 AND context = 0
      """
    ) { $0.integer(at: 0) }
    let tables = [
      ("tally", "failure", ["occurrences", "digests"]),
      ("decodes", "model", ["decodes", "digests", "failed", "occurrences"]),
      ("failed", "model, kind", ["digests"]),
    ]
    for day in days {
      let isComplete = try connection.hasHours(day: day)
      for (table, key, columns) in tables {
        // Counts stop at the largest one.
        let sums = columns.map { "min(sum(\($0)), \(Int64.maximumCount))" }.joined(separator: ", ")
        if isComplete {
          add(
            try differences(
              """
              SELECT context, \(key), \(sums) FROM \(table)
              WHERE span = 1 AND context IN (SELECT 0 UNION ALL SELECT id FROM context)
                AND start BETWEEN \(day) * 24 AND \(day) * 24 + 23 GROUP BY context, \(key)
              """,
              """
              SELECT context, \(key), \(sums) FROM \(table)
              WHERE span = 24 AND context IN (SELECT 0 UNION ALL SELECT id FROM context)
                AND start = \(day) GROUP BY context, \(key)
              """), "counts of days differ from their hours")
        }
        for (span, range) in [
          (1, "start BETWEEN \(day) * 24 AND \(day) * 24 + 23"), (24, "start = \(day)"),
        ] {
          add(
            try differences(
              """
              SELECT start, \(key), \(sums) FROM \(table)
              WHERE span = \(span) AND context IN (SELECT id FROM context) AND \(range)
              GROUP BY start, \(key)
              """,
              """
              SELECT start, \(key), \(sums) FROM \(table)
              WHERE span = \(span) AND context = 0 AND \(range) GROUP BY start, \(key)
              """), "counts of all contexts differ from their sum")
        }
      }
    }
  }

  /// Compares the totals of context 0 with those of all contexts, and with days.
  private mutating func checkTotals() throws {
    let lacksContexts =
      try connection.integer("SELECT EXISTS (SELECT 1 FROM loss WHERE reason = 'unattributed')")
      == 1
    let lacksDays =
      try connection.integer("SELECT EXISTS (SELECT 1 FROM loss WHERE reason = 'undated')") == 1
    // Deleted contexts and days leave larger totals.
    add(
      try connection.integer(
        """
        SELECT count(*) FROM (
          SELECT failure, sum(iif(context = 0, occurrences, 0)) AS o,
            min(sum(iif(context = 0, 0, occurrences)), \(Int64.maximumCount)) AS oc,
            sum(iif(context = 0, digests, 0)) AS d,
            min(sum(iif(context = 0, 0, digests)), \(Int64.maximumCount)) AS dc
          FROM total GROUP BY failure)
        WHERE o < oc OR d < dc \(lacksContexts ? "" : "OR o > oc OR d > dc")
        """), "totals differ from the sum of their contexts")
    add(
      try connection.integer(
        """
        SELECT count(*) FROM (
          SELECT failure, min(sum(o), \(Int64.maximumCount)) AS o,
            min(sum(d), \(Int64.maximumCount)) AS d, sum(ot) AS ot, sum(dt) AS dt FROM (
            SELECT failure, 0 AS o, 0 AS d, occurrences AS ot, digests AS dt FROM total
            WHERE context = 0
            UNION ALL SELECT failure, occurrences, digests, 0, 0 FROM tally
            WHERE span = 24 AND context = 0) GROUP BY failure)
        WHERE ot < o OR dt < d \(lacksDays ? "" : "OR ot > o OR dt > d")
        """), "totals differ from the sum of their days")
  }

  /// The number of rows that only one of two queries returns.
  private func differences(_ left: String, _ right: String) throws -> Int64? {
    try connection.integer(
      """
      SELECT count(*) FROM (
        SELECT * FROM (\(left) EXCEPT \(right)) UNION ALL SELECT * FROM (\(right) EXCEPT \(left)))
      """)
  }
}
