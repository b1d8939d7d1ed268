import ResilientDecoding

/// A failure of a model as texts: its identity, and its sample.
package struct Failure: Sendable {
  /// The pattern, such as `items[].kind`.
  package let codingPath: String

  /// The raw value of an `ErrorDigest.Kind`.
  package let kind: String
  package let expectedType: String?
  package let novelValue: String?
  package let valueType: String?

  /// The sample. Not part of the identity, unless it is what a whole body is instead of JSON.
  package let foundType: String?
  package let foundValue: String?
}

extension Failure {
  /// The columns of `failure AS f` that ``init(_:at:)`` reads.
  static let columns = """
    f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type, f.found_type, f.found_value
    """

  /// The columns of `failure AS f` that sort the failures of a model.
  static let order = """
    f.coding_path, f.novel_value NULLS FIRST, f.kind, f.expected_type NULLS FIRST, \
    f.value_type NULLS FIRST, f.found_type NULLS FIRST
    """

  /// The number of ``columns``.
  static let columnCount: Int32 = 7

  init(_ row: borrowing some Row & ~Copyable, at first: Int32 = 0) {
    self.init(
      codingPath: row.text(at: first) ?? "", kind: row.text(at: first + 1) ?? "",
      expectedType: row.text(at: first + 2), novelValue: row.text(at: first + 3),
      valueType: row.text(at: first + 4), foundType: row.text(at: first + 5),
      foundValue: row.text(at: first + 6))
  }
}

extension Failure {
  /// The SQL condition that a column has what a whole body is instead of JSON. That is part of the
  /// identity, and stays where a sample is deleted.
  package static func isOfBody(_ column: String) -> String {
    let bodies = ErrorDigest.FoundValue.ValueType.allCases.filter(\.isOfBody)
    return "\(column) IN (\(bodies.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }

  /// The SQL assignments that delete the sample of `failure`.
  package static let withoutSample = """
    message = NULL, found_type = CASE WHEN \(isOfBody("found_type")) THEN found_type END, \
    found_value = NULL, sampled_at = NULL
    """
}

extension ErrorDigest.Kind {
  /// The kind of a stored failure; `other` for one of a later version.
  init(stored text: String) { self = Self(rawValue: text) ?? .other }
}
