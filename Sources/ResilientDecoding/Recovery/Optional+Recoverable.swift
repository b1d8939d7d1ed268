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
