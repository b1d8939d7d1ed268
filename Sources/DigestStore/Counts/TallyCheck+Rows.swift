/// Finds faults of single rows.
extension TallyCheck {
  /// Counts rows with numbers that no store writes, and rows that refer to no failure or model.
  mutating func checkRanges() throws {
    let moments = "NOT BETWEEN \(Moment.earliest.milliseconds) AND \(Moment.latest.milliseconds)"
    let counts = "NOT BETWEEN 0 AND \(Int64.maximumCount)"
    let starts = "NOT BETWEEN -1 AND \(Moment.latest.hour)"
    var ranges = [
      (
        "source",
        [
          "counted \(counts)", "counted_at \(moments)", "pushed_at \(moments)",
        ]
      ),
      (
        "origin",
        ["evicted \(counts)", "evicted_hour \(starts)", "seen \(starts)", "lost \(counts)"]
      ),
      ("upload", ["digest \(counts)", "hour \(starts)", "lines \(counts)"]),
      ("origin_decodes", ["hour \(starts)", "decodes \(counts)"]),
      ("loss", ["hour \(starts)", "digests \(counts)", "occurrences \(counts)"]),
      ("total", ["first_seen > last_seen"]),
      ("decodes", ["failed > digests", "digests > decodes"]),
    ]
    for table in CountTable.allCases {
      let periods = table.key.contains("span") ? ["span NOT IN (1, 24)", "start \(starts)"] : []
      let numbers = table.counts.map { "\($0) \(counts)" } + table.times.map { "\($0) \(moments)" }
      ranges.append((table.name, periods + numbers))
      try add(
        ["rows of \(table.name) refer to no \(table.subject) or context"],
        """
        SELECT count(*) FROM \(table.name)
        WHERE \(table.subject) NOT IN (SELECT id FROM \(table.subject))
          OR context <> 0 AND context NOT IN (SELECT id FROM context)
        """)
    }
    for (table, conditions) in ranges {
      try add(
        ["rows of \(table) have numbers that no store writes"],
        "SELECT count(*) FROM \(table) WHERE \(conditions.joined(separator: " OR "))")
    }
  }

  /// Counts digests and their errors, folded or not, and those that cannot be read.
  mutating func checkDigests() throws {
    digests = Int(clamping: try connection.integer("SELECT count(*) FROM digest") ?? 0)
    try add(
      ["digests cannot be read"],
      """
      SELECT count(*) FROM digest AS d
      WHERE NOT (\(OccurrenceRows.isSound)) OR NOT \(OccurrenceRows.isArray("d.errors"))
      """)
    try add(
      ["digests refer to no origin"],
      """
      SELECT count(*) FROM digest
      WHERE origin IS NOT NULL AND origin NOT IN (SELECT id FROM origin)
      """)
    _ = try connection.firstRow(
      """
      SELECT count(DISTINCT iif(isCounted, NULL, id)), ifnull(sum(iif(isCounted, times, 0)), 0),
        ifnull(sum(isCounted AND failure NOT IN (SELECT id FROM failure)), 0)
      FROM (
        SELECT id, failure, times, (\(OccurrenceRows.isCounted)) AS isCounted FROM (
          SELECT d.id, \(OccurrenceRows.failure()) AS failure, \(OccurrenceRows.times()) AS times
          FROM digest AS d CROSS JOIN json_each(\(OccurrenceRows.errors())) AS e
          LIMIT -1))
      """
    ) { row in
      add(row.integer(at: 0), "digests cannot be read")
      occurrences = max(0, row.integer(at: 1))
      add(row.integer(at: 2), "errors are of no known failure")
    }
  }
}
