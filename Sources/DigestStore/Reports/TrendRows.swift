/// A group of a trend.
struct TrendGroup {
  /// Identifies the group in ``TrendRows/forEachPoint(_:in:by:of:_:)``.
  let key: String
  let names: [String?]
  let occurrences: Int64
}

/// The numbers of a group in a period.
struct TrendCounts {
  var occurrences: Int64 = 0
  var digests: Int64 = 0
  var decodes: Int64 = 0

  mutating func add(_ other: Self) {
    occurrences = occurrences.adding(count: other.occurrences)
    digests = digests.adding(count: other.digests)
    decodes = decodes.adding(count: other.decodes)
  }
}

/// The statements of a trend.
struct TrendRows {
  private let filter: DigestFilter
  private let grouping: DigestStore.Trend.Grouping

  init(_ filter: DigestFilter, _ grouping: DigestStore.Trend.Grouping) {
    self.filter = filter
    self.grouping = grouping
  }

  /// The columns that name a group.
  private var names: [CountColumn] {
    switch grouping {
    case .nothing: []
    case .model: [.model]
    case .kind: [.kind]
    case .release: [.release]
    case .environment: [.environment]
    case .operation: [.operation]
    case .codingPath: [.model, .codingPath]
    case .novelValue: [.model, .codingPath, .novelValue, .valueType]
    }
  }

  /// The expression that identifies a group, as text.
  private var key: String {
    switch grouping {
    case .nothing: "''"
    case .model: "CAST(m.id AS TEXT)"
    case .kind, .release, .environment, .operation: names[0].rawValue
    case .codingPath: "m.id || ' ' || f.coding_path"
    case .novelValue: "CAST(f.id AS TEXT)"
    }
  }

  private var isByContext: Bool { grouping.contextColumn != nil }

  /// A query's `FROM` and `WHERE`.
  ///
  /// - Parameter failures: a condition on the column `failure`, where failures are counted.
  private func rows(
    _ connection: any Engine, in window: TimeWindow, by split: Counts.Split? = nil,
    of failures: String = "true"
  ) throws -> String {
    let counts = try GroupedCounts(
      connection, filter, in: window, by: names, per: split, where: failures)
    return counts.clauses + (grouping == .novelValue ? " AND f.novel_value IS NOT NULL" : "")
  }

  /// Reads the groups with errors, the most frequent first, then by name.
  func groups(_ connection: any Engine, in window: TimeWindow, limit: Int?) throws -> [TrendGroup] {
    let columns = (names.map(\.rawValue) + [key]).joined(separator: ", ")
    let numbers = names.indices.map { $0 + 1 }
    return try connection.rows(
      """
      SELECT \(columns), sum(c.occurrences)
      \(try rows(connection, in: window))
      GROUP BY \((numbers + [names.count + 1]).map(String.init).joined(separator: ", "))
      HAVING sum(c.occurrences) > 0
      ORDER BY \(names.count + 2) DESC \(numbers.map { ", \($0) NULLS FIRST" }.joined())
      \(DigestFilter.limit(limit))
      """, filter.values(limit: limit)
    ) { row in
      let count = Int32(names.count)
      return TrendGroup(
        key: row.text(at: count) ?? "", names: (0..<count).map { row.text(at: $0) },
        occurrences: row.count(at: count + 1))
    }
  }

  /// Reads the counts of groups by period.
  func forEachPoint(
    _ connection: any Engine, in window: TimeWindow, by unit: DigestStore.Trend.Unit,
    of keys: [String], _ body: (_ key: String, _ start: Int64, TrendCounts) -> Void
  ) throws {
    var values = filter.values()
    values[":keys"] = .texts(keys)
    // JSON cannot pass a NUL, which only names of contexts contain. There are few of them.
    let isChosen =
      isByContext ? "true" : "\(key) IN (SELECT value FROM json_each(:keys))"
    // Leaves out other failures before their counts are looked up by name.
    let chosen =
      isByContext
      ? "true"
      : """
      failure IN (
        SELECT f.id FROM failure AS f CROSS JOIN model AS m ON m.id = f.model WHERE \(isChosen))
      """
    try connection.forEachRow(
      """
      SELECT \(key), c.start, sum(c.occurrences), sum(c.digests), sum(c.decodes)
      \(try rows(connection, in: window, by: unit.split, of: chosen)) AND \(isChosen)
      GROUP BY 1, 2
      """, values
    ) { row in
      body(
        row.text(at: 0) ?? "", row.moment(at: 1).milliseconds,
        TrendCounts(
          occurrences: row.count(at: 2), digests: row.count(at: 3), decodes: row.count(at: 4)))
      return true
    }
  }

  /// The times of the first and the last error of all time; nil without errors.
  ///
  /// If the window has no beginning, skips errors before ``Moment/firstOfSwift``, and returns the
  /// start of the hour of the first one after it.
  func moments(
    _ connection: any Engine, in window: TimeWindow
  ) throws -> ClosedRange<Int64>? {
    let moments = try connection.rows(
      """
      SELECT min(t.first_seen), max(t.last_seen) FROM (\(try TotalRows(connection, filter).sql())) AS t
      CROSS JOIN failure AS f ON f.id = t.failure CROSS JOIN model AS m ON m.id = f.model
      WHERE \(filter.errorCondition())
      """, filter.values()
    ) { ($0.optionalMoment(at: 0), $0.moment(at: 1)) }
    guard let (found, last) = moments.first, var first = found else { return nil }
    if window.beginsWithRightClock, first < .firstOfSwift {
      guard let right = try self.first(connection, since: .firstOfSwift, window) else {
        return nil
      }
      first = right
    }
    return first.milliseconds...max(first, last).milliseconds
  }

  /// The start of the first hour with an error since a moment; of its day, if its hours were
  /// deleted.
  private func first(
    _ connection: any Engine, since moment: Moment, _ window: TimeWindow
  ) throws -> Moment? {
    func first(_ split: Counts.Split, _ window: TimeWindow) throws -> Moment? {
      try connection.firstRow(
        "SELECT min(c.start) \(try rows(connection, in: window, by: split)) AND c.occurrences > 0",
        filter.values()
      ) { $0.optionalMoment(at: 0) } ?? nil
    }
    let days = TimeWindow(since: moment, until: window.until)
    guard let day = try first(.day, days) else { return nil }
    let end = Moment(milliseconds: day.milliseconds + Counts.Split.day.length)
    let hours = TimeWindow(since: day, until: window.until.map { min($0, end) } ?? end)
    return try first(.hour, hours) ?? day
  }
}

extension TimeWindow {
  /// Whether the periods of the window begin no earlier than ``Moment/firstOfSwift``, because no
  /// beginning was requested and the window ends later.
  var beginsWithRightClock: Bool { since == nil && .firstOfSwift < until ?? .latest }
}
