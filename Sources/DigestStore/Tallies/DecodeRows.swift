import ResilientPlatform

/// The decodes in a window, as a relation that reports build on. It can be read until the snapshot
/// ends.
///
/// Decodes without errors are counted by the hour. In a window that does not consist of whole hours
/// (``TimeWindow/inWholeHours``), those at its ends are missing, but digests are not. A model may
/// have several rows, which a report adds up.
struct DecodeRows {
  private let connection: any Engine
  private let filter: DigestFilter
  private let window: TimeWindow
  private let splitsContexts: Bool
  private let period: Counts.Split?
  private let name: String

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - filter: its contexts are counted; its models, failures and window are not used.
  ///   - window: the window to count, after ``Engine/widened(_:)``.
  ///   - splits: as of ``Counts``, but not by minute.
  ///   - name: a suffix of the parameters.
  init(
    _ connection: any Engine, _ filter: DigestFilter, in window: TimeWindow,
    by splits: Set<Counts.Split> = [], name: String = ""
  ) {
    self.connection = connection
    self.filter = filter
    self.window = window
    self.name = name
    splitsContexts = splits.contains(.context)
    period = splits.first { $0 != .context }
  }

  /// Returns a query with the columns
  /// `model, context, start, decodes, digests, failed, occurrences`.
  func sql() throws -> String {
    try relation("decodes", "decodes, digests, failed, occurrences", SingleDigests.decodes)
  }

  /// Returns a query with the columns `model, context, start, kind, digests`: the digests with at
  /// least one occurrence of a kind.
  func sqlByKind() throws -> String {
    try relation("failed", "kind, digests", SingleDigests.failed)
  }

  /// The values of the parameters.
  var values: [String: SQLValue] { filter.values(name) }

  private func relation(
    _ table: String, _ columns: String, _ single: (SingleDigests) -> () throws -> String
  ) throws -> String {
    guard !window.isEmpty else {
      let names = ["model", "context", "start"] + columns.components(separatedBy: ", ")
      return "SELECT \(names.map { "0 AS \($0)" }.joined(separator: ", ")) WHERE false"
    }
    let digests = SingleDigests(
      connection, filter, in: window, splitsContexts: splitsContexts)
    // Days whose counts were deleted are in no window, but in all time.
    let isOfAllTime = window.since == nil && window.until == nil && period == nil
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    let stored = window.periods(longest: period == .hour ? 1 : 24).map { periods in
      rows(
        columns, of: table, span: periods.span,
        """
        \(contexts) AND span = \(periods.span)
          AND start >= \(isOfAllTime ? -1 : periods.hours.lowerBound / periods.span)
          AND start < \(periods.hours.upperBound / periods.span)
        """)
    }
    return try (stored + [rows(columns, of: single(digests)(), span: 1, "true")]).joined(
      separator: "\nUNION ALL\n")
  }

  private func rows(_ columns: String, of table: String, span: Int64, _ condition: String) -> String
  {
    let start =
      period.map { "start * \(span * Moment.hour) / \($0.length) * \($0.length)" } ?? "0"
    return """
      SELECT model, \(splitsContexts ? "context" : "0 AS context"), \(start) AS start, \(columns)
      FROM \(table) WHERE \(condition)
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
