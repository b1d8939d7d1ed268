/// A value that is decoded with the replacements in its decoder's `userInfo`.
struct Replaceable<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    if let replacement = decoder.userInfo.decodingReplacements?.replacement(of: Value.self) {
      value = try replacement.decode(decoder)
    } else if let type = Value.self as? any HoldingReplaceables.Type,
      let held = try type.decodedReplaceably(from: decoder) as? Value
    {
      value = held
    } else {
      // Through a container, so that a decoder can apply its strategies for `Date`, `URL` and
      // others.
      value = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}

/// A container type of the standard library, whose values may be replaced.
private protocol HoldingReplaceables {
  static func decodedReplaceably(from decoder: any Decoder) throws -> Self
}

extension Optional: HoldingReplaceables where Wrapped: Decodable {
  static func decodedReplaceably(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    return container.decodeNil() ? nil : try container.decode(Replaceable<Wrapped>.self).value
  }
}

extension Array: HoldingReplaceables where Element: Decodable {
  static func decodedReplaceably(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([Replaceable<Element>].self).map(\.value)
  }
}

extension Set: HoldingReplaceables where Element: Decodable {
  static func decodedReplaceably(from decoder: any Decoder) throws -> Self {
    Set(try [Element].decodedReplaceably(from: decoder))
  }
}

extension Dictionary: HoldingReplaceables where Key: Decodable, Value: Decodable {
  static func decodedReplaceably(from decoder: any Decoder) throws -> Self {
    try decoder.singleValueContainer().decode([Key: Replaceable<Value>].self).mapValues(\.value)
  }
}
