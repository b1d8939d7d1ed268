import ResilientPlatform

extension ErrorDigest.FoundValue {
  /// The maximum length of a string in scalars: enough to recognize it.
  private static let maximumLength = 1_000

  /// The found value with a string cut to the maximum length.
  var shortened: Self { Self(type: type, text: text?.cut(to: Self.maximumLength)) }

  /// Reads the value at a place again after an error.
  ///
  /// Nil if there is no value, or JSON has no type for it. Uses only features that every decoder
  /// supports, and no error message.
  ///
  /// - Parameters:
  ///   - path: The path from the decoder to the place.
  ///   - decoder: A decoder at the place of the recovery.
  init?(at path: ArraySlice<any CodingKey>, below decoder: any Decoder) {
    guard let key = path.first else {
      self.init(of: decoder)
      return
    }
    let component = ErrorDigest.Path.Component(key)
    if case .dictionaryKey = component,
      let entry = EntrySearch.value(at: path, in: decoder)
    {
      self = entry
      return
    }
    guard let next = decoder.decoder(at: component) else { return nil }
    self.init(at: path.dropFirst(), below: next)
  }

  /// Nil if the decoder cannot read the value: the error is then reported without it.
  private init?(of decoder: any Decoder) {
    if let scalar = decoder.scalar {
      self.init(type: scalar.type, text: scalar.text?.cut(to: Self.maximumLength))
    } else if (try? decoder.container(keyedBy: DictionaryKey.self)) != nil {
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
  /// The scalar at this place with its full text; null has no text.
  var scalar: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A decoder without this container has one of the others.
    guard let container = try? singleValueContainer() else { return nil }
    if container.decodeNil() { return (.null, nil) }
    return hasTypedScalars ? container.typedScalar : textScalar(in: container)
  }

  /// Reads a scalar in a format in which each is a string that may look like something else: YAML,
  /// XML.
  private func textScalar(
    in container: any SingleValueDecodingContainer
  ) -> (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    // A failed attempt is an answer, here and below.
    guard let string = try? container.decode(String.self) else { return container.typedScalar }
    // An XML element with children decodes as an empty string too.
    let names = string.isEmpty ? try? self.container(keyedBy: DictionaryKey.self).allKeys : nil
    if names?.contains(where: { !$0.stringValue.isEmpty }) == true { return nil }
    if (try? container.decode(Double.self)) != nil { return (.number, string) }
    if (try? container.decode(Bool.self)) != nil { return (.boolean, string) }
    return (.string, string)
  }
}

extension SingleValueDecodingContainer {
  /// Reads a scalar in a format that distinguishes strings from numbers, such as JSON.
  ///
  /// The scalar has the type that can be decoded; a failed attempt means that it has another one.
  fileprivate var typedScalar: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    if let string = try? decode(String.self) { return (.string, string) }
    if let boolean = try? decode(Bool.self) { return (.boolean, String(boolean)) }
    return number
  }

  /// The type and digits of a number; no digits if it is too large for any type.
  private var number: (type: ErrorDigest.FoundValue.ValueType, text: String?)? {
    if let number = try? decode(Decimal.self) { return (.number, number.description) }
    // For a decoder that decodes `Decimal` as a structure.
    if let number = try? decode(Int64.self) { return (.number, String(number)) }
    if let number = try? decode(UInt64.self) { return (.number, String(number)) }
    do {
      return (.number, String(try decode(Double.self)))
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      return nil
    } catch {
      // It is a number, but too large.
      return (.number, nil)
    }
  }
}

/// Finds one entry of a dictionary, and decodes no other.
///
/// Key strategies convert the keys of keyed containers only. The keys of dictionaries in a path are
/// data, so a dictionary is decoded to find them.
private struct EntrySearch: Decodable {
  @TaskLocal private static var path: ArraySlice<any CodingKey> = []

  private let found: ErrorDigest.FoundValue?

  init(from decoder: any Decoder) throws {
    let path = Self.path
    found =
      decoder.codingPath.last?.stringValue == path.first?.stringValue
      ? ErrorDigest.FoundValue(at: path.dropFirst(), below: decoder) : nil
  }

  /// - Returns: Nil if there is no such entry, or no dictionary.
  static func value(
    at path: ArraySlice<any CodingKey>,
    in decoder: any Decoder
  ) -> ErrorDigest.FoundValue? {
    $path.withValue(path) {
      // If it is not a dictionary, the caller reads it in another way.
      let entries = try? decoder.singleValueContainer().decode([String: EntrySearch].self)
      return path.first.flatMap { entries?[$0.stringValue]?.found }
    }
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
