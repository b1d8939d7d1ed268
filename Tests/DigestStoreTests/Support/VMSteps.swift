import CSQLite

@testable import DigestStore

/// Counts the instructions that SQLite's virtual machine runs for the statements of a connection
/// (SQLite, "SQLITE_STMTSTATUS_VM_STEP"): the time of a query on a machine without noise.
final class VMSteps {
  private let connection: Connection
  private(set) var count = 0

  init(_ connection: Connection) {
    self.connection = connection
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, _ in
        guard let context, let statement else { return 0 }
        Unmanaged<VMSteps>.fromOpaque(context).takeUnretainedValue().count += Int(
          sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func end() { sqlite3_trace_v2(connection.handle, 0, nil, nil) }
}
