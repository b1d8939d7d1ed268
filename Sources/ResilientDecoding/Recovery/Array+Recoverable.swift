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
    guard let recoverable = recoverable(Element.self) else {
      return try container.decode([Entry<Element, Leaves>].self, forKey: key).recovered
    }
    func parts<R: Recoverable>(_ type: R.Type) throws -> Recovered {
      let (value, outcome) = try container.decode([PartEntry<R, Leaves>].self, forKey: key)
        .recovered
      return (value.map { $0 as! Element }, outcome)  // `R` is `Element`.
    }
    return try parts(recoverable)
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
