import DigestStore

/// A table of GitHub Flavored Markdown.
enum Markdown {
  static func header(_ columns: [String]) -> String {
    "| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---|" }.joined())\n"
  }

  static func row(_ cells: [Cell]) -> String {
    "| \(cells.map(text).joined(separator: " | ")) |\n"
  }

  private static func text(_ cell: Cell) -> String {
    switch cell {
    case .drawing(let text): escaped(text)
    case .number(let number): number.map { "\($0)" } ?? ""
    case .decimal(let number): number?.decimal ?? ""
    case .fraction(let share): share?.fraction ?? ""
    case .flag(let flag): "\(flag)"
    case .time(let date): date?.iso8601 ?? ""
    case .text(let text): text.map { isLive($0) ? code($0.visible) : escaped($0.visible) } ?? ""
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
