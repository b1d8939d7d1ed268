import ResilientPlatform

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
