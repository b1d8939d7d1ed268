extension KeyedDecodingContainer {
  /// Decodes an optional: `nil` when missing or null, and `nil` plus a report when malformed.
  @inlinable
  public func decode<Wrapped: Decodable>(
    _ type: Resilient<Wrapped?>.Type,
    forKey key: Key
  ) throws -> Resilient<Wrapped?> {
    let (value, outcome) = optional(Wrapped.self, forKey: key, NoConversion.self)
    return Resilient(value, outcome: outcome)
  }
}
