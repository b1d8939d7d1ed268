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

  /// - Parameter arrays: further members, with the objects of each.
  static func object<Element>(
    _ columns: [Column<Element>], _ element: Element, _ arrays: [(name: String, [String])] = []
  ) -> String {
    let members = object(columns.map(\.name), columns.map { $0.cell(element) }).dropLast()
    let rest = arrays.map { name, objects in
      ", \(name.jsonQuoted): [\(objects.joined(separator: ", "))]"
    }
    return "\(members)\(rest.joined())}"
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
    guard let plain = cell.plain else { return "null" }
    return switch cell {
    case .text, .drawing, .time: quoted(plain)
    case .number, .decimal, .fraction, .flag: plain
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

/// A table of GitHub Flavored Markdown.
enum Markdown {
  static func header(_ columns: [String]) -> String {
    "| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---|" }.joined())\n"
  }

  static func row(_ cells: [Cell]) -> String {
    "| \(cells.map(text).joined(separator: " | ")) |\n"
  }

  private static func text(_ cell: Cell) -> String {
    guard let plain = cell.plain else { return "" }
    return switch cell {
    case .text: isLive(plain) ? code(plain.visible) : escaped(plain.visible)
    case .drawing: escaped(plain)
    case .number, .decimal, .fraction, .flag, .time: plain
    }
  }

  /// The text with escapes for the syntax of Markdown and HTML.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case "\\", "|", "`", "*", "_", "[", "]", "~", "#": escaped += "\\\(scalar)"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as a code span (GitHub Flavored Markdown, section 6.3). In a table a bar needs an
  /// escape there.
  private static func code(_ text: String) -> String {
    let fence = String(repeating: "`", count: text.longestRun(of: "`") + 1)
    // A renderer strips one space from both ends if both have one, and a fence must not touch a
    // backtick.
    let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
    let space = ends.contains("`") || ends == [" ", " "] ? " " : ""
    return fence + space + text.replacingScalars("|", with: #"\|"#) + space + fence
  }

  /// Whether GitHub would turn a part of the text into a link, a mention, an emoji or a formula.
  ///
  /// GitHub looks for these in the rendered text, so that escapes do not help. It does not look in
  /// code.
  private static func isLive(_ text: String) -> Bool {
    let bytes = Array(text.lowercased().utf8)
    return bytes.indices.contains { index in
      let rest = bytes[index...]
      return switch rest[index] {
      // someone@example.com, $x$; https://example.com, mailto:, :tada:
      case UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: ":"): true
      case UInt8(ascii: "w"): rest.starts(with: "www.".utf8)
      // Issues: #12 and GH-12.
      case UInt8(ascii: "#"): rest.dropFirst().first?.isDigit == true
      case UInt8(ascii: "g"):
        rest.starts(with: "gh-".utf8) && rest.dropFirst(3).first?.isDigit == true
      default: false
      }
    }
  }
}

extension String {
  fileprivate func longestRun(of scalar: Unicode.Scalar) -> Int {
    var (longest, run) = (0, 0)
    for next in unicodeScalars {
      run = next == scalar ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
