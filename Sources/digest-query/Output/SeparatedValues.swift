import DigestStore

/// Rows for spreadsheets and scripts: CSV (RFC 4180) and TSV, lines ended by LF.
struct SeparatedValues: Sendable {
  /// Whether formula-like text stays unchanged.
  let isRaw: Bool

  /// Whether the output is a terminal, which a value must not control.
  let isForTerminal: Bool

  /// A line of CSV without its break. A cell is quoted if it has to be, and so is empty text: an
  /// empty field means that there is no value.
  func csv(_ cells: [Cell]) -> String {
    var line = ""
    // Most lines are shorter.
    line.reserveCapacity(250)
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "," }
      switch cell {
      case .text(""): line += Self.empty
      // Most texts.
      case .text(let text?) where text.isPlainCell: line += text
      case .text, .drawing: line += Self.quoted(text(cell, Self.splitsCSV))
      // Neither has a separator.
      case .number, .decimal, .fraction, .flag, .time: line += text(cell, Self.splitsCSV)
      }
    }
    return line
  }

  /// The field for empty text.
  private static let empty = "\"\""

  /// A line of TSV. Tabs, line breaks and backslashes in a cell are escaped.
  func tsv(_ cells: [Cell]) -> String {
    cells.map { Self.escaped(text($0, Self.splitsTSV)) }.joined(separator: "\t")
  }

  /// The same encoding for cells that the store writes itself.
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
    let plain = cell.plain ?? ""
    switch cell {
    // A drawing may begin as a formula, too.
    case .text, .drawing: break
    default: return plain
    }
    let value = isRaw ? plain : Self.harmless(plain, splits)
    return isForTerminal ? value.printable : value
  }

  /// Whether a program may begin a new cell after the scalar, even within quotes: its separator
  /// depends on the locale, and not every program reads quotes across lines.
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

  /// Inserts ' where a cell would begin with a formula: before the text, and after each scalar at
  /// which it may be split (OWASP, "CSV Injection").
  private static func harmless(_ text: String, _ splits: (Unicode.Scalar) -> Bool) -> String {
    // A decimal with a sign, such as -1.5e9, is a number and no formula.
    if text.utf8.first.map("+-".utf8.contains) == true,
      text.wholeMatch(of: /[+-][0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/) != nil
    {
      return text
    }
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

  /// Quotes text that contains a comma, a quote, a line break (RFC 4180) or another separator.
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
  /// Whether a spreadsheet reads text that begins with the scalar as a formula. East Asian editions
  /// also do so for the full-width forms.
  fileprivate var beginsFormula: Bool {
    switch self {
    case "=", "+", "-", "@", "＝", "＋", "－", "＠": true
    default: false
    }
  }

  /// Whether a spreadsheet may drop the scalar before it looks for a formula: white space,
  /// controls, invisible scalars, and the quotes that TSV and a wrong separator leave at the
  /// beginning.
  fileprivate var isSkippedBeforeFormulas: Bool {
    // Most texts begin with a visible ASCII character, and properties are slow to look up.
    if ("#"..."~").contains(self) { return false }
    return self == "\"" || properties.isWhitespace || isHidden
  }
}
