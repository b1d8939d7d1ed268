import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What all reports have in common: open, ask, print, and say what the answer does not have.
struct ReportRunner {
  let store: StoreOptions
  let filters: FilterOptions
  let limit: LimitOption
  let output: OutputOptions

  /// Prints the rows of a question to the store.
  func print<Element: Row>(
    about subject: LossMessage.Subject = .counts,
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element]
  ) throws {
    try answer(question, about: subject) { rows, _, _ in try print(rows) }
  }

  /// Asks the store, has the rows that are wanted printed, and says what the answer does not have.
  func answer<Element>(
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element],
    about subject: LossMessage.Subject = .counts,
    printing print: (ArraySlice<Element>, DigestStore, DigestFilter) throws -> Void
  ) throws {
    let store = try store.openForReading()
    let filter = filters.filter
    let rows = try question(store, filter, rowsToAskFor)
    try print(wanted(rows), store, filter)
    if rows.isEmpty { Note.write("nothing found that matches") }
    let isCut = noteLimit(rows)
    try Self.noteLosses(of: store, matching: filter, about: subject, isCut: isCut)
  }

  /// How many rows to ask the store for: one more than are wanted tells whether there are any.
  var rowsToAskFor: Int? { limit.limit.map { $0 < .max ? $0 + 1 : $0 } }

  /// The rows that are wanted of those that were asked for.
  func wanted<Element>(_ rows: [Element]) -> ArraySlice<Element> {
    rows.prefix(limit.limit ?? .max)
  }

  /// Prints rows in the format that is wanted.
  func print<Element: Row>(_ rows: ArraySlice<Element>) throws {
    var printer = RowPrinter<Element>(output)
    for row in rows { try printer.print(row) }
    try printer.finish()
  }

  /// Says on stderr when there are more rows than are wanted.
  ///
  /// - Returns: whether there are.
  @discardableResult
  func noteLimit<Element>(_ rows: [Element]) -> Bool {
    guard let limit = limit.limit, rows.count > limit else { return false }
    Note.write(limit.exceeded(by: "row"))
    return true
  }
}
