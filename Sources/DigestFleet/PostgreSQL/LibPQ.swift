#if PostgreSQL
  import CPostgreSQL
  import DigestStore
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
        throw DigestStoreError(.inputOutput, "\(name): out of memory")
      }
      guard PQstatus(handle) == CONNECTION_OK else {
        let message = String(cString: PQerrorMessage(handle))
        let needsPassword = PQconnectionNeedsPassword(handle) != 0
        PQfinish(handle)
        throw DigestStoreError.connection(message, to: name, needsPassword: needsPassword)
      }
      self.handle = handle
      // Notices are for the server's log.
      PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// Runs one statement with parameters, or several without.
    func run(_ sql: String, _ values: [LibPQValue]) throws -> LibPQResult {
      let result = LibPQResult(
        values.isEmpty
          ? PQexec(handle, sql)
          : Self.withPointers(to: values.map(\.text)) {
            PQexecParams(
              handle, sql, Int32(values.count), values.map(\.type), $0, nil, nil, 0)
          })
      switch PQresultStatus(result.handle) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
      default: throw error(of: result)
      }
    }

    /// Begins a `COPY … FROM STDIN`.
    func beginCopy(_ sql: String) throws {
      let result = LibPQResult(PQexec(handle, sql))
      guard PQresultStatus(result.handle) == PGRES_COPY_IN else { throw error(of: result) }
    }

    /// Adds data of a copy.
    func copy(_ bytes: [UInt8]) throws {
      let isSent = bytes.withUnsafeBytes { buffer in
        PQputCopyData(
          handle, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
      }
      guard isSent == 1 else { throw error(of: LibPQResult(nil)) }
    }

    /// Ends a copy.
    ///
    /// - Parameter problem: fails the copy; nil to complete it.
    func endCopy(_ problem: String? = nil) throws {
      PQputCopyEnd(handle, problem)
      var failure: PostgreSQLError?
      while let handle = PQgetResult(handle) {
        let result = LibPQResult(handle)
        if PQresultStatus(handle) != PGRES_COMMAND_OK { failure = error(of: result) }
      }
      if let failure { throw failure }
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { PQtransactionStatus(handle) != PQTRANS_IDLE }

    private static func withPointers<Value>(
      to values: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
      let texts = values.map { value in value.map { strdup($0) } }
      defer { for text in texts { free(text ?? nil) } }
      return body(texts.map { $0.map { UnsafePointer($0) } ?? nil })
    }

    private func error(of result: LibPQResult) -> PostgreSQLError {
      PostgreSQLError(
        state: result.error(.state) ?? "",
        message: result.error(.message) ?? String(cString: PQerrorMessage(handle)),
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

    /// The number of rows that the statement changed.
    var changes: Int64 { Int64(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// A value as the server sends it; nil for NULL.
    func text(row: Int32, column: Int32) -> String? {
      guard PQgetisnull(handle, row, column) == 0 else { return nil }
      let length = Int(PQgetlength(handle, row, column))
      return String(
        decoding: UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: length),
        as: UTF8.self)
    }

    /// A part of an error (PostgreSQL manual, "PQresultErrorField").
    fileprivate enum ErrorField: UInt8 {
      /// `PG_DIAG_SQLSTATE`
      case state = 0x43
      /// `PG_DIAG_MESSAGE_PRIMARY`
      case message = 0x4D
    }

    fileprivate func error(_ field: ErrorField) -> String? {
      PQresultErrorField(handle, Int32(field.rawValue)).map { String(cString: $0) }
    }
  }
#else
  import DigestStore

  /// Takes the place of libpq in a build without the trait `PostgreSQL`: every use of it fails.
  enum LibPQ {
    static let version: Int32 = 0

    static func options(of url: String) throws -> [String: String]? { throw unavailable }

    fileprivate static let unavailable = DigestStoreError(
      .invalidURL,
      "this digest-query was built without PostgreSQL: install libpq (Debian: libpq-dev) and "
        + "run make install TRAITS=PostgreSQL")
  }

  final class LibPQConnection {
    init(_ parameters: [(keyword: String, value: String)], to name: String) throws {
      throw LibPQ.unavailable
    }

    func run(_ sql: String, _ values: [LibPQValue]) throws -> LibPQResult {
      throw LibPQ.unavailable
    }

    func beginCopy(_ sql: String) throws { throw LibPQ.unavailable }
    func copy(_ bytes: [UInt8]) throws { throw LibPQ.unavailable }
    func endCopy(_ problem: String? = nil) throws { throw LibPQ.unavailable }

    let isInTransaction = false
  }

  final class LibPQResult {
    let count = 0
    let changes: Int64 = 0

    func text(row: Int32, column: Int32) -> String? { nil }
  }
#endif

/// The ids of types (`pg_type.dat` of PostgreSQL, which never change).
enum PostgreSQLType {
  /// The server finds the type.
  static let unspecified: UInt32 = 0
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let text: UInt32 = 25
  static let textArray: UInt32 = 1009
  static let int8Array: UInt32 = 1016
}

/// A parameter of a statement.
struct LibPQValue {
  /// A ``PostgreSQLType``.
  let type: UInt32

  /// The value in the server's input syntax; nil for null.
  let text: String?
}
