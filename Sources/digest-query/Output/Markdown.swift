/// A table of GitHub Flavored Markdown.
enum Markdown {
  static func header(_ columns: [String]) -> String {
    "| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---|" }.joined())\n"
  }

  static func row(_ cells: [Cell]) -> String {
    "| \(cells.map(text).joined(separator: " | ")) |\n"
  }

  /// The value as text that no Markdown and no HTML is made of.
  private static func text(_ cell: Cell) -> String {
    switch cell {
    case .number(let number): "\(number)"
    case .decimal(let number): number?.decimal ?? ""
    case .flag(let flag): "\(flag)"
    case .time(let date): date.iso8601
    case .text(let text):
      (text ?? "").printable.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case "\\", "|", "`", "*", "_", "[", "]", "~", "#": escaped += "\\\(scalar)"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
  }
}
