extension Array: Recoverable where Element: Decodable {
  @usableFromInline static var whenAbsent: Self { [] }
  @usableFromInline static var whenMalformed: Self { [] }

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

  @usableFromInline
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    let recovered = try decoder.elements(Element.self, leaves)
    return (Set(recovered.value), recovered.outcome)
  }
}
