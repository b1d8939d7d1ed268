extension KeyedDecodingContainer {
  /// Decodes an optional: `nil` when missing or null, and `nil` plus a report when malformed.
  public func decode<Wrapped: Decodable>(
    _ type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) throws -> Resilient<Wrapped?> {
    recover(
      Wrapped.self, as: Wrapped.self, forKey: key, whenAbsent: nil, whenMalformed: nil
    ) { Resilient($0) }
  }
}

extension Optional: Recoverable where Wrapped: Decodable {
  static func recovered(from decoder: any Decoder) throws -> Recovered {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return (nil, .valueWasNil) }
    if let wrapped = Wrapped.self as? any Recoverable.Type {
      let (value, outcome) = try wrapped.recovered(from: decoder)
      return (value as? Wrapped, outcome)
    }
    do {
      return (try container.decode(Wrapped.self), .decodedSuccessfully)
    } catch {
      decoder.report(error, at: decoder.codingPath, decoding: Wrapped.self)
      return (decodingFallback(of: Wrapped.self), .recoveredFrom(error, wasReported: true))
    }
  }

  static func recovered<Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key
  ) throws -> Recovered {
    guard let wrapped = Wrapped.self as? any Recoverable.Type else {
      let resilient = container.recover(
        Wrapped.self,
        as: Wrapped.self,
        forKey: key,
        whenAbsent: nil,
        whenMalformed: decodingFallback(of: Wrapped.self)
      ) { Resilient<Self>($0) }
      return (resilient.wrappedValue, resilient.outcome)
    }
    guard container.contains(key), try !container.decodeNil(forKey: key) else {
      return (nil, .absence(of: key, in: container))
    }
    let (value, outcome) = try wrapped.recovered(from: container, forKey: key)
    return (value as? Wrapped, outcome)
  }
}
