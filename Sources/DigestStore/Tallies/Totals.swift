/// The counts of all time, with the times of the first and the last occurrence, as a relation that
/// reports build on. It includes digests that are not folded yet.
///
/// A failure may have several rows, which a report adds up.
struct Totals {
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
  }

  /// A query with the columns `failure, context, occurrences, digests, first_seen, last_seen`.
  ///
  /// - Parameter failures: a further condition on the column `failure`, such as a list of ids.
  func sql(where failures: String = "true") -> String {
    let contexts =
      splitsContexts ? filter.eachContext("context", name) : filter.contexts("context", name)
    let column = splitsContexts ? "context" : "0 AS context"
    let condition = "\(filter.choosesFailures(name)) AND \(failures)"
    let rows = OccurrenceRows.sql(
      where: """
        d.id > (SELECT folded FROM store) AND \(filter.contextsOfDigests("d.context", name))
        """)
    return """
      SELECT failure, \(column), occurrences, digests, first_seen, last_seen FROM total
      WHERE \(contexts) AND \(condition)
      UNION ALL
      SELECT failure, \(column), sum(times), count(DISTINCT id), min(recorded_at), max(recorded_at)
      FROM (\(rows)) WHERE \(condition)
      GROUP BY 1, 2
      """
  }

  /// The values of the parameters.
  var values: [String: SQLiteValue] { filter.values(name) }
}
