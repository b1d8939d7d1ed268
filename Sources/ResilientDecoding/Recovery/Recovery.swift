import ResilientPlatform

// How a value that does not match its model is recovered. The words of this folder:
//
// | | throws the error | reports the error, and has a value nevertheless |
// |---|---|---|
// | all of a value, or nothing | decodeWhole | recoverWhole |
// | the good parts of a ``Recoverable`` value; the others are reported | decodeParts | recoverParts |
// | whichever its type has | decode | recover |
//
// What recovers throws only if the type has no other value, or beyond ``RecoveryBudget``. With
// `IfPresent`, the value is nil if the key is missing or holds null.

/// A value, and how it was decoded.
@usableFromInline
typealias Decoded<Value> = (value: Value, outcome: ResilientDecodingOutcome)

extension KeyedDecodingContainer {
  /// Recovers a property with a closure.
  ///
  /// - Parameter decode: Returns nil as the value if the key is missing or holds null.
  @inline(__always)
  func recoverIfPresent<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    whenMalformed malformed: @autoclosure () -> Value?,
    _ decode: () throws -> Decoded<Value?>
  ) throws -> Decoded<Value?> {
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
      let (value, outcome) = try convertOrReport(
        Value.self, forKey: key, conversion, after: error)
      return (value ?? malformed(), outcome)
    }
  }

  /// Recovers a property of any type.
  ///
  /// - Parameter usesFallback: Whether a malformed value becomes its type's fallback instead of nil.
  @inline(__always)
  @usableFromInline
  func recoverAnyIfPresent<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    usesFallback: Bool
  ) throws -> Decoded<Value?> {
    try recoverIfPresent(
      Value.self, forKey: key, conversion,
      whenMalformed: usesFallback ? Value?.whenMalformed : nil
    ) {
      if let recoverable = recoverable(Value.self) {
        let (value, outcome) = try recoverable.decodePartsIfPresent(
          from: self, forKey: key, conversion)
        return (value.map { $0 as! Value }, outcome)  // `recoverable` is `Value`.
      }
      return (try decodeWholeIfPresent(Value.self, forKey: key), .decodedSuccessfully)
    }
  }

  /// Decodes a value as a whole, converts it, or uses its type's fallback.
  ///
  /// - Throws: The error of decoding the value, if there is no fallback.
  @usableFromInline
  func recoverWhole<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Value> {
    do {
      if !isScalar(Value.self), try isSkipped(key) { return try skip(Value.self, forKey: key) }
      return (try decodeWhole(Value.self, forKey: key), .decodedSuccessfully)
    } catch {
      return try convertOrFallBack(Value.self, forKey: key, conversion, after: error)
    }
  }

  /// Recovers a property of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: The error of decoding the value, if its type cannot be recovered.
  func recover<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Value> {
    if let recoverable = recoverable(Value.self) {
      let (value, outcome) = try recoverable.recoverParts(from: self, forKey: key, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.recover(from: self, forKey: key, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    return try recoverWhole(Value.self, forKey: key, conversion)
  }

  /// Whether a value that recovers from errors is skipped, because the search for a bad member
  /// does not need it.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if too little of the stack is left to decode it.
  func isSkipped(_ key: Key) throws -> Bool {
    if BadMember.skips(decoder(at: key)) { return true }
    if Stack.isLow, contains(key), try !decodeNil(forKey: key) {
      throw DecodingError.nestedTooDeeply(at: codingPath + [key])
    }
    return false
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
  func convertOrReport<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) throws -> Decoded<Value?> {
    try RecoveryBudget.spend(on: error)
    let (value, error) = convert(Value.self, forKey: key, conversion, after: error)
    if let value { return (value, .decodedSuccessfully) }
    report(error, forKey: key, decoding: expectedType(of: Value.self))
    return (nil, .recoveredFrom(error, wasReported: true))
  }

  /// Converts a value that could not be decoded, or uses its type's fallback and reports the error.
  ///
  /// - Throws: The error, if there is no fallback, or beyond ``RecoveryBudget``.
  @inline(never)
  private func convertOrFallBack<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    after error: any Error
  ) throws -> Decoded<Value> {
    try RecoveryBudget.spend(on: error)
    let (value, error) = convert(Value.self, forKey: key, conversion, after: error)
    if let value { return (value, .decodedSuccessfully) }
    guard let fallback = decodingFallback(of: Value.self) else { throw error }
    report(error, forKey: key, decoding: Value.self)
    return (fallback, .recoveredFrom(error, wasReported: true))
  }

  /// Returns the fallback of a type, or decodes a value if there is none.
  @inline(never)
  private func skip<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Decoded<Value> {
    let value = try decodingFallback(of: Value.self) ?? decodeWhole(Value.self, forKey: key)
    return (value, .decodedSuccessfully)
  }

  /// Converts the scalar at a key, and reports the conversion.
  ///
  /// - Returns: The value, if it was converted, and otherwise the error to report.
  private func convert<Value: Decodable, Conversion: ScalarConversion>(
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
  /// Recovers a value with a closure.
  func recover<Value: Decodable>(
    _ type: Value.Type,
    whenNull null: @autoclosure () -> Value,
    whenMalformed malformed: @autoclosure () -> Value,
    _ decode: () throws -> Decoded<Value>
  ) throws -> Decoded<Value> {
    if BadMember.skips(self) { return (null(), .decodedSuccessfully) }
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

  /// Recovers an element or a document of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: The error of decoding the value, if its type cannot be recovered.
  func recover<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Value> {
    if let recoverable = recoverable(Value.self) {
      let (value, outcome) = try recoverable.recoverParts(from: self, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.recover(from: self, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      try checkStack()
      return try decode(Value.self, conversion)
    } catch {
      try RecoveryBudget.spend(on: error)
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a value, or converts a scalar of another type.
  ///
  /// - Throws: If the value has the wrong shape and cannot be converted.
  func decode<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Value> {
    do {
      guard let recoverable = recoverable(Value.self) else {
        return (try decodeWhole(Value.self), .decodedSuccessfully)
      }
      let (value, outcome) = try recoverable.decodeParts(from: self, conversion)
      return (value as! Value, outcome)  // `recoverable` is `Value`.
    } catch {
      try RecoveryBudget.spend(on: error)
      let converted = Conversion.convert(Value.self, from: self, after: error)
      guard let value = converted.value else { throw converted.error }
      report(converted.error, decoding: Value.self, as: converted.kind)
      return (value, .decodedSuccessfully)
    }
  }
}
