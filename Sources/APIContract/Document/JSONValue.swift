import ResilientPlatform

/// A value of a document, whatever its format is.
indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([Self])
  case object([String: Self])
}

/// Texts are compared by their bytes: a composed é differs from a decomposed one.
extension JSONValue {
  static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.boolean(let value), .boolean(let other)): value == other
    case (.integer(let value), .integer(let other)): value == other
    case (.number(let value), .number(let other)): value == other
    case (.string(let text), .string(let other)): text.utf8.elementsEqual(other.utf8)
    case (.array(let elements), .array(let others)): elements == others
    case (.object(let members), .object(let others)): members == others
    default: false
    }
  }
}

extension JSONValue {
  /// The value of a member; nil if this isn't an object, or lacks the member.
  subscript(name: String) -> Self? { object?[name] }

  var object: [String: Self]? {
    if case .object(let members) = self { members } else { nil }
  }

  var array: [Self]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

/// Reads JSON. YAML has its own reader.
extension JSONValue: Decodable {
  private struct MemberName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    // Tries each type, the most common first, because a failed attempt is expensive.
    let scalar = try decoder.singleValueContainer()
    if let text = try? scalar.decode(String.self) {
      self = .string(text)
    } else if let members = try? decoder.container(keyedBy: MemberName.self) {
      let keys = members.allKeys
      var object = [String: Self](minimumCapacity: keys.count)
      for key in keys { object[key.stringValue] = try members.decode(Self.self, forKey: key) }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [Self] = []
      while !elements.isAtEnd { array.append(try elements.decode(Self.self)) }
      self = .array(array)
    } else if scalar.decodeNil() {
      self = .null
    } else if let value = try? scalar.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? scalar.decode(Int64.self) {
      self = .integer(value)
    } else {
      self = .number(try scalar.decode(Double.self))
    }
  }
}

/// Finds the lines of values in the text of a JSON document, which its values do not have.
struct JSONLines {
  private let pointers: Set<String>
  private var rest: ArraySlice<UInt8>
  private var line = 1
  private var lines: [String: Int] = [:]

  /// More than a decoder of JSON reads. Each level takes some of the stack.
  private static let maximumDepth = 1_000

  /// The lines, from 1, on which the values at some JSON pointers begin.
  ///
  /// - Parameter bytes: valid JSON.
  static func lines(of pointers: Set<String>, in bytes: [UInt8]) -> [String: Int] {
    var scanner = Self(pointers: pointers, rest: bytes[...])
    scanner.scan(SourcePlace(), depth: 0)
    return scanner.lines
  }

  private init(pointers: Set<String>, rest: ArraySlice<UInt8>) {
    self.pointers = pointers
    self.rest = rest
  }

  /// Scans a value and what it contains.
  private mutating func scan(_ place: SourcePlace, depth: Int) {
    guard let first = next(), depth <= Self.maximumDepth else { return }
    if pointers.contains(place.pointer), lines[place.pointer] == nil { lines[place.pointer] = line }
    switch first {
    case UInt8(ascii: "{"):
      rest.removeFirst()
      while next() == UInt8(ascii: "\"") {
        scan(place.child(Self.name(string())), depth: depth + 1)
      }
      rest = rest.dropFirst()
    case UInt8(ascii: "["):
      rest.removeFirst()
      var index = 0
      while let byte = next(), byte != UInt8(ascii: "]"), depth < Self.maximumDepth {
        scan(place.child("\(index)"), depth: depth + 1)
        index += 1
      }
      rest = rest.dropFirst()
    case UInt8(ascii: "\""): _ = string()
    default: rest = rest.dropFirst().drop { !" \t\r\n,]}".utf8.contains($0) }
    }
  }

  /// The next byte of a value or of the end of one, behind white space and separators.
  private mutating func next() -> UInt8? {
    while let byte = rest.first, " \t\r\n,:".utf8.contains(byte) {
      rest.removeFirst()
      // A line may end with CR, LF, or both.
      if byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && rest.first != UInt8(ascii: "\n")
      {
        line += 1
      }
    }
    return rest.first
  }

  /// Takes a string with its quotes.
  private mutating func string() -> ArraySlice<UInt8> {
    let start = rest
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
    }
    return start[..<rest.startIndex]
  }

  private static func name(_ quoted: ArraySlice<UInt8>) -> String {
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    // The document was decoded before, so this fails only if the file has changed since.
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
  }
}
