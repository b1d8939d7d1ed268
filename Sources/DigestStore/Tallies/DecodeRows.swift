import ResilientPlatform

/// The decodes in a window, as a relation that reports build on.
///
/// Decodes without errors are counted by the hour. In a window that does not consist of whole hours
/// (``TimeWindow/inWholeHours``), those at its ends are missing, but digests are not. A model may have
/// several rows, which a report adds up.
struct DecodeRows {
  private let filter: DigestFilter
  private let window: TimeWindow
  private let splitsContexts: Bool
  private let period: Counts.Split?
  private let name: String

  /// - Parameters:
  ///   - filter: its contexts are counted; its models, failures and window are not used.
  ///   - window: the window to count, after ``Connection/widened(_:)``.
  ///   - splits: as of ``Counts``, but not by minute.
  ///   - name: a suffix of the parameters.
  init(
    _ filter: DigestFilter, in window: TimeWindow, by splits: Set<Counts.Split> = [],
    name: String = ""
  ) {
    self.filter = filter
    self.window = window
    self.name = name
    splitsContexts = splits.contains(.context)
    period = splits.first { $0 != .context }
  }

  /// A query with the columns `model, context, start, decodes, digests, failed, occurrences`.
  var sql: String {
    relation(stored: "decodes", columns: "decodes, digests, failed, occurrences") { digests in
      """
      SELECT d.model, d.context, d.recorded_at, 1 AS decodes, 1 AS digests,
        ifnull(e.errors, 0) > 0 AS failed, ifnull(e.errors, 0) AS occurrences
      FROM digest AS d LEFT JOIN (
        SELECT o.id, sum(o.times) AS errors FROM (\(OccurrenceRows.sql(where: digests))) AS o
        CROSS JOIN failure AS f ON f.id = o.failure
        WHERE \(ErrorKinds.condition("f.kind")) GROUP BY 1
      ) AS e ON e.id = d.id
      WHERE \(digests) AND \(OccurrenceRows.isSound)
      """
    }
  }

  /// A query with the columns `model, context, start, kind, digests`: the digests with at least one
  /// occurrence of a kind.
  var sqlByKind: String {
    relation(stored: "failed", columns: "kind, digests") { digests in
      """
      SELECT o.model, o.context, o.recorded_at, f.kind, 1 AS digests
      FROM (\(OccurrenceRows.sql(where: digests))) AS o CROSS JOIN failure AS f ON f.id = o.failure
      GROUP BY o.id, f.kind
      """
    }
  }

  /// The values of the parameters.
  var values: [String: SQLiteValue] { filter.values(name) }

  private func relation(
    stored table: String, columns: String, single: (_ digests: String) -> String
  ) -> String {
    guard !window.isEmpty else {
      let names = ["model", "context", "start"] + columns.components(separatedBy: ", ")
      return "SELECT \(names.map { "0 AS \($0)" }.joined(separator: ", ")) WHERE false"
    }
    let contextColumn = splitsContexts ? "context" : "0 AS context"
    let start = period.map { "recorded_at / \($0.length) * \($0.length)" } ?? "0"
    let conditions =
      window.edges.map { digests(in: $0, "\(Counts.ids(of: $0)) AND") } + [
        digests(in: window.range, "d.id > (SELECT folded FROM store) AND")
      ]
    let parts = conditions.map {
      "SELECT model, \(contextColumn), \(start) AS start, \(columns) FROM (\(single($0)))"
    }
    return (periods.map { stored($0, table, columns) } + parts).joined(separator: "\nUNION ALL\n")
  }

  /// The condition on the digests of a part of the window.
  private func digests(in range: Range<Moment>, _ condition: String) -> String {
    """
    \(condition) d.recorded_at >= \(range.lowerBound.milliseconds)
      AND d.recorded_at < \(range.upperBound.milliseconds)
      AND \(filter.contextsOfDigests("d.context", name))
    """
  }

  private var periods: [TimeWindow.Periods] { window.periods(longest: period == .hour ? 1 : 24) }

  private func stored(_ periods: TimeWindow.Periods, _ table: String, _ columns: String) -> String {
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    let length = periods.span * Moment.hour
    let start = period.map { "start * \(length) / \($0.length) * \($0.length)" } ?? "0"
    // Days whose counts were deleted are in no window, but in all time.
    let isOfAllTime = window.since == nil && window.until == nil && period == nil
    let first = isOfAllTime ? -1 : periods.hours.lowerBound / periods.span
    return """
      SELECT model, \(splitsContexts ? "context" : "0 AS context"), \(start) AS start, \(columns)
      FROM \(table)
      WHERE span = \(periods.span) AND \(contexts) AND start >= \(first)
        AND start < \(periods.hours.upperBound / periods.span)
      """
  }
}

extension TimeWindow {
  /// The smallest window of whole hours that contains this one.
  var inWholeHours: TimeWindow {
    let hour = Moment.hour
    return TimeWindow(
      since: since.map { Moment(milliseconds: $0.milliseconds / hour * hour) },
      until: until.map { Moment(milliseconds: ($0.milliseconds + hour - 1) / hour * hour) })
  }
}
