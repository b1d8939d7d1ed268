import DigestStore
import ResilientDecoding
import ResilientPlatform

/// An overview of a store as lines for a terminal.
struct LiveView {
  enum Content {
    /// - Parameters:
    ///   - end: the upper bound of the window, if it has one.
    ///   - triage: leaves out rows that are ignored or resolved; nil without a file of decisions.
    ///   - hidden: the failures that it leaves out, also those beyond the rows of the overview.
    case overview(
      DigestStore.Overview, until: Date?, triage: Triage?, hidden: [DigestStore.FailureCount],
      notes: [String])
    /// The reason why there is no overview.
    case error(String)
  }

  /// The maximum number of rows, more than a screen shows.
  static let maximumRows = 100

  let title: String
  let content: Content

  /// The lines that fit the size.
  func lines(fitting size: TerminalSize, isColored: Bool) -> [String] {
    let style = Style(size: size, isColored: isColored)
    let body =
      switch content {
      case .overview(let overview, let end, let triage, let hidden, let notes):
        Self.body(overview, until: end, triage, hidden, notes, style)
      case .error(let message): style.sentences([message, "retrying every second"])
      }
    let all = style.heading(title) + body
    return Array(all.prefix(max(0, size.rows - 1))) + style.texts(["q quits"]).prefix(1)
  }

  private static func body(
    _ overview: DigestStore.Overview, until end: Date?, _ triage: Triage?,
    _ hidden: [DigestStore.FailureCount], _ notes: [String], _ style: Style
  ) -> [String] {
    let totals = style.texts([
      overview.totals.sentence(until: end) + (overview.decodes?.clause ?? "")
    ])
    let trend = style.texts(overview.trend.lines(fitting: style.size.columns))
    let footer = notes.isEmpty ? [] : [""] + style.sentences(notes)
    // Subtracts the title, the last line, and the empty lines and headings of two tables.
    let room =
      style.size.rows - 2 - totals.count - trend.count - footer.count - 2 * 3
    let values = triage.rows(of: overview.novelValues).count
    let failures = triage.rows(of: overview.failures).count
    // Each table gets half, and the room that the other does not need.
    let ofValues = min(values, max(room / 2, room - failures))
    return totals + trend
      + style.table(
        "Novel values", overview.novelValues, triage, isOfNovelValues: true,
        hidden: hidden.count { $0.novelValue != nil }, rows: ofValues)
      + style.table(
        "Failures", overview.failures, triage, hidden: hidden.count, rows: room - ofValues)
      + footer
  }
}

extension DigestStore.DecodeCounts {
  fileprivate var clause: String {
    rate.map { "; \(($0 * 100).decimal)% of \(decodes.counting("decode"))" } ?? ""
  }
}

extension DigestStore.Totals {
  fileprivate func sentence(until end: Date?) -> String {
    guard occurrences > 0 else { return "nothing found that matches" }
    let digests = digests.map { " in \($0.counting("digest"))" } ?? ""
    // The last error of all time may be after the window.
    let last = end == nil ? lastSeen.map { ", the last at \($0.second)" } ?? "" : ""
    return "\(occurrences.counting("occurrence"))\(digests) of \(models.counting("model"))\(last)"
  }
}

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

/// A failure in the live view, and the number of its errors in each period.
typealias LiveRow = (row: DigestStore.FailureCount, trend: [Int?])

extension [LiveRow] {
  /// A table of rows with their trends, each row on one line.
  ///
  /// On a narrow terminal it has no trends, then no times, and then only the last names, which are
  /// the most useful.
  func table(isOfNovelValues: Bool, fitting width: Int) -> [String] {
    let all: [Column<DigestStore.FailureCount>] = [
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("novel_value") { $0.novelValue },
    ]
    let names = all.filter { !isOfNovelValues || $0.name != "kind" }
    let columns = names.enumerated().map { index, column in
      column.of(\LiveRow.row).dropped(at: index < names.count - 1 ? 3 + index : nil)
    }
    var table = TextTable<LiveRow>(
      columns + [
        .number("occurrences") { $0.row.occurrences },
        .time("last_seen") { $0.row.lastSeen }.dropped(at: 2),
        .drawing("trend") { Histogram(width: 20).line($0.trend) }.dropped(at: 1),
      ])
    for row in self { table.append(row) }
    return table.text(isColored: false, fitting: width).0.split(separator: "\n").map { String($0) }
  }
}
