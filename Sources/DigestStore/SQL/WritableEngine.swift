/// Rows that are produced one by one: calls `add` with the values of each.
package typealias SQLRows = (_ add: @escaping ([SQLValue]) throws -> Void) throws -> Void

/// An engine whose tables a push writes, inside a transaction.
package protocol WritableEngine: Engine {
  /// Whether the engine itself keeps what all sources share: the counts of context 0, the hours of
  /// digests, and the number of the last one.
  var addsUp: Bool { get }

  /// Runs a statement that returns no rows.
  ///
  /// - Returns: the number of rows that it changed.
  @discardableResult
  func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64

  /// Makes an empty table that is gone after the push.
  ///
  /// - Parameter columns: the names and types of its columns.
  func makeTable(_ name: String, columns: String) throws

  /// Makes a table with the rows of a query that is gone after the push.
  func makeTable(_ name: String, as query: String) throws

  /// Adds rows to a table.
  func insert(into table: String, columns: Int, _ rows: SQLRows) throws
}

extension WritableEngine {
  @discardableResult
  package func execute(_ sql: String) throws -> Int64 { try execute(sql, [:]) }
}
