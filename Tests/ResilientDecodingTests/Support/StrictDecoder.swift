/// A decoder that has super decoders only for existing keys, as some decoders do.
///
/// It forwards to another decoder. Decode a ``Strictly`` to use it.
struct StrictDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try base.singleValueContainer()
  }
}

/// A value that a ``StrictDecoder`` decodes.
struct Strictly<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: StrictDecoder(base: decoder)) }
}

extension StrictDecoder {
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool { base.contains(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try base.decode(type, forKey: key)
    }

    func superDecoder() throws -> any Decoder { throw missing("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder {
      guard contains(key) else { throw missing(key.stringValue) }
      return try base.superDecoder(forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type,
      forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      try base.nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try base.nestedUnkeyedContainer(forKey: key)
    }

    private func missing(_ key: String) -> DecodingError {
      DecodingError.keyNotFound(
        AnyKey(key),
        DecodingError.Context(codingPath: codingPath, debugDescription: "not there")
      )
    }
  }
}
