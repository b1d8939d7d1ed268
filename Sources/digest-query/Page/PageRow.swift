import DigestStore
import ResilientDecoding

/// A row of the page's tables.
protocol PageRow {
  static var pageColumns: [PageColumn] { get }

  /// What it has in each column.
  func pageCell(_ column: PageColumn, _ course: Sparkline) -> HTML
}

extension NovelValueCount: PageRow {
  static var pageColumns: [PageColumn] {
    [.value, .place, .occurrences, .digests, .course, .first, .last]
  }

  func pageCell(_ column: PageColumn, _ course: Sparkline) -> HTML {
    switch column {
    case .value: .value(novelValue, ofType: valueType)
    case .place: .place(codingPath, of: model)
    case .occurrences: "\(occurrences.grouped)"
    case .digests: "\(digests.grouped)"
    case .course: course.html
    case .first: firstSeen.html
    case .last: lastSeen.html
    case .model, .kind, .expected, .found, .share, .failures, .values: ""
    }
  }
}

extension FailureCount: PageRow {
  static var pageColumns: [PageColumn] {
    [.place, .kind, .expected, .found, .occurrences, .digests, .course, .first, .last]
  }

  func pageCell(_ column: PageColumn, _ course: Sparkline) -> HTML {
    switch column {
    case .place: .place(codingPath, of: model)
    case .kind: #"<span title="\#(kind)">\#(kindInWords)</span>"#
    case .expected: expectedType.map(HTML.name) ?? .nothing
    case .found: found
    case .occurrences: "\(occurrences.grouped)"
    case .digests: "\(digests.grouped)"
    case .course: course.html
    case .first: firstSeen.html
    case .last: lastSeen.html
    case .value, .model, .share, .failures, .values: ""
    }
  }

  private var found: HTML {
    if let novelValue { return .value(novelValue, ofType: valueType) }
    if let foundValue { return .value(foundValue, ofType: foundType) }
    return foundType.map { "\($0)" } ?? .nothing
  }

  /// The kind for those who do not write the app.
  private var kindInWords: String {
    switch ErrorDigest.Kind(rawValue: kind) {
    case .keyNotFound: "missing key"
    case .valueNotFound: "null"
    case .typeMismatch: "wrong type"
    case .dataCorrupted: "invalid"
    case .unknownNovelValue: "unknown value"
    default: kind
    }
  }
}

extension ModelCount: PageRow {
  static var pageColumns: [PageColumn] {
    [.model, .occurrences, .digests, .share, .failures, .values, .course, .first, .last]
  }

  func pageCell(_ column: PageColumn, _ course: Sparkline) -> HTML {
    switch column {
    case .model: .name(model)
    case .occurrences: "\(occurrences.grouped)"
    case .digests: digests.map { "\($0.grouped)" } ?? .nothing
    case .share: share.map { "\(Self.percentage($0))" } ?? .nothing
    case .failures: "\(failures.grouped)"
    case .values: "\(novelValues.grouped)"
    case .course: course.html
    case .first: firstSeen.html
    case .last: lastSeen.html
    case .value, .place, .kind, .expected, .found: ""
    }
  }

  /// With one decimal always, so that those of a column stand below each other.
  private static func percentage(_ share: Double) -> String {
    let tenths = Int((min(1, share) * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}

extension HTML {
  fileprivate static let nothing: HTML = "\u{2013}"

  /// A value from the payload: apart from the text around it, whichever way it is written.
  fileprivate static func value(_ text: String, ofType type: String?) -> HTML {
    let value: HTML =
      text.isEmpty
      ? #"<span class="type">empty</span>"#
      : #"<span class="text"><bdi><code>\#(text.start)</code></bdi></span>\#(text.rest)"#
    let typed: HTML = type.map { #"\#(value) <span class="type">\#($0.start)</span>"# } ?? value
    return typed.boxed(for: text)
  }

  fileprivate static func place(_ codingPath: String, of model: String) -> HTML {
    let path: HTML = codingPath.isEmpty ? "the whole document" : code(codingPath)
    let place: HTML = #"\#(path)<span class="of"><bdi>\#(withBreaks(model))</bdi></span>"#
    return place.boxed(for: codingPath, model)
  }

  /// A type.
  fileprivate static func name(_ text: String) -> HTML { code(text).boxed(for: text) }

  private static func code(_ text: String) -> HTML {
    "<bdi><code>\(withBreaks(text))</code></bdi>"
  }

  /// In a box of its own where one of the texts is too long for a cell.
  private func boxed(for texts: String...) -> HTML {
    texts.contains { $0.utf8.count > 200 } ? #"<div class="long">\#(self)</div>"# : self
  }

  /// A name of words, between which a line may end: `App.Listing.firstSeen`, `first_seen`.
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
  /// More than the longest that a store keeps by itself; imports may have brought any length.
  private static let maximumLength = 1_000

  fileprivate var start: String {
    guard utf8.count > Self.maximumLength else { return self }
    return String(unicodeScalars.prefix(Self.maximumLength))
  }

  /// What is said in the place of what ``start`` leaves out.
  fileprivate var rest: HTML {
    guard utf8.count > Self.maximumLength else { return "" }
    let count = unicodeScalars.count - Self.maximumLength
    return count > 0 ? #"<span class="type">… and \#(count.grouped) more characters</span>"# : ""
  }
}
