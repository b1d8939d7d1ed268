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
