extension Array: Recoverable where Element: Decodable {
  @usableFromInline static var whenAbsent: Self { [] }
  @usableFromInline static var whenMalformed: Self { [] }
  @usableFromInline static var isArray: Bool { true }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    try container.entries(Element.self, forKey: key, conversion)
  }

  @inlinable
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    try decoder.elements(Element.self, conversion)
  }
}

extension Set: Recoverable where Element: Decodable {
  @usableFromInline static var whenAbsent: Self { [] }
  @usableFromInline static var whenMalformed: Self { [] }
  @usableFromInline static var isArray: Bool { true }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let recovered = try [Element].recoveredAsArray(from: container, forKey: key, conversion)
    return (Set(recovered.value), recovered.outcome)
  }

  @usableFromInline
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let recovered = try decoder.elements(Element.self, conversion)
    return (Set(recovered.value), recovered.outcome)
  }
}
