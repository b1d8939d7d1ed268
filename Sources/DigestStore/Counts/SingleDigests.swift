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

  /// Returns the name of a table with the columns of `tally` or `decodes`, without `span`. Only
  /// digests are decodes in it.
  func table(of table: CountTable) throws -> String {
    let columns = "context, start, \(table.subject)"
    let parts = [Self.unfolded(in: window.range)] + window.edges.map(Self.folded)
    let queries = parts.map { part in
      let rows = rows(of: table, "\(part) AND \(contexts.contextsOfDigests("d.context"))")
      return "SELECT \(columns), \(table.counts.joined(separator: ", "))\nFROM (\(rows)) AS r"
    }
    let sums = table.counts.map { "sum(\($0)) AS \($0)" }
    return try connection.temporaryTable(
      """
      SELECT \(columns), \(sums.joined(separator: ", "))
      FROM (\(queries.joined(separator: "\nUNION ALL\n"))) AS h
      GROUP BY \(columns)
      """, contexts.values(), key: nil)
  }

  /// The counts of the digests that meet a condition.
  private func rows(of table: CountTable, _ digests: String) -> String {
    let context = splitsContexts ? "context" : "0"
    guard table == .decodes else {
      return """
        SELECT \(context) AS context, recorded_at / \(Moment.hour) AS start, failure, sum(times) AS occurrences,
          count(DISTINCT id) AS digests
        FROM (\(connection.occurrences(where: digests))) AS o GROUP BY 1, 2, 3
        """
    }
    return """
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
  /// The condition on `digest AS d` that it is folded and in a range. The index on times finds the
  /// digests.
  static func folded(_ range: Range<Moment>) -> String {
    folded(from: "\(range.lowerBound.milliseconds)", before: "\(range.upperBound.milliseconds)")
  }

  static func folded(from first: String, before end: String) -> String {
    """
    d.recorded_at >= \(first) AND d.recorded_at < \(end) \
    AND CAST(d.id AS bigint) <= (SELECT folded FROM store)
    """
  }

  /// The condition on `digest AS d` that it is not folded yet and in a range. The ids find the
  /// digests.
  static func unfolded(in range: Range<Moment>) -> String {
    "d.id > (SELECT folded FROM store) AND \(times(range, of: "CAST(d.recorded_at AS bigint)"))"
  }

  /// The condition that a time is in a range. A cast hides a column from its index.
  static func times(_ range: Range<Moment>, of time: String = "d.recorded_at") -> String {
    "\(time) >= \(range.lowerBound.milliseconds) AND \(time) < \(range.upperBound.milliseconds)"
  }
}

/// The errors in the column `errors` of digests, as rows.
///
/// A file may contain any text there. What is damaged or crafted counts nothing and stops nothing:
/// text that isn't JSON, elements that aren't arrays, and ids and times that aren't integers or out
/// of range. ``TallyCheck`` reports it.
enum OccurrenceRows {
  /// The id of an element's failure; null if the element cannot be read.
  ///
  /// - Parameter element: the alias of `json_each`.
  static func failure(of element: String = "e") -> String {
    "iif(\(element).type = 'array', \(element).value ->> 0, NULL)"
  }

  /// How often an element counts.
  static func times(of element: String = "e") -> String {
    "iif(\(element).type = 'array', ifnull(\(element).value ->> 2, 1), NULL)"
  }

  /// The arguments of `json_each` for a digest.
  ///
  /// - Parameter digest: the alias of `digest`.
  static func errors(of digest: String = "d") -> String {
    "iif(\(isArray("\(digest).errors")), \(digest).errors, '[]')"
  }

  /// The condition that a text is a JSON array, as a store writes it: without a space before it.
  static func isArray(_ text: String) -> String {
    "(substr(\(text), 1, 1) = '[' AND json_valid(\(text)))"
  }

  /// The condition on the columns `failure` and `times` of a row that is counted.
  static let isCounted = """
    typeof(failure) = 'integer' AND typeof(times) = 'integer' \
    AND times BETWEEN 1 AND \(DigestRecord.maximumCount)
    """

  /// The condition that `digest AS d` has a time and a context that a store writes.
  static let isSound = """
    d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN \(Moment.earliest.milliseconds) \
    AND \(Moment.latest.milliseconds)
    """

  /// A query with the columns `id, recorded_at, model, context, failure, times`.
  ///
  /// - Parameters:
  ///   - condition: the condition on `digest AS d`.
  ///   - table: the table of digests.
  static func sql(where condition: String, from table: String = "digest") -> String {
    // LIMIT -1 keeps SQLite from merging the two levels: the checks see values, and never raise.
    """
    SELECT * FROM (
      SELECT d.id, d.recorded_at, d.model, d.context, \(failure()) AS failure, \(times()) AS times
      FROM \(table) AS d CROSS JOIN json_each(\(errors())) AS e
      WHERE \(condition) AND \(isSound)
      LIMIT -1
    )
    WHERE \(isCounted)
    """
  }
}

extension Connection {
  package func occurrences(where condition: String) -> String {
    OccurrenceRows.sql(where: condition)
  }
}
