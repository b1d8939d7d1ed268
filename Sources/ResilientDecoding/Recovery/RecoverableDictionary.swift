import ResilientPlatform

/// A dictionary is recoverable if its keys are strings, numbers, or made from either (SE-0320).
///
/// With other keys it is an array in the payload, and is decoded as without a wrapper.
extension Dictionary: Recoverable where Key: Decodable, Value: Decodable {
  static var whenAbsent: Self { [:] }
  static var whenMalformed: Self { [:] }

  static func decodeParts<Conversion: ScalarConversion>(
    from decoder: any Decoder,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    Nesting.enter()
    defer { Nesting.leave() }
    if Key.self == String.self {
      let (value, outcome) = try decoder.decodeEntries(Value.self, conversion)
      return (value as! Self, outcome)  // `Key` is `String`.
    }
    guard let key = Key.self as? any (CodingKeyRepresentable & Hashable).Type else {
      return (try decoder.singleValueContainer().decode(Self.self), .decodedSuccessfully)
    }
    func keyed<K: CodingKeyRepresentable & Hashable>(by type: K.Type) throws -> Decoded<Self> {
      let (value, outcome) = try decoder.decodeEntries(keyedBy: K.self, Value.self, conversion)
      return (value as! Self, outcome)  // `K` is `Key`.
    }
    return try keyed(by: key)
  }
}

extension Dictionary where Key == String, Value: Decodable {
  /// Recovers a property.
  ///
  /// Faster than `recoverPartsIfPresent(from:forKey:_:)`, because it needs no `PropertyParts`,
  /// and because the entries are unwrapped where their type is known.
  @inlinable
  static func recoverIfPresent<CodingKeys: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<CodingKeys>,
    forKey key: CodingKeys,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self?> {
    if isRecoverable(Value.self) {
      return try container.recoverAnyIfPresent(
        Self.self, forKey: key, conversion, usesFallback: true)
    }
    let (entries, outcome) = try container.recoverWholeEntriesIfPresent(
      [String: WholeEntry<Value, Conversion>].self, forKey: key, decoding: Self.self)
    guard let entries, !entries.isEmpty else { return (entries.map { _ in [:] }, outcome) }
    return entries.decoded
  }
}

extension KeyedDecodingContainer {
  /// Recovers a dictionary of values that are decoded as a whole or not at all.
  ///
  /// The outcome is that of a dictionary without entries. Those of entries are theirs.
  ///
  /// It takes less stack than ``recoverIfPresent(_:forKey:_:whenMalformed:_:)``.
  ///
  /// - Parameters:
  ///   - entries: The dictionary of ``WholeEntry``. It is a parameter because its metadata is known
  ///     where a model is compiled, and would be looked up here.
  ///   - type: The dictionary of the values, for reports.
  @usableFromInline
  func recoverWholeEntriesIfPresent<Entries: Decodable & ExpressibleByDictionaryLiteral>(
    _ entries: Entries.Type,
    forKey key: Key,
    decoding type: Any.Type
  ) throws -> Decoded<Entries?> {
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
  func decodeEntries<Value: Decodable, Conversion: ScalarConversion>(
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Decoded<[String: Value]> {
    // As a dictionary: a keyed container would convert the keys.
    let container = try singleValueContainer()
    guard let recoverable = recoverable(Value.self) else {
      return try container.decode([String: WholeEntry<Value, Conversion>].self).decoded
    }
    func parts<R: Recoverable>(_ type: R.Type) throws -> Decoded<[String: Value]> {
      if !isFoundations, keepsKeysWithoutDictionary {
        return try decodeEntries(keyedBy: String.self, Value.self, conversion)
      }
      let decoded = try container.decode([String: PartsEntry<R, Conversion>].self).decoded
      return (decoded.value as! [String: Value], decoded.outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  /// Decodes the entries of a dictionary whose keys are made from the payload's.
  ///
  /// - Throws: The error of `container(keyedBy:)`, if the payload has no dictionary here.
  func decodeEntries<Key: CodingKeyRepresentable & Hashable, Value: Decodable, Conversion>(
    keyedBy keyType: Key.Type,
    _ type: Value.Type,
    _ conversion: Conversion.Type
  ) throws -> Decoded<[Key: Value]> where Conversion: ScalarConversion {
    guard let recoverable = recoverable(Value.self) else {
      return try decodeEntries(keyedBy: Key.self, whenBad: nil) {
        let entry = try $0.decode(WholeEntry<Value, Conversion>.self, forKey: $1)
        return (entry.value, entry.outcome)
      }
    }
    let isFoundations = isFoundations
    func parts<R: Recoverable>(_ type: R.Type) throws -> Decoded<[Key: Value]> {
      let (values, outcome) = try decodeEntries(keyedBy: Key.self, whenBad: R.whenBadElement) {
        guard isFoundations else {
          let (value, outcome) = try R.decodePartsThroughArray(from: $0, forKey: $1, conversion)
          return (value, outcome)
        }
        let part = try $0.decode(Parts<R, Conversion>.self, forKey: $1)
        return (part.value, part.outcome)
      }
      return (values as! [Key: Value], outcome)  // `R` is `Value`.
    }
    return try parts(recoverable)
  }

  /// Decodes the entries of a dictionary with a closure.
  ///
  /// - Parameters:
  ///   - bad: The value of an entry that cannot be decoded; nil if it is left out.
  ///   - decode: Returns nil as the value of an entry that is left out.
  private func decodeEntries<Key: CodingKeyRepresentable & Hashable, Value: Decodable>(
    keyedBy keyType: Key.Type,
    whenBad bad: Value?,
    _ decode: (KeyedDecodingContainer<DictionaryKey>, DictionaryKey) throws -> Decoded<Value?>
  ) throws -> Decoded<[Key: Value]> {
    let container = try container(keyedBy: DictionaryKey.self)
    var entries: [Key: (name: String, value: Value)] = [:]
    var badEntries = BadElements<String>()
    let mayRepeatNames = !isFoundations
    var names: Set<String> = []
    let isOpen = Key.self is any OpenValue.Type
    for codingKey in container.allKeys {
      let name = codingKey.stringValue
      // A decoder may list the name of a repeated element once for each repetition.
      guard !mayRepeatNames || names.insert(name).inserted else { continue }
      guard let key = Key(codingKey: codingKey) else {
        let error = codingKey.error(decoding: Key.self, in: container)
        report(error, ofKey: codingKey, decoding: Key.self)
        badEntries.add(.recoveredFrom(error, wasReported: true), at: name, isKept: false)
        continue
      }
      if isOpen,
        let error = (key as? any OpenValue)?.novelError(at: container.codingPath + [codingKey])
      {
        report(error, ofKey: codingKey, decoding: Key.self)
      }
      let (value, outcome): Decoded<Value?>
      do {
        (value, outcome) = try decode(container, codingKey)
      } catch {
        try RecoveryBudget.spend(on: error)
        container.report(error, forKey: codingKey, decoding: expectedType(of: Value.self))
        (value, outcome) = (bad, .recoveredFrom(error, wasReported: true))
      }
      badEntries.add(outcome, at: name, isKept: value != nil)
      guard let value else { continue }
      guard let index = entries.index(forKey: key) else {
        entries[key] = (name, value)
        continue
      }
      // The canonical spelling comes first, as 7 of +7; then the names decide, because a decoder's
      // order may differ in each run.
      let (otherKey, other) = entries[index]
      let isFirst = key.precedes(otherKey, named: name, other.name)
      if isFirst {
        entries.remove(at: index)
        entries[key] = (name, value)
      }
      let repeated = isFirst ? DictionaryKey(stringValue: other.name) : codingKey
      let error = repeated.repetitionError(decoding: Key.self, in: container)
      report(error, ofKey: repeated, decoding: Key.self)
      badEntries.add(
        .recoveredFrom(error, wasReported: true), at: repeated.stringValue, isKept: false)
    }
    return (entries.mapValues(\.value), badEntries.outcome)
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

extension CodingKeyRepresentable {
  /// Whether this key comes before an equal one, by the names that they have in the payload.
  fileprivate func precedes(_ other: Self, named name: String, _ otherName: String) -> Bool {
    let isCanonical = codingKey.stringValue.hasSameScalars(as: name)
    guard isCanonical == other.codingKey.stringValue.hasSameScalars(as: otherName) else {
      return isCanonical
    }
    return name.unicodeScalars.lexicographicallyPrecedes(otherName.unicodeScalars)
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
