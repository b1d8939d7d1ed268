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
  private var names: [String] {
    switch grouping {
    case .nothing: []
    case .model: ["m.name"]
    case .kind: ["f.kind"]
    case .release, .environment, .operation: ["x.\(grouping.rawValue)"]
    case .codingPath: ["m.name", "f.coding_path"]
    case .novelValue: ["m.name", "f.coding_path", "f.novel_value", "f.value_type"]
    }
  }

  /// The expression that identifies a group, as text.
  private var key: String {
    switch grouping {
    case .nothing: "''"
    case .model: "CAST(m.id AS TEXT)"
    case .kind, .release, .environment, .operation: names[0]
    case .codingPath: "m.id || ' ' || f.coding_path"
    case .novelValue: "CAST(f.id AS TEXT)"
    }
  }

  /// The columns that determine the key and the names.
  private var columns: [String] {
    switch grouping {
    case .nothing: []
    case .model: ["m.id"]
    case .kind, .release, .environment, .operation: names
    case .codingPath: ["m.id", "f.coding_path"]
    case .novelValue: ["f.id", "m.id"]
    }
  }

  private var isByContext: Bool { grouping.contextColumn != nil }

  /// Whether the counts of models are enough, which are fewer than those of failures.
  private var isOfModels: Bool {
    switch grouping {
    case .nothing, .model, .release, .environment, .operation: !filter.choosesFailures
    case .kind, .codingPath, .novelValue: false
    }
  }

  /// A query's `FROM` and `WHERE`, with the columns `start`, `occurrences`, `digests` and `decodes`
  /// of `c`.
  ///
  /// - Parameter failures: a condition on the column `failure`, where failures are counted.
  private func rows(
    _ connection: any Engine, in window: TimeWindow, by split: Counts.Split? = nil,
    of failures: String = "true"
  ) throws -> String {
    var splits: Set<Counts.Split> = isByContext ? [.context] : []
    if let split { splits.insert(split) }
    let context = isByContext ? "CROSS JOIN context AS x ON x.id = c.context" : ""
    if isOfModels, split != .minute {
      return """
        FROM (SELECT model, context, start, occurrences, failed AS digests, decodes
          FROM (\(try DecodeRows(connection, filter, in: window, by: splits).sql())) AS r) AS c
        CROSS JOIN model AS m ON m.id = c.model \(context)
        WHERE \(filter.modelCondition())
        """
    }
    let hasValue = grouping == .novelValue ? "AND f.novel_value IS NOT NULL" : ""
    return """
      FROM (SELECT *, 0 AS decodes
          FROM (\(try Counts(connection, filter, in: window, by: splits, where: failures).sql)) AS t) AS c
      CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model \(context)
      WHERE \(filter.errorCondition()) \(hasValue)
      """
  }

  /// Reads the groups with errors, the most frequent first, then by name.
  func groups(_ connection: any Engine, in window: TimeWindow, limit: Int?) throws -> [TrendGroup] {
    // A name that the group determines.
    let selected = names.map { columns.contains($0) ? "\($0), " : "min(\($0)), " }.joined()
    let order = names.indices.map { ", \($0 + 1) NULLS FIRST" }.joined()
    let group = columns.isEmpty ? "" : "GROUP BY \(columns.joined(separator: ", "))"
    return try connection.rows(
      """
      SELECT \(selected) \(key), sum(c.occurrences)
      \(try rows(connection, in: window))
      \(group) HAVING sum(c.occurrences) > 0
      ORDER BY \(names.count + 2) DESC \(order) \(DigestFilter.limit(limit))
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
    let split: Counts.Split =
      switch unit {
      case .minute: .minute
      case .hour: .hour
      case .day, .week: .day
      }
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
      \(try rows(connection, in: window, by: split, of: chosen)) AND \(isChosen)
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
      SELECT min(t.first_seen), max(t.last_seen) FROM (\(try Totals(connection, filter).sql())) AS t
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
