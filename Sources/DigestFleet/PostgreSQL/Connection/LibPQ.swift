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

    /// Begins to run one statement with parameters, whose rows ``nextRow()`` receives one by one. The connection
    /// can run no other one until there are no more rows.
    func begin(_ sql: String, _ values: [String?]) throws {
      let isSent = Self.withPointers(to: values) {
        PQsendQueryParams(handle, sql, Int32(values.count), nil, $0, nil, nil, 1)
      }
      guard isSent == 1, PQsetSingleRowMode(handle) == 1 else { throw error(of: LibPQResult(nil)) }
    }

    /// - Returns: the next row, binary and alone in its result; nil after the last one.
    func nextRow() throws -> LibPQResult? {
      var failure: PostgreSQLError?
      while let handle = PQgetResult(handle) {
        let result = LibPQResult(handle)
        switch PQresultStatus(handle) {
        case PGRES_SINGLE_TUPLE: return result
        // The end of the rows.
        case PGRES_TUPLES_OK: break
        default: failure = error(of: result)
        }
      }
      if let failure { throw failure }
      return nil
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
