extension Resilient: LeafwiseDecodable {
  /// Decodes a `Resilient` that is no property: the top-level type, or an element.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.decoded(from: decoder, AsSent.self)
  }

  @usableFromInline
  static func decoded<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Self {
    Self(try decoder.anyValue(Value.self, leaves))
  }

  @usableFromInline
  static func decoded<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Self {
    Self(try container.anyValue(Value.self, forKey: key, leaves))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property whose type is not known to the compiler, as in a generic model.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public func decode<Value: Decodable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> {
    try Resilient.decoded(from: self, forKey: key, AsSent.self)
  }
}
