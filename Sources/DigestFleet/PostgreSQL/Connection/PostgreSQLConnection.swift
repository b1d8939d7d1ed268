import ResilientPlatform

/// One connection to a server that speaks PostgreSQL's protocol. Not thread-safe.
final class PostgreSQLConnection {
  /// The URL without its password and parameters, for messages.
  let name: String

  private let connection: LibPQConnection

  /// Connects within ten seconds unless the URL sets another limit.
  ///
  /// The server's certificate is verified unless the server is on this machine or `sslmode` is set.
  ///
  /// - Parameter url: a connection URI of libpq (PostgreSQL manual, "34.1.1.2. Connection URIs").
  ///   As for `psql`, the environment sets what the URL leaves out: `PGPASSWORD`, `PGSSLMODE`.
  /// - Throws: ``FleetError``, or ``PostgreSQLError`` if the server refuses the settings.
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
    // With another search_path, a role that may create functions or operators in one of its schemas could
    // have us run them (CVE-2018-1058). The timeout ends a wait for a lock that someone never releases.
    try run(
      """
      SELECT pg_catalog.set_config('search_path', 'pg_catalog', false),
        pg_catalog.set_config('lock_timeout', '60s', false)
      """)
  }

  /// Runs one statement with parameters, or several without.
  ///
  /// A value that a statement with parameters returns must be a number of at most eight bytes, a text,
  /// `bytea` or `bigint[]`.
  @discardableResult
  func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws -> PostgreSQLRows {
    PostgreSQLRows(try connection.run(sql, values.map(\.text)))
  }

  /// Sends one statement with parameters. ``nextRow()`` then returns its rows one by one, so that they are never
  /// all in memory. Until the last row is received, the connection cannot run another statement.
  func begin(_ sql: String, _ values: [PostgreSQLValue]) throws {
    try connection.begin(sql, values.map(\.text))
  }

  /// - Returns: nil after the last row.
  func nextRow() throws -> PostgreSQLRow? {
    try connection.nextRow().map { PostgreSQLRow(result: $0, row: 0) }
  }

  /// Runs `body` in a transaction, and rolls it back if `body` throws.
  ///
  /// If the connection is lost during the commit, the outcome is unknown: the caller must be able to find
  /// it out, or to repeat the transaction.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // A lost connection has nothing to roll back.
      _ = try? run("ROLLBACK")
      throw error
    }
  }
}

extension PostgreSQLConnection {
  /// The most attempts at a transaction that concurrent ones keep from committing.
  private static let attempts = 20

  /// Runs `body`, and again while the server refuses it because of concurrent transactions.
  @discardableResult
  func repeating<Value>(_ body: () throws -> Value) throws -> Value {
    var attempt = 0
    while true {
      do {
        return try body()
      } catch let error as PostgreSQLError where error.isTransient && attempt < Self.attempts {
        attempt += 1
        // A random pause keeps two transactions from colliding again.
        usleep(UInt32.random(in: 0..<20_000 * UInt32(attempt)))
      }
    }
  }
}
