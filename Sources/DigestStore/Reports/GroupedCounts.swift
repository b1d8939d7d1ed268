import ResilientPlatform

extension DigestStore {
  /// The part of a digest's context by which a report counts models.
  public enum ContextName: String, Sendable, Hashable, CaseIterable, Codable {
    /// The version of the app.
    case release
    /// The deployment of the backend, such as `production`.
    case environment
    /// The request whose answer was decoded, such as `GET /listings`.
    case operation
    /// The name of the store that was pushed, or its identity.
    case source
  }
}

/// A column by which reports group counts.
enum CountColumn: String {
  case failure = "c.failure"
  case model = "m.name"
  case kind = "f.kind"
  case codingPath = "f.coding_path"
  case novelValue = "f.novel_value"
  case valueType = "f.value_type"
  case release = "x.release"
  case environment = "x.environment"
  case operation = "x.operation"
  case source = "CASE WHEN o.name <> '' THEN o.name ELSE o.identity END"

  init(_ name: DigestStore.ContextName) {
    self =
      switch name {
      case .release: .release
      case .environment: .environment
      case .operation: .operation
      case .source: .source
      }
  }

  /// The joins that columns of contexts need.
  ///
  /// - Parameter context: the column with the id of a context.
  static func joins(_ columns: [Self], _ context: String) -> String {
    guard columns.contains(where: \.isOfContext) else { return "" }
    let source = columns.contains(.source) ? " CROSS JOIN source AS o ON o.id = x.source" : ""
    return "CROSS JOIN context AS x ON x.id = \(context)\(source)"
  }

  var isOfContext: Bool {
    switch self {
    case .release, .environment, .operation, .source: true
    case .failure, .model, .kind, .codingPath, .novelValue, .valueType: false
    }
  }

  var isOfFailure: Bool { !isOfContext && self != .model }
}

/// The counts of a window that a filter matches, for a statement that groups them:
///
///     SELECT m.name, x.release, c.start, sum(c.occurrences) \(counts.clauses) GROUP BY 1, 2, 3
///
/// Errors that are not grouped by a column of failures are read from the counts of models, of which
/// there are fewer.
struct GroupedCounts {
  enum Counted {
    case errors
    /// Errors and notices.
    case entries
    /// Paths, kinds and novel values of the filter do not limit decodes.
    case decodes
  }

  /// The clauses `FROM` and `WHERE`, with the aliases of ``CountColumn``. The relation `c` has the
  /// columns `start`, `occurrences` and `digests`, which are those with errors, and of models
  /// `recorded` and `decodes`, which are 0 of failures.
  let clauses: String

  private let connection: any Engine
  private let filter: DigestFilter
  private let columns: [CountColumn]

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - filter: its window is not used.
  ///   - window: the window to count, after ``Engine/widened(_:)``.
  ///   - period: decodes are not counted by minute.
  init(
    _ connection: any Engine, of subject: Counted = .errors, _ filter: DigestFilter,
    in window: TimeWindow, by columns: [CountColumn] = [], per period: Counts.Split? = nil
  ) throws {
    self.connection = connection
    self.columns = columns
    self.filter = filter
    // The clause WHERE selects failures that have a value. Selecting them before they are counted takes
    // longer.
    var counted = filter
    if filter.novelValues == ["*"] { counted.novelValues = [] }
    let splitsContexts = columns.contains(where: \.isOfContext)
    var splits: Set<Counts.Split> = splitsContexts ? [.context] : []
    if let period { splits.insert(period) }
    let context = CountColumn.joins(columns, "c.context")
    let isOfModels =
      subject == .errors && !filter.choosesFailures && period != .minute
      && !columns.contains(where: \.isOfFailure)
    if isOfModels || subject == .decodes {
      let rows = try Counts(connection, of: .decodes, filter, in: window, by: splits)
      clauses = """
        FROM (
          SELECT model, context, start, occurrences, failed AS digests, digests AS recorded, decodes
          FROM (\(rows.sql)) AS r) AS c
        CROSS JOIN model AS m ON m.id = c.model \(context)
        WHERE \(filter.modelCondition())
        """
    } else {
      let counts = try Counts(connection, counted, in: window, by: splits)
      clauses = """
        FROM (
          SELECT failure, context, start, occurrences, digests, 0 AS recorded, 0 AS decodes
          FROM (\(counts.sql)) AS r) AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model \(context)
        WHERE \(subject == .errors ? filter.errorCondition() : filter.failureCondition())
        """
    }
  }

  struct GroupedCount {
    /// The texts of the columns; empty for none.
    var names: [BinaryString] = []

    /// The start of the period, in milliseconds since 1970.
    var start: Int64 = 0

    var occurrences: Int64 = 0
    var digests: Int64 = 0
    var recorded: Int64 = 0
    var decodes: Int64 = 0

    mutating func add(_ other: Self) {
      occurrences = occurrences.adding(count: other.occurrences)
      digests = digests.adding(count: other.digests)
      recorded = recorded.adding(count: other.recorded)
      decodes = decodes.adding(count: other.decodes)
    }

    /// The id of a failure, by which counts are grouped first.
    var failure: Int64 { Int64(names[0].text) ?? 0 }

    /// The names as reports return them.
    subscript(index: Int) -> String? { names[index].text.isEmpty ? nil : names[index].text }
  }

  /// Reads the sums by columns and periods, in no particular order.
  ///
  /// - Parameter limit: the most rows; nil for all.
  func rows(limit: Int? = nil) throws -> [GroupedCount] {
    let names = columns.map { "\($0.rawValue), " }.joined()
    let count = Int32(columns.count)
    let numbers = (1...count + 1).map(String.init).joined(separator: ", ")
    return try connection.rows(
      """
      SELECT \(names) c.start, sum(c.occurrences), sum(c.digests), sum(c.recorded), sum(c.decodes)
      \(clauses) GROUP BY \(numbers)\(limit == nil ? "" : " LIMIT :limit")
      """, filter.values(limit: limit)
    ) { row in
      GroupedCount(
        names: (0..<count).map { BinaryString(row.text(at: $0) ?? "") },
        start: row.moment(at: count).milliseconds, occurrences: row.count(at: count + 1),
        digests: row.count(at: count + 2), recorded: row.count(at: count + 3),
        decodes: row.count(at: count + 4))
    }
  }

  /// The sums of all counts, if no column or period divides them; nil without any.
  func sum() throws -> GroupedCount? { try rows().first }
}

extension Engine {
  /// A query with the counts of a window, and with the times of all time of these failures.
  ///
  /// It has the columns `failure, context, occurrences, digests, first_seen, last_seen, counted`. A failure
  /// occurs in the window if the sum of `counted` is above 0.
  ///
  /// - Parameter window: the window to count, after ``widened(_:)``.
  func countsWithTimes(
    _ filter: DigestFilter, in window: TimeWindow, splitsContexts: Bool
  ) throws -> String {
    let totals = try TotalRows(self, filter, splitsContexts: splitsContexts)
    guard window.since != nil || window.until != nil else {
      return """
        SELECT failure, context, occurrences, digests, first_seen, last_seen, 1 AS counted
        FROM (\(totals.sql())) AS t
        """
    }
    let counts = try Counts(self, filter, in: window, by: splitsContexts ? [.context] : [])
    let isCounted = "failure IN (SELECT failure FROM in_window)"
    return """
      WITH in_window AS MATERIALIZED (
        SELECT failure, context, sum(occurrences) AS occurrences, sum(digests) AS digests
        FROM (\(counts.sql)) AS c GROUP BY 1, 2
      )
      SELECT failure, context, occurrences, digests, NULL AS first_seen, NULL AS last_seen,
        1 AS counted
      FROM in_window
      UNION ALL
      SELECT failure, context, 0, 0, first_seen, last_seen, 0
      FROM (\(totals.sql(where: isCounted))) AS t
      """
  }
}
