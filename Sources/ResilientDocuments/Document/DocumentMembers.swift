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

/// The elements of an array in a document.
///
/// It stays at an element that cannot be decoded, like Foundation's decoders.
struct DocumentElements: UnkeyedDecodingContainer {
  let decoder: DocumentDecoder
  let elements: [DocumentValue]
  private(set) var currentIndex = 0

  init(decoder: DocumentDecoder, elements: [DocumentValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(Never.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decode(type) }
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { try $0.decode(type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try next(KeyedDecodingContainer<NestedKey>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }

  /// Decodes the next element, and moves past it on success.
  private mutating func next<Value>(
    _ type: Any.Type,
    _ decode: (DocumentDecoder) throws -> Value
  ) throws -> Value {
    let value = try decode(element(type))
    currentIndex += 1
    return value
  }

  /// Returns a decoder of the next element.
  ///
  /// - Parameter type: The expected type, for the error at the end of the array.
  private func element(_ type: Any.Type) throws -> DocumentDecoder {
    let key = PathKey(index: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: decoder.codingPath + [key],
          debugDescription: "The array has no more elements."
        )
      )
    }
    return decoder.decoder(of: elements[currentIndex], at: key)
  }
}
