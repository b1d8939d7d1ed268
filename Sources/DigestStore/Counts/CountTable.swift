/// A table of counts: for each context, and for context 0, which stands for all of them.
package enum CountTable: String, CaseIterable, Sendable {
  // A period without decodes has no tally, so a push sends decodes first.
  case total, decodes, tally

  /// The tables of hours and days.
  package static let periods = [decodes, tally]

  package var name: String { rawValue }

  /// The column with the id of a failure or a model.
  package var subject: String { self == .decodes ? "model" : "failure" }

  /// The columns of the primary key, without the context.
  package var key: [String] { self == .total ? [subject] : ["span", "start", subject] }

  /// The columns of the primary key, in their order.
  package var primaryKey: [String] {
    self == .total ? ["context", subject] : ["span", "context", "start", subject]
  }

  /// The columns with counts. A row without the first one is deleted.
  package var counts: [String] {
    self == .decodes
      ? ["decodes", "digests", "failed", "occurrences"] : ["occurrences", "digests"]
  }

  /// The columns with the first and the last time.
  package var times: [String] { self == .total ? ["first_seen", "last_seen"] : [] }

  /// All columns, in the order of rows that are sent.
  package var columns: [String] { ["context"] + key + counts + times }
}

extension CountTable {
  package static func list(_ columns: [String], _ format: (String) -> String = { $0 }) -> String {
    columns.map(format).joined(separator: ", ")
  }

  /// The statement that sets the first and the last time of failures in context 0 to those of the
  /// contexts that are left.
  ///
  /// - Parameter failures: a query of their ids.
  package static func updateTimes(ofFailures failures: String) -> String {
    """
    UPDATE total SET first_seen = rest.first_seen, last_seen = rest.last_seen
    FROM (
      SELECT failure, min(first_seen) AS first_seen, max(last_seen) AS last_seen FROM total
      WHERE context > 0 AND failure IN (\(failures)) GROUP BY 1
    ) AS rest
    WHERE total.context = 0 AND total.failure = rest.failure
    """
  }

  /// The condition that rows of two tables have the same values in some columns.
  package static func isSame(_ columns: [String], _ first: String, _ second: String) -> String {
    columns.map { "\(first).\($0) = \(second).\($0)" }.joined(separator: " AND ")
  }
}
