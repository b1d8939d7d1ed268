import DigestStore

/// What all reports have in common: open, ask, print, and say what the answer does not have.
struct Report {
  let store: StoreOptions
  let filters: FilterOptions
  let limit: LimitOption
  let output: OutputOptions

  /// Prints the rows of a question to the store.
  func print<Element: Row>(
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
    if let limit = limit.limit, rows.count > limit {
      Note.write("there are more than \(limit.counting("row")); raise --limit to see them")
    }
    try Self.noteLosses(of: store, matching: filter)
  }

  /// Says on stderr what the window should have and the file could not keep.
  ///
  /// - Parameter isExport: whether digests are asked for, and not only how many there were.
  static func noteLosses(
    of store: DigestStore,
    matching filter: DigestFilter,
    isExport: Bool = false
  ) throws {
    let isOfAllTime = filter.since == nil && filter.until == nil
    let losses = try store.losses(matching: filter)
    let byReason = Dictionary(grouping: losses, by: \.reason).sorted { $0.key < $1.key }
    for (reason, losses) in byReason where reason != Loss.undated || !isExport && !isOfAllTime {
      Note.write(LossNote(reason: reason, losses).text(isExport: isExport))
    }
    guard !isExport else { return }
    let window = try store.countedWindow(matching: filter)
    if !window.isExact { Note.write(LossNote.text(of: window)) }
    let hits = try store.limitsHit(matching: filter)
    if !hits.isEmpty { Note.write(LossNote.text(of: hits)) }
  }
}
