import APIContract
import DigestStore
import ResilientPlatform

/// A report for a browser: one document without external resources, for people without access to
/// the store.
struct Page {
  let overview: DigestStore.Overview
  let filter: DigestFilter

  /// The losses in the counts, one sentence each.
  let losses: [String]

  /// What is wrong, in a sentence.
  let sentence: String

  /// What is known of failures besides their counts.
  let details: PageDetails

  /// The failures that are left out because somebody decided on them, in words; nil for none.
  let hidden: String?

  /// The name of the document that the verdicts are of; nil without one.
  let document: String?

  /// What the page of a server may do; nil for a file.
  var live: LivePage?

  /// The creation time of the page. Everything else depends only on the store and the filter.
  let date: Date

  /// Passes the document to `write` in pieces.
  func write(_ write: (HTML) throws -> Void) rethrows {
    try write(head)
    try write(header)
    try write("<main>\n")
    if !overview.failures.isEmpty { try writeFailures(write) }
    if overview.totals.occurrences > 0 { try writeTrend(write) }
    if !overview.models.isEmpty { try writeModels(write) }
    try write(lossSection)
    try write("</main>\n")
    try write(footer)
    if live != nil { try write("<script>\(PageAsset.live.html)</script>\n") }
    try write("<script>\(PageAsset.script.html)</script>\n</body>\n</html>\n")
  }
}

/// What the page of a server may do: show what is new, and send decisions on failures.
enum LivePage: String, CaseIterable {
  case read, triage
}

extension Page {
  /// Whether there are no failures to show.
  var isEmpty: Bool {
    hidden == nil && overview.totals.occurrences == 0 && overview.failures.isEmpty
  }

  private static let title = "Where backend and app disagree"

  /// Allows nothing to be loaded, and no other style or script to run, whatever a value contains.
  private var policy: String {
    let isLive = live != nil
    return "default-src 'none'; style-src '\(PageAsset.style.hash)'; "
      + "script-src '\(PageAsset.script.hash)'\(isLive ? " '\(PageAsset.live.hash)'" : ""); "
      + (isLive ? "connect-src 'self'; " : "")
      + "img-src data:; base-uri 'none'; form-action 'none'"
  }

  private var head: HTML {
    let days = span.map { [$0.lowerBound.day, $0.upperBound.day] } ?? []
    let span = Set(days).count == 1 ? days[0] : days.joined(separator: " to ")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(Self.title)\(span.isEmpty ? "" : ", \(span)")</title>
      <link rel="icon" href="data:,">
      <style>\(PageAsset.style.html)</style>
      </head>
      <body\(live.map { HTML(#" data-live="\#($0.rawValue)""#) } ?? "")>

      """
  }

  private var header: HTML {
    """
    <header>
    <h1>\(Self.title)</h1>
    \(isEmpty ? "" : HTML("<p class=\"lead\">\(sentence)</p>\n"))\
    <p class="\(isEmpty ? "lead" : "note")">\(lead) All times are UTC.</p>
    \(filterList)\(totals)\(notice)</header>

    """
  }

  private var lead: HTML {
    guard let span else {
      if hidden != nil { return "All failures are ignored or resolved." }
      if let nothing = overview.decodes?.nothingWrong(filter) { return "\(nothing.withCapital)." }
      if !filter.words.isEmpty { return "No recorded errors match." }
      return overview.failures.isEmpty
        && overview.notices.isEmpty
        ? "Nothing has been recorded: everything was decoded as expected, or nothing was decoded."
        : "No errors were recorded in this time."
    }
    return """
      What the backend sent and the app could not decode as expected, recorded from \
      \(span.lowerBound.html) to \(span.upperBound.html).
      """
  }

  /// The time from the first to the last error, as far as it is in the window.
  private var span: ClosedRange<Date>? {
    guard !isEmpty, let first = overview.totals.firstSeen, let last = overview.totals.lastSeen
    else { return nil }
    // The totals have times of all time.
    let start = max(first, filter.since ?? first)
    return start...max(start, min(last, filter.until ?? last))
  }

  private var filterList: HTML {
    guard !filter.words.isEmpty else { return "" }
    let words = filter.words.map { name, values in
      HTML("<dt>\(name)</dt>\(values.map { HTML("<dd>\($0)</dd>") }.joined())\n")
    }
    return "<dl class=\"filter\">\n\(words.joined())</dl>\n"
  }

  private var totals: HTML {
    guard !isEmpty else { return "" }
    let totals: [(String, String?, String, HTML)] = [
      ("rate", rate, "with errors", "#models"),
      ("decodes", overview.decodes?.decodes.grouped, "decodes", "#models"),
      // As everywhere, notices are neither failures nor occurrences.
      (
        "failures", (overview.failureCount - overview.noticeCount).grouped,
        "failures", "#failures"
      ),
      ("occurrences", overview.totals.occurrences.grouped, "occurrences", "#trend"),
    ]
    let items = totals.compactMap { id, number, name, link in
      number.map { number -> HTML in
        #"<div><dt><a href="\#(link)">\#(name)</a></dt><dd data-total="\#(id)">\#(number)</dd></div>\#n"#
      }
    }
    return "<dl class=\"totals\">\n\(items.joined())</dl>\n"
  }

  /// The share of decodes with errors; nil if errors occurred only before decodes were counted.
  private var rate: String? {
    overview.decodes.flatMap { $0.digests == 0 && overview.totals.occurrences > 0 ? nil : $0.rate }
      .map(\.percent)
  }

  private var notice: HTML {
    guard !losses.isEmpty else { return "" }
    return """
      <p class="notice">Some errors may not be counted, or are counted together: \
      <a href="#losses">what these numbers leave out</a>.</p>

      """
  }

  private var lossSection: HTML {
    let notices = overview.notices
    let all =
      losses + (hidden.map { ["not listed: \($0)"] } ?? [])
      + (notices.isEmpty ? [] : [LossMessage.text(of: notices)])
    let sentences =
      all.isEmpty
      ? #"<p class="note">Nothing: every recorded error is counted, to the millisecond.</p>\#n"#
      : HTML("<ul class=\"losses\">\n\(all.map { HTML("<li>\($0)</li>\n") }.joined())</ul>\n")
    return """
      <section>
      <h2 id="losses">What these numbers leave out</h2>
      \(sentences)</section>

      """
  }

  /// An explanation of the verdicts; empty without a document.
  private var verdicts: HTML {
    guard let document else { return "" }
    let meanings = Verdict.allCases.map { "\($0.rawValue): \($0.meaning)" }
    return """
      <p>Verdicts compare each failure with \(document). \(meanings.joined(separator: "; ")).</p>

      """
  }

  /// An explanation of the states; empty without any.
  private var states: HTML {
    guard let file = details.file else { return "" }
    let meanings = TriageState.allCases.map { "\($0.rawValue): \($0.meaning)" }
    return """
      <p>States are by the decisions in \(file). \(meanings.joined(separator: "; ")).</p>

      """
  }

  /// An explanation of the first word of a row.
  private var sections: String {
    DigestStore.SummarySection.allCases.map { "\($0.rawValue): \($0.meaning)" }
      .joined(separator: "; ") + "."
  }

  private var footer: HTML {
    """
    <footer>
    <p>A failure is a group of errors that are counted together: the same value, or the same kind of error, at the \
    same place. Each error is one occurrence. A decode is a document that the app has read. \(sections)</p>
    \(verdicts)\(states)<p>Made \(date.html) by digest-query \(Invocation.version).</p>
    </footer>

    """
  }
}
