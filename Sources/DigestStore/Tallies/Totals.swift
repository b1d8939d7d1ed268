/// The counts of all time, with the times of the first and the last occurrence, as a relation that
/// reports build on. It includes digests that are not folded yet.
///
/// A failure may have several rows, which a report adds up:
///
///     WITH \(totals.new.definition)
///     SELECT failure, sum(occurrences) FROM (\(totals.sql())) GROUP BY 1
struct Totals {
  /// The table that a statement has to define.
  let new: NewOccurrences

  private let filter: DigestFilter
  private let name: String
  private let splitsContexts: Bool

  /// - Parameters:
  ///   - filter: its contexts and failures are counted; its window is not used.
  ///   - splitsContexts: whether to count each context by itself. Otherwise the column is 0.
  ///   - name: a suffix of the parameters.
  init(_ filter: DigestFilter, splitsContexts: Bool = false, name: String = "") {
    self.filter = filter
    self.splitsContexts = splitsContexts
    self.name = name
    new = NewOccurrences(filter, name: name)
  }

  /// A query with the columns `failure, context, occurrences, digests, first_seen, last_seen`.
  ///
  /// - Parameter failures: a further condition on the column `failure`, such as a list of ids.
  func sql(where failures: String = "true") -> String {
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    let column = splitsContexts ? "context" : "0 AS context"
    return """
      SELECT failure, \(column), occurrences, digests, first_seen, last_seen FROM total
      WHERE \(contexts) AND \(filter.choosesFailures(name)) AND \(failures)
      UNION ALL
      SELECT failure, \(column), sum(times), count(DISTINCT id), min(recorded_at), max(recorded_at)
      FROM \(new.table) WHERE \(failures)
      GROUP BY 1, 2
      """
  }

  /// An expression for the first or last time of a failure.
  ///
  /// - Parameters:
  ///   - function: `min` or `max`.
  ///   - column: `first_seen` or `last_seen`.
  ///   - failure: the column with the failure's id, in the statement around it.
  func time(_ function: String, _ column: String, of failure: String) -> String {
    """
    (SELECT \(function)(\(column)) FROM (
      SELECT \(column) FROM total
      WHERE failure = \(failure) AND \(filter.contexts("context", name))
      UNION ALL SELECT recorded_at FROM \(new.table) WHERE failure = \(failure)))
    """
  }

  /// The values of the parameters.
  var values: [String: SQLiteValue] { filter.values(name) }
}
