// A decoder's generic method looks up metadata: decoding a string takes half as long again. If the
// type is known when the model is compiled, the optimizer removes these tests.

extension KeyedDecodingContainer {
  /// Decodes as `decode` does, with the container's own method for a scalar.
  @inlinable
  func decodeAny<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if Value.self == String.self { return try decode(String.self, forKey: key) as! Value }
    if Value.self == Int.self { return try decode(Int.self, forKey: key) as! Value }
    if Value.self == Double.self { return try decode(Double.self, forKey: key) as! Value }
    if Value.self == Bool.self { return try decode(Bool.self, forKey: key) as! Value }
    return try decode(Value.self, forKey: key)
  }

  /// Decodes as `decodeIfPresent` does, with the container's own method for a scalar.
  @inlinable
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
