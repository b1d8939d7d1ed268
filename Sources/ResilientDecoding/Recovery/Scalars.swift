// A decoder's generic method looks up metadata: decoding a string takes half as long again. So each
// scalar has functions of its own.

extension KeyedDecodingContainer {
  /// Decodes a property of any type, and recovers from any error.
  ///
  /// Where a model is compiled, the optimizer knows the type and removes the tests. Keep this short:
  /// it is compiled again for each property of each model.
  ///
  /// - Parameter usesFallback: Whether a malformed value becomes its type's fallback instead of nil.
  /// - Returns: Nil as the value if the key is missing or holds null.
  @inlinable
  func value<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type,
    usesFallback: Bool
  ) throws -> Recovered<Value?> {
    if Value.self == String.self {
      let (value, outcome) = try string(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Int.self {
      let (value, outcome) = try integer(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Double.self {
      let (value, outcome) = try number(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    if Value.self == Bool.self {
      let (value, outcome) = try boolean(forKey: key, conversion)
      return (value as! Value?, outcome)
    }
    return try compoundValue(Value.self, forKey: key, conversion, usesFallback: usesFallback)
  }

  @usableFromInline
  func string<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Recovered<String?> {
    try value(String.self, forKey: key, conversion, whenMalformed: nil)
  }

  @usableFromInline
  func integer<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Recovered<Int?> {
    try value(Int.self, forKey: key, conversion, whenMalformed: nil)
  }

  @usableFromInline
  func number<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Recovered<Double?> {
    try value(Double.self, forKey: key, conversion, whenMalformed: nil)
  }

  @usableFromInline
  func boolean<Conversion: ScalarConversion>(
    forKey key: Key, _ conversion: Conversion.Type
  ) throws -> Recovered<Bool?> {
    try value(Bool.self, forKey: key, conversion, whenMalformed: nil)
  }
}

extension KeyedDecodingContainer {
  /// Decodes as `decode` does, with the container's own method for a scalar.
  @inline(__always)
  func decodeAny<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if Value.self == String.self { return try decode(String.self, forKey: key) as! Value }
    if Value.self == Int.self { return try decode(Int.self, forKey: key) as! Value }
    if Value.self == Double.self { return try decode(Double.self, forKey: key) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self, forKey: key) as! Value }
    return try decode(Value.self, forKey: key)
  }

  /// Decodes as `decodeIfPresent` does, with the container's own method for a scalar.
  @inline(__always)
  func decodeAnyIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
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
  mutating func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
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
  func decodeAny<Value: Decodable>(_ type: Value.Type) throws -> Value {
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
  func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Without a container, because Foundation's takes as long as a decode of a small object. But a
    // decoder that may treat the type in its own way, as in a strategy for dates, does it there.
    if !isScalar(type), isFoundations, !hasStrategy(type) { return try Value(from: self) }
    return try singleValueContainer().decodeAny(Value.self)
  }
}
