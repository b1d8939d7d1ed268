#if PostgreSQL
  import CPostgreSQL

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// One connection to a server that speaks PostgreSQL's protocol, by libpq. Not thread-safe.
  final class PostgreSQLConnection {
    /// What of the URL may be shown: everything but the password.
    let name: String

    private let handle: OpaquePointer

    /// Connects within ten seconds unless the URL sets another limit.
    ///
    /// The server's certificate is verified unless the server is on this machine or `sslmode` is set.
    ///
    /// - Parameter url: a connection URI of libpq (PostgreSQL manual, "34.1.1.2. Connection URIs");
    ///   the environment sets what it leaves out, as it does for `psql`: `PGPASSWORD`, `PGSSLMODE`.
    init(_ url: String) throws {
      try FleetURL.check(url)
      name = FleetURL.display(url)
      // The URL overrides what is listed before it (expand_dbname).
      let parameters =
        (FleetURL.needsVerification(url) ? [("sslmode", "verify-full")] : []) + [
          ("connect_timeout", "10"),
          // A network that is cut is noticed within a minute, also while nothing is sent.
          ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
          ("tcp_user_timeout", "60000"), ("dbname", url), ("client_encoding", "UTF8"),
          ("fallback_application_name", "digest-query"),
        ]
      let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
      defer {
        for text in texts {
          free(text.0)
          free(text.1)
        }
      }
      let keys = texts.map { UnsafePointer($0.0) } + [nil]
      let values = texts.map { UnsafePointer($0.1) } + [nil]
      guard let handle = PQconnectdbParams(keys, values, 1) else {
        throw FleetError(.unreachable, "\(name): out of memory")
      }
      guard PQstatus(handle) == CONNECTION_OK else {
        let message = String(cString: PQerrorMessage(handle))
        let needsPassword = PQconnectionNeedsPassword(handle) != 0
        PQfinish(handle)
        throw FleetError.connection(message, to: name, needsPassword: needsPassword)
      }
      self.handle = handle
      // What the server says besides is for its log.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
      do {
        // Otherwise a role that may create functions or operators in a schema of the path could have
        // us run them (CVE-2018-1058). And nobody who holds a lock keeps us waiting for ever.
        try run(
          """
          SELECT pg_catalog.set_config('search_path', 'pg_catalog', false),
            pg_catalog.set_config('lock_timeout', '60s', false)
          """)
      } catch let error as PostgreSQLError {
        throw error.error(about: name, needing: nil)
      }
    }

    deinit { PQfinish(handle) }

    /// Runs one statement with parameters, or several without.
    ///
    /// With parameters the rows come as the server has them, without them as texts: a value must be
    /// a number of at most eight bytes, a text or `bytea`.
    @discardableResult
    func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws -> PostgreSQLRows {
      let texts = values.map { value in value.text.map { strdup($0) } }
      defer { for text in texts { free(text ?? nil) } }
      let pointers = texts.map { $0.map { UnsafePointer($0) } ?? nil }
      let received = PostgreSQLResult(
        values.isEmpty
          ? PQexec(handle, sql)
          : PQexecParams(handle, sql, Int32(values.count), nil, pointers, nil, nil, 1))
      let result = received.handle
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        return PostgreSQLRows(received)
      default:
        throw PostgreSQLError(
          state: PQresultErrorField(result, Int32(Character("C").asciiValue ?? 0))
            .map { String(cString: $0) } ?? "",
          message: PQresultErrorField(result, Int32(Character("M").asciiValue ?? 0))
            .map { String(cString: $0) } ?? String(cString: PQerrorMessage(handle)),
          isConnected: PQstatus(handle) == CONNECTION_OK
        )
      }
    }

    /// Runs a transaction, and rolls it back when `body` throws.
    ///
    /// When the connection is lost while it commits, no one knows whether it has: who calls this must
    /// be able to find out, or to repeat it.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
      try run("BEGIN")
      do {
        let value = try body()
        try run("COMMIT")
        return value
      } catch {
        // On a connection that is lost there is nothing to roll back.
        _ = try? run("ROLLBACK")
        throw error
      }
    }
  }
#endif
