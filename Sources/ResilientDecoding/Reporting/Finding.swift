/// What the payload holds at the place of an error.
///
/// Read after the error, with features that every decoder supports, and without any error message.
struct Finding {
  /// The value there; nil if there is none, or JSON has no type for it.
  private(set) var value: ErrorDigest.FoundValue?

  /// Whether the object that should hold the value has no such key.
  private(set) var isKeyMissing = false

  /// The raw value there, if the expected type does not have it.
  private(set) var novelValue: Any?

  /// - Parameters:
  ///   - path: The path from the decoder to the place.
  ///   - decoder: A decoder at the place of the recovery.
  ///   - type: The type whose novel value to look for, if any.
  init(at path: [any CodingKey], below decoder: any Decoder, expecting type: Any.Type?) {
    guard let key = path.first else {
      value = ErrorDigest.FoundValue(of: decoder)
      novelValue = type.flatMap(decoder.novelValue(of:))
      return
    }
    let component = ErrorDigest.Path.Component(key)
    if case .dictionaryKey = component,
      let found = EntrySearch.finding(at: path, in: decoder, expecting: type)
    {
      self = found
    } else if let next = decoder.decoder(at: component) {
      self = Self(at: Array(path.dropFirst()), below: next, expecting: type)
    } else {
      isKeyMissing = decoder.lacks(component)
    }
  }
}

extension Decoder {
  /// Whether this is an object without a key.
  fileprivate func lacks(_ component: ErrorDigest.Path.Component) -> Bool {
    // Without a container there is no object.
    guard let name = component.keyName,
      let container = try? container(keyedBy: DictionaryKey.self)
    else { return false }
    return !container.contains(DictionaryKey(stringValue: name))
  }

  /// Returns the raw value here if `type` does not have it.
  ///
  /// Types with raw values that are not ``ResilientRawRepresentable`` throw an error without it.
  fileprivate func novelValue(of type: Any.Type) -> Any? {
    guard let type = type as? any RawRepresentable.Type else { return nil }
    func novelValue<Value: RawRepresentable>(of type: Value.Type) -> Any? {
      // A raw value of another type is not novel, and has its own error.
      guard let rawType = Value.RawValue.self as? any Decodable.Type,
        let rawValue = try? singleValueContainer().decode(rawType) as? Value.RawValue,
        Value(rawValue: rawValue) == nil
      else { return nil }
      return rawValue
    }
    return novelValue(of: type)
  }
}

/// Finds one entry of a dictionary, and decodes no other.
///
/// Key strategies convert the keys of keyed containers only. The keys of dictionaries in a path are
/// data, so a dictionary is decoded to find them.
struct EntrySearch: Decodable {
  struct Target {
    let path: [any CodingKey]
    let expectedType: Any.Type?
  }

  private let found: Finding?

  init(from decoder: any Decoder) throws {
    guard let target = DecodeState.current?.entry,
      decoder.codingPath.last?.stringValue == target.path.first?.stringValue
    else {
      found = nil
      return
    }
    found = Finding(
      at: Array(target.path.dropFirst()), below: decoder, expecting: target.expectedType)
  }

  /// - Returns: Nil if there is no such entry, or no dictionary.
  static func finding(
    at path: [any CodingKey],
    in decoder: any Decoder,
    expecting type: Any.Type?
  ) -> Finding? {
    DecodeState.with(Target(path: path, expectedType: type)) {
      // If it is not a dictionary, the caller reads it in another way.
      let entries = try? decoder.singleValueContainer().decode([String: EntrySearch].self)
      return path.first.flatMap { entries?[$0.stringValue]?.found }
    }
  }
}
