import DigestStore
import ResilientDecoding

/// JSON (RFC 8259) with its members in the order of the columns.
enum JSON {
  static func object(_ columns: [String], _ cells: [Cell]) -> String {
    let members = zip(columns, cells).map { column, cell in
      "\(column.jsonQuoted): \(value(cell))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// The document for a terminal, with an escape for each unprintable scalar except line breaks.
  ///
  /// Such a scalar is always within a string, where its escape has the same meaning.
  static func forTerminal(_ document: String) -> String {
    document.escapingUnprintable { $0 == "\n" ? "\n" : escaped($0) }
  }

  /// The escape of a scalar; beyond U+FFFF its two surrogates (RFC 8259, section 7).
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard scalar.value > 0xFFFF else { return scalar.escaped }
    return scalar.utf16.map { "\\u" + String($0, radix: 16) }.joined()
  }

  private static func value(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text.map(quoted) ?? "null"
    case .drawing(let text): quoted(text)
    case .number(let number): number.map { "\($0)" } ?? "null"
    case .decimal(let number): number?.decimal ?? "null"
    case .fraction(let share): share?.fraction ?? "null"
    case .flag(let flag): "\(flag)"
    case .time(let date): date?.iso8601.jsonQuoted ?? "null"
    }
  }

  /// The quoted text, with escapes for the separators at which some readers of NDJSON end a line.
  private static func quoted(_ text: String) -> String {
    text.jsonQuoted.replacingScalars("\u{2028}", with: #"\u2028"#)
      .replacingScalars("\u{2029}", with: #"\u2029"#)
  }
}

extension StandardOutput {
  /// Writes JSON that cannot control a terminal.
  mutating func writeJSON(_ document: String) {
    write(Self.isTerminal ? JSON.forTerminal(document) : document)
  }

  /// Writes JSON that cannot control a terminal, and does not copy it elsewhere.
  mutating func sendJSON(_ document: ArraySlice<UInt8>) throws {
    guard Self.isTerminal else { return try send(document) }
    writeJSON(String(decoding: document, as: UTF8.self))
    try flush(force: true)
  }
}
