import DigestStore

/// A connection to a fleet in PostgreSQL. Not thread-safe.
// Sendable: its owner protects it with a lock.
final class PostgreSQLEngine: Engine, StagingReceiver, @unchecked Sendable {
  /// The URL without its password and parameters, for messages.
  let name: String

  private let connection: LibPQConnection

  /// The names of the temporary tables of the open transaction.
  private var temporaryTables: [Query: String] = [:]

  /// Connects within ten seconds unless the URL sets another limit.
  ///
  /// The server's certificate is verified unless the server is on this machine or `sslmode` is set.
  ///
  /// - Parameter url: a connection URI of libpq (PostgreSQL manual, "34.1.1.2. Connection URIs").
  ///   As for `psql`, the environment sets what the URL leaves out: `PGPASSWORD`, `PGSSLMODE`.
  /// - Throws: ``DigestStoreError``.
  init(_ url: String) throws {
    try PostgreSQLURL.check(url)
    name = PostgreSQLURL.display(url)
    // The URL overrides the parameters before it (expand_dbname).
    connection = try LibPQConnection(
      (try PostgreSQLURL.needsVerification(url) ? [("sslmode", "verify-full")] : []) + [
        ("connect_timeout", "10"),
        // Notices a network that is cut within a minute, even if nothing is sent.
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "60000"), ("dbname", url), ("client_encoding", "UTF8"),
        ("fallback_application_name", "digest-query"),
      ], to: name)
    // Temporary tables are searched last, so that none of another role's takes the place of a table
    // (CVE-2018-1058). The timeout ends a wait for a lock that someone never releases. Reports look
    // up lists of failures, which have to fit into memory, and compiling a statement takes longer
    // than running it.
    _ = try run(
      """
      SELECT pg_catalog.set_config('search_path', 'digests, pg_temp', false),
        pg_catalog.set_config('lock_timeout', '60s', false),
        pg_catalog.set_config('work_mem', '64MB', false),
        pg_catalog.set_config('jit', 'off', false)
      """)
  }

  var isInTransaction: Bool { connection.isInTransaction }

  func beginSnapshot() throws {
    _ = try run("BEGIN ISOLATION LEVEL REPEATABLE READ")
  }

  func rollBack() {
    // A lost connection has nothing to roll back.
    _ = try? run("ROLLBACK")
    temporaryTables = [:]
  }

  /// Runs `body` in a transaction, and rolls it back if `body` throws.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    _ = try run("BEGIN")
    do {
      let value = try body()
      _ = try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  func forEachRow(
    _ sql: String, _ values: [String: SQLValue], _ body: (any Row) throws -> Bool
  ) throws {
    let result = try run(sql, values)
    for index in 0..<Int32(result.count) {
      guard try body(PostgreSQLRow(result: result, row: index)) else { return }
    }
  }

  func occurrences(where condition: String) -> String {
    "SELECT id, recorded_at, model, context, failure, times FROM occurrence AS d WHERE \(condition)"
  }

  func temporaryTable(
    _ sql: String, _ values: [String: SQLValue], key: String?
  ) throws -> String {
    let query = Query(sql: sql, values: values)
    if let name = temporaryTables[query] { return name }
    let name = "temporary_\(temporaryTables.count)"
    _ = try run("CREATE TEMP TABLE \(name) ON COMMIT DROP AS \(sql)", values)
    temporaryTables[query] = name
    return name
  }

  @discardableResult
  func execute(_ sql: String, _ values: [String: SQLValue]) throws -> Int64 {
    try run(sql, values).changes
  }

  func makeTable(_ name: String, columns: String) throws {
    _ = try run("CREATE TEMP TABLE \(name) (\(columns)) ON COMMIT DROP")
  }

  func insert(into table: String, columns: Int, _ rows: SQLRows) throws {
    try mappingErrors {
      try connection.beginCopy("COPY \(table) FROM STDIN")
      do {
        var bytes: [UInt8] = []
        try rows { [connection] row in
          bytes.append(tabSeparated: row.map(\.copied))
          guard bytes.count > 1 << 16 else { return }
          try connection.copy(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
        if !bytes.isEmpty { try connection.copy(bytes) }
      } catch {
        try? connection.endCopy("ended by the client")  // The first error says more.
        throw error
      }
      try connection.endCopy()
    }
    // The planner knows nothing of a new table.
    _ = try run("ANALYZE \(table)")
  }

  /// Runs statements that need no translation.
  func runScript(_ sql: String) throws {
    _ = try mappingErrors { try connection.run(sql, []) }
  }

  private func run(_ sql: String, _ values: [String: SQLValue] = [:]) throws -> LibPQResult {
    let statement = Dialect(sql, for: .postgreSQL)
    let parameters = try statement.parameters.map { LibPQValue(try values.value(of: $0)) }
    return try mappingErrors { try connection.run(statement.sql, parameters) }
  }
}

extension PostgreSQLEngine {
  /// Runs `body`, and throws the errors of the server as errors of a store.
  func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError {
      throw error.error(about: name)
    }
  }
}

/// A row of a result.
struct PostgreSQLRow: TextRow {
  let result: LibPQResult
  let row: Int32

  func text(at column: Int32) -> String? {
    result.text(row: row, column: column).map(FleetText.decode)
  }
}

extension LibPQValue {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self.init(type: PostgreSQLType.unspecified, text: nil)
    case .integer(let integer): self.init(type: PostgreSQLType.int8, text: String(integer))
    case .text(let text): self.init(type: PostgreSQLType.text, text: FleetText.encode(text))
    case .blob(let bytes): self.init(type: PostgreSQLType.bytea, text: "\\x" + bytes.hexadecimal)
    case .pattern(let pattern):
      self.init(type: PostgreSQLType.text, text: FleetText.encode(pattern.likePattern))
    case .integers(let integers):
      self.init(
        type: PostgreSQLType.int8Array,
        text: "{\(integers.map(String.init).joined(separator: ","))}")
    case .texts(let texts):
      self.init(
        type: PostgreSQLType.textArray,
        text: "{\(texts.map { FleetText.encode($0).quotedElement }.joined(separator: ","))}"
      )
    }
  }
}

extension String {
  /// The text as an element of an array (PostgreSQL manual, "8.15.6. Array Input and Output
  /// Syntax").
  fileprivate var quotedElement: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    } + "\""
  }
}

extension SQLValue {
  /// The value as COPY reads it.
  fileprivate var copied: Self {
    switch self {
    case .text(let text): .text(FleetText.encode(text))
    case .blob(let bytes): .text("\\x" + bytes.hexadecimal)
    default: self
    }
  }
}
