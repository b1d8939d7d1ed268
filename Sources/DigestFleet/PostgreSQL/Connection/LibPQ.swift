#if PostgreSQL
  import CPostgreSQL
  import ResilientPlatform

  /// The parts of libpq that need no connection.
  enum LibPQ {
    static var version: Int32 { PQlibVersion() }

    /// Returns the settings of a URL by libpq's keywords; nil if libpq cannot read the URL.
    ///
    /// libpq's error message is dropped, because it may contain the password.
    static func options(of url: String) throws -> [String: String]? {
      guard let first = PQconninfoParse(url, nil) else { return nil }
      defer { PQconninfoFree(first) }
      var options: [String: String] = [:]
      var option = first
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val {
          options[String(cString: keyword)] = String(cString: value)
        }
        option += 1
      }
      return options
    }
  }

  /// A connection of libpq. Not thread-safe.
  final class LibPQConnection {
    private let handle: OpaquePointer

    /// Whether rows are still arriving. Another statement would discard them.
    private var isReceiving = false

    /// Connects. If a parameter is given twice, the last value counts.
    ///
    /// - Parameter name: the server, for error messages.
    init(_ parameters: [(keyword: String, value: String)], to name: String) throws {
      let texts = parameters.map { (strdup($0.keyword), strdup($0.value)) }
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
      // Notices are for the server's log.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// Runs one statement with parameters, whose rows are binary, or several without, whose rows are text.
    func run(_ sql: String, _ values: [String?]) throws -> LibPQResult {
      try checkIsFree()
      let result = LibPQResult(
        values.isEmpty
          ? PQexec(handle, sql)
          : Self.withPointers(to: values) {
            PQexecParams(handle, sql, Int32(values.count), nil, $0, nil, nil, 1)
          })
      switch PQresultStatus(result.handle) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
      default: throw error(of: result)
      }
    }

    /// Sends one statement with parameters. ``nextRow()`` then returns its rows one by one. Until it has returned
    /// nil or thrown an error, the connection cannot run another statement.
    func begin(_ sql: String, _ values: [String?]) throws {
      try checkIsFree()
      let isSent = Self.withPointers(to: values) {
        PQsendQueryParams(handle, sql, Int32(values.count), nil, $0, nil, nil, 1)
      }
      guard isSent == 1 else { throw error(of: LibPQResult(nil)) }
      // Cannot fail right after a statement was sent.
      PQsetSingleRowMode(handle)
      isReceiving = true
    }

    /// Returns the next row, in binary format, as a result of one row; nil after the last row.
    func nextRow() throws -> LibPQResult? {
      guard isReceiving else { return nil }
      var failure: PostgreSQLError?
      while let handle = PQgetResult(handle) {
        let result = LibPQResult(handle)
        switch PQresultStatus(handle) {
        case PGRES_SINGLE_TUPLE: return result
        // All rows have been received.
        case PGRES_TUPLES_OK: break
        // The server would send results for ever.
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw error(of: result)
        default: failure = error(of: result)
        }
      }
      isReceiving = false
      if let failure { throw failure }
      return nil
    }

    private func checkIsFree() throws {
      guard !isReceiving else {
        throw PostgreSQLError(
          state: "", message: "the rows of another statement are still arriving", isConnected: true)
      }
    }

    private static func withPointers<Value>(
      to values: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
      let texts = values.map { value in value.map { strdup($0) } }
      defer { for text in texts { free(text ?? nil) } }
      return body(texts.map { $0.map { UnsafePointer($0) } ?? nil })
    }

    private func error(of result: LibPQResult) -> PostgreSQLError {
      PostgreSQLError(
        state: result.error(field: "C") ?? "",
        message: result.error(field: "M") ?? String(cString: PQerrorMessage(handle)),
        isConnected: PQstatus(handle) == CONNECTION_OK)
    }
  }

  /// The rows that libpq has received for a statement.
  final class LibPQResult {
    fileprivate let handle: OpaquePointer?

    fileprivate init(_ handle: OpaquePointer?) { self.handle = handle }

    deinit { PQclear(handle) }

    /// The number of rows.
    var count: Int { Int(PQntuples(handle)) }

    func isBinary(column: Int) -> Bool { PQfformat(handle, Int32(column)) == 1 }

    /// Passes a value to `body`; nil for NULL.
    func withBytes<Value>(
      row: Int, column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? {
      let (row, column) = (Int32(row), Int32(column))
      guard PQgetisnull(handle, row, column) == 0 else { return nil }
      let length = Int(PQgetlength(handle, row, column))
      return try body(
        UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: length))
    }

    fileprivate func error(field: Character) -> String? {
      PQresultErrorField(handle, Int32(field.asciiValue ?? 0)).map { String(cString: $0) }
    }
  }
#else
  /// Takes the place of libpq in a build without the trait `PostgreSQL`: every use of it fails.
  enum LibPQ {
    static let version: Int32 = 0

    static func options(of url: String) throws -> [String: String]? { throw unavailable }

    fileprivate static let unavailable = FleetError(
      .unavailable,
      "this digest-query was built without PostgreSQL: install libpq (Debian: libpq-dev) and "
        + "run make install TRAITS=PostgreSQL")
  }

  final class LibPQConnection {
    init(_ parameters: [(keyword: String, value: String)], to name: String) throws {
      throw LibPQ.unavailable
    }

    func run(_ sql: String, _ values: [String?]) throws -> LibPQResult { throw LibPQ.unavailable }

    func begin(_ sql: String, _ values: [String?]) throws { throw LibPQ.unavailable }

    func nextRow() throws -> LibPQResult? { throw LibPQ.unavailable }
  }

  final class LibPQResult {
    let count = 0

    func isBinary(column: Int) -> Bool { false }

    func withBytes<Value>(
      row: Int, column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value? { nil }
  }
#endif
