extension KeyedDecodingContainer {
  /// Decodes an array and leaves out, and reports, the elements that cannot be decoded.
  @inlinable
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]> {
    let (elements, outcome) = [Element].recoveredIfPresent(
      from: self, forKey: key, NoConversion.self)
    return Resilient(elements ?? [], outcome: outcome)
  }

  /// Decodes an optional array: `nil` only where the payload has none.
  @inlinable
  public func decode<Element: Decodable>(
    _ type: Resilient<[Element]?>.Type,
    forKey key: Key
  ) throws -> Resilient<[Element]?> {
    let (elements, outcome) = [Element].recoveredIfPresent(
      from: self, forKey: key, NoConversion.self)
    return Resilient(elements, outcome: outcome)
  }
}
