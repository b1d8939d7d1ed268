/// The members of an object that a ``ForeignDecoder`` decodes.
struct ForeignMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let log: ForeignDecoder.Log

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }
  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    isContainerType(type)
      ? try base.decode(type, forKey: key) : try base.decode(Foreignly<T>.self, forKey: key).value
  }

  func superDecoder() throws -> any Decoder {
    log.addSuperDecoder()
    return ForeignDecoder(try base.superDecoder(), log)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    log.addSuperDecoder()
    return ForeignDecoder(try base.superDecoder(forKey: key), log)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      ForeignMembers<NestedKey>(
        base: try base.nestedContainer(keyedBy: type, forKey: key), log: log)
    )
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    ForeignElements(base: try base.nestedUnkeyedContainer(forKey: key), log: log)
  }
}

/// The elements of an array that a ``ForeignDecoder`` decodes.
struct ForeignElements: UnkeyedDecodingContainer {
  private(set) var base: any UnkeyedDecodingContainer
  let log: ForeignDecoder.Log

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    do {
      return isContainerType(type)
        ? try base.decode(type) : try base.decode(Foreignly<T>.self).value
    } catch {
      if log.advancesOnFailure { _ = try base.superDecoder() }
      throw error
    }
  }

  mutating func superDecoder() throws -> any Decoder {
    log.addSuperDecoder()
    return ForeignDecoder(try base.superDecoder(), log)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      ForeignMembers(base: try base.nestedContainer(keyedBy: type), log: log)
    )
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    ForeignElements(base: try base.nestedUnkeyedContainer(), log: log)
  }
}

/// The single value of a ``ForeignDecoder``.
struct ForeignValue: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    isContainerType(type) ? try base.decode(type) : try base.decode(Foreignly<T>.self).value
  }
}

/// Whether containers have a method for a type.
private func isContainerType(_ type: Any.Type) -> Bool {
  let types: [Any.Type] = [
    Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self,
    Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]
  return types.contains { $0 == type }
}
