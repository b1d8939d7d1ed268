import DigestStore
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
