import DigestStore

/// The steps of every report: open the store, ask it, print the rows, and write notes about what is
/// missing.
struct ReportRunner {
  let store: StoreOptions
  let filter: DigestFilter
  let limit: LimitOption
  let output: OutputOptions

  /// The noun for the rows that the limit counts.
  var noun = "row"

  /// The names of columns to leave out.
  var omittedColumns: Set<String> = []

  /// Asks the store and prints the rows.
  func print<Element: Row>(
    about subject: LossMessage.Subject = .counts,
    _ question: (DigestReader, DigestFilter, Int?) throws -> [Element]
  ) throws {
    try answer(question, about: subject) { try print($0) }
  }

  /// Asks the store, has the rows within the limit printed, and writes notes about what is missing.
  ///
  /// Rows and notes are of one moment, and nothing is printed before all of them are read.
  func answer<Element>(
    _ question: (DigestReader, DigestFilter, Int?) throws -> [Element],
    about subject: LossMessage.Subject = .counts,
    printing print: (ArraySlice<Element>) throws -> Void
  ) throws {
    let store = try store.openForReading()
    let (rows, notes) = try store.atOneMoment {
      let (filter, clock) = try Self.endingNow(self.filter, in: store)
      let rows = try question(store, filter, rowsToAskFor)
      let notes = try Self.notes(
        of: store, matching: filter, about: subject, isCut: isCut(rows), isEmpty: rows.isEmpty)
      return (rows, notes + clock)
    }
    try print(rowsWithinLimit(rows))
    if rows.isEmpty { Note.write("nothing found that matches") }
    noteLimit(rows)
    Note.write(notes)
  }

  /// The number of rows to ask for: one more than the limit shows whether there are more.
  var rowsToAskFor: Int? { limit.limit.map { $0 < .max ? $0 + 1 : $0 } }

  /// The rows within the limit.
  func rowsWithinLimit<Element>(_ rows: [Element]) -> ArraySlice<Element> {
    rows.prefix(limit.limit ?? .max)
  }

  /// Prints rows in the chosen format.
  ///
  /// - Parameter columns: further columns.
  func print<Element: Row>(
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
  private func isCut<Element>(_ rows: [Element]) -> Bool { rows.count > limit.limit ?? .max }

  /// Writes a note if there are more rows than the limit.
  func noteLimit<Element>(_ rows: [Element]) {
    guard let limit = limit.limit, isCut(rows) else { return }
    Note.write(limit.exceeded(by: noun))
  }
}
