import DigestStore
import ResilientPlatform

/// A connection to a fleet in ClickHouse, by its interface for HTTP. Not thread-safe.
///
/// A statement is a request of its own. There are no transactions, so two statements may see
/// different states while a store is pushed.
// Sendable: its owner protects it with a lock.
final class ClickHouseEngine: Engine, @unchecked Sendable {
  /// The URL without its password and parameters, for messages.
  let name: String

  private let client: HTTPClient

  /// The parameters of every request: the database, a session for temporary tables, and settings
  /// for standard SQL.
  private let parameters: [(name: String, value: String)]

  /// Begins the names of temporary tables.
  private let session: String

  private var temporaryTables: [Query: String] = [:]

  /// A table that could not be dropped may still be there.
  private var tableCount = 0

  private(set) var isInTransaction = false

  var push = PushInProgress()

  /// - Parameter url: `clickhouse://user@host:8443/database`. The first statement connects.
  /// - Throws: ``DigestStoreError`` for a URL that cannot be used.
  init(_ url: String) throws {
    let url = try ClickHouseURL(url)
    name = url.name
    session = "digests_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    // Not in the URL, which the server writes into its log.
    client = try HTTPClient(
      url.address, headers: ["X-ClickHouse-User": url.user, "X-ClickHouse-Key": url.password])
    parameters = [
      ("database", url.database), ("session_id", session), ("session_timeout", "3600"),
      // The server answers when it has finished, so that an error has a status of its own.
      ("wait_end_of_query", "1"),
      ("aggregate_functions_null_for_empty", "1"), ("join_use_nulls", "1"),
      ("union_default_mode", "DISTINCT"), ("prefer_column_name_to_alias", "1"),
      ("cast_keep_nullable", "1"), ("bool_true_representation", "1"),
      ("bool_false_representation", "0"),
      ("use_skip_indexes_if_final", "1"),
      // Fails if a shard is unavailable, instead of returning a partial answer.
      ("skip_unavailable_shards", "0"),
      // Rows may come again after they were deleted. Equal ones replace each other anyway.
      ("insert_deduplicate", "0"), ("async_insert", "0"), ("mutations_sync", "2"),
      // Filters may have hundreds of long names.
      ("max_query_size", String(64 << 20)),
    ]
  }

  func beginSnapshot() throws { isInTransaction = true }

  func rollBack() {
    isInTransaction = false
    // The session of a lost server is gone.
    for name in temporaryTables.values { try? run("DROP TABLE IF EXISTS \(name)") }
    temporaryTables = [:]
  }

  func forEachRow(
    _ sql: String, _ values: [String: SQLValue], _ body: (any Row) throws -> Bool
  ) throws {
    let query = try "\(translated(sql, values)) FORMAT TabSeparated"
    let answer = try mappingErrors { try post(Array(query.utf8)) }
    var rows = TabSeparatedRows(answer)
    while let row = rows.next() {
      guard try body(row) else { return }
    }
  }

  func occurrences(where condition: String) -> String {
    """
    SELECT digest AS id, recorded_at, model, context, failure, times FROM occurrence AS d
    WHERE \(condition)
    """
  }

  func temporaryTable(
    _ sql: String, _ values: [String: SQLValue], key: String?
  ) throws -> String {
    let query = Query(sql: sql, values: values)
    if let name = temporaryTables[query] { return name }
    tableCount += 1
    let name = "\(session)_\(tableCount)"
    try run("CREATE TEMPORARY TABLE \(name) ENGINE = Memory AS \(translated(sql, values))")
    temporaryTables[query] = name
    return name
  }

  /// Runs a statement that needs no translation.
  func run(_ sql: String) throws {
    _ = try mappingErrors { try post(Array(sql.utf8)) }
  }

  /// Adds rows to a table.
  func insert(into table: String, columns: String, _ rows: SQLRows) throws {
    var bytes: [UInt8] = []
    func send() throws {
      let query = "INSERT INTO \(table) (\(columns)) FORMAT TabSeparated"
      _ = try mappingErrors { try post(bytes, [("query", query)]) }
      bytes.removeAll(keepingCapacity: true)
    }
    try rows { row in
      bytes.append(tabSeparated: row)
      if bytes.count > 16 << 20 { try send() }
    }
    if !bytes.isEmpty { try send() }
  }

  private func translated(_ sql: String, _ values: [String: SQLValue]) throws -> String {
    let statement = Dialect(sql, for: .clickHouse { (values[$0] ?? .null).clickHouseLiteral })
    for parameter in statement.parameters { _ = try values.value(of: parameter) }
    return statement.sql
  }

  private func post(
    _ body: [UInt8], _ query: [(name: String, value: String)] = []
  ) throws -> [UInt8] {
    let answer = try client.post(body, query + parameters)
    guard answer.status == 200 else { throw ClickHouseError(answer) }
    return answer.body
  }
}

extension SQLValue {
  /// The value as a literal of ClickHouse's SQL.
  fileprivate var clickHouseLiteral: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .text(let text): text.clickHouseLiteral
    case .pattern(let pattern): pattern.likePattern.clickHouseLiteral
    case .blob(let bytes): "unhex('\(bytes.hexadecimal)')"
    case .integers(let integers):
      "CAST([\(integers.map(String.init).joined(separator: ","))] AS Array(Int64))"
    case .texts(let texts):
      "CAST([\(texts.map(\.clickHouseLiteral).joined(separator: ","))] AS Array(String))"
    }
  }
}

extension String {
  fileprivate var clickHouseLiteral: String {
    unicodeScalars.reduce(into: "'") { literal, scalar in
      switch scalar {
      case "'": literal += "''"
      case "\\": literal += "\\\\"
      case "\0": literal += "\\0"
      default: literal.unicodeScalars.append(scalar)
      }
    } + "'"
  }
}

extension ClickHouseEngine {
  /// Runs `body`, and throws the errors of the server as errors of a store.
  func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as ClickHouseError {
      throw error.error(about: name)
    } catch let error as HTTPError {
      throw DigestStoreError(
        .inputOutput, "\(name): \(error.message); check the URL, and whether the server runs")
    }
  }
}
