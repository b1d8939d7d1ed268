import ResilientPlatform

/// Why a body is not JSON (RFC 8259), in one sentence without text of the payload.
///
/// Found by the bytes: the messages of decoders differ between platforms, and most say nothing.
enum BodyFault: String, CaseIterable {
  case empty = "The body is empty."
  case blank = "The body is only white space."
  case compressed = "The body is compressed."
  case propertyList = "The body is a binary property list, not JSON."
  case html = "The body is HTML, not JSON."
  case markup = "The body is XML or other markup, not JSON."
  case text = "The body is text, not JSON."
  case encoding = "The body is not valid text in UTF-8, UTF-16 or UTF-32."
  case truncated = "The JSON ends before its value is complete."
  case followed = "The JSON is followed by something else."
  case literal = "The JSON has a number or literal that JSON lacks, such as NaN."
  case json5 = "The JSON has a key without double quotes, a string in single quotes, or a comment."
  case unbalanced = "The JSON has a closing bracket without a matching opening one."
}

extension BodyFault {
  /// Finds the first fault of a body; nil if it is JSON, or if its fault is none of these.
  init?(of body: Data) {
    let prefix = [UInt8](body.prefix(4))
    if prefix.starts(with: [0x1f, 0x8b]) || prefix == [0x28, 0xb5, 0x2f, 0xfd] {
      self = .compressed
    } else if prefix == Array("bpli".utf8) {
      self = .propertyList
    } else if let text = String(body: body) {
      guard let fault = Self.first(in: Array(text.utf8)) else { return nil }
      self = fault
    } else if let text = String(cutBody: body), Self.first(in: Array(text.utf8)) == .truncated {
      self = .truncated
    } else {
      self = .encoding
    }
  }

  /// What a body with this fault is; nil if there is no word for it.
  func type(of body: Data) -> ErrorDigest.FoundValue.ValueType? {
    switch self {
    case .empty, .blank: .empty
    case .compressed: .compressed
    case .html: .html
    case .truncated: .truncated
    case .text, .markup, .encoding: String.Encoding(ofJSON: body) == .utf8 ? nil : .utf16
    case .propertyList, .followed, .literal, .json5, .unbalanced: nil
    }
  }

  private static func first(in bytes: [UInt8]) -> Self? {
    if bytes.isEmpty { return .empty }
    var scanner = JSONScanner(bytes)
    scanner.skipWhiteSpace()
    switch scanner.next {
    case nil: return .blank
    case UInt8(ascii: "<"): return scanner.isAtHTML ? .html : .markup
    default: return scanner.fault()
    }
  }
}

extension String.Encoding {
  /// The encoding of a body, if it is JSON, by its first bytes.
  init(ofJSON body: Data) {
    let prefix = [UInt8](body.prefix(4))
    // Without a mark, ASCII in one of the others has zeros (RFC 4627, section 3).
    self =
      switch prefix {
      case [0, 0, 0xfe, 0xff], [0xff, 0xfe, 0, 0]: .utf32
      case _ where prefix.starts(with: [0xfe, 0xff]) || prefix.starts(with: [0xff, 0xfe]): .utf16
      case _ where prefix.starts(with: [0, 0, 0]): .utf32BigEndian
      case _ where prefix.dropFirst() == [0, 0, 0]: .utf32LittleEndian
      case _ where prefix.first == 0: .utf16BigEndian
      case _ where prefix.dropFirst().first == 0: .utf16LittleEndian
      default: .utf8
      }
  }
}

extension String {
  /// Decodes a body's text; JSON may be in any of these encodings, with or without a byte order
  /// mark.
  init?(body: Data) {
    self.init(data: body, encoding: Encoding(ofJSON: body))
    if unicodeScalars.first == "\u{feff}" { unicodeScalars.removeFirst() }
  }

  /// Decodes the text of a body in UTF-8 that ends within a character, without that character.
  fileprivate init?(cutBody body: Data) {
    let tail = body.suffix(3).reversed().prefix { $0 & 0xc0 == 0x80 }.count + 1
    guard let lead = body.dropLast(tail - 1).last, lead >= 0xc0 else { return nil }
    self.init(body: body.dropLast(tail))
  }
}

/// Walks over a JSON text without recursion.
private struct JSONScanner {
  private let bytes: [UInt8]
  private var position = 0

  /// The brackets that would close the open arrays and objects.
  private var closers: [UInt8] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func skipWhiteSpace() {
    while let byte = next, " \t\r\n".utf8.contains(byte) { position += 1 }
  }

  /// Whether the markup here is HTML, as a browser finds it (the WHATWG's MIME Sniffing Standard,
  /// section 7.1), also behind the declaration of XML.
  var isAtHTML: Bool {
    var text = String(decoding: bytes[position...].prefix(1_000), as: UTF8.self).lowercased()[...]
    if text.hasPrefix("<?"), let end = text.firstIndex(of: ">") {
      text = text[end...].dropFirst().drop { $0.isWhitespace }
    }
    let names = [
      "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b",
      "body", "br", "p",
    ]
    let name = text.dropFirst().prefix { $0 != ">" && !$0.isWhitespace }
    return text.hasPrefix("<!--") || text.hasPrefix("<!doctype html")
      || names.contains(String(name))
  }

  /// Returns the first fault of the text.
  mutating func fault() -> BodyFault? {
    var isComplete = false
    while true {
      skipWhiteSpace()
      guard let byte = next else { return isComplete ? nil : .truncated }
      if isComplete { return .followed }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        closers.append(byte + 2)
        position += 1
        continue
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if closers.isEmpty { return .text }
        position += 1
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard closers.popLast() == byte else { return .unbalanced }
        position += 1
      case UInt8(ascii: "\""):
        guard skipString() else { return .truncated }
      case UInt8(ascii: "'"), UInt8(ascii: "/"):
        return closers.isEmpty ? .text : .json5
      default:
        if let fault = faultOfToken() { return fault }
      }
      isComplete = closers.isEmpty
    }
  }

  /// Skips a string; false if it does not end.
  private mutating func skipString() -> Bool {
    position += 1
    while let byte = next {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  /// Skips a number or a literal.
  private mutating func faultOfToken() -> BodyFault? {
    let start = position
    while let byte = next, !" \t\r\n{}[],:\"'/".utf8.contains(byte) { position += 1 }
    let token = String(decoding: bytes[start..<position], as: UTF8.self)
    let literals = ["true", "false", "null"]
    if position == bytes.endIndex {
      let isCut = token.isNumber && token.last.map("+-.eE".contains) == true
      if isCut || token == "-" { return .truncated }
      if !literals.contains(token), literals.contains(where: { $0.hasPrefix(token) }) {
        return .truncated
      }
    }
    if literals.contains(token) || token.isNumber { return nil }
    if closers.isEmpty, !Self.isLiteral(token) { return .text }
    skipWhiteSpace()
    return closers.last == UInt8(ascii: "}") && next == UInt8(ascii: ":") ? .json5 : .literal
  }

  /// Whether a token is a literal of another language.
  private static func isLiteral(_ token: String) -> Bool {
    let name = token.drop { "+-".contains($0) }.lowercased()
    return ["nan", "inf", "infinity", "undefined", "none", "nil"].contains(name)
      || ["true", "false", "null"].contains(name) || token.first?.isNumber == true
  }
}

extension String {
  /// Whether the text begins as a number of JSON does. Accepts malformed numbers such as `1-2`,
  /// which the decoder reports.
  fileprivate var isNumber: Bool {
    let digits = hasPrefix("-") ? dropFirst() : self[...]
    guard let first = digits.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else {
      return false
    }
    return digits.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
  }
}
