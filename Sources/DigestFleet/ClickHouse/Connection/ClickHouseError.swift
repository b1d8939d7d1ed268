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
