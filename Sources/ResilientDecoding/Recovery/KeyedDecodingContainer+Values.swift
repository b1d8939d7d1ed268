extension KeyedDecodingContainer {
  /// Decodes a value of any type; a default stands in where it is missing, null or malformed.
  @inlinable
  func value<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    forKey key: Key,
    _ leaves: Leaves.Type,
    orElse defaultValue: () -> Value
  ) -> (value: Value, outcome: ResilientDecodingOutcome) {
    do {
      if recoverable(Value.self) != nil {
        return try parts(Value.self, forKey: key, leaves)
          ?? (defaultValue(), .absence(of: key, in: self))
      }
      guard let value = try decodeAnyIfPresent(Value.self, forKey: key) else {
        return (defaultValue(), .absence(of: key, in: self))
      }
      return (value, .decodedSuccessfully)
    } catch {
      if let converted = converted(Value.self, forKey: key, leaves, after: error) {
        return (converted, .decodedSuccessfully)
      }
      report(error, forKey: key, decoding: expectedType(of: Value.self))
      return (defaultValue(), .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes an optional: nil where it is missing, null or malformed.
  @inlinable
  func optional<Wrapped: Decodable, Leaves: LeafRecovery>(
    _ type: Wrapped.Type,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) -> (value: Wrapped?, outcome: ResilientDecodingOutcome) {
    do {
      if recoverable(Wrapped.self) != nil {
        return try parts(Wrapped?.self, forKey: key, leaves) ?? (nil, .absence(of: key, in: self))
      }
      guard let value = try decodeAnyIfPresent(Wrapped.self, forKey: key) else {
        return (nil, .absence(of: key, in: self))
      }
      return (value, .decodedSuccessfully)
    } catch {
      if let converted = converted(Wrapped.self, forKey: key, leaves, after: error) {
        return (converted, .decodedSuccessfully)
      }
      report(error, forKey: key, decoding: expectedType(of: Wrapped.self))
      return (Wrapped?.whenMalformed, .recoveredFrom(error, wasReported: true))
    }
  }

  /// Decodes a value of which parts can be kept, by a type that is only known at run time.
  ///
  /// - Returns: nil when the key is missing or holds null.
  /// - Throws: when there is something else altogether.
  @usableFromInline
  func parts<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome)? {
    func decoded<R: Recoverable>(
      _ type: R.Type
    ) throws -> (value: Value, outcome: ResilientDecodingOutcome)? {
      try R.decodedIfPresent(from: self, forKey: key, leaves).map {
        ($0.value as! Value, $0.outcome)  // `R` is `Value`.
      }
    }
    return try recoverable(Value.self).flatMap { try decoded($0) }
  }

  /// Makes a value of what there is instead of one, and reports that it had to be made.
  @usableFromInline
  func converted<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    forKey key: Key,
    _ leaves: Leaves.Type,
    after error: any Error
  ) -> Value? {
    guard Leaves.converts, let decoder = decoder(at: key),
      let value = Leaves.convert(Value.self, from: decoder)
    else { return nil }
    report(error, forKey: key, decoding: Value.self, as: .converted)
    return value
  }
}

/// The type that is called expected where one of `type` cannot be decoded.
@usableFromInline
func expectedType(of type: Any.Type) -> Any.Type {
  recoverable(type)?.expectedType ?? type
}
