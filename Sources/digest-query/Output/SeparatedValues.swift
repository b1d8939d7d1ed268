import DigestStore

/// Rows for spreadsheets and scripts: CSV (RFC 4180) and TSV, lines ended by LF.
struct SeparatedValues: Sendable {
  /// Whether text stays as it is that a spreadsheet would run.
  let isRaw: Bool

  /// Whether a person looks at it, and a value must not steer the terminal.
  let isForTerminal: Bool

  /// The cells with commas between them, in quotes where they need them.
  func csv(_ cells: [Cell]) -> String {
    cells.map { Self.quoted(text($0)) }.joined(separator: ",")
  }

  /// The cells with tabs between them; tab, line breaks and backslash in a cell are escaped.
  func tsv(_ cells: [Cell]) -> String {
    cells.map { Self.escaped(text($0)) }.joined(separator: "\t")
  }

  /// The same for cells of text that the store writes by itself.
  func encoding(isTSV: Bool) -> CellEncoding {
    isTSV
      ? CellEncoding(separator: UInt8(ascii: "\t")) { Self.escaped(text(.text($0))) }
      : CellEncoding(separator: UInt8(ascii: ",")) { Self.quoted(text(.text($0))) }
  }

  private func text(_ cell: Cell) -> String {
    switch cell {
    case .number(let number): return "\(number)"
    case .decimal(let number): return number?.decimal ?? ""
    case .flag(let flag): return "\(flag)"
    case .time(let date): return date.iso8601
    case .text(let text):
      let value = isRaw ? text ?? "" : Self.harmless(text ?? "")
      return isForTerminal ? value.printable : value
    }
  }

  /// Puts a ' before what a spreadsheet would run (OWASP, "CSV Injection").
  private static func harmless(_ text: String) -> String {
    // By scalars, here and below: a combining mark makes a quote another character.
    switch text.unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\0": "'" + text
    default: text
    }
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains {
      $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r"
    }
    return needsQuotes ? "\"\(text.replacingScalars("\"", with: "\"\""))\"" : text
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
