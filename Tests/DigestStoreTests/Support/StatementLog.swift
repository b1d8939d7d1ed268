import CSQLite
import ResilientPlatform

@testable import DigestStore

/// Records the statements that a connection runs, each once, with the values of their parameters.
final class StatementLog: Sendable {
  private let statements = Locked<[String]>([])

  var all: [String] { statements.withLock { $0 } }

  func record(_ connection: Connection) {
    sqlite3_trace_v2(
      connection.handle, UInt32(SQLITE_TRACE_STMT),
      { _, log, statement, _ in
        guard let log, let text = sqlite3_expanded_sql(statement.map { OpaquePointer($0) })
        else { return 0 }
        defer { sqlite3_free(text) }
        let sql = String(cString: text)
        let recorded = Unmanaged<StatementLog>.fromOpaque(log).takeUnretainedValue()
        recorded.statements.withLock { if !$0.contains(sql) { $0.append(sql) } }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
