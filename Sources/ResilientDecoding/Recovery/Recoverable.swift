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
  static func recoveredThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self>

  /// Decodes the good parts, and reports the others.
  ///
  /// - Throws: If the value has the wrong shape.
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self>
}

/// A value, and how it was decoded.
@usableFromInline
typealias Recovered<Value> = (value: Value, outcome: ResilientDecodingOutcome)

extension Recoverable {
  static var whenBadElement: Self? { nil }
  static var expectedType: Any.Type { Self.self }

  static func recoveredThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    let part = try container.decode(RecoverableElement<Self, Conversion>.self, forKey: key)
    return (part.value, part.outcome)
  }

  /// Decodes a value that is not an element, and recovers from any error.
  static func recoveredOrReplaced<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    try decoder.recovered(Self.self, whenNull: whenAbsent, whenMalformed: whenMalformed) {
      try recovered(from: decoder, conversion)
    }
  }

  /// Decodes the next element of an array.
  ///
  /// - Throws: If the element has the wrong shape.
  static func recoveredElement<Element, Conversion: ScalarConversion>(
    _ type: Element.Type,
    of container: inout any UnkeyedDecodingContainer,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Element> {
    let part = try container.decode(RecoverableElement<Self, Conversion>.self)
    return (part.value as! Element, part.outcome)  // `Element` is `Self`.
  }

  /// Decodes a property, and recovers from any error.
  @inline(__always)
  static func recovered<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    let (value, outcome) = try recoveredIfPresent(from: container, forKey: key, conversion)
    return (value ?? whenAbsent, outcome)
  }

  /// Decodes a property, and recovers from any error; nil if the key is missing or holds null.
  @inline(__always)
  static func recoveredIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self?> {
    try container.recovered(Self.self, forKey: key, conversion, whenMalformed: whenMalformed) {
      try decodedIfPresent(from: container, forKey: key, conversion)
    }
  }

  /// Decodes the good parts of a property, and reports the others; nil if the key is missing or
  /// holds null.
  ///
  /// - Throws: If the value has the wrong shape.
  @inline(__always)
  static func decodedIfPresent<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self?> {
    guard
      let part = try container.decodeIfPresent(
        RecoverableProperty<Self, Conversion>.self, forKey: key)
    else { return (nil, .valueWasNil) }
    if let value = part.value { return (value, part.outcome) }
    let (value, outcome) = try recoveredThroughArray(from: container, forKey: key, conversion)
    return (value, outcome)
  }
}

/// An element without the parts that could not be decoded.
struct RecoverableElement<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  let value: Value
  let outcome: ResilientDecodingOutcome

  init(from decoder: any Decoder) throws {
    (value, outcome) = try Value.recovered(from: decoder, Conversion.self)
  }
}

/// A property's value without the parts that could not be decoded.
// Not inlinable, nor is anything that it calls: decoders call the initializer through its protocol,
// where it is generic code.
struct RecoverableProperty<Value: Recoverable, Conversion: ScalarConversion>: Decodable {
  /// Nil, without an attempt, if the decoder may give an array only to `Array`.
  let value: Value?
  let outcome: ResilientDecodingOutcome

  init(from decoder: any Decoder) throws {
    if decoder.isFoundations {
      (value, outcome) = try Value.recovered(from: decoder, Conversion.self)
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

extension RecoverableElement: ProxyType {
  static var representedType: Any.Type { Value.expectedType }
}

extension RecoverableProperty: ProxyType {
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

  static func recoveredThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    guard let wrapped = recoverable(Wrapped.self) else {
      let part = try container.decode(RecoverableElement<Self, Conversion>.self, forKey: key)
      return (part.value, part.outcome)
    }
    if try container.decodeNil(forKey: key) { return (nil, .valueWasNil) }
    let (value, outcome) = try wrapped.recoveredThroughArray(
      from: container, forKey: key, conversion)
    return (value as? Wrapped, outcome)
  }

  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    if try decoder.singleValueContainer().decodeNil() { return (nil, .valueWasNil) }
    let (value, outcome) = try decoder.value(Wrapped.self, conversion)
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
