import ResilientPlatform

/// What the payload holds at the place of an error.
///
/// Read after the error, with features that every decoder supports, and without any error message.
struct PayloadFinding {
  /// The value there; nil if there is none, or JSON has no type for it.
  var value: ErrorDigest.FoundValue?

  /// Whether the object that should hold the value has no such key.
  var isKeyMissing = false

  /// The raw value there, if the expected type does not have it.
  var novelValue: Any?
}

extension PayloadFinding {
  /// - Parameters:
  ///   - path: The path from the decoder to the place.
  ///   - decoder: A decoder at the place of the recovery.
  ///   - type: The type whose novel value to look for, if any.
  init(at path: [any CodingKey], below decoder: any Decoder, expecting type: Any.Type?) {
    self.init()
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
  private final class Target {
    let path: [any CodingKey]
    let expectedType: Any.Type?

    init(path: [any CodingKey], expectedType: Any.Type?) {
      (self.path, self.expectedType) = (path, expectedType)
    }
  }

  private let found: PayloadFinding?

  init(from decoder: any Decoder) throws {
    guard let target = DecodeState.current?.reader as? Target,
      decoder.codingPath.last?.stringValue == target.path.first?.stringValue
    else {
      found = nil
      return
    }
    found = PayloadFinding(
      at: Array(target.path.dropFirst()), below: decoder, expecting: target.expectedType)
  }

  /// - Returns: Nil if there is no such entry, or no dictionary.
  static func finding(
    at path: [any CodingKey],
    in decoder: any Decoder,
    expecting type: Any.Type?
  ) -> PayloadFinding? {
    DecodeState.with(reader: Target(path: path, expectedType: type)) {
      // If it is not a dictionary, the caller reads it in another way.
      let entries = try? decoder.singleValueContainer().decode([String: EntrySearch].self)
      return path.first.flatMap { entries?[$0.stringValue]?.found }
    }
  }
}

extension ErrorDigest.FoundValue {
  /// The maximum length of a string in scalars: enough to recognize it.
  private static let maximumLength = 1_000

  /// The found value with a string cut to the maximum length.
  var shortened: Self { Self(type: type, text: text?.cut(to: Self.maximumLength)) }

  /// Reads the value at a decoder again, after an error.
  ///
  /// Nil if the decoder cannot read it, or JSON has no type for it: the error is then reported
  /// without it.
  init?(of decoder: any Decoder) {
    if let scalar = decoder.scalar {
      self.init(type: scalar.type, text: scalar.text?.cut(to: Self.maximumLength))
      return
    }
    let object = Result { try decoder.container(keyedBy: DictionaryKey.self) }
    if (try? object.get()) != nil || object.isUnreadable && decoder.isFoundations {
      // Before the array: an XML element can also be decoded as an array of its children.
      self.init(type: .object, text: nil)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self.init(type: .array, text: nil)
    } else {
      return nil
    }
  }
}

extension Decoder {
  /// Whether this is an object with a key that is not Unicode.
  var isUnreadableObject: Bool {
    isFoundations && Result { try container(keyedBy: DictionaryKey.self) }.isUnreadable
  }

  /// The scalar at this place with its full text; null has no text.
  var scalar: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A decoder without this container has one of the others.
    guard let container = try? singleValueContainer() else { return nil }
    if container.decodeNil() { return (.null, nil) }
    let string = Result { try container.decode(String.self) }
    guard isFoundations else { return textScalar(try? string.get(), in: container) }
    switch string {
    case .success(let string): return (.string, string)
    // Not Unicode: half a surrogate, or bytes that are not UTF-8.
    case .failure where string.isUnreadable: return (.string, nil)
    case .failure: return container.numberOrBoolean
    }
  }

  /// Reads a scalar in a format in which each is a string that may look like something else: YAML,
  /// XML.
  private func textScalar(
    _ string: String?,
    in container: any SingleValueDecodingContainer
  ) -> (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A failed attempt is an answer, here and below.
    guard let string else { return container.numberOrBoolean }
    // An XML element with children decodes as an empty string too.
    let names = string.isEmpty ? try? self.container(keyedBy: DictionaryKey.self).allKeys : nil
    if names?.contains(where: { !$0.stringValue.isEmpty }) == true { return nil }
    if (try? container.decode(Double.self)) != nil { return (.number, string) }
    if (try? container.decode(Bool.self)) != nil { return (.boolean, string) }
    return (.string, string)
  }
}

extension SingleValueDecodingContainer {
  /// Reads a scalar that is not a string, in a format that distinguishes it from strings, such as
  /// JSON.
  ///
  /// The scalar has the type that can be decoded; a failed attempt means that it has another one.
  fileprivate var numberOrBoolean: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A number first, because it is what an error most often finds.
    if let number { return number }
    return (try? decode(Bool.self)).map { (.boolean, String($0)) }
  }

  /// The type and digits of a number; no digits if it is too large or too small for any type.
  package var number: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    let result = Result { try decodeDecimal() }
    // JSON5 has infinities, which are no `Decimal`.
    if let decimal = try? result.get(), !decimal.isNaN {
      // A `Decimal` has no negative zero.
      let isNegative = decimal.isZero && (try? decode(Double.self))?.sign == .minus
      return (.number, isNegative ? "-0" : decimal.description)
    }
    // For a decoder that decodes `Decimal` as a structure. Otherwise the number does not fit in an
    // integer either, although `JSONDecoder` makes 0 of 1e-400.
    if case .failure = result, !result.isUnreadable, let integer = integerText {
      return (.number, integer)
    }
    let double = Result { try decode(Double.self) }
    if let double = try? double.get() { return (.number, double.numberText) }
    return double.isUnreadable ? (.number, nil) : nil
  }

  private var integerText: String? {
    (try? decode(Int64.self)).map(String.init) ?? (try? decode(UInt64.self)).map(String.init)
  }
}

extension Result where Failure == any Error {
  /// Whether the payload has a value of the type that cannot be read: half a surrogate, a number out
  /// of range.
  package var isUnreadable: Bool {
    switch self {
    case .success, .failure(DecodingError.typeMismatch), .failure(DecodingError.valueNotFound):
      false
    case .failure: true
    }
  }
}

extension Double {
  /// The shortest text of the number, with the names that JSON5 has for numbers that are not
  /// finite.
  package var numberText: String {
    if isNaN { return "NaN" }
    return isFinite ? description : self < 0 ? "-Infinity" : "Infinity"
  }
}

extension String {
  /// Returns at most `length` scalars of the string, followed by an ellipsis if it is longer.
  fileprivate func cut(to length: Int) -> String {
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: length, limitedBy: unicodeScalars.endIndex
      ), end < unicodeScalars.endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}
