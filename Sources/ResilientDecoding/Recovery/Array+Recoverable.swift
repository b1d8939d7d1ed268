extension Array: Recoverable where Element: Decodable {
  @usableFromInline static var whenAbsent: Self { [] }
  @usableFromInline static var whenMalformed: Self { [] }
  @usableFromInline static var isArray: Bool { true }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    try container.entries(Element.self, forKey: key, leaves)
  }

  @inlinable
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    try decoder.elements(Element.self, leaves)
  }
}

extension Set: Recoverable where Element: Decodable {
  @usableFromInline static var whenAbsent: Self { [] }
  @usableFromInline static var whenMalformed: Self { [] }
  @usableFromInline static var isArray: Bool { true }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    let recovered = try [Element].recoveredAsArray(from: container, forKey: key, leaves)
    return (Set(recovered.value), recovered.outcome)
  }

  @usableFromInline
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    let recovered = try decoder.elements(Element.self, leaves)
    return (Set(recovered.value), recovered.outcome)
  }
}
