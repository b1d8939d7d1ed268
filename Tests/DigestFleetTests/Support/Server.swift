#if PostgreSQL && ClickHouse
  import Foundation
  import Testing

  /// The kinds of servers that are tested.
  enum Server: String, CaseIterable, CustomTestStringConvertible {
    case postgreSQL = "FLEET_POSTGRESQL"
    case clickHouse = "FLEET_CLICKHOUSE"
    case olderClickHouse = "FLEET_OLDER_CLICKHOUSE"

    var hasTransactions: Bool { self == .postgreSQL }

    /// The URL without a database; nil if the environment names none.
    var url: String? { ProcessInfo.processInfo.environment[rawValue] }

    static let running = allCases.filter { $0.url != nil }

    /// Without older versions.
    static let current = running.filter { $0 != .olderClickHouse }

    var testDescription: String { "\(self)" }
  }
#endif
