/// What the payload holds at the place of an error.
///
/// Read after the error, with features that every decoder supports, and without any error message.
struct Finding {
  /// The value there; nil if there is none, or JSON has no type for it.
  private(set) var value: ErrorDigest.FoundValue?

  /// Whether the object that should hold the value has no such key.
  private(set) var isKeyMissing = false

  /// - Parameters:
  ///   - path: The path from the decoder to the place.
  ///   - decoder: A decoder at the place of the recovery.
  init(at path: ArraySlice<any CodingKey>, below decoder: any Decoder) {
    guard let key = path.first else {
      value = ErrorDigest.FoundValue(of: decoder)
      return
    }
    let component = ErrorDigest.Path.Component(key)
    if case .dictionaryKey = component,
      let found = EntrySearch.finding(at: path, in: decoder)
    {
      self = found
    } else if let next = decoder.decoder(at: component) {
      self = Self(at: path.dropFirst(), below: next)
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
}

/// Finds one entry of a dictionary, and decodes no other.
///
/// Key strategies convert the keys of keyed containers only. The keys of dictionaries in a path are
/// data, so a dictionary is decoded to find them.
private struct EntrySearch: Decodable {
  @TaskLocal private static var path: ArraySlice<any CodingKey> = []

  private let found: Finding?

  init(from decoder: any Decoder) throws {
    let path = Self.path
    found =
      decoder.codingPath.last?.stringValue == path.first?.stringValue
      ? Finding(at: path.dropFirst(), below: decoder) : nil
  }

  /// - Returns: Nil if there is no such entry, or no dictionary.
  static func finding(
    at path: ArraySlice<any CodingKey>,
    in decoder: any Decoder
  ) -> Finding? {
    $path.withValue(path) {
      // If it is not a dictionary, the caller reads it in another way.
      let entries = try? decoder.singleValueContainer().decode([String: EntrySearch].self)
      return path.first.flatMap { entries?[$0.stringValue]?.found }
    }
  }
}
