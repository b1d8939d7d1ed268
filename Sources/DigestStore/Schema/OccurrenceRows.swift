/// The errors in the column `errors` of digests, as rows.
///
/// A file may contain any text there. What is damaged or crafted counts nothing and stops nothing:
/// text that is no JSON, elements that are no arrays, and ids and times that are no integers or out
/// of range. ``TallyCheck`` reports it.
enum OccurrenceRows {
  /// The id of an element's failure; null if the element cannot be read.
  ///
  /// - Parameter element: the alias of `json_each`.
  static func failure(of element: String = "e") -> String {
    "iif(\(element).type = 'array', \(element).value ->> 0, NULL)"
  }

  /// How often an element counts.
  static func times(of element: String = "e") -> String {
    "iif(\(element).type = 'array', ifnull(\(element).value ->> 2, 1), NULL)"
  }

  /// The arguments of `json_each` for a digest.
  ///
  /// - Parameter digest: the alias of `digest`.
  static func errors(of digest: String = "d") -> String {
    "iif(\(isArray("\(digest).errors")), \(digest).errors, '[]')"
  }

  /// The condition that a text is a JSON array, as a store writes it: without a space before it.
  static func isArray(_ text: String) -> String {
    "(substr(\(text), 1, 1) = '[' AND json_valid(\(text)))"
  }

  /// The condition on the columns `failure` and `times` of a row that is counted.
  static let isCounted = """
    typeof(failure) = 'integer' AND typeof(times) = 'integer' \
    AND times BETWEEN 1 AND \(DigestRecord.maximumCount)
    """

  /// The condition that `digest AS d` has a time and a context that a store writes.
  static let isSound = """
    d.context > 0 AND CAST(d.recorded_at AS bigint) BETWEEN \(Moment.earliest.milliseconds) \
    AND \(Moment.latest.milliseconds)
    """

  /// A query with the columns `id, recorded_at, model, context, failure, times`.
  ///
  /// - Parameters:
  ///   - condition: the condition on `digest AS d`.
  ///   - table: the table of digests.
  static func sql(where condition: String, from table: String = "digest") -> String {
    // LIMIT -1 keeps SQLite from merging the two levels: the checks see values, and never raise.
    """
    SELECT * FROM (
      SELECT d.id, d.recorded_at, d.model, d.context, \(failure()) AS failure, \(times()) AS times
      FROM \(table) AS d CROSS JOIN json_each(\(errors())) AS e
      WHERE \(condition) AND \(isSound)
      LIMIT -1
    )
    WHERE \(isCounted)
    """
  }
}

extension Connection {
  package func occurrences(where condition: String) -> String {
    OccurrenceRows.sql(where: condition)
  }
}
