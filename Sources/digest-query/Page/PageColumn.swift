/// A column of the page's tables; its name is also the class that the style sheet knows it by.
enum PageColumn: String {
  case value, place, model, kind, expected, found, occurrences, digests, share, failures
  case values, course, first, last

  private var title: String {
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
    case .course: "Trend"
    case .first: "First seen"
    case .last: "Last seen"
    }
  }

  private var classes: String {
    switch self {
    case .occurrences, .digests, .share, .failures, .values: "number \(rawValue)"
    case .first, .last: "seen \(rawValue)"
    case .value, .place, .model, .kind, .expected, .found, .course: rawValue
    }
  }

  /// The header; that of occurrences says that rows are in their order.
  var header: HTML {
    let order: HTML = self == .occurrences ? #" aria-sort="descending""# : ""
    return #"<th scope="col" class="\#(classes)"\#(order)>\#(title)</th>"#
  }

  func cell(_ content: HTML) -> HTML {
    #"<td class="\#(classes)">\#(content)</td>"#
  }
}
