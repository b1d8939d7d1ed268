extension KeyedDecodingContainer {
  /// Decodes a dictionary and leaves out, and reports, the entries that cannot be decoded.
  ///
  /// The keys are data: a decoder's key strategy does not touch them.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]> {
    let (entries, outcome) = [String: Value].recoveredEntries(
      from: self, forKey: key, NoConversion.self)
    return Resilient(entries ?? [:], outcome: outcome)
  }

  /// Decodes an optional dictionary: `nil` only where the payload has none.
  @inlinable
  public func decode<Value: Decodable>(
    _ type: Resilient<[String: Value]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[String: Value]?> {
    let (entries, outcome) = [String: Value].recoveredEntries(
      from: self, forKey: key, NoConversion.self)
    return Resilient(entries, outcome: outcome)
  }
}
