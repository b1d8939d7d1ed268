#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Does what another decoder does, and notes in a ``Trace`` which member cannot be decoded.
struct TracingDecoder: Decoder {
  let base: any Decoder
  let trace: Trace

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(TracedMembers(base: try base.container(keyedBy: type), trace: trace))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.unkeyedContainer(), trace: trace)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    TracedValue(base: try base.singleValueContainer())
  }
}

/// A value that is decoded with a ``TracingDecoder`` of its place.
struct Traced<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    // Not much deeper than where it began, for each level takes stack.
    guard let trace = Trace.current, decoder.codingPath.count <= 2 * FailedMember.maximumDepth
    else {
      value = try Value(from: decoder)
      return
    }
    value = try Value(from: TracingDecoder(base: decoder, trace: trace))
  }
}

/// A value of a dictionary, which is a member as well.
private struct TracedEntry<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    guard let trace = Trace.current else {
      value = try Value(from: decoder)
      return
    }
    value = try trace.decode(Value.self, at: decoder.codingPath) {
      try Value(from: TracingDecoder(base: decoder, trace: trace))
    }
  }
}

/// What has one value to decode: a key of an object, the next element of an array, or a decoder.
private protocol ValueSource {
  /// Decodes the value with the decoder that is traced.
  mutating func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value
}

extension ValueSource {
  /// Decodes the value so that what is in it is traced.
  fileprivate mutating func decodeTraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isDecoders(Value.self) { return try decodeUntraced(Value.self) }
    guard let dictionary = Value.self as? any StringDictionary.Type else {
      return try decodeUntraced(Traced<Value>.self).value
    }
    return try dictionary.decodeTraced(from: &self) as! Value  // `dictionary` is `Value`.
  }
}

/// Whether a decoder decodes a type by itself, for which it has to be asked for that type.
private func isDecoders(_ type: Any.Type) -> Bool {
  containersTypes.contains(ObjectIdentifier(type)) || hasStrategy(type)
}

/// Whether one of Foundation's decoders has a way of its own to decode a type.
private func hasStrategy(_ type: Any.Type) -> Bool {
  type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
}

/// The types that containers have methods for.
private let containersTypes: Set<ObjectIdentifier> = {
  let types: [Any.Type] = [
    Bool.self, String.self, Double.self, Float.self,
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
  ]
  return Set(types.map { ObjectIdentifier($0) })
}()

/// A dictionary whose keys a decoder leaves as they are, for which it has to see that it is one.
private protocol StringDictionary: Decodable {
  static func decodeTraced(from source: inout some ValueSource) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
  fileprivate static func decodeTraced(from source: inout some ValueSource) throws -> Self {
    hasStrategy(Value.self)
      ? try source.decodeUntraced(Self.self)
      : try source.decodeUntraced([String: TracedEntry<Value>].self).mapValues(\.value)
  }
}

private struct TracedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let trace: Trace

  private struct Member: ValueSource {
    let container: KeyedDecodingContainer<Key>
    let key: Key

    func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try container.decode(type, forKey: key)
    }
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    var member = Member(container: base, key: key)
    return try trace.decode(type, at: codingPath + [key]) { try member.decodeTraced(type) }
  }

  // The standard library has its own of these, which throw.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try trace.decode(type, at: codingPath + [key]) { try base.decode(type, forKey: key) }
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try trace.decode(type, at: codingPath + [key]) { try base.decode(type, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      TracedMembers<NestedKey>(
        base: try base.nestedContainer(keyedBy: type, forKey: key), trace: trace))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.nestedUnkeyedContainer(forKey: key), trace: trace)
  }

  func superDecoder() throws -> any Decoder {
    TracingDecoder(base: try base.superDecoder(), trace: trace)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    TracingDecoder(base: try base.superDecoder(forKey: key), trace: trace)
  }
}

private struct TracedElements: UnkeyedDecodingContainer, ValueSource {
  var base: any UnkeyedDecodingContainer
  let trace: Trace

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let index = currentIndex
    return try trace.decode(type, at: base.codingPath + [IndexKey(index)]) {
      try decodeTraced(type)
    }
  }

  // The standard library has its own of these, which throw.
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let index = currentIndex
    return try trace.decode(type, at: base.codingPath + [IndexKey(index)]) { try base.decode(type) }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let index = currentIndex
    return try trace.decode(type, at: base.codingPath + [IndexKey(index)]) { try base.decode(type) }
  }

  mutating func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      TracedMembers(base: try base.nestedContainer(keyedBy: type), trace: trace))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.nestedUnkeyedContainer(), trace: trace)
  }

  mutating func superDecoder() throws -> any Decoder {
    TracingDecoder(base: try base.superDecoder(), trace: trace)
  }
}

private struct TracedValue: SingleValueDecodingContainer, ValueSource {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var source = self
    return try source.decodeTraced(type)
  }

  // The standard library has its own of these, which throw.
  func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }

  func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(type)
  }
}
