import ResilientDecoding

/// Prints rows to stdout in one of the formats, one at a time where the format allows it.
struct RowPrinter<Element: Row>: ~Copyable {
  private let format: Format
  private let isRaw: Bool
  private let isTerminal = StandardOutput.isTerminal
  private var output = StandardOutput()
  private var table = TextTable(columns: Element.columns)
  private var count = 0

  init(_ options: OutputOptions) {
    self.init(options.format, isRaw: options.raw)
  }

  init(_ format: Format, isRaw: Bool) {
    self.format = format
    self.isRaw = isRaw
    switch format {
    case .csv: output.write(Element.columns.joined(separator: ",") + "\n")
    case .tsv: output.write(Element.columns.joined(separator: "\t") + "\n")
    case .markdown: output.write(Markdown.header(Element.columns))
    case .table, .json, .ndjson: break
    }
  }

  /// Prints a row, or keeps it where the format has to know all rows first.
  mutating func print(_ row: Element) throws {
    switch format {
    case .table: table.append(row.cells)
    case .csv: output.write(visible(SeparatedValues.csv(row.cells, isRaw: isRaw)) + "\n")
    case .tsv: output.write(visible(SeparatedValues.tsv(row.cells, isRaw: isRaw)) + "\n")
    case .markdown: output.write(Markdown.row(row.cells))
    case .ndjson: output.write(JSON.object(Element.columns, row.cells) + "\n")
    case .json:
      output.write((count == 0 ? "[\n  " : ",\n  ") + JSON.object(Element.columns, row.cells))
    }
    count += 1
    try output.flush()
  }

  /// Prints what is left.
  consuming func finish() throws {
    switch format {
    case .table: output.write(table.text(isColored: StandardOutput.wantsColor))
    case .json: output.write(count == 0 ? "[]\n" : "\n]\n")
    case .csv, .tsv, .markdown, .ndjson: break
    }
    try output.flush(force: true)
  }

  /// On a terminal, a value must not steer it; a file gets the value as it is.
  private func visible(_ line: String) -> String {
    isTerminal
      ? line.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0).printable }.joined(separator: "\n") : line
  }
}

/// JSON (RFC 8259) with its members in the order of the columns.
private enum JSON {
  static func object(_ columns: [String], _ cells: [Cell]) -> String {
    let members = zip(columns, cells).map { column, cell in
      "\(column.jsonQuoted): \(value(cell))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func value(_ cell: Cell) -> String {
    switch cell {
    case .text(let text): text?.jsonQuoted ?? "null"
    case .number(let number): "\(number)"
    case .time(let date): date.iso8601.jsonQuoted
    }
  }
}

/// A table of GitHub Flavored Markdown.
private enum Markdown {
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
    case .time(let date): date.iso8601
    case .text(let text):
      (text ?? "").printable.reduce(into: "") { escaped, character in
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case "\\", "|", "`", "*", "_", "[", "]", "~", "#": escaped += "\\\(character)"
        default: escaped.append(character)
        }
      }
    }
  }
}
