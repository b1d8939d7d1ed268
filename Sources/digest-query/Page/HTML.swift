import ResilientPlatform

/// Markup. Literals are kept as they are, and interpolated text is escaped.
///
///     let cell: HTML = "<td>\(value)</td>"
///
/// So text from outside cannot become markup by mistake. Only another `HTML` is interpolated
/// unchanged.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var markup: String

  init(stringLiteral literal: String) {
    markup = literal
  }

  init(stringInterpolation interpolation: Interpolation) {
    markup = interpolation.markup
  }

  /// Wraps markup from elsewhere, such as a style sheet. It must not contain text from outside.
  init(trusted markup: String) {
    self.markup = markup
  }

  static func + (lhs: Self, rhs: Self) -> Self { Self(trusted: lhs.markup + rhs.markup) }

  static func += (lhs: inout Self, rhs: Self) { lhs.markup += rhs.markup }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { markup += literal }

    mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    mutating func appendInterpolation(_ text: String) { markup += text.escapedForHTML }

    mutating func appendInterpolation(_ number: Int) { markup += "\(number)" }
  }
}

extension Sequence<HTML> {
  func joined() -> HTML { reduce(into: "") { $0 += $1 } }
}

extension String {
  /// The text for an element or a quoted attribute, with escapes for invisible scalars.
  fileprivate var escapedForHTML: String {
    let text = printable
    // By bytes: a `<` with a combining mark is another Character.
    guard text.utf8.contains(where: { $0.htmlReference != nil }) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
      if let reference = byte.htmlReference {
        bytes += reference.utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var htmlReference: String? {
    switch self {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}

extension Date {
  /// A time to the minute for people, and to the millisecond for programs.
  var html: HTML { #"<time datetime="\#(iso8601)">\#(minute)</time>"# }
}
