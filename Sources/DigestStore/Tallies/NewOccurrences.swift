/// The occurrences of digests that are not folded yet, as a table that one statement reads once, however
/// many relations need it.
///
///     WITH \(new.definition) SELECT … FROM new
struct NewOccurrences {
  private let filter: DigestFilter
  private let name: String

  /// - Parameters:
  ///   - filter: its contexts and failures are read.
  ///   - name: a suffix of the table and of the parameters.
  init(_ filter: DigestFilter, name: String = "") {
    self.filter = filter
    self.name = name
  }

  var table: String { "new\(name)" }

  /// The table, with the columns of ``OccurrenceRows/sql(where:from:)``.
  var definition: String {
    let rows = OccurrenceRows.sql(
      where: """
        d.id > (SELECT folded FROM store) AND \(filter.contextsOfDigests("d.context", name))
        """)
    return """
      \(table) AS MATERIALIZED (
        SELECT * FROM (\(rows)) WHERE \(filter.choosesFailures(name))
      )
      """
  }
}
