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
  /// An object or an array around the current value.
  private struct Container {
    let pointer: String

    /// The name of the current member; nil in an array.
    var name: String?
    var index = 0
    let isObject: Bool
    var expectsName: Bool
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var containers: [Container] = []
  private var lines: [String: Int] = [:]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The lines, from 1, on which the values at some JSON pointers begin.
  ///
  /// - Parameter bytes: valid JSON.
  static func lines(of pointers: Set<String>, in bytes: [UInt8]) -> [String: Int] {
    var scanner = Self(bytes)
    scanner.scan(pointers)
    return scanner.lines
  }

  private mutating func scan(_ pointers: Set<String>) {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      // A line may end with CR, LF, or both.
      case UInt8(ascii: "\r"):
        if bytes.dropFirst(position + 1).first != UInt8(ascii: "\n") { line += 1 }
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let pointer = note(pointers)
        let isObject = byte == UInt8(ascii: "{")
        containers.append(
          Container(pointer: pointer, isObject: isObject, expectsName: isObject))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
      case UInt8(ascii: ","):
        if let last = containers.indices.last {
          containers[last].index += 1
          containers[last].expectsName = containers[last].isObject
        }
      case UInt8(ascii: ":"):
        if let last = containers.indices.last { containers[last].expectsName = false }
      case UInt8(ascii: "\""):
        let text = takeString()
        if let last = containers.indices.last, containers[last].expectsName {
          containers[last].name = Self.name(text)
        } else {
          note(pointers)
        }
        continue
      default:
        note(pointers)
        while position + 1 < bytes.count, !Self.endsScalar(bytes[position + 1]) { position += 1 }
      }
      position += 1
    }
  }

  /// Notes the line of the value that begins here.
  ///
  /// - Returns: its pointer.
  @discardableResult
  private mutating func note(_ pointers: Set<String>) -> String {
    let pointer =
      containers.last.map { container in
        SourcePlace(pointer: container.pointer)
          .child(container.isObject ? container.name ?? "" : "\(container.index)").pointer
      } ?? ""
    if pointers.contains(pointer), lines[pointer] == nil { lines[pointer] = line }
    return pointer
  }

  /// Takes a string with its quotes.
  private mutating func takeString() -> ArraySlice<UInt8> {
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
    return bytes[start..<position]
  }

  private static func name(_ quoted: ArraySlice<UInt8>) -> String {
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    // The document was decoded before, so this fails only if the file has changed since.
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    " \t\r\n,]}".utf8.contains(byte)
  }
}
