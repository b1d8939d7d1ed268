import ResilientPlatform

/// Forwards to another decoder, and records in a ``Trace`` which member cannot be decoded, and which
/// keys are decoded.
struct TracingDecoder: FoundationCompatibleDecoder {
  let base: any Decoder
  let trace: Trace

  /// The keys of this object that are decoded; nil if they are not recorded.
  var usage: KeyUsage?

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      TracedMembers(base: try base.container(keyedBy: type), trace: trace, usage: usage))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.unkeyedContainer(), trace: trace, owner: usage)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    TracedValue(base: try base.singleValueContainer())
  }
}

/// Remembers the innermost member whose error is being thrown.
final class Trace: Sendable {
  @TaskLocal static var current: Trace?

  /// The greatest depth in a document at which a value is decoded again.
  ///
  /// A value is decoded at most once for each place above it that fails, so this limit keeps the
  /// time linear in the size of the document.
  static let maximumDepth = 20

  /// A call that failed: the member's path, the type asked for, and the error.
  typealias Failure = (codingPath: [any CodingKey], type: Any.Type, error: any Error)

  private let failed = Locked<Failure?>(nil)

  /// The unknown keys of the document; nil if keys are not recorded.
  let unknown: UnknownKeys?

  /// The keys of the innermost value that is being decoded.
  private let usage = Locked<KeyUsage?>(nil)

  init(unknown: UnknownKeys? = nil) {
    self.unknown = unknown
  }

  /// Decodes a value, and reports its unknown keys.
  ///
  /// - Throws: The error of decoding the value.
  func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    guard let unknown else {
      return try Value(from: TracingDecoder(base: decoder, trace: self))
    }
    let depth = decoder.codingPath.count
    let enclosing = usage.withLock { $0 }
    // A single value container gives the same object to another type.
    if let enclosing, enclosing.depth == depth {
      return try Value(from: TracingDecoder(base: decoder, trace: self, usage: enclosing))
    }
    let own = KeyUsage(decoder, depth: depth)
    usage.withLock { $0 = own }
    defer { usage.withLock { $0 = enclosing } }
    let value = try Value(from: TracingDecoder(base: decoder, trace: self, usage: own))
    own.report(to: unknown)
    return value
  }

  var failure: Failure? { failed.withLock { $0 } }

  /// Decodes a member, and remembers it if that fails.
  ///
  /// - Throws: The error that `decode` throws.
  func decode<Value>(
    _ type: Any.Type,
    at codingPath: @autoclosure () -> [any CodingKey],
    _ decode: () throws -> Value
  ) throws -> Value {
    // A member that failed before this one was recovered.
    failed.withLock { $0 = nil }
    do {
      let value = try decode()
      failed.withLock { $0 = nil }
      return value
    } catch {
      let failure = (codingPath(), type, error)
      failed.withLock { $0 = $0 ?? failure }
      throw error
    }
  }
}

/// A value that is decoded with a ``TracingDecoder``.
struct Traced<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    // Not much deeper than the first value, because each level takes stack.
    guard let trace = Trace.current, decoder.codingPath.count <= 2 * Trace.maximumDepth
    else {
      value = try Value(from: decoder)
      return
    }
    value = try trace.decode(Value.self, from: decoder)
  }
}

/// A dictionary's value, which is a member too.
private struct TracedEntry<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    guard let trace = Trace.current else {
      value = try Value(from: decoder)
      return
    }
    value = try trace.decode(Value.self, at: decoder.codingPath) {
      try trace.decode(Value.self, from: decoder)
    }
  }
}

/// A source of one value: a key of an object, the next element of an array, or a single value.
private protocol ValueSource {
  /// Decodes the value directly from the traced decoder.
  mutating func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value
}

extension ValueSource {
  /// Decodes the value and traces its members.
  fileprivate mutating func decodeTraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if hasOwnDecoding(Value.self) { return try decodeUntraced(Value.self) }
    guard let dictionary = Value.self as? any StringDictionary.Type else {
      return try decodeUntraced(Traced<Value>.self).value
    }
    return try dictionary.decodeTraced(from: &self) as! Value  // `dictionary` is `Value`.
  }
}

/// Whether a decoder may decode a type without its `init(from:)`.
private func hasOwnDecoding(_ type: Any.Type) -> Bool {
  containerTypes.contains(ObjectIdentifier(type)) || hasStrategy(type)
}

/// Whether Foundation's decoders have a strategy for a type.
func hasStrategy(_ type: Any.Type) -> Bool {
  type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
}

/// The types for which containers have their own methods.
private let containerTypes: Set<ObjectIdentifier> = {
  let types: [Any.Type] = [
    Bool.self, String.self, Double.self, Float.self,
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
  ]
  return Set(types.map { ObjectIdentifier($0) })
}()

/// A dictionary. Decoders leave its keys unconverted only if they decode it as a dictionary.
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
  let usage: KeyUsage?

  private struct Member: ValueSource {
    let container: KeyedDecodingContainer<Key>
    let key: Key

    func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try container.decode(type, forKey: key)
    }
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] {
    usage?.addAllKeys()
    return base.allKeys
  }

  func contains(_ key: Key) -> Bool {
    usage?.add(key)
    return base.contains(key)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    usage?.add(key)
    return try base.decodeNil(forKey: key)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    usage?.add(key)
    var member = Member(container: base, key: key)
    return try trace.decode(type, at: codingPath + [key]) { try member.decodeTraced(type) }
  }

  // The standard library's defaults for these throw.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    usage?.add(key)
    return try trace.decode(type, at: codingPath + [key]) { try base.decode(type, forKey: key) }
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    usage?.add(key)
    return try trace.decode(type, at: codingPath + [key]) { try base.decode(type, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    usage?.add(key)
    let container = try base.nestedContainer(keyedBy: type, forKey: key)
    let nested = try usage?.adding(base.superDecoder(forKey: key))
    return KeyedDecodingContainer(
      TracedMembers<NestedKey>(base: container, trace: trace, usage: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    usage?.add(key)
    return TracedElements(
      base: try base.nestedUnkeyedContainer(forKey: key), trace: trace, owner: usage)
  }

  func superDecoder() throws -> any Decoder {
    usage?.add(PathKey("super"))
    let decoder = try base.superDecoder()
    return TracingDecoder(base: decoder, trace: trace, usage: usage?.adding(decoder))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    usage?.add(key)
    let decoder = try base.superDecoder(forKey: key)
    return TracingDecoder(base: decoder, trace: trace, usage: usage?.adding(decoder))
  }
}

private struct TracedElements: UnkeyedDecodingContainer, ValueSource {
  var base: any UnkeyedDecodingContainer
  let trace: Trace

  /// The keys of the innermost object around the array.
  let owner: KeyUsage?

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

  // The standard library's defaults for these throw.
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
    // The container moves on, so the decoder is of a copy.
    var copy = base
    let container = try base.nestedContainer(keyedBy: type)
    let nested = try owner?.adding(copy.superDecoder())
    return KeyedDecodingContainer(TracedMembers(base: container, trace: trace, usage: nested))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    TracedElements(base: try base.nestedUnkeyedContainer(), trace: trace, owner: owner)
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try base.superDecoder()
    return TracingDecoder(base: decoder, trace: trace, usage: owner?.adding(decoder))
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

  // The standard library's defaults for these throw.
  func decode(_ type: Int128.Type) throws -> Int128 { try base.decode(type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try base.decode(type) }

  func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try base.decode(type)
  }
}
