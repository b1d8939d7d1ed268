extension Decoder {
  /// Decodes a value of any type, and keeps the good parts of a recoverable one.
  ///
  /// - Throws: If the value has the wrong shape and cannot be converted.
  func value<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    do {
      guard let recoverable = recoverable(Value.self) else {
        return (try singleValueContainer().decodeAny(Value.self), .decodedSuccessfully)
      }
      func parts<R: Recoverable>(
        _ type: R.Type
      ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
        let recovered = try R.recovered(from: self, conversion)
        return (recovered.value as! Value, recovered.outcome)  // `R` is `Value`.
      }
      return try parts(recoverable)
    } catch {
      guard let converted = Conversion.convert(Value.self, from: self) else { throw error }
      report(error, decoding: Value.self, as: .converted)
      return (converted, .decodedSuccessfully)
    }
  }

  /// Decodes an element or a document of a type that is known only at run time, or is a wrapper.
  ///
  /// - Throws: What decoding the value throws, if its type cannot be recovered.
  func anyValue<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    if let type = recoverable(Value.self) {
      func recovered<R: Recoverable>(_ type: R.Type) -> (Value, ResilientDecodingOutcome) {
        let (value, outcome) = R.recoveredOrReplaced(from: self, conversion)
        return (value as! Value, outcome)  // `R` is `Value`.
      }
      return recovered(type)
    }
    if let wrapper = Value.self as? any ComposableWrapper.Type {
      let value = try wrapper.decoded(from: self, conversion)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      return try value(Value.self, conversion)
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }
}
