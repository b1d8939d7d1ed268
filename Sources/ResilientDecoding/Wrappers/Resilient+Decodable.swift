extension Resilient: ComposableWrapper {
  /// Decodes a `Resilient` that is not a property: a top-level value, or an element.
  ///
  /// - Throws: The error of decoding `Value`, if its type cannot be recovered.
  public init(from decoder: any Decoder) throws {
    self = try Self.decoded(from: decoder, NoConversion.self)
  }

  static func decoded<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try decoder.anyValue(Value.self, conversion))
  }

  static func decoded<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Self {
    Self(try container.anyValue(Value.self, forKey: key, conversion))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a property whose type the compiler does not know, as in a generic model.
  ///
  /// - Throws: The error of decoding `Value`, if its type cannot be recovered.
  public func decode<Value: Decodable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> {
    try Resilient.decoded(from: self, forKey: key, NoConversion.self)
  }

  /// Decodes an optional: `nil` if it is missing or null, and `nil` plus a report if it is
  /// malformed.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) throws -> Resilient<Wrapped?> {
    Resilient(try value(Wrapped.self, forKey: key, NoConversion.self, usesFallback: true))
  }

  /// Decodes an array; leaves out and reports elements that cannot be decoded.
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]> {
    Resilient(
      try [Element].recoveredIfPresent(from: self, forKey: key, NoConversion.self), orElse: [])
  }

  /// Decodes an optional array: `nil` only if the payload has none.
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]?> {
    Resilient(try [Element].recoveredIfPresent(from: self, forKey: key, NoConversion.self))
  }

  /// Decodes a dictionary; leaves out and reports entries that cannot be decoded.
  ///
  /// The keys are data: a decoder's key strategy does not convert them.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]> {
    Resilient(
      try [String: Value].recoveredEntries(from: self, forKey: key, NoConversion.self), orElse: [:])
  }

  /// Decodes an optional dictionary: `nil` only if the payload has none.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]?> {
    Resilient(try [String: Value].recoveredEntries(from: self, forKey: key, NoConversion.self))
  }

  /// Decodes a raw value, or uses the fallback and reports why.
  @inlinable
  public func decode<Value: ResilientRawRepresentable>(
    _ type: Resilient<Value>.Type,
    forKey key: Key
  ) throws -> Resilient<Value> where Value.DecodingFallback == Value {
    let (value, outcome) = try whole(Value.self, forKey: key, NoConversion.self)
    return Resilient(value, outcome: outcome)
  }
}
