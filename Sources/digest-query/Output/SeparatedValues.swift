/// Rows for spreadsheets and scripts: CSV (RFC 4180) and TSV, lines ended by LF.
enum SeparatedValues {
  /// The cells with commas between them, in quotes where they need them.
  static func csv(_ cells: [Cell], isRaw: Bool) -> String {
    cells.map { quoted(text($0, isRaw: isRaw)) }.joined(separator: ",")
  }

  /// The cells with tabs between them; tab, line breaks and backslash in a cell are escaped.
  static func tsv(_ cells: [Cell], isRaw: Bool) -> String {
    cells.map { escaped(text($0, isRaw: isRaw)) }.joined(separator: "\t")
  }

  private static func text(_ cell: Cell, isRaw: Bool) -> String {
    switch cell {
    case .number(let number): "\(number)"
    case .time(let date): date.iso8601
    case .text(let text): isRaw ? text ?? "" : harmless(text ?? "")
    }
  }

  /// Puts a ' before what a spreadsheet would run (OWASP, "CSV Injection").
  private static func harmless(_ text: String) -> String {
    // By scalars: a line break may be one character with the one before it.
    switch text.unicodeScalars.first {
    case "=", "+", "-", "@", "\t", "\r", "\n", "\0": "'" + text
    default: text
    }
  }

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains {
      $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r"
    }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
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
