import ResilientDecoding

extension DocumentValue: Decodable {
  /// Reads a value with all its members and elements.
  init(from decoder: any Decoder) throws {
    let reader = ValueReader.current ?? ValueReader(decoder, depth: decoder.codingPath.count)
    let shape = reader.shape(of: decoder)
    try reader.checkLimits(decoder)
    reader.depth += 1
    defer { reader.depth -= 1 }
    switch shape {
    case .scalar(let scalar):
      self = scalar
    case .object where reader.depth <= Self.depthOfDictionaries:
      // As a dictionary: a keyed container would convert the keys.
      self = .object(try decoder.singleValueContainer().decode([String: Self].self))
    case .object(let members):
      self = try Self(deepMembers: members, of: decoder)
    case .array(let elements):
      self = try Self(elements: elements)
    case .other:
      self = Self(nonJSONOf: decoder)
    }
  }

  /// Reads the whole value of a decoder.
  static func all(below decoder: any Decoder) throws -> Self {
    if let decoder = decoder as? DocumentDecoder { return decoder.value }
    if let document = decoder as? DecodableDocument { return document.value }
    let reader = ValueReader(decoder, depth: decoder.codingPath.count)
    return try DecodeState.with(reader: reader) { try Self(from: decoder) }
  }

  /// The depth up to which dictionaries are decoded through the decoder itself: each level takes 3
  /// KB of stack, and a thread may have only 512 KB.
  private static let depthOfDictionaries = 32

  /// Reads an object without recursion through the decoder.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the decoder converts keys: the container's keys
  ///   would differ.
  private init(deepMembers: KeyedDecodingContainer<PathKey>, of decoder: any Decoder) throws {
    var values: [String: Self] = [:]
    for name in try decoder.singleValueContainer().decode([String: IgnoredValue].self).keys {
      let key = PathKey(name)
      guard deepMembers.contains(key) else {
        throw DecodingError.dataCorruptedError(
          forKey: key,
          in: deepMembers,
          debugDescription: "The payload is nested too deeply for a decoder that converts keys."
        )
      }
      values[name] = try Self(from: deepMembers.superDecoder(forKey: key))
    }
    self = .object(values)
  }

  private init(elements: any UnkeyedDecodingContainer) throws {
    var elements = elements
    var values: [Self] = []
    while !elements.isAtEnd {
      let index = elements.currentIndex
      values.append(try Self(from: elements.superDecoder()))
      guard elements.currentIndex > index else { throw elements.notAdvancingError }
    }
    self = .array(values)
  }
}
