import DigestStore

extension ClickHouseError {
  /// The codes are those of ClickHouse's `ErrorCodes.cpp`.
  ///
  /// - Parameter name: the server, as messages show it.
  func error(about name: String) -> DigestStoreError {
    if code == 60 { return .noFleet(name) }  // UNKNOWN_TABLE
    // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
    if [192, 193, 194, 516].contains(code) {
      return DigestStoreError(
        .notPermitted,
        "\(name): the server rejected the user or the password; give the password in "
          + "$CLICKHOUSE_PASSWORD, or its file in $CLICKHOUSE_PASSWORD_FILE")
    }
    let (kind, remedy): (DigestStoreError.Code, String) =
      switch code {
      case 81:  // UNKNOWN_DATABASE
        (.noSuchStore, "make it first (CREATE DATABASE), and then digest-query fleet init URL")
      case 164, 452:  // READONLY, SETTING_CONSTRAINT_VIOLATION
        (
          .notPermitted,
          "let the user change settings, and write if it pushes (readonly in its profile)"
        )
      case 195, 291, 497:
        // IP_ADDRESS_NOT_ALLOWED, DATABASE_ACCESS_DENIED, ACCESS_DENIED
        (
          .notPermitted,
          "have an administrator grant it (GRANT, or HOST for this machine); the article Fleet has "
            + "the statements"
        )
      case 159, 160, 241:  // TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED
        (.inputOutput, "raise the user's limit, or choose a shorter window")
      case 209, 210, 242, 252, 279, 319, 373, 999:
        // SOCKET_TIMEOUT, NETWORK_ERROR, TABLE_IS_READ_ONLY, TOO_MANY_PARTS,
        // ALL_CONNECTION_TRIES_FAILED, UNKNOWN_STATUS_OF_INSERT, SESSION_IS_LOCKED, KEEPER_EXCEPTION
        (.inputOutput, "check that all servers run, and that they keep up; run it again later")
      case _ where code == 243 || message.contains("No space left on device"):  // NOT_ENOUGH_SPACE
        (.diskFull, "free some space on the server's disk")
      case 0: (.inputOutput, "check the URL, and whether it names ClickHouse's port for HTTP")
      default: (.inputOutput, "look into the server's log")
      }
    return DigestStoreError(kind, "\(name): \(message); \(remedy)")
  }
}

/// An error message of the server.
struct ClickHouseError: Error {
  /// One of the codes in ClickHouse's `ErrorCodes.cpp`; 0 if the message has none.
  let code: Int
  let message: String
}

extension ClickHouseError {
  /// Reads a message such as `Code: 60, e.displayText() = DB::Exception: Table x doesn't exist.`,
  /// or in later versions
  /// `Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE) (version …)`.
  init(_ answer: HTTPAnswer) {
    let text = String(decoding: answer.body.prefix(4_096), as: UTF8.self)
    guard text.hasPrefix("Code: ") else {
      let line = text.split(whereSeparator: \.isNewline).first.map { ": \($0.prefix(200))" } ?? ""
      self.init(
        code: 0, message: "the server answered with HTTP status \(answer.status)\(line)")
      return
    }
    let code = Int(text.dropFirst(6).prefix { $0.isASCII && $0.isNumber }) ?? 0
    var line = Substring(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    // A server passes on the message of another one, with its own before it.
    while line.hasPrefix("Code: ") || line.hasPrefix("Received from "),
      let rest = line.firstRange(of: "DB::Exception: ")?.upperBound, rest < line.endIndex
    {
      line = line[rest...]
    }
    for end in [", e.what() =", ". Stack trace:", " (version "] {
      if let range = line.firstRange(of: end) { line = line[..<range.lowerBound] }
    }
    while line.last == "." || line.last == " " { line.removeLast() }
    let start = line.prefix(300)
    let isCut = start.endIndex < line.endIndex
    let end = isCut ? start.lastIndex(of: " ") ?? start.endIndex : start.endIndex
    self.init(code: code, message: "\(start[..<end])\(isCut ? "…" : "")")
  }
}
