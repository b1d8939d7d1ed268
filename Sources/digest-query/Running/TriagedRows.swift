import DigestStore

/// The rows of a list of failures. Those that are ignored or resolved are left out, and counted in a
/// note, unless `--all` is given.
struct TriagedRows<Row: TriagedRow> {
  let triage: Triage

  /// The rows of the list.
  let shown: [Row]

  /// The rows that match, but are left out.
  let hidden: [Row]

  /// Asks for the rows.
  ///
  /// - Parameters:
  ///   - limit: the most rows of the list; nil for all.
  ///   - question: asks for the rows within a limit, with filters that it has narrowed.
  init(
    by triage: Triage, limit: Int?,
    _ question: (_ narrowed: @escaping (DigestFilter) -> DigestFilter, _ limit: Int?) throws ->
      [Row]
  ) rethrows {
    let hidden = try triage.hidden { try question($0, nil) }
    // At most this many of the first rows are hidden.
    let rows = try question({ $0 }, limit?.adding(count: hidden.count))
    self.triage = triage
    self.hidden = hidden
    shown = Array(rows.filter { !triage.hides($0) }.prefix(limit ?? .max))
  }

  var note: Note? { triage.note(of: hidden) }
}

extension Triage {
  /// A note about the rows that a list leaves out; nil if there are none.
  ///
  /// - Parameter consequence: what was not done with them.
  func note(_ consequence: String = "not listed", of hidden: [some TriagedRow]) -> Note? {
    text(of: hidden).map { Note("\(consequence): \($0) (--all)") }
  }
}
