extension KeyedDecodingContainer {
  /// Decodes an optional: `nil` when missing or null, and `nil` plus a report when malformed.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) throws -> Resilient<Wrapped?> {
    if recoverable(Wrapped.self) != nil { return recoverParts(of: type, forKey: key) }
    do {
      guard let value = try decodeAnyIfPresent(Wrapped.self, forKey: key) else {
        return Resilient(nil, outcome: .absence(of: key, in: self))
      }
      return Resilient(value)
    } catch {
      return recover(from: error, as: type, forKey: key)
    }
  }

  @usableFromInline
  func recoverParts<Wrapped: Decodable>(
    of type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) -> Resilient<Wrapped?> {
    Resilient(Wrapped?.recovered(from: self, forKey: key, AsSent.self))
  }

  @usableFromInline
  func recover<Wrapped: Decodable>(
    from error: any Error,
    as type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) -> Resilient<Wrapped?> {
    report(error, forKey: key, decoding: Wrapped.self)
    return Resilient(Wrapped?.whenMalformed, outcome: .recoveredFrom(error, wasReported: true))
  }
}
