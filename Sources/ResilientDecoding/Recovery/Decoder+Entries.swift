extension Decoder {
  /// Decodes the entries of a dictionary, each once, and leaves out those that cannot be decoded.
  ///
  /// Its keys are data, as they are for a plain dictionary: a key strategy does not touch them.
  ///
  /// - Throws: what decoding a dictionary throws when the payload has none here.
  func entries<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    _ leaves: Leaves.Type
  ) throws -> [String: Value].Recovered {
    // As a dictionary, not through a keyed container: only so are the keys left as they are.
    let container = try singleValueContainer()
    guard let recoverable = recoverable(Value.self) else {
      return try container.decode([String: Entry<Value, Leaves>].self).recovered
    }
    func parts<R: Recoverable>(_ type: R.Type) throws -> [String: Value].Recovered {
      if R.isArray, !givesArraysToAnyType, keepsKeysWithoutDictionary {
        let (entries, outcome) = try entries(keyedBy: String.self, Value.self, leaves)
        return (Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }), outcome)
      }
      let recovered = try container.decode([String: PartEntry<R, Leaves>].self).recovered
      return (recovered.value as! [String: Value], recovered.outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  /// Decodes the entries of a dictionary whose keys are made of those that the payload has.
  ///
  /// - Throws: what `container(keyedBy:)` throws when the payload has no dictionary here.
  func entries<Key: CodingKeyRepresentable, Value: Decodable, Leaves: LeafRecovery>(
    keyedBy keyType: Key.Type,
    _ type: Value.Type,
    _ leaves: Leaves.Type
  ) throws -> (entries: [(key: Key, value: Value)], outcome: ResilientDecodingOutcome) {
    guard let recoverable = recoverable(Value.self) else {
      return try walk(keyedBy: Key.self) { try $0.decode(Entry<Value, Leaves>.self, forKey: $1) }
    }
    func parts<R: Recoverable>(
      _ type: R.Type
    ) throws -> (entries: [(key: Key, value: Value)], outcome: ResilientDecodingOutcome) {
      let isGivenAsArray = R.isArray && !givesArraysToAnyType
      let (entries, outcome) = try walk(keyedBy: Key.self) { container, key in
        isGivenAsArray
          ? PartEntry<R, Leaves>(asArrayIn: container, forKey: key)
          : try container.decode(PartEntry<R, Leaves>.self, forKey: key)
      }
      return (entries.map { ($0.key, $0.value as! Value) }, outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  private func walk<Key: CodingKeyRepresentable, Entry: CollectionEntry>(
    keyedBy keyType: Key.Type,
    _ entry: (KeyedDecodingContainer<DictionaryKey>, DictionaryKey) throws -> Entry
  ) throws -> (entries: [(key: Key, value: Entry.Value)], outcome: ResilientDecodingOutcome) {
    let container = try container(keyedBy: DictionaryKey.self)
    var entries: [(key: Key, value: Entry.Value)] = []
    var failures = ElementFailures<String>()
    let mayRepeatNames = !givesArraysToAnyType
    var names: Set<String> = []
    for codingKey in container.allKeys {
      let name = codingKey.stringValue
      // A decoder may have the name of a repeated element as often as the element is there.
      guard !mayRepeatNames || names.insert(name).inserted else { continue }
      guard let key = Key(codingKey: codingKey) else {
        let error = codingKey.refused(by: Key.self, in: container)
        // What is there under the key is not what is wrong.
        report(error, at: RecoveryPlace(container.codingPath + [codingKey]), decoding: Key.self)
        failures.add(error, at: name, isReplaced: false)
        continue
      }
      do {
        let entry = try entry(container, codingKey)
        if let value = entry.value { entries.append((key, value)) }
        failures.add(entry.failure, at: name)
      } catch {
        container.report(error, forKey: codingKey, decoding: Entry.Value.self)
        failures.add(error, at: name, isReplaced: false)
      }
    }
    return (entries, .dictionary(without: failures))
  }

  /// Whether the keys are those of a dictionary also when it is not decoded as one.
  ///
  /// With a key strategy they may not be. No value is looked at.
  private var keepsKeysWithoutDictionary: Bool {
    // Whatever is wrong is told by the decode that follows.
    guard let dictionary = try? singleValueContainer().decode([String: Anything].self),
      let container = try? container(keyedBy: DictionaryKey.self)
    else { return false }
    return Set(container.allKeys.map(\.stringValue)) == Set(dictionary.keys)
  }
}

/// A key that is data.
struct DictionaryKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    self.intValue = Int(stringValue)
  }

  init(intValue: Int) {
    self.stringValue = String(intValue)
    self.intValue = intValue
  }

  /// The error of a key that is none of the keys that a type has.
  fileprivate func refused(
    by type: Any.Type,
    in container: KeyedDecodingContainer<Self>
  ) -> any Error {
    let path = container.codingPath + [self]
    var novel: UnknownNovelValueError?
    if let type = type as? any ResilientRawRepresentable.Type {
      let error = UnknownNovelValueError(novelValue: stringValue, expected: type, codingPath: path)
      guard type.isFrozen else { return error }
      novel = error
    }
    return DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path,
        debugDescription: "The key \(stringValue.jsonQuoted) is no \(typeName(type))",
        underlyingError: novel
      )
    )
  }
}
