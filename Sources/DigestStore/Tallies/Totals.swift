/// The counts of all time, with the times of the first and the last occurrence, as a relation that
/// reports build on. It includes digests that are not folded yet, and can be read until the snapshot ends.
///
/// A failure may have several rows, which a report adds up:
///
///     SELECT failure, sum(occurrences) FROM (\(totals.sql())) GROUP BY 1
struct Totals {
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
  /// - Parameter failures: a further condition on the column `failure`, such as a list of ids.
  func sql(where failures: String = "true") -> String {
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    return tables.map {
      """
      SELECT failure, \(splitsContexts ? "context" : "0 AS context"), occurrences, digests, first_seen,
        last_seen
      FROM \($0) WHERE \(contexts) AND \(filter.choosesFailures(name)) AND \(failures)
      """
    }.joined(separator: "\nUNION ALL\n")
  }

  /// An expression for the first or last time of a failure.
  ///
  /// - Parameters:
  ///   - function: `min` or `max`.
  ///   - column: `first_seen` or `last_seen`.
  ///   - failure: the column with the failure's id, in the statement around it.
  func time(_ function: String, _ column: String, of failure: String) -> String {
    let times = tables.map {
      "SELECT \(column) FROM \($0) WHERE failure = \(failure) AND \(filter.contexts("context", name))"
    }
    return "(SELECT \(function)(\(column)) FROM (\(times.joined(separator: " UNION ALL "))) AS t)"
  }

  private var tables: [String] { ["total", unfolded] }

  /// The values of the parameters.
  var values: [String: SQLValue] { filter.values(name) }
}
