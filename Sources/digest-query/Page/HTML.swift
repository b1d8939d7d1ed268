import DigestStore
import ResilientDecoding
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

/// A file that every page contains.
struct PageAsset {
  static let style = Self(PackageResources.report_css)

  /// Sorts tables and filters failures. Without a script there are no controls.
  static let script = Self(PackageResources.report_js)

  /// Asks a server for what is new, and sends it decisions. Only its own page has it.
  static let live = Self(PackageResources.live_js)

  /// The contents of the element.
  let html: HTML

  /// What names these contents in a policy (Content Security Policy Level 3, "hash-source").
  let hash: String

  private init(_ bytes: [UInt8]) {
    html = HTML(trusted: String(decoding: bytes, as: UTF8.self))
    hash = "sha256-\(Data(SHA256.digest(bytes)).base64EncodedString())"
  }
}

extension DigestFilter {
  /// The filter in the words of the page. Any of several values is accepted.
  var words: [(name: String, values: [HTML])] {
    func texts(_ names: [String]) -> [HTML] { names.map { "\($0)" } }
    let words = [
      ("Model", texts(models)), ("Coding path", texts(codingPaths)),
      ("Kind", texts(kinds.map(\.rawValue))),
      ("Novel value", texts(novelValues)),
      ("Release", texts(releases) + (hasNoRelease ? ["none"] : [])),
      ("Environment", texts(environments)), ("Operation", texts(operations)),
      ("Source", texts(sources)),
      ("Since", since.map { [$0.html] } ?? []), ("Until", until.map { [$0.html] } ?? []),
    ]
    return words.filter { !$1.isEmpty }
  }

  /// A command with this filter, quoted for a shell.
  func command(_ name: String) -> String {
    let options = [
      ("--model", models), ("--path", codingPaths), ("--kind", kinds.map(\.rawValue)),
      ("--value", novelValues),
      ("--release", releases), ("--environment", environments), ("--operation", operations),
      ("--source", sources),
      ("--since", since.map { [$0.iso8601] } ?? []),
      ("--until", until.map { [$0.iso8601] } ?? []),
    ]
    let words = options.flatMap { option, values in
      values.map { value in
        value.shellQuoted(asValueOf: option)
      }
    }
    return (["digest-query", name] + words + (hasNoRelease ? ["--no-release"] : []))
      .joined(separator: " ")
  }
}
