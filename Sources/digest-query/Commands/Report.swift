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
    let store = try store.openForReading()
    let filter = filters.filter
    // One row more than is wanted tells whether there are any.
    let rows = try question(store, filter, limit.limit.map { $0 < .max ? $0 + 1 : $0 })
    var printer = RowPrinter<Element>(output)
    for row in rows.prefix(limit.limit ?? .max) { try printer.print(row) }
    try printer.finish()
    if rows.isEmpty { Note.write("nothing found that matches") }
    let isCut = limit.limit.map { rows.count > $0 } ?? false
    if isCut, let limit = limit.limit {
      Note.write("there are more than \(limit.counting("row")); raise --limit to see them")
    }
    try Self.noteLosses(of: store, matching: filter, about: subject, isCut: isCut)
  }

  /// Says on stderr what the window should have and the file could not keep.
  ///
  /// - Parameters:
  ///   - subject: what the answer is about.
  ///   - isCut: whether there was more than was wanted, so that nobody looks for what is older.
  static func noteLosses(
    of store: DigestStore,
    matching filter: DigestFilter,
    about subject: Subject,
    isCut: Bool = false
  ) throws {
    let isOfAllTime = filter.since == nil && filter.until == nil
    var byReason = Dictionary(grouping: try store.losses(matching: filter), by: \.reason)
    // No digest is missing, and not every count has gone either.
    if subject != .counts || isOfAllTime { byReason[Loss.undated] = nil }
    if subject == .digests, isCut { byReason[Loss.evicted] = nil }
    for (reason, losses) in byReason.sorted(by: { $0.key < $1.key }) {
      Note.write(LossNote(reason: reason, losses).text(isExport: subject == .export))
    }
    guard subject == .counts else { return }
    let window = try store.countedWindow(matching: filter)
    if !window.isExact { Note.write(LossNote.text(of: window)) }
    let hits = try store.limitsHit(matching: filter)
    if !hits.isEmpty { Note.write(LossNote.text(of: hits)) }
  }
}
