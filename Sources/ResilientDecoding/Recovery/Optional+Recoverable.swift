extension Optional: Recoverable where Wrapped: Decodable {
  @usableFromInline static var whenAbsent: Self { nil }

  @usableFromInline static var whenMalformed: Self {
    guard let wrapped = recoverable(Wrapped.self) else { return decodingFallback(of: Wrapped.self) }
    func malformed<R: Recoverable>(_ type: R.Type) -> Wrapped? { R.whenMalformed as? Wrapped }
    return malformed(wrapped)
  }

  @usableFromInline static var whenBadElement: Self? { .some(nil) }

  @usableFromInline static var expectedType: Any.Type {
    recoverable(Wrapped.self)?.expectedType ?? Wrapped.self
  }

  @usableFromInline static var isArray: Bool { recoverable(Wrapped.self)?.isArray ?? false }

  @usableFromInline
  static func recoveredAsArray<Key: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    if try container.decodeNil(forKey: key) { return (nil, .valueWasNil) }
    func wrapped<R: Recoverable>(_ type: R.Type) throws -> Recovered {
      let (value, outcome) = try R.recoveredAsArray(from: container, forKey: key, leaves)
      return (value as? Wrapped, outcome)
    }
    // Only called when `isArray` says so.
    return try recoverable(Wrapped.self).map { try wrapped($0) } ?? (nil, .decodedSuccessfully)
  }

  @usableFromInline
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return (nil, .valueWasNil) }
    do {
      guard let wrapped = recoverable(Wrapped.self) else {
        return (try container.decode(Wrapped.self), .decodedSuccessfully)
      }
      func part<R: Recoverable>(_ type: R.Type) throws -> Recovered {
        let part = try R.recovered(from: decoder, leaves)
        return (part.value as? Wrapped, part.outcome)
      }
      return try part(wrapped)
    } catch {
      guard let converted = Leaves.convert(Wrapped.self, from: decoder) else { throw error }
      decoder.report(error, decoding: Wrapped.self, as: .converted)
      return (converted, .decodedSuccessfully)
    }
  }
}
