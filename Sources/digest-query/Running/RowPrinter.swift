/// Prints rows to stdout in one of the formats, one at a time where the format allows it.
struct RowPrinter<Element>: ~Copyable {
  private let columns: [Column<Element>]
  private let names: [String]
  private let format: Format
  private let separatedValues: SeparatedValues
  private var output = StandardOutput()
  private var table: TextTable<Element>
  private var count = 0

  /// - Throws: an ``ExitFailure`` that lists the columns if `--columns` names another one.
  init(_ options: OutputOptions) throws where Element: Row {
    try self.init(Element.columns, table: Element.tableColumns, options)
  }

  init(_ columns: [Column<Element>], _ options: OutputOptions) throws {
    try self.init(columns, table: columns, options)
  }

  /// - Parameter tableColumns: the columns of a table for people.
  init(
    _ columns: [Column<Element>], table tableColumns: [Column<Element>], _ options: OutputOptions
  ) throws {
    let chosen = try options.chosen(from: columns)
    let columns = chosen ?? columns
    self.columns = columns
    names = columns.map(\.name)
    format = options.format
    table = TextTable(
      chosen?.map { column in
        // People read shares in percent.
        let names = [column.name, column.name + "_%"]
        var shown = tableColumns.first { names.contains($0.name) } ?? column
        (shown.isOmittedIfEmpty, shown.dropOrder) = (false, nil)
        return shown
      } ?? tableColumns)
    separatedValues = SeparatedValues(
      isRaw: options.raw.isRaw, isForTerminal: StandardOutput.isTerminal)
    switch format {
    case .csv: output.write(names.joined(separator: ",") + "\n")
    case .tsv: output.write(names.joined(separator: "\t") + "\n")
    case .markdown: output.write(Markdown.header(names))
    case .table, .json, .ndjson: break
    }
  }

  /// Prints a row, or keeps it if the format has to know all rows first.
  mutating func print(_ row: Element) throws {
    guard format != .table else { return table.append(row) }
    let cells = columns.map { $0.cell(row) }
    switch format {
    case .table: break
    case .csv:
      output.write(separatedValues.csv(cells))
      output.write("\n")
    case .tsv: output.write(separatedValues.tsv(cells) + "\n")
    case .markdown: output.write(Markdown.row(cells))
    case .ndjson: output.writeJSON(JSON.object(names, cells) + "\n")
    case .json: output.writeJSON((count == 0 ? "[\n  " : ",\n  ") + JSON.object(names, cells))
    }
    count += 1
    try output.flush()
  }

  /// Prints what is left.
  consuming func finish() throws {
    var note: String?
    switch format {
    case .table:
      table.removeEmptyColumns()
      let table = table.layout(
        isColored: StandardOutput.usesColor, fitting: StandardOutput.width)
      note = table.note
      output.write(table.header)
      for row in table.rows {
        output.write(table.lines(ofRow: row))
        try output.flush()
      }
    case .json: output.write(count == 0 ? "[]\n" : "\n]\n")
    case .csv, .tsv, .markdown, .ndjson: break
    }
    try output.flush(force: true)
    if let note { Note.write(note) }
  }
}
