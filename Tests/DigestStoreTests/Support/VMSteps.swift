import CSQLite
import ResilientPlatform

@testable import DigestStore

/// Counts the instructions that SQLite's virtual machine runs for the statements of connections
/// (SQLite, "SQLITE_STMTSTATUS_VM_STEP"): the time of a query on a machine without noise.
final class VMSteps: Sendable {
  private let steps = Locked(0)

  /// How many there were since the last call.
  func take() -> Int {
    steps.withLock { steps in
      defer { steps = 0 }
      return steps
    }
  }

  func record(_ connection: Connection) {
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, _ in
        guard let context, let statement else { return 0 }
        let count = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
        let counter = Unmanaged<VMSteps>.fromOpaque(context).takeUnretainedValue()
        counter.steps.withLock { $0 += Int(count) }
        return 0
        // Never released: the store's thread may run statements when a test has ended.
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func end(_ connection: Connection) { sqlite3_trace_v2(connection.handle, 0, nil, nil) }
}
