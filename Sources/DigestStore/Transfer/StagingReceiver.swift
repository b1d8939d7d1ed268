/// A receiver that takes the rows of a push into temporary tables, and adds them to its own from
/// there.
package protocol StagingReceiver: PushReceiver {
  /// Runs a statement that returns no rows.
  ///
  /// - Returns: the number of rows that it changed.
  @discardableResult
  func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64

  /// Makes an empty table that is gone after the push.
  ///
  /// - Parameter columns: the names and types of its columns.
  func makeTable(_ name: String, columns: String) throws

  /// Adds rows to such a table.
  func insert(into table: String, columns: Int, _ rows: SQLRows) throws

  /// Calls `body` for some rows of such a table at a time, inside a transaction, until it has been
  /// called for all.
  ///
  /// - Parameters:
  ///   - rows: the most rows of a transaction; nil for the engine's own limit.
  ///   - body: receives the condition on the rows of the table, as `n`.
  func forSomeRows(
    of table: String, atMost rows: Int64?, _ body: (_ condition: String) throws -> Void) throws

  /// Marks the digests that were added as counted.
  func addedDigests() throws

  /// Replaces rows of a table by some of `new_…`, and keeps the sums of context 0.
  ///
  /// - Parameters:
  ///   - condition: the condition on the rows of `new_…`, as `n`.
  ///   - replace: replaces the rows of the other contexts.
  func addingUp(
    _ table: CountTable, where condition: String, _ replace: () throws -> Void) throws
}

extension StagingReceiver {
  @discardableResult
  package func execute(_ sql: String) throws -> Int64 { try execute(sql, [:]) }

  func forSomeRows(of table: String, _ body: (_ condition: String) throws -> Void) throws {
    try forSomeRows(of: table, atMost: nil, body)
  }
}
