import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A row of the page's tables.
protocol PageRow {
  static var pageColumns: [PageColumn<Self>] { get }
  var occurrences: Int { get }
  var seen: (first: Date?, last: Date?) { get }

  /// Identifies the failure that the row is about; nil if it is about something else.
  var failure: FailureName? { get }
}

extension DigestStore.FailureCount: PageRow {
  static var pageColumns: [PageColumn<Self>] {
    [
      .place { ($0.codingPath, $0.model) },
      PageColumn(.kind) { #"<span title="\#($0.kind.rawValue)">\#($0.kind.inWords)</span>"# },
      PageColumn(.expected) { $0.expectedType.map(HTML.name) },
      PageColumn(.found) { $0.foundHTML }, .verdict, .state,
      .occurrences,
      PageColumn(.digests) { "\($0.digests.grouped)" },
      .trend, .first { $0.firstRelease }, .last,
    ]
  }

  var failure: FailureName? { failureName }

  private var foundHTML: HTML? {
    if let novelValue { return .value(novelValue, ofType: valueType) }
    if let foundValue { return .value(foundValue, ofType: foundType?.rawValue) }
    return foundType.map { "\($0.rawValue)" }
  }

}

extension DigestStore.ModelCount: PageRow {
  static var pageColumns: [PageColumn<Self>] {
    [
      PageColumn(.model) { .name($0.model) },
      .occurrences,
      PageColumn(.digests) { $0.digests.map { "\($0.grouped)" } },
      PageColumn(.share) { $0.share.map { "\(percentage($0))" } },
      PageColumn(.failures) { "\($0.failures.grouped)" },
      PageColumn(.values) { "\($0.novelValues.grouped)" },
      PageColumn(.decodes, isOmittedIfEmpty: true) { $0.decodes.map { "\($0.grouped)" } },
      PageColumn(.rate, isOmittedIfEmpty: true) { $0.rate.map { "\(($0 * 100).decimal)%" } },
      .trend, .first, .last,
    ]
  }

  var failure: FailureName? { nil }

  /// A share in percent, always with one decimal, so that a column is aligned.
  private static func percentage(_ share: Double) -> String {
    let tenths = Int((min(1, share) * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}

extension HTML {
  /// A cell without a value.
  static let nothing: HTML = "\u{2013}"

  /// A value from the payload, isolated from the direction of the text around it.
  fileprivate static func value(_ text: String, ofType type: String?) -> HTML {
    let shown = text.utf8.count > text.start.utf8.count ? text.start : text.visible
    let value: HTML =
      text.isEmpty
      ? #"<span class="type">empty</span>"#
      : #"<span class="text"><bdi><code>\#(shown)</code></bdi></span>\#(text.rest)"#
    let typed: HTML = type.map { #"\#(value) <span class="type">\#($0.start)</span>"# } ?? value
    return typed.boxed(for: text)
  }

  static func place(_ codingPath: String, of model: String) -> HTML {
    let path: HTML = codingPath.isEmpty ? "the whole document" : code(codingPath)
    let place: HTML = #"\#(path)<span class="of"><bdi>\#(withBreaks(model))</bdi></span>"#
    return place.boxed(for: codingPath, model)
  }

  /// The operations of a failure, on lines of their own: the first five.
  static func operations(_ names: [String]) -> HTML {
    let shown = names.prefix(5).map { name -> HTML in
      let line: HTML = #"<span class="of operation"><bdi>\#(withBreaks(name))</bdi></span>"#
      return line.boxed(for: name)
    }
    let rest = names.count - shown.count
    return shown.joined()
      + (rest > 0 ? #"<span class="of">and \#(rest.grouped) more operations</span>"# : "")
  }

  /// A path without its model.
  static func path(_ codingPath: String) -> HTML { code(codingPath).boxed(for: codingPath) }

  /// A release below what it belongs to.
  static func release(_ name: String) -> HTML {
    let release: HTML =
      #" <span class="of release">in <bdi>\#(name.start)</bdi>\#(name.rest)</span>"#
    return release.boxed(for: name)
  }

  /// A type.
  fileprivate static func name(_ text: String) -> HTML { code(text).boxed(for: text) }

  private static func code(_ text: String) -> HTML {
    "<bdi><code>\(withBreaks(text))</code></bdi>"
  }

  /// Puts the markup in a scrolling box if one of the texts is too long for a cell.
  private func boxed(for texts: String...) -> HTML {
    texts.contains { $0.utf8.count > 200 } ? #"<div class="long">\#(self)</div>"# : self
  }

  /// A name with possible line breaks between its words: `App.Listing.firstSeen`, `first_seen`.
  private static func withBreaks(_ text: String) -> HTML {
    var html: HTML = ""
    var word = ""
    for character in text.start {
      if let last = word.last,
        last == "." || last == "_" || last.isLowercase && character.isUppercase
      {
        html += "\(word)<wbr>"
        word = ""
      }
      word.append(character)
    }
    return html + "\(word)" + text.rest
  }
}

extension String {
  /// More than a store keeps itself. Imported values may have any length.
  private static let maximumLength = 1_000

  fileprivate var start: String {
    guard utf8.count > Self.maximumLength else { return self }
    return String(unicodeScalars.prefix(Self.maximumLength))
  }

  /// The note that replaces what ``start`` omits.
  fileprivate var rest: HTML {
    guard utf8.count > Self.maximumLength else { return "" }
    let count = unicodeScalars.count - Self.maximumLength
    return count > 0 ? #"<span class="type">… and \#(count.grouped) more characters</span>"# : ""
  }
}

extension DigestStore.FailureCount {
  var seen: (first: Date?, last: Date?) { (firstSeen, lastSeen) }
}

extension DigestStore.ModelCount {
  var seen: (first: Date?, last: Date?) { (firstSeen, lastSeen) }
}

/// A table of the most frequent rows, with the command that lists all of them.
struct PageTable<Row: PageRow & Sendable & Hashable & Codable> {
  /// The id of the heading.
  let id: String
  let ranking: DigestStore.Overview.Ranking<Row>
  let trend: DigestStore.OverviewTrend
  var details = RowDetails()

  /// The command that lists all rows.
  let command: String

  /// Passes the table to `write`, unless it has no rows.
  func write(_ write: (HTML) throws -> Void) rethrows {
    guard !ranking.rows.isEmpty else { return }
    let rows = zip(ranking.rows, ranking.trends).map { row, occurrences in
      PageTableRow(
        row: row, trend: Sparkline(trend: trend, occurrences: occurrences),
        detail: details[row.failure])
    }
    let isJudged = rows.contains { !$0.detail.judgements.isEmpty }
    let columns = Row.pageColumns.filter {
      $0.isNeeded(for: rows) && !(isJudged && $0.yieldsToVerdicts)
    }
    try write(
      """
      <div class="scroll" role="region" aria-labelledby="\(id)" tabindex="0">
      <table class="cards">
      <thead><tr>\(columns.map(\.header).joined())</tr></thead>
      <tbody>

      """)
    for row in rows {
      try write(
        "<tr\(row.detail.attributes)>\(columns.map { $0.cell(row) }.joined())</tr>\n")
    }
    try write("</tbody>\n</table>\n</div>\n")
    guard ranking.total > ranking.rows.count else { return }
    try write(
      """
      <p class="more">\(ranking.rows.count.grouped) of \(ranking.total.grouped). All: <code>\(command)</code></p>

      """)
  }
}
