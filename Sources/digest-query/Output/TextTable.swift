#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A table for people: columns aligned, numbers to the right.
struct TextTable {
  private let columns: [String]
  private var rows: [[Cell]] = []

  init(columns: [String]) {
    self.columns = columns
  }

  mutating func append(_ cells: [Cell]) {
    rows.append(cells)
  }

  func text(isColored: Bool) -> String {
    let body = rows.map { $0.map(\.forTable) }
    let widths = columns.indices.map { column in
      body.reduce(columns[column].count) { max($0, $1[column].terminalWidth) }
    }
    let header = line(columns, widths)
    let bold = isColored ? "\u{1B}[1m\(header)\u{1B}[0m" : header
    return ([bold] + body.map { line($0, widths) }).map { $0 + "\n" }.joined()
  }

  private func line(_ texts: [String], _ widths: [Int]) -> String {
    let padded = texts.indices.map { column in
      let space = String(repeating: " ", count: widths[column] - texts[column].terminalWidth)
      return isNumeric(column) ? space + texts[column] : texts[column] + space
    }
    // Nothing behind the last word of a line, for lines that are copied.
    let line = padded.joined(separator: "  ")
    let end = line.utf8.lastIndex { $0 != UInt8(ascii: " ") }
    return end.map { String(line[...$0]) } ?? ""
  }

  private func isNumeric(_ column: Int) -> Bool {
    switch rows.first?[column] {
    case .number?, .decimal?: true
    default: false
    }
  }
}

extension Cell {
  /// The cell as a person reads it: seconds are enough, and nothing is a dash.
  fileprivate var forTable: String {
    switch self {
    case .text(let text): text.map(\.printable) ?? "-"
    case .number(let number): "\(number)"
    case .decimal(let number): number?.decimal ?? "-"
    case .time(let date): date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    }
  }
}
