import APIContract

/// A row of a table, with all that is known of it.
struct PageTableRow<Row> {
  let row: Row
  let trend: Sparkline
  let detail: RowDetail
}

/// A column of the page's tables: its header, and the cell that each row has in it.
struct PageColumn<Row: PageRow> {
  private let kind: PageColumnKind

  /// Whether a table leaves the column out if no row has a value.
  private let isOmittedIfEmpty: Bool

  /// The contents of a cell; nil if the row has no value.
  private let content: (PageTableRow<Row>) -> HTML?

  init(
    _ kind: PageColumnKind, isOmittedIfEmpty: Bool = false, _ content: @escaping (Row) -> HTML?
  ) {
    self.init(kind, isOmittedIfEmpty: isOmittedIfEmpty, ofRow: { content($0.row) })
  }

  /// - Parameter content: returns the contents of a cell, from all that is known of the row.
  init(
    _ kind: PageColumnKind, isOmittedIfEmpty: Bool = false,
    ofRow content: @escaping (PageTableRow<Row>) -> HTML?
  ) {
    self.kind = kind
    self.isOmittedIfEmpty = isOmittedIfEmpty
    self.content = content
  }

  static var occurrences: Self { Self(.occurrences) { "\($0.occurrences.grouped)" } }
  static var trend: Self { Self(.trend, ofRow: { $0.trend.html }) }

  /// The place of a failure, with its operations.
  static func place(_ place: @escaping (Row) -> (path: String, model: String)) -> Self {
    Self(
      .place,
      ofRow: { row in
        let (path, model) = place(row.row)
        let mark: HTML = row.detail.isNew ? #"<span class="new">new</span> "# : ""
        return mark + .place(path, of: model) + .operations(row.detail.operations)
      })
  }

  static var verdict: Self {
    Self(
      .verdict, isOmittedIfEmpty: true,
      ofRow: { row in
        let judgements = row.detail.judgements
        return judgements.isEmpty
          ? nil
          : judgements.map { verdict, reason -> HTML in
            #"\#(verdict.rawValue) <span class="of">\#(reason)</span>"#
          }.joined()
      })
  }

  static var state: Self {
    Self(.state, isOmittedIfEmpty: true, ofRow: { $0.detail.state.map { "\($0.rawValue)" } })
  }

  static var first: Self { Self(.first) { $0.seen.first?.html } }

  /// The time of the first error, with its release.
  static func first(in release: @escaping (Row) -> String?) -> Self {
    Self(.first) { row in
      let place: HTML = release(row).map { .release($0) } ?? ""
      return row.seen.first.map { $0.html + place }
    }
  }

  static var last: Self { Self(.last) { $0.seen.last?.html } }

  var header: HTML { #"<th scope="col" class="\#(kind.classes)">\#(kind.title)</th>"# }

  func cell(_ row: PageTableRow<Row>) -> HTML {
    #"<td class="\#(kind.classes)">\#(content(row) ?? .nothing)</td>"#
  }

  /// Whether the column is left out where verdicts need its room.
  var yieldsToVerdicts: Bool { kind == .digests }

  /// Whether a table with these rows has the column.
  func isNeeded(for rows: [PageTableRow<Row>]) -> Bool {
    !isOmittedIfEmpty || rows.contains { content($0) != nil }
  }
}

/// What a column shows. The name is also the class of its cells in the style sheet.
enum PageColumnKind: String {
  case place, model, kind, expected, found, occurrences, digests, share, failures
  case values, trend, first, last, decodes, rate, verdict, state

  var title: String {
    switch self {
    case .place: "Where"
    case .model: "Model"
    case .kind: "Kind"
    case .expected: "Expected"
    case .found: "Found"
    case .occurrences: "Occurrences"
    case .digests: "Digests"
    case .share: "Share"
    case .failures: "Failures"
    case .values: "Novel values"
    case .trend: "Trend"
    case .first: "First seen"
    case .last: "Last seen"
    case .decodes: "Decodes"
    case .rate: "Rate"
    case .verdict: "Verdict"
    case .state: "State"
    }
  }

  var classes: String {
    switch self {
    case .occurrences, .digests, .share, .failures, .values, .decodes, .rate:
      "number \(rawValue)"
    case .first, .last: "seen \(rawValue)"
    case .place, .model, .kind, .expected, .found, .trend, .verdict, .state: rawValue
    }
  }
}
