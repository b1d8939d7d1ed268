import DigestStore

/// What all reports have in common: open, ask, print, and say what the answer does not have.
struct Report {
  /// What is asked for.
  enum Subject {
    /// How many there were.
    case counts
    /// The latest digests.
    case digests
    /// The digests themselves, all of them.
    case export
    /// The digests of a store that are added to another one.
    case merge
  }

  let store: StoreOptions
  let filters: FilterOptions
  let limit: LimitOption
  let output: OutputOptions

  /// Prints the rows of a question to the store.
  func print<Element: Row>(
    about subject: Subject = .counts,
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element]
  ) throws {
    try answer(question, about: subject) { rows, _, _ in try print(rows) }
  }

  /// Asks the store, has the rows that are wanted printed, and says what the answer does not have.
  func answer<Element>(
    _ question: (DigestStore, DigestFilter, Int?) throws -> [Element],
    about subject: Subject = .counts,
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
    Note.write("there are more than \(limit.counting("row")); raise --limit to see them")
    return true
  }

  /// Says on stderr what the window should have and the file could not keep, and when the store has
  /// never met the release.
  ///
  /// - Parameters:
  ///   - subject: what the answer is about.
  ///   - unit: the length of the periods of a trend.
  ///   - isCut: whether there was more than was wanted, so that nobody looks for what is older.
  static func noteLosses(
    of store: DigestStore,
    matching filter: DigestFilter,
    about subject: Subject = .counts,
    by unit: Trend.Unit? = nil,
    isCut: Bool = false
  ) throws {
    if let note = try unknownRelease(filter.release, of: store) { Note.write(note) }
    let notes = try losses(of: store, matching: filter, about: subject, by: unit, isCut: isCut)
    for note in notes { Note.write(note) }
  }

  /// What to say of a release that the store has never met; nil where there is nothing to say.
  static func unknownRelease(_ release: String?, of store: DigestStore) throws -> String? {
    guard let release, try !store.hasRelease(release) else { return nil }
    return "the store has no release \(release)"
  }

  /// What to say of all that the window should have and the file could not keep.
  static func losses(
    of store: DigestStore,
    matching filter: DigestFilter,
    about subject: Subject = .counts,
    by unit: Trend.Unit? = nil,
    isCut: Bool = false
  ) throws -> [String] {
    let isOfAllTime = filter.since == nil && filter.until == nil
    var byReason = Dictionary(grouping: try store.losses(matching: filter), by: \.reason)
    // No digest is missing, and not every count has gone either.
    if subject != .counts || isOfAllTime { byReason[Loss.undated] = nil }
    if subject == .digests, isCut { byReason[Loss.evicted] = nil }
    var notes = byReason.sorted { $0.key < $1.key }.map { reason, losses in
      LossNote(reason: reason, losses).text(about: subject)
    }
    guard subject == .counts else { return notes }
    let window = try store.countedWindow(matching: filter, by: unit)
    if !window.isExact { notes.append(LossNote.text(of: window)) }
    let hits = try store.limitsHit(matching: filter)
    if !hits.isEmpty { notes.append(LossNote.text(of: hits, matching: filter)) }
    return notes
  }
}
