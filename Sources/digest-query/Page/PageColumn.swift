/// A column of the page's tables: its header, and the cell that each row has in it.
struct PageColumn<Row: PageRow> {
  private let kind: PageColumnKind

  /// Whether a table leaves the column out if no row has a value.
  private let isOmittedIfEmpty: Bool

  /// The contents of a cell; nil if the row has no value.
  private let content: (Row, Sparkline) -> HTML?

  init(
    _ kind: PageColumnKind, isOmittedIfEmpty: Bool = false, _ content: @escaping (Row) -> HTML?
  ) {
    self.init(kind, isOmittedIfEmpty: isOmittedIfEmpty) { row, _ in content(row) }
  }

  private init(
    _ kind: PageColumnKind, isOmittedIfEmpty: Bool = false,
    _ content: @escaping (Row, Sparkline) -> HTML?
  ) {
    self.kind = kind
    self.isOmittedIfEmpty = isOmittedIfEmpty
    self.content = content
  }

  static var occurrences: Self { Self(.occurrences) { "\($0.occurrences.grouped)" } }
  static var trend: Self { Self(.trend) { _, line in line.html } }
  static var first: Self { Self(.first) { $0.seen.first?.html } }

  /// The time of the first error, with its release.
  static func first(in release: @escaping (Row) -> String?) -> Self {
    Self(.first) { row in
      let place: HTML = release(row).map { .release($0) } ?? ""
      return row.seen.first.map { $0.html + place }
    }
  }

  static var last: Self { Self(.last) { $0.seen.last?.html } }

  /// The header cell. That of occurrences says that the rows are sorted by it.
  var header: HTML {
    let order: HTML = kind == .occurrences ? #" aria-sort="descending""# : ""
    return #"<th scope="col" class="\#(kind.classes)"\#(order)>\#(kind.title)</th>"#
  }

  func cell(_ row: Row, _ trend: Sparkline) -> HTML {
    #"<td class="\#(kind.classes)">\#(content(row, trend) ?? .nothing)</td>"#
  }

  /// Whether a table with these rows has the column.
  func isNeeded(for rows: [(row: Row, trend: Sparkline)]) -> Bool {
    !isOmittedIfEmpty || rows.contains { content($0.row, $0.trend) != nil }
  }
}

/// What a column shows. The name is also the class of its cells in the style sheet.
enum PageColumnKind: String {
  case value, place, model, kind, expected, found, occurrences, digests, share, failures
  case values, trend, first, last, decodes, rate

  var title: String {
    switch self {
    case .value: "Value"
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
    }
  }

  var classes: String {
    switch self {
    case .occurrences, .digests, .share, .failures, .values, .decodes, .rate: "number \(rawValue)"
    case .first, .last: "seen \(rawValue)"
    case .value, .place, .model, .kind, .expected, .found, .trend: rawValue
    }
  }
}
