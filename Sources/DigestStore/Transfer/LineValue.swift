import ResilientDecoding

/// A value of JSON in the bytes of a line (RFC 8259). It is valid as long as the bytes are.
///
/// A hundred thousand lines a second are read, several times as many as by `JSONDecoder`.
enum LineValue {
  case null
  case boolean
  /// The characters of a number.
  case number(UnsafeRawBufferPointer)
  case text(LineText)
  case array([Self])
  case object([(name: LineText, value: Self)])

  /// The most arrays and objects within each other. A line of an export has three, and reading each
  /// takes stack.
  private static let maximumDepth = 64

  /// Reads the only value of a line; nil if the line has anything else.
  init?(_ line: UnsafeRawBufferPointer) {
    var cursor = LineCursor(line)
    guard line.isUTF8, let value = Self(&cursor, depth: 0), cursor.next == nil else { return nil }
    self = value
  }

  private init?(_ cursor: inout LineCursor, depth: Int) {
    guard depth <= Self.maximumDepth else { return nil }
    switch cursor.next {
    case UInt8(ascii: "{"):
      var members: [(name: LineText, value: Self)] = []
      let isObject = cursor.list("{", "}") { cursor in
        guard let name = cursor.text(), cursor.skip(":"),
          let value = Self(&cursor, depth: depth + 1)
        else { return false }
        members.append((name, value))
        return true
      }
      guard isObject else { return nil }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [Self] = []
      let isArray = cursor.list("[", "]") { cursor in
        guard let element = Self(&cursor, depth: depth + 1) else { return false }
        elements.append(element)
        return true
      }
      guard isArray else { return nil }
      self = .array(elements)
    case UInt8(ascii: "\""):
      guard let text = cursor.text() else { return nil }
      self = .text(text)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard cursor.skip(word: "true") || cursor.skip(word: "false") else { return nil }
      self = .boolean
    case UInt8(ascii: "n"):
      guard cursor.skip(word: "null") else { return nil }
      self = .null
    default:
      guard let number = cursor.number() else { return nil }
      self = .number(number)
    }
  }
}

/// A string (RFC 8259, section 7).
enum LineText {
  /// The bytes between the quotes, which have no escapes.
  case bytes(UnsafeRawBufferPointer)
  case unescaped(String)

  var text: String {
    switch self {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .unescaped(let text): text
    }
  }

  static func == (text: Self, name: StaticString) -> Bool {
    switch text {
    case .bytes(let bytes):
      bytes.elementsEqual(
        UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    case .unescaped(let text): text == "\(name)"
    }
  }
}

/// Moves through the JSON of a line. A method returns nil or false if something else follows.
private struct LineCursor {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    // A byte order mark, with which some programs begin a file.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next byte that is not space; nil at the end.
  var next: UInt8? {
    mutating get {
      while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) {
        position += 1
      }
      return position < bytes.count ? bytes[position] : nil
    }
  }

  /// Skips a character if it is the next one.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func skip(word: StaticString) -> Bool {
    let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: word) else { return false }
    position += word.count
    return true
  }

  /// Reads what is between two brackets. `body` reads each element.
  mutating func list(
    _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ body: (inout Self) -> Bool
  ) -> Bool {
    guard skip(first) else { return false }
    if skip(last) { return true }
    repeat {
      guard body(&self) else { return false }
    } while skip(",")
    return skip(last)
  }

  mutating func text() -> LineText? {
    guard skip("\"") else { return nil }
    let first = plainBytes()
    if skip(word: "\"") { return .bytes(first) }
    var text = Array(first)
    while !skip(word: "\"") {
      guard skip(word: "\\"), let scalar = escape() else { return nil }
      text.append(contentsOf: scalar.utf8)
      text.append(contentsOf: plainBytes())
    }
    return .unescaped(String(decoding: text, as: UTF8.self))
  }

  /// Skips the bytes of a string up to a quote, an escape, or a byte that has to be escaped.
  private mutating func plainBytes() -> UnsafeRawBufferPointer {
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"):
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
      default: position += 1
      }
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }

  /// Reads an escape after its backslash. Surrogates must be pairs.
  private mutating func escape() -> String? {
    guard position < bytes.count else { return nil }
    position += 1
    switch bytes[position - 1] {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let unit = unit(), !UTF16.isTrailSurrogate(unit) else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return String(decoding: [unit], as: UTF16.self) }
    guard skip(word: "\\u"), let trail = self.unit(), UTF16.isTrailSurrogate(trail) else {
      return nil
    }
    return String(decoding: [unit, trail], as: UTF16.self)
  }

  /// Reads the four hexadecimal digits of an escape.
  private mutating func unit() -> UInt16? {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    position += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  mutating func number() -> UnsafeRawBufferPointer? {
    let start = position
    _ = skip(word: "-")
    guard skip(word: "0") || skipDigits() else { return nil }
    if skip(word: ".") { guard skipDigits() else { return nil } }
    if skip(word: "e") || skip(word: "E") {
      _ = skip(word: "+") || skip(word: "-")
      guard skipDigits() else { return nil }
    }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 6
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var isUTF8: Bool {
    // Repairing changes bytes that are not UTF-8.
    allSatisfy { $0 < 0x80 } || String(decoding: self, as: UTF8.self).utf8.elementsEqual(self)
  }
}

/// An object of a line, whose members are named in problems.
struct LineObject {
  private let members: [(name: LineText, value: LineValue)]

  /// Where the object is, such as `errors[3]`; empty for the line.
  private let place: () -> String

  /// - Throws: a ``LineProblem`` if the value isn't an object.
  init(_ value: LineValue, at place: @escaping @autoclosure () -> String = "") throws {
    guard case .object(let members) = value else {
      throw LineProblem(
        description: "\(place().isEmpty ? "the line" : place()) isn't an object")
    }
    self.members = members
    self.place = place
  }

  /// The value of a member; nil without one. The first of several members with one name counts.
  subscript(name: StaticString) -> LineValue? {
    members.first { $0.name == name }?.value
  }

  /// Reads a text.
  ///
  /// - Throws: a ``LineProblem`` if it is missing.
  func text(_ name: StaticString) throws -> String {
    switch self[name] {
    case .text(let text): return text.text
    case nil: throw problem(name, "is missing")
    default: throw problem(name, "isn't a string")
    }
  }

  /// Reads a text; nil if it is null or missing.
  func optionalText(_ name: StaticString) throws -> String? {
    switch self[name] {
    case nil, .null: nil
    default: try text(name)
    }
  }

  /// Reads a whole number; nil if it is null or missing.
  func optionalInteger(_ name: StaticString) throws -> Int? {
    switch self[name] {
    case nil, .null: return nil
    case .number(let digits):
      if let number = Int(String(decoding: digits, as: UTF8.self)) { return number }
      fallthrough
    default: throw problem(name, "isn't a whole number")
    }
  }

  /// Reads an array.
  ///
  /// - Throws: a ``LineProblem`` if it is missing.
  func array(_ name: StaticString) throws -> [LineValue] {
    switch self[name] {
    case .array(let elements): return elements
    case nil: throw problem(name, "is missing")
    default: throw problem(name, "isn't an array")
    }
  }

  /// A problem with a member.
  func problem(_ name: StaticString, _ text: String) -> LineProblem {
    let place = place()
    return LineProblem(
      description: "\(place)\(place.isEmpty ? "" : ".")\(name) \(text)")
  }
}
