import ResilientPlatform

extension KeyedDecodingContainer {
  /// Whether a value that recovers from errors is skipped, because the search for a failed member
  /// does not need it.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if too little of the stack is left to decode it.
  @usableFromInline
  func isSkipped(_ key: Key) throws -> Bool {
    if FailedMember.skips(decoder(at: key)) { return true }
    if Stack.isLow, contains(key), try !decodeNil(forKey: key) {
      throw DecodingError.nestedTooDeeply(at: codingPath + [key])
    }
    return false
  }

  /// Decodes a property with a closure, and recovers from any error within ``RecoveryBudget``.
  ///
  /// - Returns: Nil as the value if the key is missing or holds null, that is, if `decode` returns
  ///   nil.
  @inlinable
  func recovered<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    whenMalformed malformed: @autoclosure () -> Value?,
    _ decode: () throws -> Recovered<Value>?
  ) throws -> Recovered<Value?> {
    RecoveryBudget.enter()
    defer { RecoveryBudget.leave() }
    do {
      if !isScalar(Value.self), try isSkipped(key) { return (nil, .decodedSuccessfully) }
      guard let (value, outcome) = try decode() else {
        reportAbsence(of: key, decoding: Value.self)
        return (nil, .absence(of: key, in: self))
      }
      return (value, outcome)
    } catch {
      try RecoveryBudget.spend(on: error)
      let (converted, error) = converted(Value.self, forKey: key, conversion, after: error)
      if let converted { return (converted, .decodedSuccessfully) }
      report(error, forKey: key, decoding: expectedType(of: Value.self))
      return (malformed(), .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a property of any type, and recovers from any error.
  ///
  /// - Returns: Nil as the value if the key is missing or holds null.
  @inlinable
  func value<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    whenMalformed malformed: @autoclosure () -> Value?
  ) throws -> Recovered<Value?> {
    try recovered(Value.self, forKey: key, conversion, whenMalformed: malformed()) {
      if let recoverable = recoverable(Value.self) {
        return try parts(Value.self, as: recoverable, forKey: key, conversion)
      }
      guard let value = try decodeAnyIfPresent(Value.self, forKey: key) else { return nil }
      return (value, .decodedSuccessfully)
    }
  }

  /// Decodes the good parts of a value whose type is known only at run time.
  ///
  /// - Parameter recoverable: The type, as a recoverable one.
  /// - Returns: Nil if the key is missing or holds null.
  /// - Throws: If the value has the wrong shape.
  @usableFromInline
  func parts<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    as recoverable: any Recoverable.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value>? {
    guard
      let (value, outcome) = try recoverable.decodedIfPresent(
        from: self, forKey: key, conversion)
    else { return nil }
    return (value as! Value, outcome)  // `recoverable` is `Value`.
  }

  /// Decodes a value as a whole or converts it.
  ///
  /// - Parameter fallback: The value to use if neither is possible.
  /// - Throws: The error of decoding the value, if there is no fallback.
  @inlinable
  func whole<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    orElse fallback: @autoclosure () -> Value?
  ) throws -> Recovered<Value> {
    do {
      if !isScalar(Value.self), try isSkipped(key), let fallback = fallback() {
        return (fallback, .decodedSuccessfully)
      }
      return (try decodeAny(Value.self, forKey: key), .decodedSuccessfully)
    } catch {
      try RecoveryBudget.spend(on: error)
      let (converted, error) = converted(Value.self, forKey: key, conversion, after: error)
      if let converted { return (converted, .decodedSuccessfully) }
      guard let fallback = fallback() else { throw error }
      report(error, forKey: key, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a property of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: The error of decoding the value, if its type cannot be recovered.
  @usableFromInline
  func anyValue<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value> {
    if let recoverable = recoverable(Value.self) {
      let (value, outcome) = try recoverable.recovered(from: self, forKey: key, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.decoded(from: self, forKey: key, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    return try whole(
      Value.self, forKey: key, conversion, orElse: decodingFallback(of: Value.self))
  }

  /// Converts the scalar at a key, and reports the conversion.
  ///
  /// - Returns: The value, if it was converted, and otherwise the error to report.
  @usableFromInline
  func converted<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) -> (value: Value?, error: any Error) {
    guard Conversion.converts, let decoder = decoder(at: key) else { return (nil, error) }
    let converted = Conversion.convert(Value.self, from: decoder, after: error)
    if converted.value != nil {
      report(converted.error, forKey: key, decoding: Value.self, as: converted.kind)
    }
    return (converted.value, converted.error)
  }
}
