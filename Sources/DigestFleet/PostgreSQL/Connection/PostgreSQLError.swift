/// An error message of the server.
struct PostgreSQLError: Error {
  /// Five characters (PostgreSQL manual, "Appendix A. PostgreSQL Error Codes"); empty if the
  /// message is libpq's own.
  let state: String
  let message: String
  let isConnected: Bool

  /// Whether the same transaction may succeed if it is run again.
  var isTransient: Bool { ["40001", "40P01"].contains(state) }
}
