import ResilientPlatform

/// Forwards to another decoder, and records in a ``Trace`` which member cannot be decoded, and
/// which keys models ask for.
struct TracingDecoder: FoundationCompatibleDecoder {
  let base: any Decoder
  let trace: Trace

  /// The keys at the decoder's place; nil if keys are not followed.
  var keys: ObjectKeys?

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try base.container(keyedBy: type)
    keys?.find(in: try base.container(keyedBy: DictionaryKey.self), keyedBy: type)
    return KeyedDecodingContainer(TracedMembers(base: container, trace: trace, keys: keys))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.unkeyedContainer(), trace: trace, keys: keys)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    TracedValue(base: try base.singleValueContainer(), trace: trace, keys: keys)
  }
}

extension Decoder {
  /// The decoder without a trace, with which the library reads the payload to explain an error: no
  /// model asks for the keys.
  package var untraced: any Decoder {
    // A cast that fails takes longer than a comparison of types.
    type(of: self) == TracingDecoder.self ? (self as! TracingDecoder).base : self
  }
}

private struct TracedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let trace: Trace

  /// The keys of the object.
  let keys: ObjectKeys?

  private struct Member: ValueSource {
    let container: KeyedDecodingContainer<Key>
    let key: Key

    func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try container.decode(type, forKey: key)
    }
  }

  var codingPath: [any CodingKey] { base.codingPath }

  var allKeys: [Key] {
    keys?.accept(Key.self)
    return base.allKeys
  }

  func contains(_ key: Key) -> Bool {
    keys?.ask(for: key)
    return base.contains(key)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    keys?.ask(for: key)
    return try stopping { try base.decodeNil(forKey: key) }
  }

  // Compiled once: copies for each of the sixteen scalars take 40 KB of an app.
  @_semantics("optimize.sil.specialize.generic.never")
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    // A scalar has no keys.
    guard !hasOwnDecoding(type) else {
      return try decode(type, forKey: key) { try base.decode(type, forKey: key) }
    }
    var member = Member(container: base, key: key)
    let nested = keys.map { $0.at(ErrorDigest.Path.Component(key)) }
    return try decode(type, forKey: key, with: nested) { try member.decodeTraced(type) }
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decode(type, forKey: key) { try base.decode(type, forKey: key) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decode(type, forKey: key) { try base.decode(type, forKey: key) }
  }

  private func decode<Value>(
    _ type: Value.Type, forKey key: Key, with nested: ObjectKeys? = nil,
    _ decode: () throws -> Value
  ) throws -> Value {
    keys?.ask(for: key)
    return try stopping { try trace.decode(type, at: codingPath + [key], with: nested, decode) }
  }

  /// Runs `body`, after whose error the model may stop, and not ask for its other keys.
  private func stopping<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      // A key path asks for one key with a type that can be any.
      if Key.self != PathKey.self { keys?.accept(Key.self) }
      throw error
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let nested = opening(key)
    let container = try stopping { try base.nestedContainer(keyedBy: type, forKey: key) }
    nested?.find(
      in: try base.nestedContainer(keyedBy: DictionaryKey.self, forKey: key),
      keyedBy: type)
    return KeyedDecodingContainer(
      TracedMembers<NestedKey>(base: container, trace: trace, keys: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let nested = opening(key)
    let container = try stopping { try base.nestedUnkeyedContainer(forKey: key) }
    return TracedElements(base: container, trace: trace, keys: nested)
  }

  func superDecoder() throws -> any Decoder {
    let nested = opening(PathKey("super"))
    return TracingDecoder(base: try base.superDecoder(), trace: trace, keys: nested)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let nested = opening(key)
    let decoder = try stopping { try base.superDecoder(forKey: key) }
    return TracingDecoder(base: decoder, trace: trace, keys: nested)
  }

  private func opening(_ key: any CodingKey) -> ObjectKeys? {
    keys?.ask(for: key)
    return keys?.at(ErrorDigest.Path.Component(key))
  }
}

private struct TracedElements: UnkeyedDecodingContainer, ValueSource {
  var base: any UnkeyedDecodingContainer
  let trace: Trace
  let keys: ObjectKeys?

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  // Compiled once, as in `TracedMembers`.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decode(type) { $0.isAtEnd ? try $0.base.decode(type) : try $0.decodeTraced(type) }
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try decode(type) { try $0.base.decode(type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try decode(type) { try $0.base.decode(type) }
  }

  private mutating func decode<Value>(
    _ type: Value.Type, _ decode: (inout Self) throws -> Value
  ) throws -> Value {
    let index = currentIndex
    return try trace.decode(
      type, at: base.codingPath + [PathKey(index: index)], with: keys?.at(.anyIndex)
    ) {
      try decode(&self)
    }
  }

  mutating func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    // The container moves on, so the keys are read from a copy.
    var copy = base
    let container = try base.nestedContainer(keyedBy: type)
    let nested = keys?.at(.anyIndex)
    nested?.find(
      in: try copy.nestedContainer(keyedBy: DictionaryKey.self), keyedBy: type)
    return KeyedDecodingContainer(TracedMembers(base: container, trace: trace, keys: nested))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(
      base: try base.nestedUnkeyedContainer(), trace: trace, keys: keys?.at(.anyIndex))
  }

  mutating func superDecoder() throws -> any Decoder {
    TracingDecoder(base: try base.superDecoder(), trace: trace, keys: keys?.at(.anyIndex))
  }
}

private struct TracedValue: SingleValueDecodingContainer, ValueSource {
  let base: any SingleValueDecodingContainer
  let trace: Trace
  let keys: ObjectKeys?

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  // Compiled once, as in `TracedMembers`.
  @_semantics("optimize.sil.specialize.generic.never")
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var source = self
    return try trace.following(keys) { try source.decodeTraced(type) }
  }

  // The standard library's defaults for these throw.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }

  func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(type)
  }
}
