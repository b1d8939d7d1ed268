import DigestStore

extension LiveView {
  /// Formats lines that fit the terminal.
  struct Style {
    let size: TerminalSize
    let isColored: Bool

    /// An emphasized line.
    func heading(_ text: String) -> [String] { texts([text]).map { emphasized($0, "1") } }

    /// Printable lines, cut to the width of the terminal.
    func texts(_ texts: [String]) -> [String] {
      texts.map { $0.printable.cut(to: size.columns, at: .end) }
    }

    /// Sentences, wrapped to the width of the terminal.
    func sentences(_ sentences: [String]) -> [String] {
      texts(sentences.flatMap { $0.printable.wrapped(to: size.columns) })
    }

    /// An empty line, a heading with the number of rows, and the first rows.
    func table(
      _ title: String,
      _ ranking: DigestStore.Overview.Ranking<DigestStore.FailureCount>,
      _ triage: Triage?,
      isOfNovelValues: Bool = false,
      hidden: Int,
      rows: Int
    ) -> [String] {
      let all = triage.rows(of: ranking)
      let rows = Array(all.prefix(max(0, rows)))
      let lines = texts(rows.table(isOfNovelValues: isOfNovelValues, fitting: size.columns))
      let header = lines.prefix(1).map { emphasized($0, "2") }
      return [""] + heading("\(title): \(ranking.total - hidden)") + header
        + Array(lines.dropFirst().prefix(rows.count))
    }

    private func emphasized(_ line: String, _ attribute: String) -> String {
      isColored ? "\u{1B}[\(attribute)m\(line)\u{1B}[0m" : line
    }
  }
}

extension Triage? {
  /// The rows that are open or have regressed; all without a file of decisions.
  func rows(of ranking: DigestStore.Overview.Ranking<DigestStore.FailureCount>) -> [LiveRow] {
    zip(ranking.rows, ranking.trends).filter { row, _ in
      self?.state(of: row.failureName).needsWork ?? true
    }.map { ($0, $1) }
  }
}

extension DigestStore.OverviewTrend {
  /// The distribution of errors over time: a line of blocks and a line that explains it; empty
  /// without errors.
  func lines(fitting columns: Int) -> [String] {
    guard let peak, let first = starts.indices.first, let last = starts.indices.last else {
      return []
    }
    // Widens the blocks if there are few periods.
    let width = max(1, min(6, columns / starts.count))
    let blocks = Histogram(width: columns).line(
      occurrences.flatMap { Array(repeating: $0, count: width) })
    return [
      blocks,
      "per \(period), \(name(ofPeriod: first)) to \(name(ofPeriod: last)); most: "
        + "\(peak.occurrences) (\(peak.period))",
    ]
  }
}
