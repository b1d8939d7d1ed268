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

  /// The error for a decoder that does not advance, in which a walk would never end.
  @usableFromInline var stuck: DecodingError {
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

/// A value that is skipped: it decodes from anything.
struct IgnoredValue: Decodable {
  init(from decoder: any Decoder) throws {}
}
