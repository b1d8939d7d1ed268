/// The counts of all time, with the times of the first and the last occurrence, as a relation that
/// reports build on. It includes digests that are not folded yet, and can be read until the
/// snapshot ends.
///
/// A failure may have several rows, which a report adds up:
///
///     SELECT failure, sum(occurrences) FROM (\(totals.sql())) GROUP BY 1
struct TotalRows {
  /// The table of digests that are not folded yet.
  let unfolded: String

  private let filter: DigestFilter
  private let name: String
  private let splitsContexts: Bool

  /// - Parameters:
  ///   - connection: a snapshot, see ``Engine/reading(_:)``.
  ///   - filter: its contexts and failures are counted; its window is not used.
  ///   - splitsContexts: whether to count each context by itself. Otherwise the column is 0.
  ///   - name: a suffix of the parameters.
  init(
    _ connection: any Engine, _ filter: DigestFilter, splitsContexts: Bool = false,
    name: String = ""
  ) throws {
    self.filter = filter
    self.splitsContexts = splitsContexts
    self.name = name
    unfolded = try SingleDigests.totals(connection)
  }

  /// A query with the columns `failure, context, occurrences, digests, first_seen, last_seen`.
  ///
  /// - Parameters:
  ///   - failures: a further condition on the column `failure`, such as a list of ids.
  ///   - isOfFewFailures: whether few failures meet the condition.
  func sql(where failures: String = "true", isOfFewFailures: Bool = false) -> String {
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    return tables.map { table in
      let rows = filter.rows(
        of: table, splitsContexts: splitsContexts, isOfFewFailures: isOfFewFailures)
      return """
        SELECT failure, \(splitsContexts ? "context" : "0 AS context"), occurrences, digests, first_seen,
          last_seen
        FROM \(rows) WHERE \(contexts) AND \(filter.choosesFailures(name)) AND \(failures)
        """
    }.joined(separator: "\nUNION ALL\n")
  }

  /// A query with the columns `failure, first_seen, last_seen`: the first and the last time of
  /// failures.
  ///
  /// - Parameters:
  ///   - failures: a condition on the column `failure`.
  ///   - isOfFewFailures: whether few failures meet the condition.
  func times(where failures: String, isOfFewFailures: Bool) -> String {
    let times = tables.map { table in
      """
      SELECT failure, first_seen, last_seen
      FROM \(filter.rows(of: table, splitsContexts: false, isOfFewFailures: isOfFewFailures))
      WHERE \(filter.contexts("context", name)) AND \(failures)
      """
    }
    return """
      SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen
      FROM (\(times.joined(separator: " UNION ALL "))) AS t GROUP BY 1
      """
  }

  private var tables: [String] { ["total", unfolded] }

  /// The values of the parameters.
  var values: [String: SQLValue] { filter.values(name) }
}

extension DigestFilter {
  /// The rows of `total` or of a table like it, for conditions on contexts and failures.
  ///
  /// SQLite would look up every pair of a context and a failure, and there may be thousands of each.
  /// A cast hides a column from the indexes: the other one finds the rows, and this one filters
  /// them. Unlike `+ 0`, it keeps the column's affinity, without which SQLite uses no index where
  /// the rows are joined (SQLite, "Datatypes In SQLite", section 3.2).
  ///
  /// - Parameters:
  ///   - splitsContexts: whether each context is counted by itself.
  ///   - isOfFewFailures: whether there are few failures whatever the filter says.
  func rows(of table: String, splitsContexts: Bool, isOfFewFailures: Bool = false) -> String {
    guard splitsContexts || choosesContexts else { return table }
    // A model may have most of the failures.
    let names = [codingPaths, novelValues].filter { !$0.isEmpty }
    let namesFailures = names.contains { !$0.contains(where: \.hasWildcards) }
    let columns =
      isOfFewFailures || namesFailures
      ? "CAST(context AS bigint) AS context, failure"
      : "context, CAST(failure AS bigint) AS failure"
    return "(SELECT \(columns), occurrences, digests, first_seen, last_seen FROM \(table)) AS r"
  }
}
