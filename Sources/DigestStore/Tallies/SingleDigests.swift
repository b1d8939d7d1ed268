/// The counts of digests that no stored counts cover: those at the ends of a window that are not whole
/// hours, and those that are not folded yet.
///
/// They are added up once, into temporary tables with the columns of the stored ones, and with the
/// sums of all contexts as context 0. So the statements of a report read few rows more. The tables are gone
/// when the snapshot ends, because its transaction is rolled back.
struct SingleDigests {
  /// A temporary table, with the columns that identify a row of a context and hour, and the columns to add up.
  private struct Table {
    let name: String

    /// The stored counts.
    let stored: String
    let key: [String]
    let counts: [String]

    /// Returns a query with the columns of the table for the digests that meet a condition.
    let rows: (_ digests: String) -> String
  }

  /// A part of a window: the digests of an hour or, with the sign -, the others of the hour.
  private struct Part {
    let digests: String
    let sign: String
  }

  private let connection: Connection
  private let window: TimeWindow

  /// - Parameters:
  ///   - connection: a snapshot, see ``Connection/reading(_:)``.
  ///   - window: the window to count, after ``Connection/widened(_:)``.
  init(_ connection: Connection, in window: TimeWindow) throws {
    assert(connection.isInTransaction, "nothing would delete the temporary tables")
    self.connection = connection
    self.window = window
    try connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS single_window (name, since, until, PRIMARY KEY (name, since, until))"
    )
  }

  /// Fills `single_tally`.
  ///
  /// - Returns: the condition on its rows of the window.
  func tallies() throws -> String {
    try fill(
      Table(
        name: "tally", stored: "tally", key: ["failure"], counts: ["occurrences", "digests"]
      ) { digests in
        """
        SELECT context, recorded_at / \(Moment.hour) AS start, failure, sum(times) AS occurrences,
          count(DISTINCT id) AS digests
        FROM (\(OccurrenceRows.sql(where: digests))) GROUP BY 1, 2, 3
        """
      })
  }

  /// Fills `single_decodes`, where only digests are decodes.
  ///
  /// - Returns: the condition on its rows of the window.
  func decodes() throws -> String {
    try fill(
      Table(
        name: "decodes",
        stored: """
          (SELECT span, context, start, model, digests AS decodes, digests, failed, occurrences
          FROM decodes)
          """,
        key: ["model"], counts: ["decodes", "digests", "failed", "occurrences"]
      ) { digests in
        """
        SELECT context, recorded_at / \(Moment.hour) AS start, model, count(*) AS decodes,
          count(*) AS digests, 0 AS failed, 0 AS occurrences
        FROM digest AS d WHERE \(digests) AND \(OccurrenceRows.isSound) GROUP BY 1, 2, 3
        UNION ALL
        SELECT o.context, o.recorded_at / \(Moment.hour), o.model, 0, 0, count(DISTINCT o.id),
          sum(o.times)
        FROM (\(OccurrenceRows.sql(where: digests))) AS o CROSS JOIN failure AS f ON f.id = o.failure
        WHERE \(ErrorKinds.condition("f.kind")) GROUP BY 1, 2, 3
        """
      })
  }

  /// Fills `single_failed`.
  ///
  /// - Returns: the condition on its rows of the window.
  func failed() throws -> String {
    try fill(
      Table(name: "failed", stored: "failed", key: ["model", "kind"], counts: ["digests"]) {
        digests in
        """
        SELECT o.context, o.recorded_at / \(Moment.hour) AS start, o.model, f.kind,
          count(DISTINCT o.id) AS digests
        FROM (\(OccurrenceRows.sql(where: digests))) AS o CROSS JOIN failure AS f ON f.id = o.failure
        GROUP BY 1, 2, 3, 4
        """
      })
  }

  /// Fills `single_total`, with the digests that are not folded yet.
  static func fillTotals(_ connection: Connection) throws {
    let all = TimeWindow(since: nil, until: nil)
    guard try SingleDigests(connection, in: all).begins("total") else { return }
    try connection.execute(
      """
      CREATE TEMP TABLE single_total (
        context, failure, occurrences, digests, first_seen, last_seen, PRIMARY KEY (context, failure)
      ) WITHOUT ROWID;
      INSERT INTO single_total
      SELECT context, failure, sum(times), count(DISTINCT id), min(recorded_at), max(recorded_at)
      FROM (\(OccurrenceRows.sql(where: "d.id > (SELECT folded FROM store)"))) GROUP BY 1, 2;
      INSERT INTO single_total
      SELECT 0, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
      FROM single_total GROUP BY 2;
      """)
  }
}

extension SingleDigests {
  private var since: Int64 { window.range.lowerBound.milliseconds }
  private var until: Int64 { window.range.upperBound.milliseconds }

  /// Whether a table does not have the counts of the window yet.
  private func begins(_ table: String) throws -> Bool {
    try connection.execute(
      "INSERT OR IGNORE INTO single_window VALUES ('\(table)', \(since), \(until))")
    return connection.changes == 1
  }

  private func fill(_ table: Table) throws -> String {
    let name = "single_\(table.name)"
    let isOfWindow = "since = \(since) AND until = \(until)"
    guard try begins(table.name) else { return isOfWindow }
    let key = (["context", "start"] + table.key).joined(separator: ", ")
    let counts = table.counts.joined(separator: ", ")
    let sums = table.counts.map { "sum(\($0))" }.joined(separator: ", ")
    let added = parts.map {
      "SELECT \(key), \($0.sign)\(table.counts.joined(separator: ", \($0.sign)")) FROM (\(table.rows($0.digests)))"
    }
    let stored = complementedHours.map {
      """
      SELECT \(key), \(counts) FROM \(table.stored)
      WHERE span = 1 AND context IN (SELECT id FROM context) AND start = \($0)
      """
    }
    let otherKeys = (["start"] + table.key).joined(separator: ", ")
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS \(name) (
        since, until, \(key), \(counts), PRIMARY KEY (since, until, \(key))
      ) WITHOUT ROWID;
      INSERT INTO \(name)
      SELECT \(since), \(until), \(key), \(sums)
      FROM (\((added + stored).joined(separator: "\nUNION ALL\n")))
      GROUP BY \(key) HAVING sum(digests) > 0;
      INSERT INTO \(name)
      SELECT since, until, 0, \(otherKeys), \(sums) FROM \(name) WHERE \(isOfWindow)
      GROUP BY \(otherKeys);
      """)
    return isOfWindow
  }

  /// The ends of the window by hour.
  private var ends: [(hour: Int64, range: Range<Moment>)] {
    window.edges.flatMap { edge in
      (edge.lowerBound.hour...(edge.upperBound.milliseconds - 1) / Moment.hour).map { hour in
        (hour, edge.clamped(to: Self.range(ofHour: hour)))
      }
    }
  }

  /// The hours of which more than half is in the window. Their stored counts less the rest are read
  /// faster.
  private var complementedHours: [Int64] {
    ends.filter { Self.isMostOfHour($0.range) }.map(\.hour)
  }

  private var parts: [Part] {
    let unfolded = Part(
      digests: "d.id > (SELECT folded FROM store) AND \(Self.times(window.range))", sign: "")
    return [unfolded]
      + ends.flatMap { hour, range in
        guard Self.isMostOfHour(range) else { return [Part(digests: Self.folded(range), sign: "")] }
        let all = Self.range(ofHour: hour)
        return [all.lowerBound..<range.lowerBound, range.upperBound..<all.upperBound]
          .filter { !$0.isEmpty }.map { Part(digests: Self.folded($0), sign: "-") }
      }
  }

  private static func isMostOfHour(_ range: Range<Moment>) -> Bool {
    range.upperBound.milliseconds - range.lowerBound.milliseconds > Moment.hour / 2
  }

  private static func range(ofHour hour: Int64) -> Range<Moment> {
    Moment(milliseconds: hour * Moment.hour)..<Moment(milliseconds: (hour + 1) * Moment.hour)
  }

  /// The condition on `digest AS d` that it is folded and in a range.
  static func folded(_ range: Range<Moment>) -> String {
    let hours = """
      start BETWEEN \(range.lowerBound.hour) \
      AND \(max(range.lowerBound.milliseconds, range.upperBound.milliseconds - 1) / Moment.hour)
      """
    return """
      d.id >= (SELECT min(first) FROM hour WHERE \(hours))
        AND d.id <= (SELECT min(max(last), (SELECT folded FROM store)) FROM hour WHERE \(hours))
        AND \(times(range))
      """
  }

  /// The condition on `digest AS d` that it is in a range.
  static func times(_ range: Range<Moment>) -> String {
    """
    d.recorded_at >= \(range.lowerBound.milliseconds) AND d.recorded_at < \(range.upperBound.milliseconds)
    """
  }
}
