import ResilientDecoding

/// The members of an object in a document.
struct DocumentMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: DocumentDecoder
  let members: [String: DocumentValue]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.compactMap(Key.init) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decode(type)
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try member(key).decode(type)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try member(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { memberOrNull(PathKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { memberOrNull(key) }

  private func member(_ key: Key) throws -> DocumentDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        decoder.context("No value associated with key \(key.stringValue.jsonQuoted).")
      )
    }
    return decoder.decoder(of: value, at: key)
  }

  /// Returns a decoder for a superclass, which decodes null if there is no member, as in
  /// `JSONDecoder`.
  private func memberOrNull(_ key: any CodingKey) -> DocumentDecoder {
    decoder.decoder(of: members[key.stringValue] ?? .null, at: key)
  }
}
