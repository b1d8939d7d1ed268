/// A dictionary is recovered when the payload has it as one: with keys that are strings, numbers,
/// or made of either (SE-0320). With other keys it is an array, and decoded as without a wrapper.
extension Dictionary: Recoverable where Key: Decodable, Value: Decodable {
  @usableFromInline static var whenAbsent: Self { [:] }
  @usableFromInline static var whenMalformed: Self { [:] }

  @usableFromInline
  static func recovered<Leaves: LeafRecovery>(
    from decoder: any Decoder,
    _ leaves: Leaves.Type
  ) throws -> Recovered {
    if Key.self == String.self {
      let (value, outcome) = try decoder.entries(Value.self, leaves)
      return (value as! Self, outcome)  // `Key` is `String`.
    }
    guard let key = Key.self as? any CodingKeyRepresentable.Type else {
      return (try decoder.dictionary(Self.self, keyedBy: Key.self), .decodedSuccessfully)
    }
    func keyed<K: CodingKeyRepresentable>(by type: K.Type) throws -> Recovered {
      let (entries, outcome) = try decoder.entries(keyedBy: K.self, Value.self, leaves)
      let value = entries.reduce(into: Self(minimumCapacity: entries.count)) {
        $0[$1.key as! Key] = $1.value  // `K` is `Key`.
      }
      return (value, outcome)
    }
    return try keyed(by: key)
  }
}

extension Decoder {
  /// Decodes a dictionary that Swift has as an array of keys and values in turn.
  ///
  /// - Throws: what decoding it throws; when the payload has an object, an error that says what the
  ///   type of the keys lacks to be those of one.
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
  /// Recovers from any error, and is nil when the key is missing, or holds null.
  ///
  /// As `recoveredIfPresent(from:forKey:_:)`, without the detour through a value of its own.
  @inlinable
  static func recoveredEntries<CodingKeys: CodingKey, Leaves: LeafRecovery>(
    from container: KeyedDecodingContainer<CodingKeys>,
    forKey key: CodingKeys,
    _ leaves: Leaves.Type
  ) -> (value: Self?, outcome: ResilientDecodingOutcome) {
    if recoverable(Value.self) != nil {
      return recoveredIfPresent(from: container, forKey: key, leaves)
    }
    do {
      let entries = try container.decodeIfPresent([String: Entry<Value, Leaves>].self, forKey: key)
      guard let entries else { return (nil, .absence(of: key, in: container)) }
      let (value, outcome) = entries.recovered
      return (value, outcome)
    } catch {
      return malformed(by: error, in: container, forKey: key)
    }
  }
}
