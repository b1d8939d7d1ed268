/// Prints rows to stdout in one of the formats, one at a time where the format allows it.
struct RowPrinter<Element: Row>: ~Copyable {
  private let format: Format
  private let separatedValues: SeparatedValues
  private let isWide: Bool
  private var output = StandardOutput()
  private var table = TextTable(columns: Element.tableColumns)
  private var count = 0

  init(_ options: OutputOptions) {
    self.init(options.format, isRaw: options.raw.isRaw, isWide: options.isWide)
  }

  init(_ format: Format, isRaw: Bool, isWide: Bool = false) {
    self.format = format
    self.isWide = isWide
    separatedValues = SeparatedValues(isRaw: isRaw, isForTerminal: StandardOutput.isTerminal)
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
    case .table: table.append(row.tableCells)
    case .csv: output.write(separatedValues.csv(row.cells) + "\n")
    case .tsv: output.write(separatedValues.tsv(row.cells) + "\n")
    case .markdown: output.write(Markdown.row(row.cells))
    case .ndjson: output.writeJSON(JSON.object(Element.columns, row.cells) + "\n")
    case .json:
      output.writeJSON((count == 0 ? "[\n  " : ",\n  ") + JSON.object(Element.columns, row.cells))
    }
    count += 1
    try output.flush()
  }

  /// Prints what is left.
  consuming func finish() throws {
    var isCut = false
    switch format {
    case .table:
      let text: String
      (text, isCut) = table.text(
        isColored: StandardOutput.wantsColor, fitting: isWide ? nil : StandardOutput.width)
      output.write(text)
    case .json: output.write(count == 0 ? "[]\n" : "\n]\n")
    case .csv, .tsv, .markdown, .ndjson: break
    }
    try output.flush(force: true)
    if isCut { Note.write("cut to fit; --wide shows all") }
  }
}
