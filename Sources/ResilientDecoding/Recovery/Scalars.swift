// A decoder's generic method looks up metadata: decoding a string takes half as long again. So each
// scalar has functions of its own.

extension KeyedDecodingContainer {
  /// Recovers a property of any type: a scalar by a function of its own, and all else by
  /// `recoverAnyIfPresent`.
  ///
  /// Where a model is compiled, the optimizer knows the type and removes the tests. Keep this short:
  /// it is compiled again for each property of each model.
  ///
  /// - Parameter usesFallback: Whether a malformed value becomes its type's fallback instead of nil.
  @inlinable
  func recoverIfPresent<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    usesFallback: Bool
  ) throws -> Decoded<Value?> {
    if Value.self == String.self {
      let (value, outcome) = try recoverString(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Int.self {
      let (value, outcome) = try recoverInteger(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Double.self {
      let (value, outcome) = try recoverNumber(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Bool.self {
      let (value, outcome) = try recoverBoolean(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    return try recoverAnyIfPresent(
      Value.self, forKey: key, conversion, usesFallback: usesFallback)
  }

  @usableFromInline
  func recoverString<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Decoded<String?> {
    try recoverAnyIfPresent(String.self, forKey: key, conversion, usesFallback: false)
  }

  @usableFromInline
  func recoverInteger<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Decoded<Int?> {
    try recoverAnyIfPresent(Int.self, forKey: key, conversion, usesFallback: false)
  }

  @usableFromInline
  func recoverNumber<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Decoded<Double?> {
    try recoverAnyIfPresent(Double.self, forKey: key, conversion, usesFallback: false)
  }

  @usableFromInline
  func recoverBoolean<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Decoded<Bool?> {
    try recoverAnyIfPresent(Bool.self, forKey: key, conversion, usesFallback: false)
  }
}

extension KeyedDecodingContainer {
  /// Decodes as `decode` does, with the container's own method for a scalar.
  @inline(__always)
  func decodeWhole<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if Value.self == String.self { return try decode(String.self, forKey: key) as! Value }
    if Value.self == Int.self { return try decode(Int.self, forKey: key) as! Value }
    if Value.self == Double.self { return try decode(Double.self, forKey: key) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self, forKey: key) as! Value }
    return try decode(Value.self, forKey: key)
  }

  /// Decodes as `decodeIfPresent` does, with the container's own method for a scalar.
  @inline(__always)
  func decodeWholeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value?
  {
    if Value.self == String.self {
      return try decodeIfPresent(String.self, forKey: key) as! Value?
    }
    if Value.self == Int.self { return try decodeIfPresent(Int.self, forKey: key) as! Value? }
    if Value.self == Double.self { return try decodeIfPresent(Double.self, forKey: key) as! Value? }
    if Value.self == Bool.self { return try decodeIfPresent(Bool.self, forKey: key) as! Value? }
    return try decodeIfPresent(Value.self, forKey: key)
  }
}

extension UnkeyedDecodingContainer {
  /// Decodes as `decode` does, with the container's own method for a scalar.
  mutating func decodeWhole<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if Value.self == String.self { return try decode(String.self) as! Value }
    if Value.self == Int.self { return try decode(Int.self) as! Value }
    if Value.self == Double.self { return try decode(Double.self) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self) as! Value }
    return try decode(Value.self)
  }
}

extension SingleValueDecodingContainer {
  /// Decodes as `decode` does, with the container's own method for a scalar.
  @inlinable
  func decodeWhole<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if Value.self == String.self { return try decode(String.self) as! Value }
    if Value.self == Int.self { return try decode(Int.self) as! Value }
    if Value.self == Double.self { return try decode(Double.self) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self) as! Value }
    return try decode(Value.self)
  }
}

extension Decoder {
  /// Decodes the value at this decoder.
  @inline(__always)
  func decodeWhole<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Without a container, because Foundation's takes as long as a decode of a small object. But a
    // decoder that may treat the type in its own way, as in a strategy for dates, does it there.
    if !isScalar(type), isFoundations, !hasStrategy(type) { return try Value(from: self) }
    return try singleValueContainer().decodeWhole(Value.self)
  }
}
