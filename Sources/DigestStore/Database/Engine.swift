/// A connection to a database that has the tables of a store: a file, or a server.
///
/// Reports are written in the SQL of SQLite, in the part that all engines share. A server
/// translates the rest.
package protocol Engine: AnyObject {
  /// Whether a transaction is open.
  var isInTransaction: Bool { get }

  /// Begins a transaction whose statements see one snapshot.
  func beginSnapshot() throws

  /// Ends a transaction without its changes, unless an error has ended it already.
  func rollBack()

  /// Runs a query and calls `body` with each row.
  ///
  /// - Parameters:
  ///   - values: the values of parameters by name, such as `:model`. Ignores other names.
  ///   - body: returns whether to read the next row.
  /// - Throws: ``MissingValue`` for a parameter without a value.
  func forEachRow(
    _ sql: String, _ values: [String: SQLValue], _ body: (any Row) throws -> Bool) throws

  /// A query with the columns `id, recorded_at, model, context, failure, times`: the errors of the
  /// digests that meet a condition on `digest AS d`.
  func occurrences(where condition: String) -> String

  /// Returns the name of a temporary table with the rows of a query. A transaction makes each once,
  /// and has to be rolled back, which deletes them.
  ///
  /// - Parameters:
  ///   - sql: the query. An expression among its columns must be an integer.
  ///   - key: the columns of an index, for an engine that needs one; nil for none.
  func temporaryTable(_ sql: String, _ values: [String: SQLValue], key: String?) throws -> String

  /// The ids of sources whose last push has not ended: their counts are partly new and partly old.
  func interruptedSources() throws -> Set<Int64>
}

/// A statement with the values of its parameters, by which an engine knows its temporary tables.
package struct Query: Hashable {
  let sql: String
  let values: [String: SQLValue]

  package init(sql: String, values: [String: SQLValue]) {
    (self.sql, self.values) = (sql, values)
  }
}

extension Engine {
  /// None: a push is one transaction.
  package func interruptedSources() throws -> Set<Int64> { [] }

  /// Runs a transaction that reads, so that all of `body` sees one snapshot.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try beginSnapshot()
    defer { rollBack() }
    return try body()
  }

  /// Runs `body` in the open transaction, or in a snapshot of its own.
  package func inSnapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try isInTransaction ? body() : reading(body)
  }

  /// Reads all rows of a query.
  package func rows<Value>(
    _ sql: String, _ values: [String: SQLValue] = [:], _ read: (any Row) throws -> Value
  ) throws -> [Value] {
    var rows: [Value] = []
    try forEachRow(sql, values) {
      rows.append(try read($0))
      return true
    }
    return rows
  }

  /// Reads the first row of a query; nil if there is none.
  package func firstRow<Value>(
    _ sql: String, _ values: [String: SQLValue] = [:], _ read: (any Row) throws -> Value
  ) throws -> Value? {
    var value: Value?
    try forEachRow(sql, values) {
      value = try read($0)
      return false
    }
    return value
  }

  /// Reads the first column of the first row; nil if there is no row or the column is null.
  package func integer(_ sql: String, _ values: [String: SQLValue] = [:]) throws -> Int64? {
    try firstRow(sql, values) { $0.optionalInteger(at: 0) } ?? nil
  }

  /// Reads the first column of the first row; nil if there is no row or the column is null.
  package func text(_ sql: String, _ values: [String: SQLValue] = [:]) throws -> String? {
    try firstRow(sql, values) { $0.text(at: 0) } ?? nil
  }
}

/// The connections of a reader to its database.
package protocol EngineConnections: Sendable {
  /// Runs `body` with a connection. Waits for other threads that do.
  func read<Value: Sendable>(_ body: @Sendable (any Engine) throws -> Value) throws -> Value

  /// Rolls back the transaction that an earlier `read` left open.
  func endMoment()

  /// Closes the connections for good.
  func close()

  /// Closes the connections until ``resume()``.
  func suspend()
  func resume()
}

/// Rows that are produced one by one: calls `add` with the values of each.
package typealias SQLRows = (_ add: @escaping ([SQLValue]) throws -> Void) throws -> Void
