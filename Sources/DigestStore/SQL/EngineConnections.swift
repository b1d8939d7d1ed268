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
