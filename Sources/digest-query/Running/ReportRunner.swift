import DigestStore

/// The steps of every report: open the store, ask it, print the rows, and write notes about what is
/// missing.
struct ReportRunner {
  let store: StoreOptions
  let filter: DigestFilter
  let limit: Int?
  let output: OutputOptions

  /// The names of columns to leave out.
  var omittedColumns: Set<String> = []

  /// Asks the store and prints the rows.
  func print<Element: OutputRow>(
    about subject: LossMessage.AnswerKind = .counts,
    _ question: (DigestReader, DigestFilter, Int?) throws -> [Element]
  ) throws {
    try answer(question, about: subject) { try print($0) }
  }

  /// Asks the store, has the rows within the limit printed, and writes notes about what is missing.
  ///
  /// Rows and notes are of one moment, and nothing is printed before all of them are read.
  ///
  /// - Parameter hidden: a note about the rows that match, but that the question left out.
  func answer<Element>(
    _ question: (DigestReader, DigestFilter, Int?) throws -> [Element],
    about subject: LossMessage.AnswerKind = .counts,
    hasRates: Bool = false,
    byContexts: Bool = false,
    hidden: @autoclosure () -> Note? = nil,
    printing print: (ArraySlice<Element>) throws -> Void
  ) throws {
    let store = try store.openForReading()
    let (rows, notes) = try store.atOneMoment {
      let (filter, clock) = try Self.endingNow(self.filter, in: store)
      let rows = try question(store, filter, rowsToAskFor)
      let notes = try Self.notes(
        of: store, matching: filter, about: subject, isCut: isCut(rows), isEmpty: rows.isEmpty,
        hasRates: hasRates, byContexts: byContexts)
      return (rows, notes + clock)
    }
    try print(rowsWithinLimit(rows))
    let hidden = hidden()
    if rows.isEmpty, hidden == nil { Note.write("nothing found that matches") }
    noteLimit(rows)
    Note.write([hidden].compactMap(\.self) + notes)
  }

  /// The number of rows to ask for: one more than the limit shows whether there are more.
  var rowsToAskFor: Int? { limit?.adding(count: 1) }

  /// The rows within the limit.
  func rowsWithinLimit<Element>(_ rows: [Element]) -> ArraySlice<Element> {
    rows.prefix(limit ?? .max)
  }

  /// Prints rows in the chosen format.
  ///
  /// - Parameter columns: further columns.
  func print<Element: OutputRow>(
    _ rows: ArraySlice<Element>, adding columns: [Column<Element>] = []
  ) throws {
    func all(_ chosen: [Column<Element>]) -> [Column<Element>] {
      chosen.filter { !omittedColumns.contains($0.name) } + columns
    }
    var printer = try RowPrinter(
      all(Element.columns), table: all(Element.tableColumns), output)
    for row in rows { try printer.print(row) }
    try printer.finish()
  }

  /// Whether there are more rows than the limit.
  private func isCut<Element>(_ rows: [Element]) -> Bool { rows.count > limit ?? .max }

  /// Writes a note if there are more rows than the limit.
  func noteLimit<Element>(_ rows: [Element]) {
    guard let limit, isCut(rows) else { return }
    Note.write(limit.exceeded(by: "row"), .hint)
  }
}

/// Lists of failures.
extension ReportRunner {
  /// Asks the store, and prints the rows without those that are ignored or resolved, unless `--all` is
  /// given.
  func print(
    triagedBy options: TriageOptions,
    _ question: (DigestReader, DigestFilter, Int?) throws -> [DigestStore.FailureCount]
  ) throws {
    var triaged: TriagedRows<DigestStore.FailureCount>?
    var rates: [Note] = []
    let ask = { (store: DigestReader, filter: DigestFilter, limit: Int?) in
      let rows = try TriagedRows(by: options.triage(of: store), limit: limit) { narrowed, limit in
        try question(store, narrowed(filter), limit)
      }
      triaged = rows
      if !rows.shown.isEmpty, output.columns == nil {
        rates =
          rows.shown.allSatisfy { $0.rate == nil }
          ? [Self.noRates]
          : try Self.lateRates(
            of: store, matching: filter, since: rows.shown.map(\.firstSeen).min())
      }
      return rows.shown
    }
    try answer(ask, hidden: triaged?.note) { rows in
      try print(rows, adding: triaged?.triage.columns() ?? [])
    }
    Note.write(rates)
  }
}

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
  init(_ options: OutputOptions) throws where Element: OutputRow {
    try self.init(Element.columns, table: Element.tableColumns, options)
  }

  /// - Parameter tableColumns: the columns of a table for people; nil for the same.
  init(
    _ columns: [Column<Element>], table tableColumns: [Column<Element>]? = nil,
    _ options: OutputOptions
  ) throws {
    let tableColumns = tableColumns ?? columns
    let chosen = try options.chosen(
      from: columns + tableColumns.filter { shown in !columns.contains { $0.name == shown.name } })
    let columns = chosen ?? columns
    self.columns = columns
    names = columns.map(\.name)
    format = options.format
    table = TextTable(
      chosen?.map { column in
        var shown = tableColumns.first { $0.name == column.name } ?? column
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
    if let note { Note.write(note, .hint) }
  }
}
