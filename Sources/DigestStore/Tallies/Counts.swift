/// The counts of failures in a window, as a relation that reports build on.
///
/// It consists of whole days, then whole hours, then single digests: those at ends of the window
/// that are not whole hours, and those that are not folded yet. Without a window, the counts of all
/// time take the place of days and hours.
///
/// A failure may have several rows. A report adds them up:
///
///     WITH \(counts.new.definition)
///     SELECT failure, sum(occurrences), sum(digests) FROM (\(counts.sql)) GROUP BY failure
struct Counts {
  /// How the counts are divided further than by failure.
  enum Split: Hashable {
    /// By context. Otherwise the column is 0.
    case context
    /// By the minute, hour or day in which a digest was recorded. Otherwise the column is 0.
    case minute, hour, day

    /// The length of the periods in milliseconds.
    var length: Int64 {
      switch self {
      case .context: 0
      case .minute: 60_000
      case .hour: Moment.hour
      case .day: 24 * Moment.hour
      }
    }
  }

  let filter: DigestFilter

  /// The table that a statement has to define.
  let new: NewOccurrences

  /// The window to count, after ``Connection/widened(_:)``.
  let window: TimeWindow

  private let splitsContexts: Bool
  private let period: Split?

  /// Distinguishes the parameters of two relations in one statement.
  private let name: String

  /// A further condition on the column `failure`.
  private let condition: String

  /// - Parameters:
  ///   - filter: its contexts and failures are counted; its window is not used.
  ///   - name: a suffix of the parameters.
  ///   - condition: a further condition on the column `failure`.
  init(
    _ filter: DigestFilter, in window: TimeWindow, by splits: Set<Split> = [], name: String = "",
    where condition: String = "true"
  ) {
    self.condition = condition
    self.filter = filter
    self.window = window
    self.name = name
    new = NewOccurrences(filter, name: name)
    splitsContexts = splits.contains(.context)
    period = splits.first { $0 != .context }
  }

  /// A query with the columns `failure, context, start, occurrences, digests`. A start is in
  /// milliseconds since 1970.
  var sql: String {
    guard !window.isEmpty else {
      return """
        SELECT 0 AS failure, 0 AS context, 0 AS start, 0 AS occurrences, 0 AS digests WHERE false
        """
    }
    return (stored + single).joined(separator: "\nUNION ALL\n")
  }

  /// The values of the parameters.
  var values: [String: SQLiteValue] { filter.values(name) }
}

extension Counts {
  /// The condition on the column `context` of a table of counts.
  private var contexts: String {
    splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
  }

  /// The condition on the column `failure`.
  private var failures: String { "\(filter.choosesFailures(name)) AND \(condition)" }

  private var contextColumn: String { splitsContexts ? "context" : "0 AS context" }

  /// The counts of periods.
  private var stored: [String] {
    switch period {
    case .minute: []
    case .hour: window.periods(longest: 1).map(stored)
    case .day: window.periods(longest: 24).map(stored)
    case .context, nil: window.periods().map(stored)
    }
  }

  private func stored(_ periods: TimeWindow.Periods) -> String {
    guard periods.span > 0 else {
      return """
        SELECT failure, \(contextColumn), 0 AS start, occurrences, digests FROM total
        WHERE \(contexts) AND \(failures)
        """
    }
    let length = periods.span * Moment.hour
    let start =
      period.map {
        $0.length == length
          ? "start * \(length)" : "start * \(length) / \($0.length) * \($0.length)"
      }
      ?? "0"
    return """
      SELECT failure, \(contextColumn), \(start) AS start, occurrences, digests FROM tally
      WHERE span = \(periods.span) AND \(contexts)
        AND start >= \(periods.hours.lowerBound / periods.span)
        AND start < \(periods.hours.upperBound / periods.span) AND \(failures)
      """
  }

  /// The counts of single digests.
  private var single: [String] {
    let counted = period == .minute ? [window.range] : window.edges
    let folded = counted.map { range in
      OccurrenceRows.sql(
        where: """
          \(Self.ids(of: range)) AND d.recorded_at >= \(range.lowerBound.milliseconds)
            AND d.recorded_at < \(range.upperBound.milliseconds)
            AND \(filter.contextsOfDigests("d.context", name))
          """)
    }
    let new = """
      SELECT * FROM \(new.table) WHERE recorded_at >= \(window.range.lowerBound.milliseconds)
        AND recorded_at < \(window.range.upperBound.milliseconds)
      """
    return (folded + [new]).map(single)
  }

  /// The condition on the ids of the folded digests in a range.
  static func ids(of range: Range<Moment>) -> String {
    let hours =
      "start BETWEEN \(range.lowerBound.hour) AND \(max(range.lowerBound.milliseconds, range.upperBound.milliseconds - 1) / Moment.hour)"
    return """
      d.id >= (SELECT min(first) FROM hour WHERE \(hours))
        AND d.id <= (SELECT min(max(last), (SELECT folded FROM store)) FROM hour WHERE \(hours))
      """
  }

  private func single(_ rows: String) -> String {
    let start = period.map { "recorded_at / \($0.length) * \($0.length)" } ?? "0"
    return """
      SELECT failure, \(contextColumn), \(start) AS start, sum(times) AS occurrences,
        count(DISTINCT id) AS digests
      FROM (\(rows))
      WHERE \(failures)
      GROUP BY 1, 2, 3
      """
  }
}
