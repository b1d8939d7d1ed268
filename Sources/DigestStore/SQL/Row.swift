/// The current row of a query, whose columns are numbered from 0.
///
/// Reads another type as SQLite does: an integer that is null or no number is 0.
package protocol Row: ~Copyable {
  func integer(at column: Int32) -> Int64
  func optionalInteger(at column: Int32) -> Int64?
  func real(at column: Int32) -> Double?

  /// Reads a text and repairs invalid UTF-8; nil for null.
  func text(at column: Int32) -> String?
}
