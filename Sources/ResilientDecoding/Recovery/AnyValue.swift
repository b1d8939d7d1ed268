// Values of a type that is only known at run time, as in a generic model, or that is a wrapper itself.

extension Decoder {
  /// Decodes an element, or a document.
  ///
  /// - Throws: what decoding the value throws, when it is of a type that cannot be recovered.
  func anyValue<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    _ leaves: Leaves.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    if let type = recoverable(Value.self) {
      func recovered<R: Recoverable>(_ type: R.Type) -> (Value, ResilientDecodingOutcome) {
        let (value, outcome) = R.recoveredOrReplaced(from: self, leaves)
        return (value as! Value, outcome)  // `R` is `Value`.
      }
      return recovered(type)
    }
    if let wrapper = Value.self as? any LeafwiseDecodable.Type {
      let value = try wrapper.decoded(from: self, leaves)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      return try value(Value.self, leaves)
    } catch {
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property.
  ///
  /// - Throws: what decoding the value throws, when it is of a type that cannot be recovered.
  @usableFromInline
  func anyValue<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    if let type = recoverable(Value.self) {
      func recovered<R: Recoverable>(_ type: R.Type) -> (Value, ResilientDecodingOutcome) {
        let (value, outcome) = R.recovered(from: self, forKey: key, leaves)
        return (value as! Value, outcome)  // `R` is `Value`.
      }
      return recovered(type)
    }
    if let wrapper = Value.self as? any LeafwiseDecodable.Type {
      let value = try wrapper.decoded(from: self, forKey: key, leaves)
      return (value as! Value, value.outcome)  // `wrapper` is `Value`.
    }
    do {
      return (try decode(Value.self, forKey: key), .decodedSuccessfully)
    } catch {
      if let value = converted(Value.self, forKey: key, leaves, after: error) {
        return (value, .decodedSuccessfully)
      }
      guard let fallback = decodingFallback(of: Value.self) else { throw error }
      report(error, forKey: key, decoding: Value.self)
      return (fallback, .recoveredFrom(error, wasReported: true))
    }
  }
}
