import ResilientPlatform

/// A type that can keep some parts of a value when others cannot be decoded.
///
/// The standard library's collections and optionals conform. A property whose type is known at
/// compile time uses an overload on `KeyedDecodingContainer`. This protocol serves all other cases:
/// collections in collections, generic models, and a top-level `Resilient`.
protocol Recoverable: Decodable {
  /// The value of a property whose key is missing or holds null.
  static var whenAbsent: Self { get }

  /// The value of a property whose value in the payload has the wrong shape.
  static var whenMalformed: Self { get }

  /// The value of an element that cannot be decoded; nil if it is left out.
  static var whenBadElement: Self? { get }

  /// The expected type in a report, if the error does not name one.
  static var expectedType: Any.Type { get }

  /// Decodes the good parts of the value of a key for a decoder that may give an array to no type but
  /// `Array`, and reports the others.
  ///
  /// - Throws: If the value has the wrong shape.
  static func decodePartsThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self>

  /// Decodes the good parts, and reports the others.
  ///
  /// - Throws: If the value has the wrong shape.
  static func decodeParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self>
}

extension Recoverable {
  static var whenBadElement: Self? { nil }
  static var expectedType: Any.Type { Self.self }

  static func decodePartsThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    let part = try container.decode(Parts<Self, Conversion>.self, forKey: key)
    return (part.value, part.outcome)
  }

  /// Recovers an element or a document.
  static func recoverParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    try decoder.recover(Self.self, whenNull: whenAbsent, whenMalformed: whenMalformed) {
      try decodeParts(from: decoder, conversion)
    }
  }

  /// Recovers a property.
  @inline(__always)
  static func recoverParts<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    let (value, outcome) = try recoverPartsIfPresent(from: container, forKey: key, conversion)
    return (value ?? whenAbsent, outcome)
  }

  /// Recovers a property.
  @inline(__always)
  static func recoverPartsIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self?> {
    try container.recoverIfPresent(Self.self, forKey: key, conversion, whenMalformed: whenMalformed)
    {
      try decodePartsIfPresent(from: container, forKey: key, conversion)
    }
  }

  /// Decodes the good parts of a property.
  @inline(__always)
  static func decodePartsIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self?> {
    guard
      let part = try container.decodeIfPresent(
        PropertyParts<Self, Conversion>.self, forKey: key)
    else { return (nil, .valueWasNil) }
    if let value = part.value { return (value, part.outcome) }
    let (value, outcome) = try decodePartsThroughArray(from: container, forKey: key, conversion)
    return (value, outcome)
  }
}

/// The good parts of a value.
struct Parts<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  let value: Value
  let outcome: ResilientDecodingOutcome

  init(from decoder: any Decoder) throws {
    (value, outcome) = try Value.decodeParts(from: decoder, Conversion.self)
  }
}

/// The good parts of a property's value.
// Not inlinable, nor is anything that it calls: decoders call the initializer through its protocol,
// where it is generic code.
struct PropertyParts<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  /// Nil, without an attempt, if the decoder may give an array only to `Array`.
  let value: Value?
  let outcome: ResilientDecodingOutcome

  init(from decoder: any Decoder) throws {
    if decoder.isFoundations {
      (value, outcome) = try Value.decodeParts(from: decoder, Conversion.self)
    } else {
      (value, outcome) = (nil, .decodedSuccessfully)
    }
  }
}

/// Returns the type as recoverable, if it is; for a type that is known only at run time.
func recoverable(_ type: Any.Type) -> (any Recoverable.Type)? {
  // Looking up a conformance takes as long as decoding a number.
  isScalar(type) ? nil : type as? any Recoverable.Type
}

/// Whether a value of the type can keep some parts when others cannot be decoded.
@usableFromInline
func isRecoverable(_ type: Any.Type) -> Bool { recoverable(type) != nil }

/// Returns the expected type in a report about a value of `type`.
func expectedType(of type: Any.Type) -> Any.Type {
  recoverable(type)?.expectedType ?? type
}

extension Parts: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}

extension PropertyParts: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}

extension Optional: Recoverable where Wrapped: Decodable {
  static var whenAbsent: Self { nil }

  static var whenMalformed: Self {
    guard let wrapped = recoverable(Wrapped.self) else { return decodingFallback(of: Wrapped.self) }
    func flattened<Value: Recoverable>(_ type: Value.Type) -> Self {
      let value = Value.whenMalformed
      // Nil, as for null, and not a nil in an optional that is not nil.
      if (Value.self as? any OptionalValue.Type)?.isNil(value) == true { return nil }
      return value as? Wrapped
    }
    return flattened(wrapped)
  }

  static var whenBadElement: Self? { .some(nil) }

  static var expectedType: Any.Type {
    ResilientDecoding.expectedType(of: Wrapped.self)
  }

  static func decodePartsThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    guard let wrapped = recoverable(Wrapped.self) else {
      let part = try container.decode(Parts<Self, Conversion>.self, forKey: key)
      return (part.value, part.outcome)
    }
    if try container.decodeNil(forKey: key) { return (nil, .valueWasNil) }
    let (value, outcome) = try wrapped.decodePartsThroughArray(
      from: container, forKey: key, conversion)
    return (value as? Wrapped, outcome)
  }

  static func decodeParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    if try decoder.singleValueContainer().decodeNil() { return (nil, .valueWasNil) }
    let (value, outcome) = try decoder.decode(Wrapped.self, conversion)
    return (value, outcome)
  }
}

/// An optional of any type.
protocol OptionalValue {
  static func isNil(_ value: Any) -> Bool
}

extension Optional: OptionalValue {
  static func isNil(_ value: Any) -> Bool {
    // Always an optional: the type was asked first.
    (value as! Self).map { _ in false } ?? true
  }
}

/// Limits the cost of errors deep in a payload.
///
/// Creating an error takes a decoder time that grows with the square of the depth, because an error
/// has a path. So the errors inside one outermost resilient value have a budget. Once it is spent,
/// a value that is nested deeply in resilient values rethrows its error, and an enclosing value
/// counts as malformed: the rest of it is not decoded.
enum RecoveryBudget {
  /// The greatest depth, in nested resilient values, at which every error is recovered from.
  static let shallowest = 16

  /// The maximum sum of the squares of the errors' depths, less ``shallowest`` each: 365 errors
  /// below 250 levels, or 17,300 below 50.
  static let maximum = 20_000_000

  /// Counts an error that a value is about to recover from.
  ///
  /// - Throws: The error, if an enclosing value should recover from it instead.
  static func spend(on error: any Error) throws {
    let depth = Nesting.depth
    guard depth > shallowest else { return }
    let levels = max(depth, ErrorClaim(error).codingPath?.count ?? 0) - shallowest
    if Nesting.add(cost: levels * levels) > maximum { throw error }
  }
}
