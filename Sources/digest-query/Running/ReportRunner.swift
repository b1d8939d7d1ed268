import DigestStore

/// The steps of every report: open the store, ask it, print the rows, and write notes about what is
/// missing.
struct ReportRunner {
  let store: StoreOptions
  let filters: FilterOptions
  let limit: LimitOption
  let output: OutputOptions

  /// Asks the store and prints the rows.
  func print<Element: Row>(
    about subject: LossMessage.Subject = .counts,
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element]
  ) throws {
    try answer(question, about: subject) { rows, _, _ in try print(rows) }
  }

  /// Asks the store, has the rows within the limit printed, and writes notes about what is missing.
  func answer<Element>(
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element],
    about subject: LossMessage.Subject = .counts,
    printing print: (ArraySlice<Element>, DigestStore, DigestFilter) throws -> Void
  ) throws {
    let store = try store.openForReading()
    let filter = filters.filter
    let rows = try question(store, filter, rowsToAskFor)
    try print(rowsWithinLimit(rows), store, filter)
    if rows.isEmpty { Note.write("nothing found that matches") }
    let isCut = noteLimit(rows)
    try Self.noteLosses(of: store, matching: filter, about: subject, isCut: isCut)
  }

  /// The number of rows to ask for: one more than the limit shows whether there are more.
  var rowsToAskFor: Int? { limit.limit.map { $0 < .max ? $0 + 1 : $0 } }

  /// The rows within the limit.
  func rowsWithinLimit<Element>(_ rows: [Element]) -> ArraySlice<Element> {
    rows.prefix(limit.limit ?? .max)
  }

  /// Prints rows in the chosen format.
  func print<Element: Row>(_ rows: ArraySlice<Element>) throws {
    var printer = RowPrinter<Element>(output)
    for row in rows { try printer.print(row) }
    try printer.finish()
  }

  /// Writes a note if there are more rows than the limit.
  ///
  /// - Returns: whether there are.
  @discardableResult
  func noteLimit<Element>(_ rows: [Element]) -> Bool {
    guard let limit = limit.limit, rows.count > limit else { return false }
    Note.write(limit.exceeded(by: "row"))
    return true
  }
}
