extension KeyedDecodingContainer {
  /// Decodes a value of any type, or takes a default if it is missing, null or malformed.
  @inlinable
  func value<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    orElse defaultValue: () -> Value
  ) -> (value: Value, outcome: ResilientDecodingOutcome) {
    do {
      if recoverable(Value.self) != nil {
        return try parts(Value.self, forKey: key, conversion)
          ?? (defaultValue(), .absence(of: key, in: self))
      }
      guard let value = try decodeAnyIfPresent(Value.self, forKey: key) else {
        return (defaultValue(), .absence(of: key, in: self))
      }
      return (value, .decodedSuccessfully)
    } catch {
      if let converted = converted(Value.self, forKey: key, conversion, after: error) {
        return (converted, .decodedSuccessfully)
      }
      report(error, forKey: key, decoding: expectedType(of: Value.self))
      return (defaultValue(), .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes an optional: nil if it is missing, null or malformed.
  @inlinable
  func optional<Wrapped: Decodable, Conversion: ScalarConversion>(
    _ type: Wrapped.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) -> (value: Wrapped?, outcome: ResilientDecodingOutcome) {
    do {
      if recoverable(Wrapped.self) != nil {
        return try parts(Wrapped?.self, forKey: key, conversion) ?? (
          nil, .absence(of: key, in: self)
        )
      }
      guard let value = try decodeAnyIfPresent(Wrapped.self, forKey: key) else {
        return (nil, .absence(of: key, in: self))
      }
      return (value, .decodedSuccessfully)
    } catch {
      if let converted = converted(Wrapped.self, forKey: key, conversion, after: error) {
        return (converted, .decodedSuccessfully)
      }
      report(error, forKey: key, decoding: expectedType(of: Wrapped.self))
      return (Wrapped?.whenMalformed, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a recoverable value of a type that is known only at run time.
  ///
  /// - Returns: Nil if the key is missing or holds null.
  /// - Throws: If the value has the wrong shape.
  @usableFromInline
  func parts<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome)? {
    func decoded<R: Recoverable>(
      _ type: R.Type
    ) throws -> (value: Value, outcome: ResilientDecodingOutcome)? {
      try R.decodedIfPresent(from: self, forKey: key, conversion).map {
        ($0.value as! Value, $0.outcome)  // `R` is `Value`.
      }
    }
    return try recoverable(Value.self).flatMap { try decoded($0) }
  }

  /// Decodes a property of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: What decoding the value throws, if its type cannot be recovered.
  @usableFromInline
  func anyValue<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    if let type = recoverable(Value.self) {
      func recovered<R: Recoverable>(_ type: R.Type) -> (Value, ResilientDecodingOutcome) {
        let (value, outcome) = R.recovered(from: self, forKey: key, conversion)
        return (value as! Value, outcome)  // `R` is `Value`.
      }
      return recovered(type)
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.decoded(from: self, forKey: key, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      return (try decode(Value.self, forKey: key), .decodedSuccessfully)
    } catch {
      if let value = converted(Value.self, forKey: key, conversion, after: error) {
        return (value, .decodedSuccessfully)
      }
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, forKey: key, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Converts the scalar at a key, and reports the conversion.
  @usableFromInline
  func converted<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) -> Value? {
    guard Conversion.converts, let decoder = decoder(at: key),
      let value = Conversion.convert(Value.self, from: decoder)
    else { return nil }
    report(error, forKey: key, decoding: Value.self, as: .converted)
    return value
  }
}

/// Returns the type that a report calls expected if a `type` cannot be decoded.
@usableFromInline
func expectedType(of type: Any.Type) -> Any.Type {
  recoverable(type)?.expectedType ?? type
}
