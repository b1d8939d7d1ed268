/// The counts of failures or of models in a window, as a relation that reports build on.
///
/// It consists of whole days, then whole hours, then ``SingleDigests``. Without a window, the
/// counts of all time take the place of days and hours. It can be read until the snapshot ends.
///
/// A failure or a model may have several rows. A report adds them up:
///
///     SELECT failure, sum(occurrences), sum(digests) FROM (\(counts.sql)) AS c GROUP BY failure
struct Counts {
  /// How the counts are divided further.
  enum Split: Hashable {
    /// By context. Otherwise the column is 0.
    case context
    /// By the minute, hour or day in which a digest was recorded. Otherwise the column is 0. Models
    /// are not counted by minute.
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

  private let connection: any Engine
  private let table: CountTable
  let filter: DigestFilter

  /// The window to count, after ``Engine/widened(_:)``.
  let window: TimeWindow

  private let splitsContexts: Bool
  private let period: Split?

  /// The table of single digests; nil by minute, where they are read one by one.
  private let single: String?

  /// Distinguishes the parameters of two relations in one statement.
  private let name: String

  /// A further condition on the column `failure`.
  private let condition: String

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - table: the table of hours and days: that of failures, or that of models.
  ///   - filter: its contexts and failures are counted, or all models of its contexts; its window
  ///     is not used.
  ///   - name: a suffix of the parameters.
  ///   - condition: a further condition on the column `failure`.
  init(
    _ connection: any Engine, of table: CountTable = .tally, _ filter: DigestFilter,
    in window: TimeWindow, by splits: Set<Split> = [], name: String = "",
    where condition: String = "true"
  ) throws {
    self.connection = connection
    self.table = table
    self.condition = condition
    self.filter = filter
    self.window = window
    self.name = name
    splitsContexts = splits.contains(.context)
    period = splits.first { $0 != .context }
    single =
      period == .minute || window.isEmpty
      ? nil
      : try SingleDigests(
        connection, filter, in: window, splitsContexts: splitsContexts
      ).table(of: table)
  }

  /// A query with the columns `failure` or `model`, `context`, `start`, and those to add up. A start
  /// is in milliseconds since 1970.
  var sql: String {
    guard !window.isEmpty else {
      let columns = [table.subject, "context", "start"] + table.counts
      return "SELECT \(columns.map { "0 AS \($0)" }.joined(separator: ", ")) WHERE false"
    }
    let parts = single.map { stored + [rows(ofSingle: $0)] } ?? minutes
    return parts.joined(separator: "\nUNION ALL\n")
  }

  /// The values of the parameters.
  var values: [String: SQLValue] { filter.values(name) }
}

extension Counts {
  /// The condition on the column `context` of a table of counts.
  private var contexts: String {
    splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
  }

  /// The condition on the column that identifies a failure.
  private var failures: String {
    table == .tally ? DigestFilter.all([filter.choosesFailures(name), condition]) : "true"
  }

  private var contextColumn: String { splitsContexts ? "context" : "0 AS context" }

  private func columns(start: String) -> String {
    ([table.subject, contextColumn, "\(start) AS start"] + table.counts).joined(separator: ", ")
  }

  /// The counts of periods.
  private var stored: [String] {
    let isOfAllTime = window.since == nil && window.until == nil && period == nil
    let longest: Int64? = period == .hour ? 1 : isOfAllTime && table == .tally ? nil : 24
    return window.periods(longest: longest).map { periods in
      guard periods.span > 0 else {
        return """
          SELECT \(columns(start: "0"))
          FROM \(filter.rows(of: "total", splitsContexts: splitsContexts)) WHERE \(contexts) AND \(failures)
          """
      }
      // The decodes of days whose counts were deleted are in no window, but in all time.
      let first = isOfAllTime ? -1 : periods.hours.lowerBound / periods.span
      return """
        SELECT \(columns(start: start(ofPeriods: periods.span)))
        FROM \(table.name)
        WHERE span = \(periods.span) AND \(contexts) AND start >= \(first)
          AND start < \(periods.hours.upperBound / periods.span) AND \(failures)
        """
    }
  }

  private func rows(ofSingle table: String) -> String {
    "SELECT \(columns(start: start(ofPeriods: 1)))\nFROM \(table) WHERE \(failures)"
  }

  /// The beginning of the period that contains the column `start`, which counts periods of some
  /// hours.
  private func start(ofPeriods span: Int64) -> String {
    period.map { "start * \(span * Moment.hour) / \($0.length) * \($0.length)" } ?? "0"
  }

  /// The counts by minute, of single digests.
  private var minutes: [String] {
    let conditions = [
      SingleDigests.folded(window.range),
      SingleDigests.unfolded(in: window.range),
    ]
    return conditions.map { condition in
      let digests = "\(condition) AND \(filter.contextsOfDigests("d.context", name))"
      return """
        SELECT failure, \(contextColumn), recorded_at / 60000 * 60000 AS start,
          sum(times) AS occurrences, count(DISTINCT id) AS digests
        FROM (\(connection.occurrences(where: digests))) AS o WHERE \(failures)
        GROUP BY 1, 2, 3
        """
    }
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
