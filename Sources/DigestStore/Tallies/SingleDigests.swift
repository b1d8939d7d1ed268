/// The counts of digests that no stored counts cover: those at the ends of a window that are not
/// whole hours, and those that are not folded yet.
///
/// They are added up once, into temporary tables, so each statement of a report reads few rows
/// more. The tables are gone when the snapshot ends, because its transaction is rolled back.
struct SingleDigests {
  private let connection: any Engine

  /// A filter for contexts alone, so that reports on several models share a table.
  private let contexts: DigestFilter

  private let window: TimeWindow
  private let splitsContexts: Bool

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - filter: its contexts are counted; its models, failures and window are not used.
  ///   - window: the window to count, after ``Engine/widened(_:)``.
  ///   - splitsContexts: whether to count each context by itself. Otherwise the column is 0.
  init(
    _ connection: any Engine, _ filter: DigestFilter, in window: TimeWindow, splitsContexts: Bool
  ) {
    self.connection = connection
    contexts = filter.ofContexts
    self.window = window
    self.splitsContexts = splitsContexts
  }

  private var context: String { splitsContexts ? "context" : "0" }

  /// Returns the name of a table with the columns `context, start, failure, occurrences, digests`,
  /// as in `tally`.
  func tallies() throws -> String {
    try table("tally", key: ["failure"], counts: ["occurrences", "digests"]) { digests in
      """
      SELECT \(context) AS context, recorded_at / \(Moment.hour) AS start, failure, sum(times) AS occurrences,
        count(DISTINCT id) AS digests
      FROM (\(connection.occurrences(where: digests))) AS o GROUP BY 1, 2, 3
      """
    }
  }

  /// Returns the name of a table with the columns
  /// `context, start, model, decodes, digests, failed, occurrences`, as in `decodes`. Only digests
  /// are decodes in it.
  func decodes() throws -> String {
    let stored = """
      (SELECT span, context, start, model, digests AS decodes, digests, failed, occurrences
        FROM decodes) AS stored
      """
    let counts = ["decodes", "digests", "failed", "occurrences"]
    return try table(stored, key: ["model"], counts: counts) { digests in
      """
      SELECT \(context) AS context, recorded_at / \(Moment.hour) AS start, model, count(*) AS decodes,
        count(*) AS digests, 0 AS failed, 0 AS occurrences
      FROM digest AS d WHERE \(digests) AND \(OccurrenceRows.isSound) GROUP BY 1, 2, 3
      UNION ALL
      SELECT \(context), recorded_at / \(Moment.hour), o.model, 0, 0, count(DISTINCT o.id),
        sum(o.times)
      FROM (\(connection.occurrences(where: digests))) AS o CROSS JOIN failure AS f ON f.id = o.failure
      WHERE \(ErrorKinds.condition("f.kind")) GROUP BY 1, 2, 3
      """
    }
  }

  /// Returns the name of a table with the columns `context, start, model, kind, digests`, as in
  /// `failed`.
  func failed() throws -> String {
    try table("failed", key: ["model", "kind"], counts: ["digests"]) { digests in
      """
      SELECT \(context) AS context, recorded_at / \(Moment.hour) AS start, o.model AS model, f.kind AS kind,
        count(DISTINCT o.id) AS digests
      FROM (\(connection.occurrences(where: digests))) AS o CROSS JOIN failure AS f ON f.id = o.failure
      GROUP BY 1, 2, 3, 4
      """
    }
  }

  /// Returns the name of a table with the columns of `total`, of all digests that are not folded
  /// yet.
  static func totals(_ connection: any Engine) throws -> String {
    let digests = connection.occurrences(where: "d.id > (SELECT folded FROM store)")
    return try connection.temporaryTable(
      """
      WITH new AS MATERIALIZED (
        SELECT context, failure, sum(times) AS occurrences, count(DISTINCT id) AS digests,
          min(recorded_at) AS first_seen, max(recorded_at) AS last_seen
        FROM (\(digests)) AS o GROUP BY 1, 2
      )
      SELECT * FROM new UNION ALL
      SELECT 0, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
      FROM new GROUP BY 2
      """, [:], key: "failure, context")
  }
}

extension SingleDigests {
  /// A part of a window: the digests of an hour or, with the sign -, the others of the hour.
  private struct Part {
    let digests: String
    let sign: String
  }

  /// Returns the name of a table with the columns `context`, `start`, and those of the parameters.
  ///
  /// - Parameters:
  ///   - stored: the stored counts.
  ///   - key: the columns that identify a row of a context and an hour.
  ///   - counts: the columns to add up.
  ///   - rows: returns a query with all these columns, for the digests that meet a condition.
  private func table(
    _ stored: String, key: [String], counts: [String], _ rows: (_ digests: String) -> String
  ) throws -> String {
    let columns = (["start"] + key).joined(separator: ", ")
    let sums = counts.map { "sum(\($0)) AS \($0)" }.joined(separator: ", ")
    let single = parts.map { part in
      let digests = "\(part.digests) AND \(contexts.contextsOfDigests("d.context"))"
      return """
        SELECT context, \(columns), \(counts.map { part.sign + $0 }.joined(separator: ", "))
        FROM (\(rows(digests))) AS r
        """
    }
    let hours = complementedHours.map { hour in
      """
      SELECT \(context) AS context, \(columns), \(counts.joined(separator: ", ")) FROM \(stored)
      WHERE span = 1 AND start = \(hour)
        AND \(splitsContexts ? contexts.eachContext("context") : contexts.contexts("context"))
      """
    }
    return try connection.temporaryTable(
      """
      SELECT context, \(columns), \(sums)
      FROM (\((single + hours).joined(separator: "\nUNION ALL\n"))) AS h
      GROUP BY context, \(columns) HAVING sum(digests) > 0
      """, contexts.values(), key: nil)
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
        AND d.id <= (
          SELECT CASE WHEN max(h.last) < max(s.folded) THEN max(h.last) ELSE max(s.folded) END
          FROM hour AS h CROSS JOIN store AS s WHERE \(hours))
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
