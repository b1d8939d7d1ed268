/// A table of counts: for each context, and for context 0, which stands for all of them.
package struct CountTable: Sendable {
  package let name: String

  /// The columns of the primary key, without the context.
  package let key: [String]

  /// The columns with counts. A row without the first one is deleted.
  package let counts: [String]

  /// The columns with the first and the last time.
  package var times: [String] { name == "total" ? ["first_seen", "last_seen"] : [] }

  /// The columns of the primary key, in their order.
  package var primaryKey: [String] {
    key.first == "span" ? ["span", "context"] + key.dropFirst() : ["context"] + key
  }

  /// All columns, in the order of rows that are sent.
  package var columns: [String] { ["context"] + key + counts + times }

  /// The column with the id of a failure or a model.
  package var subject: String { key.contains("failure") ? "failure" : "model" }

  package static let total = Self(
    name: "total", key: ["failure"], counts: ["occurrences", "digests"])

  package static let tally = Self(
    name: "tally", key: ["span", "start", "failure"], counts: ["occurrences", "digests"])

  package static let decodes = Self(
    name: "decodes", key: ["span", "start", "model"],
    counts: ["decodes", "digests", "failed", "occurrences"])

  /// The tables of hours and days. A period without decodes has no tally, so a push sends decodes
  /// first.
  package static let periods = [decodes, tally]

  package static let all = [total] + periods
}

extension CountTable {
  package static func list(_ columns: [String], _ format: (String) -> String = { $0 }) -> String {
    columns.map(format).joined(separator: ", ")
  }

  /// The condition that rows of two tables have the same values in some columns.
  package static func isSame(_ columns: [String], _ first: String, _ second: String) -> String {
    columns.map { "\(first).\($0) = \(second).\($0)" }.joined(separator: " AND ")
  }
}
