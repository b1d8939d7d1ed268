import ResilientDecoding

/// A value that is decoded with the replacements in its decoder's `userInfo`.
struct WithReplacements<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    if let replacement = decoder.userInfo.decodingReplacements?.replacement(of: Value.self) {
      value = try replacement.decode(decoder)
    } else if let type = Value.self as? any ReplaceableValues.Type,
      let held = try type.decodedWithReplacements(from: decoder) as? Value
    {
      value = held
    } else {
      // Through a container, so that a decoder can apply its strategies for `Date`, `URL` and
      // others.
      value = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}

/// A collection or optional, whose values may have replaced decodings.
private protocol ReplaceableValues {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self
}

extension Optional: ReplaceableValues where Wrapped: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    return container.decodeNil() ? nil : try container.decode(WithReplacements<Wrapped>.self).value
  }
}

extension Array: ReplaceableValues where Element: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([WithReplacements<Element>].self).map(\.value)
  }
}

extension Set: ReplaceableValues where Element: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    Set(try [Element].decodedWithReplacements(from: decoder))
  }
}

extension Dictionary: ReplaceableValues where Key: Decodable, Value: Decodable {
  static func decodedWithReplacements(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([Key: WithReplacements<Value>].self).mapValues(
      \.value)
  }
}
