/// A type that can keep some parts of a value when others cannot be decoded.
///
/// The standard library's collections and optionals conform. A property whose type is known at
/// compile time uses an overload on `KeyedDecodingContainer`. This protocol serves all other cases:
/// collections in collections, generic models, and a top-level `Resilient`.
@usableFromInline
protocol Recoverable: Decodable {
  typealias Recovered = (value: Self, outcome: ResilientDecodingOutcome)

  /// The value of a property whose key is missing or holds null.
  static var whenAbsent: Self { get }

  /// The value of a property whose value in the payload has the wrong shape.
  static var whenMalformed: Self { get }

  /// The value of an element that cannot be decoded; nil if it is left out.
  static var whenBadElement: Self? { get }

  /// The type that a report calls expected if the error does not name one.
  static var expectedType: Any.Type { get }

  /// Whether the payload has an array, which some decoders give only to `Array`.
  static var isArray: Bool { get }

  /// Decodes the value of a key as an `Array` whose elements recover one by one.
  ///
  /// - Throws: If the value has the wrong shape.
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered

  /// Decodes the good parts, and reports the others.
  ///
  /// - Throws: If the value has the wrong shape.
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered
}

extension Recoverable {
  @usableFromInline static var whenBadElement: Self? { nil }
  @usableFromInline static var expectedType: Any.Type { Self.self }
  @usableFromInline static var isArray: Bool { false }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let part = try container.decode(PartialValue<Self, Conversion>.self, forKey: key)
    return (part.value, part.outcome)
  }

  /// Decodes a value that is not an element, and recovers from any error.
  static func recoveredOrReplaced<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) -> Recovered {
    if decoder.isAtNull { return (whenAbsent, .valueWasNil) }
    do {
      return try recovered(from: decoder, conversion)
    } catch {
      decoder.report(error, decoding: expectedType)
      return (whenMalformed, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a property, and recovers from any error.
  @inlinable
  static func recovered<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) -> Recovered {
    let (value, outcome) = recoveredIfPresent(from: container, forKey: key, conversion)
    return (value ?? whenAbsent, outcome)
  }

  /// Recovers from any error; nil if the key is missing or holds null.
  @inlinable
  static func recoveredIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) -> (value: Self?, outcome: ResilientDecodingOutcome) {
    do {
      guard let (value, outcome) = try decodedIfPresent(from: container, forKey: key, conversion)
      else {
        return (nil, .absence(of: key, in: container))
      }
      return (value, outcome)
    } catch {
      return malformed(by: error, in: container, forKey: key)
    }
  }

  /// Decodes the good parts; nil if the key is missing or holds null.
  ///
  /// - Throws: If the value has the wrong shape.
  @inlinable
  static func decodedIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered? {
    guard
      let part = try container.decodeIfPresent(
        KeyedPartialValue<Self, Conversion>.self, forKey: key)
    else { return nil }
    if let value = part.value { return (value, part.outcome) }
    return try recoveredAsArray(from: container, forKey: key, conversion)
  }

  @usableFromInline
  static func malformed<Key: CodingKey>(
    by error: any Error,
    in container: KeyedDecodingContainer<Key>,
    forKey key: Key
  ) -> (value: Self?, outcome: ResilientDecodingOutcome) {
    container.report(error, forKey: key, decoding: expectedType)
    return (whenMalformed, .recoveredFrom(error, wasReported: true))
  }
}

/// A value without the parts that could not be decoded.
@usableFromInline
struct PartialValue<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  @usableFromInline let value: Value
  @usableFromInline let outcome: ResilientDecodingOutcome

  @inlinable
  init(from decoder: any Decoder) throws {
    (value, outcome) = try Value.recovered(from: decoder, Conversion.self)
  }
}

/// A keyed value without the parts that could not be decoded.
@usableFromInline
struct KeyedPartialValue<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  /// Nil, without an attempt, if the decoder may give the array only to `Array`.
  @usableFromInline let value: Value?
  @usableFromInline let outcome: ResilientDecodingOutcome

  @inlinable
  init(from decoder: any Decoder) throws {
    if Value.isArray, !decoder.givesArraysToAnyType {
      (value, outcome) = (nil, .decodedSuccessfully)
    } else {
      (value, outcome) = try Value.recovered(from: decoder, Conversion.self)
    }
  }
}

/// Returns the type as recoverable, if it is; for a type that is known only at run time.
@inlinable
func recoverable(_ type: Any.Type) -> (any Recoverable.Type)? {
  // Looking up a conformance takes as long as decoding a number.
  isScalar(type) ? nil : type as? any Recoverable.Type
}

extension Decoder {
  /// Whether the decoder's value is null.
  var isAtNull: Bool {
    // Without a container the following decode throws, and its error says why.
    (try? singleValueContainer())?.decodeNil() == true
  }
}

extension PartialValue: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}

extension KeyedPartialValue: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}
