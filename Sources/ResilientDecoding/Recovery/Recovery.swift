import ResilientPlatform

extension KeyedDecodingContainer {
  /// Whether a value that recovers from errors is skipped, because the search for a failed member
  /// does not need it.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if too little of the stack is left to decode it.
  func isSkipped(_ key: Key) throws -> Bool {
    if FailedMember.skips(decoder(at: key)) { return true }
    if Stack.isLow, contains(key), try !decodeNil(forKey: key) {
      throw DecodingError.nestedTooDeeply(at: codingPath + [key])
    }
    return false
  }

  /// Decodes a property with a closure, and recovers from any error within ``RecoveryBudget``.
  ///
  /// - Parameter decode: Returns nil as the value if the key is missing or holds null.
  /// - Returns: Nil as the value if `decode` returns nil as the value.
  @inline(__always)
  func recovered<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    whenMalformed malformed: @autoclosure () -> Value?,
    _ decode: () throws -> Recovered<Value?>
  ) throws -> Recovered<Value?> {
    Nesting.enter()
    defer { Nesting.leave() }
    do {
      if !isScalar(Value.self), try isSkipped(key) { return (nil, .decodedSuccessfully) }
      let (decoded, outcome) = try decode()
      guard let value = decoded else {
        reportAbsence(of: key, decoding: Value.self)
        return (nil, .absence(of: key, in: self))
      }
      return (value, outcome)
    } catch {
      let (value, outcome) = try convertedOrReported(
        Value.self, forKey: key, conversion, after: error)
      return (value ?? malformed(), outcome)
    }
  }

  /// Decodes a property of any type, and recovers from any error.
  ///
  /// - Returns: Nil as the value if the key is missing or holds null.
  @inline(__always)
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
      return (try decodeAnyIfPresent(Value.self, forKey: key), .decodedSuccessfully)
    }
  }

  /// Decodes a property of a type that is not a scalar, and recovers from any error.
  ///
  /// - Parameter usesFallback: Whether a malformed value becomes its type's fallback instead of nil.
  /// - Returns: Nil as the value if the key is missing or holds null.
  @usableFromInline
  func compoundValue<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    usesFallback: Bool
  ) throws -> Recovered<Value?> {
    try value(
      Value.self, forKey: key, conversion,
      whenMalformed: usesFallback ? Value?.whenMalformed : nil)
  }

  /// Decodes the good parts of a value whose type is known only at run time.
  ///
  /// - Parameter recoverable: The type, as a recoverable one.
  /// - Returns: Nil as the value if the key is missing or holds null.
  /// - Throws: If the value has the wrong shape.
  func parts<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    as recoverable: any Recoverable.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value?> {
    let (value, outcome) = try recoverable.decodedIfPresent(from: self, forKey: key, conversion)
    return (value.map { $0 as! Value }, outcome)  // `recoverable` is `Value`.
  }

  /// Decodes a value as a whole, converts it, or uses its type's fallback.
  ///
  /// - Throws: The error of decoding the value, if there is no fallback.
  @usableFromInline
  func whole<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value> {
    do {
      if !isScalar(Value.self), try isSkipped(key) { return try skipped(Value.self, forKey: key) }
      return (try decodeAny(Value.self, forKey: key), .decodedSuccessfully)
    } catch {
      return try replaced(Value.self, forKey: key, conversion, after: error)
    }
  }

  /// Decodes a property of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: The error of decoding the value, if its type cannot be recovered.
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
    return try whole(Value.self, forKey: key, conversion)
  }
}

// These run only after an error. They are not inlined, because generic code looks up the metadata of
// all its variables when it is entered, which takes as long as decoding a number.
extension KeyedDecodingContainer {
  /// Converts a value that could not be decoded, or reports the error.
  ///
  /// - Returns: Nil as the value if it was not converted.
  /// - Throws: The error, beyond ``RecoveryBudget``.
  @inline(never)
  func convertedOrReported<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) throws -> Recovered<Value?> {
    try RecoveryBudget.spend(on: error)
    let (value, error) = converted(Value.self, forKey: key, conversion, after: error)
    if let value { return (value, .decodedSuccessfully) }
    report(error, forKey: key, decoding: expectedType(of: Value.self))
    return (nil, .recoveredFrom(error, wasReported: true))
  }

  /// Converts a value that could not be decoded, or uses its type's fallback and reports the error.
  ///
  /// - Throws: The error, if there is no fallback, or beyond ``RecoveryBudget``.
  @inline(never)
  private func replaced<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) throws -> Recovered<Value> {
    try RecoveryBudget.spend(on: error)
    let (value, error) = converted(Value.self, forKey: key, conversion, after: error)
    if let value { return (value, .decodedSuccessfully) }
    guard let fallback = decodingFallback(of: Value.self) else { throw error }
    report(error, forKey: key, decoding: Value.self)
    return (fallback, .recoveredFrom(error, wasReported: true))
  }

  /// Returns the fallback of a type, or decodes a value if there is none.
  @inline(never)
  private func skipped<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Recovered<Value> {
    let value = try decodingFallback(of: Value.self) ?? decodeAny(Value.self, forKey: key)
    return (value, .decodedSuccessfully)
  }

  /// Converts the scalar at a key, and reports the conversion.
  ///
  /// - Returns: The value, if it was converted, and otherwise the error to report.
  private func converted<Value: Decodable, Conversion: ScalarConversion>(
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

extension Decoder {
  /// Decodes a value with a closure, and recovers from any error within ``RecoveryBudget``.
  func recovered<Value: Decodable>(
    _ type: Value.Type,
    whenNull null: @autoclosure () -> Value,
    whenMalformed malformed: @autoclosure () -> Value,
    _ decode: () throws -> Recovered<Value>
  ) throws -> Recovered<Value> {
    if FailedMember.skips(self) { return (null(), .decodedSuccessfully) }
    // Without a container, `decode` throws an error that says why.
    if (try? singleValueContainer())?.decodeNil() == true { return (null(), .valueWasNil) }
    Nesting.enter()
    defer { Nesting.leave() }
    do {
      try checkStack()
      return try decode()
    } catch {
      try RecoveryBudget.spend(on: error)
      report(error, decoding: expectedType(of: Value.self))
      return (malformed(), .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a value of any type, and keeps the good parts of a recoverable one.
  ///
  /// - Throws: If the value has the wrong shape and cannot be converted.
  func value<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value> {
    do {
      guard let recoverable = recoverable(Value.self) else {
        return (try decodeValue(Value.self), .decodedSuccessfully)
      }
      let (value, outcome) = try recoverable.recovered(from: self, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    } catch {
      try RecoveryBudget.spend(on: error)
      let converted = Conversion.convert(Value.self, from: self, after: error)
      guard let value = converted.value else { throw converted.error }
      report(converted.error, decoding: Value.self, as: converted.kind)
      return (value, .decodedSuccessfully)
    }
  }

  /// Decodes an element or a document of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: The error of decoding the value, if its type cannot be recovered.
  func anyValue<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Value> {
    if let recoverable = recoverable(Value.self) {
      let (value, outcome) = try recoverable.recoveredOrReplaced(from: self, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.decoded(from: self, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      try checkStack()
      return try value(Value.self, conversion)
    } catch {
      try RecoveryBudget.spend(on: error)
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }
}
