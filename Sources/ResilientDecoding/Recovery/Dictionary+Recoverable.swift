import ResilientPlatform

/// A dictionary is recoverable if its keys are strings, numbers, or made from either (SE-0320).
///
/// With other keys it is an array in the payload, and is decoded as without a wrapper.
extension Dictionary: Recoverable where Key: Decodable, Value: Decodable {
  static var whenAbsent: Self { [:] }
  static var whenMalformed: Self { [:] }

  static func recovered<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self> {
    Nesting.enter()
    defer { Nesting.leave() }
    if Key.self == String.self {
      let (value, outcome) = try decoder.entries(Value.self, conversion)
      return (value as! Self, outcome)  // `Key` is `String`.
    }
    guard let key = Key.self as? any (CodingKeyRepresentable & Hashable).Type else {
      return (try decoder.dictionary(Self.self, keyedBy: Key.self), .decodedSuccessfully)
    }
    func keyed<K: CodingKeyRepresentable & Hashable>(by type: K.Type) throws -> Recovered<Self> {
      let (value, outcome) = try decoder.entries(keyedBy: K.self, Value.self, conversion)
      return (value as! Self, outcome)  // `K` is `Key`.
    }
    return try keyed(by: key)
  }
}

extension Decoder {
  /// Decodes a dictionary that Swift encodes as an array of alternating keys and values.
  ///
  /// - Throws: The decoder's error; if the payload has an object, an error that names the
  ///   conformance that the keys lack.
  fileprivate func dictionary<Value: Decodable>(
    _ type: Value.Type,
    keyedBy keyType: Any.Type
  ) throws -> Value {
    do {
      return try singleValueContainer().decode(Value.self)
    } catch {
      guard (try? container(keyedBy: DictionaryKey.self)) != nil else { throw error }
      let key = typeName(keyType)
      throw DecodingError.typeMismatch(
        Value.self,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: """
            \(key) is not CodingKeyRepresentable, so a dictionary with such keys is decoded from an \
            array of keys and values in turn, and this is an object. Conform \(key) to \
            CodingKeyRepresentable.
            """,
          underlyingError: error
        )
      )
    }
  }
}

extension Dictionary where Key == String, Value: Decodable {
  /// Decodes a property, and recovers from any error; nil if the key is missing or holds null.
  ///
  /// Faster than `recoveredIfPresent(from:forKey:_:)`, because it needs no `RecoverableProperty`,
  /// and because the entries are unwrapped where their type is known.
  @inlinable
  static func recoveredEntries<CodingKeys: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<CodingKeys>,
    forKey key: CodingKeys,
    _ conversion: Conversion.Type
  ) throws -> Recovered<Self?> {
    if isRecoverable(Value.self) {
      return try container.nestedEntries(Value.self, forKey: key, conversion)
    }
    let (entries, outcome) = try container.wholeEntries(
      [String: WholeEntry<Value, Conversion>].self, forKey: key, decoding: Self.self)
    guard let entries, !entries.isEmpty else { return (entries.map { _ in [:] }, outcome) }
    return entries.recovered
  }
}

extension KeyedDecodingContainer {
  /// Decodes the good parts of a dictionary of recoverable values, and recovers from any error; nil
  /// if the key is missing or holds null.
  @usableFromInline
  func nestedEntries<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Recovered<[String: Value]?> {
    try [String: Value].recoveredIfPresent(from: self, forKey: key, conversion)
  }

  /// Decodes the entries of a dictionary, and recovers from any error; nil if the key is missing or
  /// holds null.
  ///
  /// The outcome is that of a dictionary without entries. Those of entries are theirs.
  ///
  /// - Parameters:
  ///   - entries: The dictionary of ``WholeEntry``. It is a parameter because its metadata is known
  ///     where a model is compiled, and would be looked up here.
  ///   - type: The dictionary of the values, for reports.
  @usableFromInline
  func wholeEntries<Entries: Decodable & ExpressibleByDictionaryLiteral>(
    _ entries: Entries.Type,
    forKey key: Key,
    decoding type: Any.Type
  ) throws -> Recovered<Entries?> {
    Nesting.enter()
    defer { Nesting.leave() }
    do {
      if try isSkipped(key) { return (nil, .decodedSuccessfully) }
      if let entries = try decodeIfPresent(Entries.self, forKey: key) {
        return (entries, .decodedSuccessfully)
      }
      reportAbsence(of: key, decoding: type)
      return (nil, .absence(of: key, in: self))
    } catch {
      try RecoveryBudget.spend(on: error)
      report(error, forKey: key, decoding: type)
      return ([:], .recoveredFrom(error, wasReported: true))
    }
  }
}
