extension Decoder {
  /// Decodes the entries of a dictionary, each once, and leaves out those that cannot be decoded.
  ///
  /// Its keys are data: a key strategy does not convert them, just as for a plain dictionary.
  ///
  /// - Throws: The error of decoding a dictionary, if the payload has none here.
  func entries<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Recovered<[String: Value]> {
    // As a dictionary: a keyed container would convert the keys.
    let container = try singleValueContainer()
    guard let recoverable = recoverable(Value.self) else {
      return try container.decode([String: WholeEntry<Value, Conversion>].self).recovered
    }
    func parts<R: Recoverable>(_ type: R.Type) throws -> Recovered<[String: Value]> {
      if !isFoundations, keepsKeysWithoutDictionary {
        return try entries(keyedBy: String.self, Value.self, conversion)
      }
      let recovered = try container.decode([String: RecoverableEntry<R, Conversion>].self).recovered
      return (recovered.value as! [String: Value], recovered.outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  /// Decodes the entries of a dictionary whose keys are made from the payload's.
  ///
  /// - Throws: The error of `container(keyedBy:)`, if the payload has no dictionary here.
  func entries<Key: CodingKeyRepresentable & Hashable, Value: Decodable, Conversion>(
    keyedBy keyType: Key.Type,
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Recovered<[Key: Value]> where Conversion: ScalarConversion {
    guard let recoverable = recoverable(Value.self) else {
      return try walk(keyedBy: Key.self) {
        try $0.decode(WholeEntry<Value, Conversion>.self, forKey: $1)
      }
    }
    let isFoundations = isFoundations
    func parts<R: Recoverable>(_ type: R.Type) throws -> Recovered<[Key: Value]> {
      let (values, outcome) = try walk(keyedBy: Key.self) { container, key in
        isFoundations
          ? try container.decode(RecoverableEntry<R, Conversion>.self, forKey: key)
          : try RecoverableEntry<R, Conversion>(throughArrayIn: container, forKey: key)
      }
      return (values as! [Key: Value], outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  private func walk<Key: CodingKeyRepresentable & Hashable, Entry: CollectionEntry>(
    keyedBy keyType: Key.Type,
    _ entry: (KeyedDecodingContainer<DictionaryKey>, DictionaryKey) throws -> Entry
  ) throws -> Recovered<[Key: Entry.Value]> {
    let container = try container(keyedBy: DictionaryKey.self)
    var entries: [(codingKey: DictionaryKey, key: Key, value: Entry.Value)] = []
    var failures = ElementFailures<String>()
    let mayRepeatNames = !isFoundations
    var names: Set<String> = []
    let isOpen = Key.self is any OpenKey.Type
    for codingKey in container.allKeys {
      let name = codingKey.stringValue
      // A decoder may list the name of a repeated element once for each repetition.
      guard !mayRepeatNames || names.insert(name).inserted else { continue }
      guard let key = Key(codingKey: codingKey) else {
        let error = codingKey.error(decoding: Key.self, in: container)
        report(error, ofKey: codingKey, decoding: Key.self)
        failures.add(.recoveredFrom(error, wasReported: true), at: name, isKept: false)
        continue
      }
      if isOpen,
        let (error, expected) = (key as? any OpenKey)?.novelKeyError(
          at: container.codingPath + [codingKey])
      {
        report(error, ofKey: codingKey, decoding: expected)
      }
      do {
        let entry = try entry(container, codingKey)
        if let value = entry.value { entries.append((codingKey, key, value)) }
        failures.add(entry.outcome, at: name, isKept: entry.value != nil)
      } catch {
        try RecoveryBudget.spend(on: error)
        container.report(error, forKey: codingKey, decoding: Entry.Value.self)
        failures.add(.recoveredFrom(error, wasReported: true), at: name, isKept: false)
      }
    }
    var values = Dictionary(
      entries.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    if values.count < entries.count {
      values = [:]
      // The canonical spelling comes first, as 7 of +7; then the names decide, because a decoder's
      // order may differ in each run.
      let ranked = entries.sorted { entry in
        let name = entry.codingKey.stringValue
        let isCanonical = entry.key.codingKey.stringValue.hasSameScalars(as: name)
        return ErrorDigest.Path([.index(isCanonical ? 0 : 1), .key(name)])
      }
      for entry in ranked {
        guard values[entry.key] != nil else {
          values[entry.key] = entry.value
          continue
        }
        let error = entry.codingKey.repetitionError(decoding: Key.self, in: container)
        report(error, ofKey: entry.codingKey, decoding: Key.self)
        failures.add(
          .recoveredFrom(error, wasReported: true), at: entry.codingKey.stringValue, isKept: false)
      }
    }
    return (values, failures.outcome)
  }

  /// Reports an error about a key of this dictionary, without reading the value of its entry.
  private func report(_ error: any Error, ofKey key: DictionaryKey, decoding type: Any.Type) {
    ErrorSink(of: self)?.report(error, at: RecoveryPlace(codingPath + [key]), decoding: type)
  }

  /// Whether a keyed container has the dictionary's own keys.
  ///
  /// A key strategy may convert them. Reads no values.
  private var keepsKeysWithoutDictionary: Bool {
    // Errors are ignored: the decode that follows reports them.
    guard let dictionary = try? singleValueContainer().decode([String: IgnoredValue].self),
      let container = try? container(keyedBy: DictionaryKey.self)
    else { return false }
    return Set(container.allKeys.map(\.stringValue)) == Set(dictionary.keys)
  }
}

extension DictionaryKey {
  /// The error for a key from which a type cannot be made.
  fileprivate func error(
    decoding type: Any.Type,
    in container: KeyedDecodingContainer<Self>
  ) -> any Error {
    let path = container.codingPath + [self]
    var novel: UnknownNovelValueError?
    if let type = type as? any ResilientRawRepresentable.Type {
      let error = UnknownNovelValueError(novelValue: stringValue, expected: type, codingPath: path)
      guard type.isFrozen else { return error }
      novel = error
    } else if let type = type as? any RawRepresentable.Type, let rawValue = rawValue(of: type) {
      novel = UnknownNovelValueError(novelValue: rawValue, expected: type, codingPath: path)
    }
    return DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path,
        debugDescription: "The key cannot be converted to \(typeName(type))",
        underlyingError: novel
      )
    )
  }

  /// The error for a key that is equal to another one of its object, such as `07` to `7`.
  fileprivate func repetitionError(
    decoding type: Any.Type,
    in container: KeyedDecodingContainer<Self>
  ) -> any Error {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: container.codingPath + [self],
        debugDescription: "Another key of the object is the same \(typeName(type))"
      )
    )
  }

  /// The raw value of a type for the key; nil if the key is none, such as a text for a number.
  private func rawValue<Value: RawRepresentable>(of type: Value.Type) -> Any? {
    (Value.RawValue.self as? any CodingKeyRepresentable.Type)?.init(codingKey: self)
  }
}
