import DigestStore

extension ClickHouseError {
  /// The codes are those of ClickHouse's `ErrorCodes.cpp`.
  ///
  /// - Parameter name: the server, as messages show it.
  func error(about name: String) -> DigestStoreError {
    func error(_ code: DigestStoreError.Code, _ remedy: String) -> DigestStoreError {
      DigestStoreError(code, "\(name): \(message); \(remedy)")
    }
    if message.contains("No space left on device") {
      return DigestStoreError(
        .diskFull, "\(name): No space left on device; free some space on the server's disk")
    }
    switch code {
    case 60:  // UNKNOWN_TABLE
      return .noFleet(name)
    case 81:  // UNKNOWN_DATABASE
      return error(
        .noSuchStore, "make it first (CREATE DATABASE), and then digest-query fleet init URL")
    case 192, 193, 194, 516:
      // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
      return DigestStoreError(
        .notPermitted,
        "\(name): the server rejected the user or the password; give the password in "
          + "$CLICKHOUSE_PASSWORD, or its file in $CLICKHOUSE_PASSWORD_FILE")
    case 195:  // IP_ADDRESS_NOT_ALLOWED
      return error(.notPermitted, "let the user connect from this machine")
    case 164, 452:
      // READONLY, SETTING_CONSTRAINT_VIOLATION
      return error(
        .notPermitted,
        "let the user change settings, and write if it pushes (readonly in its profile)")
    case 291, 497:
      // DATABASE_ACCESS_DENIED, ACCESS_DENIED
      return error(
        .notPermitted,
        "have an administrator grant it (GRANT); the article Fleet has the statements")
    case 159, 160:
      // TIMEOUT_EXCEEDED, TOO_SLOW
      return error(.inputOutput, "raise max_execution_time, or choose a shorter window")
    case 242:  // TABLE_IS_READ_ONLY
      return error(.readOnly, "check that the server reaches its Keeper, and run it again")
    case 373:  // SESSION_IS_LOCKED
      return error(.busy, "an earlier statement still runs: run it again later")
    case 209, 210, 279, 319, 999:
      // SOCKET_TIMEOUT, NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED, UNKNOWN_STATUS_OF_INSERT,
      // KEEPER_EXCEPTION
      return error(
        .inputOutput, "a server does not answer: check that all of them run, and run it again")
    case 241:  // MEMORY_LIMIT_EXCEEDED
      return error(.inputOutput, "raise max_memory_usage, or choose a shorter window")
    case 243:  // NOT_ENOUGH_SPACE
      return error(.diskFull, "free some space on the server's disk")
    case 252:  // TOO_MANY_PARTS
      return error(.busy, "the server merges more slowly than it gets rows: push less often")
    case 0:
      return error(.inputOutput, "check the URL, and whether it names ClickHouse's port for HTTP")
    default:
      return error(.inputOutput, "look into the server's log")
    }
  }
}

/// An error message of the server.
struct ClickHouseError: Error {
  /// One of the codes in ClickHouse's `ErrorCodes.cpp`; 0 if the message has none.
  let code: Int
  let message: String

  init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  /// Reads a message such as `Code: 60, e.displayText() = DB::Exception: Table x doesn't exist.`,
  /// or in later versions
  /// `Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE) (version …)`.
  init(_ answer: HTTPAnswer) {
    let text = String(decoding: answer.body.prefix(4_096), as: UTF8.self)
    guard text.hasPrefix("Code: ") else {
      let line = text.split(whereSeparator: \.isNewline).first.map { ": \($0.prefix(200))" } ?? ""
      code = 0
      message = "the server answered with HTTP status \(answer.status)\(line)"
      return
    }
    code = Int(text.dropFirst(6).prefix { $0.isASCII && $0.isNumber }) ?? 0
    var line = Substring(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    // A server passes on the message of another one, with its own before it.
    while let range = line.firstRange(of: "DB::Exception: ") {
      let rest = line[range.upperBound...]
      guard !rest.isEmpty else { break }
      if line.hasPrefix("Code: ") || line.hasPrefix("Received from ") {
        line = rest
      } else {
        break
      }
    }
    for end in [", e.what() =", ". Stack trace:", " (version "] {
      if let range = line.firstRange(of: end) { line = line[..<range.lowerBound] }
    }
    while line.last == "." || line.last == " " { line.removeLast() }
    let start = line.prefix(300)
    message =
      start.endIndex < line.endIndex
      ? "\(start[..<(start.lastIndex(of: " ") ?? start.endIndex)])…" : String(line)
  }
}
