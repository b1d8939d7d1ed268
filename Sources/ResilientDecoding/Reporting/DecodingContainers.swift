extension UnkeyedDecodingContainer {
  /// Skips an element without decoding it.
  ///
  /// - Returns: False if the decoder cannot be moved.
  mutating func skip(from index: Int) -> Bool {
    // A failed step has no error worth reporting: the next one is tried, and the caller reports
    // `false`.
    if currentIndex == index { _ = try? decodeNil() }
    if currentIndex == index { _ = try? decode(IgnoredValue.self) }
    if currentIndex == index { _ = try? superDecoder() }
    return currentIndex > index
  }

  /// The error for a decoder that does not advance, so that a walk would never end.
  package var notAdvancingError: DecodingError {
    .dataCorruptedError(in: self, debugDescription: "The decoder does not move to the next element")
  }
}

extension KeyedDecodingContainer {
  /// Returns a decoder of the key's value; nil if the key is missing.
  ///
  /// Without one, the error is reported without a found value.
  func decoder(at key: Key) -> (any Decoder)? {
    contains(key) ? try? superDecoder(forKey: key) : nil
  }
}

extension Decoder {
  /// Returns a decoder of the value under a key or at an index; nil if there is none.
  ///
  /// Failures are ignored: the error that is being explained is then reported without a value.
  package func decoder(at component: ErrorDigest.Path.Component) -> (any Decoder)? {
    switch component {
    case .key(let name), .dictionaryKey(let name):
      let key = DictionaryKey(stringValue: name)
      return (try? container(keyedBy: DictionaryKey.self))?.decoder(at: key)
    case .index(let index):
      guard var container = try? unkeyedContainer() else { return nil }
      while container.currentIndex < index {
        guard container.skip(from: container.currentIndex) else { return nil }
      }
      return try? container.superDecoder()
    case .anyIndex, .anyDictionaryKey:
      return nil
    }
  }
}

/// A value that is skipped: it decodes from anything.
package struct IgnoredValue: Decodable {
  package init(from decoder: any Decoder) throws {}
}
