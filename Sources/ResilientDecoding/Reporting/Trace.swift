import ResilientPlatform

/// Follows a decode: remembers the innermost member whose error is being thrown, and the keys that
/// models ask for.
package final class Trace {
  static var current: Trace? { DecodeState.current?.trace }

  /// The greatest depth in a document at which keys are followed. Each level takes more stack than
  /// without a trace.
  private static let maximumDepth = 40

  /// An error that a call throws, with the member's path and the type asked for.
  typealias ThrownError = (codingPath: [any CodingKey], type: Any.Type, error: any Error)

  /// The error that was thrown last, of the innermost member that threw it.
  private(set) var thrown: ThrownError?

  /// Whether that error comes from a value that was too deep to trace, so that the member is
  /// unknown.
  private(set) var isMemberUnknown = false

  /// The keys at the place of the value that is decoded next; nil if keys are not followed.
  private(set) var next: ObjectKeys?

  /// - Parameter keys: The keys of the root; nil to follow no keys.
  init(keys: ObjectKeys? = nil) {
    next = keys
  }

  /// Decodes the next value with a tracing decoder, or as without a trace if it is too deep.
  ///
  /// A search ends with an error at a value that is too deep.
  ///
  /// - Throws: The error of the value's initializer.
  func decode<Value: Decodable>(_ type: Value.Type, from decoder: any Decoder) throws -> Value {
    guard let next, next.depth > Self.maximumDepth || Stack.isHalfUsed else {
      try decoder.checkStack()
      return try Value(from: TracingDecoder(base: decoder, trace: self, keys: next))
    }
    do {
      return try Value(from: decoder)
    } catch {
      isMemberUnknown = true
      throw error
    }
  }

  /// Decodes a member, and remembers it if that fails.
  ///
  /// - Parameter keys: The keys at the member's place; nil if keys are not followed.
  /// - Throws: The error that `decode` throws.
  func decode<Value>(
    _ type: Any.Type,
    at codingPath: @autoclosure () -> [any CodingKey],
    with keys: ObjectKeys?,
    _ decode: () throws -> Value
  ) throws -> Value {
    let enclosing = next
    next = keys
    defer { next = enclosing }
    // A member that failed before this one was recovered.
    forgetError()
    do {
      let value = try decode()
      forgetError()
      return value
    } catch {
      thrown = thrown ?? (codingPath(), modelType(type), error)
      throw error
    }
  }

  private func forgetError() { (thrown, isMemberUnknown) = (nil, false) }

  /// Decodes a value with these keys as ``next``.
  func following<Value>(_ keys: ObjectKeys?, _ decode: () throws -> Value) rethrows -> Value {
    let enclosing = next
    next = keys
    defer { next = enclosing }
    return try decode()
  }
}

/// A value that is decoded with a ``TracingDecoder``.
struct Traced<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try Trace.current?.decode(Value.self, from: decoder) ?? Value(from: decoder)
  }
}

extension Traced: ProxyType {
  static var representedType: Any.Type { modelType(Value.self) }
}

/// A dictionary's value, which is a member too.
private struct TracedEntry<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    guard let trace = Trace.current else {
      value = try decoder.singleValueContainer().decode(Value.self)
      return
    }
    let keys = trace.next?.at(.anyDictionaryKey)
    value = try trace.decode(Value.self, at: decoder.codingPath, with: keys) {
      try TracingDecoder(base: decoder, trace: trace, keys: keys)
        .singleValueContainer().decode(Value.self)
    }
  }
}

extension TracedEntry: ValueProxy {
  static var representedType: Any.Type { modelType(Value.self) }
}

/// A source of one value: a key of an object, the next element of an array, or a single value.
protocol ValueSource {
  /// Decodes the value directly from the traced decoder.
  mutating func decodeUntraced<Value: Decodable>(_ type: Value.Type) throws -> Value
}

extension ValueSource {
  /// Decodes the value and traces its members.
  mutating func decodeTraced<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if hasOwnDecoding(Value.self) { return try decodeUntraced(Value.self) }
    do {
      guard let dictionary = Value.self as? any StringDictionary.Type else {
        return try decodeUntraced(Traced<Value>.self).value
      }
      return try dictionary.decodeTraced(from: &self) as! Value  // `dictionary` is `Value`.
    } catch let error as DecodingError {
      throw error.namingModelType
    }
  }
}

/// A dictionary. Decoders leave its keys unconverted only if they decode it as a dictionary.
private protocol StringDictionary: Decodable {
  static func decodeTraced(from source: inout some ValueSource) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
  fileprivate static func decodeTraced(from source: inout some ValueSource) throws -> Self {
    let value =
      hasStrategy(Value.self)
      ? try source.decodeUntraced(Self.self)
      : try source.decodeUntraced([String: TracedEntry<Value>].self).mapValues(\.value)
    // All keys, also where other types decode some of them.
    Trace.current?.next?.accept(DictionaryKey.self)
    return value
  }
}
