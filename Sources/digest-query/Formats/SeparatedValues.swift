import DigestStore

/// Rows for spreadsheets and scripts: CSV (RFC 4180) and TSV, lines ended by LF.
struct SeparatedValues: Sendable {
  /// Whether text stays as it is that a spreadsheet would run.
  let isRaw: Bool

  /// Whether a person looks at it, and a value must not steer the terminal.
  let isForTerminal: Bool

  /// The cells with commas between them, in quotes where they need them: so does empty text, for a
  /// field with nothing in it is a value that is not there.
  func csv(_ cells: [Cell]) -> String {
    cells.map { cell in
      if case .text(let text?) = cell, text.isEmpty { return Self.empty }
      return Self.quoted(text(cell, Self.splitsCSV))
    }.joined(separator: ",")
  }

  /// The field of a text that is empty.
  private static let empty = "\"\""

  /// The cells with tabs between them; tab, line breaks and backslash in a cell are escaped.
  func tsv(_ cells: [Cell]) -> String {
    cells.map { Self.escaped(text($0, Self.splitsTSV)) }.joined(separator: "\t")
  }

  /// The same for cells of text that the store writes by itself.
  func encoding(isTSV: Bool) -> CellEncoding {
    isTSV
      ? CellEncoding(separator: UInt8(ascii: "\t")) {
        Self.escaped(text(.text($0), Self.splitsTSV))
      }
      : CellEncoding(separator: UInt8(ascii: ",")) {
        $0.isEmpty ? Self.empty : Self.quoted(text(.text($0), Self.splitsCSV))
      }
  }

  private func text(_ cell: Cell, _ splits: (Unicode.Scalar) -> Bool) -> String {
    switch cell {
    case .drawing(let text): return text
    case .number(let number): return number.map { "\($0)" } ?? ""
    case .decimal(let number): return number?.decimal ?? ""
    case .flag(let flag): return "\(flag)"
    case .time(let date): return date?.iso8601 ?? ""
    case .text(let text):
      let value = isRaw ? text ?? "" : Self.harmless(text ?? "", splits)
      return isForTerminal ? value.printable : value
    }
  }

  /// Whether a program may begin a new cell behind the scalar, though CSV has it in quotes: its
  /// separator is that of its locale, and not every program reads quotes across lines.
  private static func splitsCSV(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ";", "|", "\t", "\n", "\r": true
    default: false
    }
  }

  /// The same for TSV, where nothing is in quotes.
  private static func splitsTSV(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "," || splitsCSV(scalar)
  }

  /// Puts a ' wherever a cell would begin with a formula: before the text, and behind each scalar at
  /// which it may be split (OWASP, "CSV Injection").
  private static func harmless(_ text: String, _ splits: (Unicode.Scalar) -> Bool) -> String {
    // By scalars, here and below: a combining mark makes a quote another character.
    guard let first = text.unicodeScalars.first,
      first.beginsFormula || first.isSkippedBeforeFormulas
        || text.unicodeScalars.contains(where: splits)
    else { return text }
    var harmless = ["\t", "\n", "\r", "\0"].contains(first) ? "'" : ""
    var skipped = String.UnicodeScalarView()
    var isAtBeginning = true
    for scalar in text.unicodeScalars {
      if isAtBeginning && !splits(scalar) {
        guard !scalar.isSkippedBeforeFormulas else {
          skipped.append(scalar)
          continue
        }
        if scalar.beginsFormula { harmless += "'" }
      }
      isAtBeginning = splits(scalar)
      harmless.unicodeScalars += skipped
      harmless.unicodeScalars.append(scalar)
      skipped.removeAll()
    }
    harmless.unicodeScalars += skipped
    return harmless
  }

  /// Puts text in quotes that has a comma, a quote or a line break (RFC 4180), or another separator.
  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains {
      $0 == "," || $0 == "\"" || splitsCSV($0)
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

extension Unicode.Scalar {
  /// Whether a spreadsheet takes text that begins with it for a formula; East Asian editions do so with
  /// the full-width forms too.
  fileprivate var beginsFormula: Bool {
    switch self {
    case "=", "+", "-", "@", "＝", "＋", "－", "＠": true
    default: false
    }
  }

  /// Whether a spreadsheet may drop the scalar before it looks for a formula: white space, controls,
  /// what nobody can see, and the quotes that TSV and a wrong separator leave at the beginning.
  fileprivate var isSkippedBeforeFormulas: Bool {
    self == "\"" || properties.isWhitespace || isHidden
  }
}
