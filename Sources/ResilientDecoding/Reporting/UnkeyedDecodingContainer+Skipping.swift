extension UnkeyedDecodingContainer {
  /// Skips an element without decoding it.
  ///
  /// - Returns: False if the decoder cannot be moved.
  mutating func skip(from index: Int) -> Bool {
    // A failed step has no error worth reporting: the next one is tried, and the caller reports `false`.
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

/// A value that is skipped: it decodes from anything.
struct IgnoredValue: Decodable {
  init(from decoder: any Decoder) throws {}
}
