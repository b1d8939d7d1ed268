import ResilientDecoding

/// The kinds of occurrences that are errors: all but conversions and reports on keys.
///
/// Only errors count in rates, and in reports that name no kind.
package enum ErrorKinds {
  /// The kinds of occurrences that are no errors.
  static let others: [ErrorDigest.Kind] = [.converted, .missingKey, .unknownKey]

  /// The SQL condition that a column has the kind of an error.
  package static func condition(_ column: String) -> String {
    "\(column) NOT IN (\(others.map { "'\($0.rawValue)'" }.joined(separator: ", ")))"
  }
}
