extension Resilient: ComposableWrapper {
  /// Decodes a `Resilient` that is no property: the top-level type, or an element.
  ///
  /// - Throws: what decoding `Value` throws, when it is a type that cannot be recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.decoded(from: decoder, NoConversion.self)
  }

  @usableFromInline
  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try decoder.anyValue(Value.self, conversion))
  }

  @usableFromInline
  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try container.anyValue(Value.self, forKey: key, conversion))
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
    try Resilient.decoded(from: self, forKey: key, NoConversion.self)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a raw value, or takes the fallback and reports why.
  public func decode<Value: ResilientRawRepresentable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> where Value.DecodingFallback == Value {
    do {
      return Resilient(try decode(Value.self, forKey: key))
    } catch {
      report(error, forKey: key, decoding: Value.self)
      return Resilient(
        Value.decodingFallback,
        outcome: .recoveredFrom(error, wasReported: true)
      )
    }
  }
}
