import DigestStore

/// Reports whose rows have a state.
extension ReportRunner {
  /// Asks the store, and prints the rows with their states if there is a file of decisions.
  ///
  /// - Parameters:
  ///   - options: the file of decisions.
  ///   - hidesDecided: whether to leave out the rows that are ignored or resolved.
  func print<Element: Row & TriagedRow>(
    triagedBy options: TriageOptions,
    hidingDecided hidesDecided: Bool = false,
    _ question: (DigestReader, DigestFilter, Int?) throws -> [Element]
  ) throws {
    var triage: Triage?
    var hidden: [TriageState: Int] = [:]
    let ask = { (store: DigestReader, filter: DigestFilter, limit: Int?) in
      triage = try options.triage(of: store)
      guard hidesDecided, let triage else { return try question(store, filter, limit) }
      let rows = try question(store, filter, nil)
      let shown = triage.rowsToWorkOn(rows, hidden: &hidden)
      return limit.map { Array(shown.prefix($0)) } ?? shown
    }
    try answer(ask) { try print($0, adding: triage.map { [$0.column()] } ?? []) }
    if let note = triage?.note(hidden) { Note.write(note) }
  }
}

extension Triage {
  /// The column of a row's state.
  func column<Element: TriagedRow>() -> Column<Element> {
    .text("state") { state(of: $0.failureName).rawValue }
  }

  /// The rows that are open or have regressed, and how many others there are of each state.
  func rowsToWorkOn<Element: TriagedRow>(
    _ rows: [Element], hidden: inout [TriageState: Int]
  ) -> [Element] {
    rows.filter { row in
      let state = state(of: row.failureName)
      if !state.needsWork { hidden[state, default: 0] += 1 }
      return state.needsWork
    }
  }

  /// A note about the rows that were left out; nil if none were.
  func note(_ hidden: [TriageState: Int]) -> String? {
    let counts = [TriageState.ignored, .resolved].compactMap { state in
      hidden[state].map { "\($0.counting("\(state.rawValue) failure"))" }
    }
    guard !counts.isEmpty else { return nil }
    return "\(counts.joined(separator: " and ")) hidden by \(file.path); --no-triage shows all"
  }
}
