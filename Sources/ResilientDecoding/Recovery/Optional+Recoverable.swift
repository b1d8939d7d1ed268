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
  static func recoveredAsArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    if try container.decodeNil(forKey: key) { return (nil, .valueWasNil) }
    func wrapped<R: Recoverable>(_ type: R.Type) throws -> Recovered {
      let (value, outcome) = try R.recoveredAsArray(from: container, forKey: key, conversion)
      return (value as? Wrapped, outcome)
    }
    // Called only if `isArray` is true.
    return try recoverable(Wrapped.self).map { try wrapped($0) } ?? (nil, .decodedSuccessfully)
  }

  @usableFromInline
  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return (nil, .valueWasNil) }
    do {
      guard let wrapped = recoverable(Wrapped.self) else {
        return (try container.decode(Wrapped.self), .decodedSuccessfully)
      }
      func part<R: Recoverable>(_ type: R.Type) throws -> Recovered {
        let part = try R.recovered(from: decoder, conversion)
        return (part.value as? Wrapped, part.outcome)
      }
      return try part(wrapped)
    } catch {
      guard let converted = Conversion.convert(Wrapped.self, from: decoder) else { throw error }
      decoder.report(error, decoding: Wrapped.self, as: .converted)
      return (converted, .decodedSuccessfully)
    }
  }
}
