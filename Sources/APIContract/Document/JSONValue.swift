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
  /// The value of a member; nil if this is no object, or lacks the member.
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
  private struct Key: CodingKey {
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
    } else if let members = try? decoder.container(keyedBy: Key.self) {
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
