import ResilientPlatform

extension ErrorDigest.Path: LosslessStringConvertible {
  /// Parses a path or pattern in the format of `description` and `pattern`.
  ///
  /// Accepts keys without the quotes that they need. Reads a dictionary's key as an ordinary key:
  /// the text does not distinguish them.
  ///
  /// - Returns: Nil if the text is not a path.
  public init?(_ text: String) {
    // By scalars: the first scalar of a key may combine with the dot before it into one character.
    var rest = text.unicodeScalars[...]
    var components: [Component] = []
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let component = Component(bracketed: &rest) else { return nil }
        components.append(component)
      } else {
        if !components.isEmpty, rest.removeFirst() != "." { return nil }
        let word = String(rest.prefix { $0 != "." && $0 != "[" })
        guard !word.isEmpty else { return nil }
        rest.removeFirst(word.unicodeScalars.count)
        components.append(word == "*" ? .anyDictionaryKey : .key(word))
      }
    }
    self.init(components)
  }
}

extension ErrorDigest.Path: Codable {
  /// Decodes a path from its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is not a path.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let path = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text.jsonQuoted) is not a path such as items[3].kind")
    }
    self = path
  }

  /// Encodes the path as its text, such as `items[3].kind`.
  ///
  /// The text of an exact path does not tell a dictionary's key from another one. To count by
  /// pattern, encode a ``ErrorDigest/Failure``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ErrorDigest.Path {
  /// Marks the keys as a dictionary's where the pattern has a `*`.
  ///
  /// - Returns: Nil if the path does not match the pattern.
  package func markingDictionaryKeys(of pattern: Self) -> Self? {
    guard components.count == pattern.components.count else { return nil }
    let marked = Self(
      zip(components, pattern.components).map { component, general in
        if case .key(let key) = component, general == .anyDictionaryKey {
          .dictionaryKey(key)
        } else {
          component
        }
      })
    return marked.generalized == pattern ? marked : nil
  }
}

extension ErrorDigest.Path.Component {
  /// Parses and removes `[]`, `[3]` or `["a key"]`.
  fileprivate init?(bracketed rest: inout Substring.UnicodeScalarView) {
    rest.removeFirst()
    if rest.first == "\"" {
      guard let key = rest.removeQuotedString() else { return nil }
      self = .key(key)
    } else {
      let digits = String(rest.prefix { "0"..."9" ~= $0 })
      rest.removeFirst(digits.count)
      if digits.isEmpty {
        self = .anyIndex
      } else {
        guard let index = Int(digits) else { return nil }
        self = .index(index)
      }
    }
    guard rest.popFirst() == "]" else { return nil }
  }
}

extension Substring.UnicodeScalarView {
  /// Removes and returns a string of JSON, with its quotes.
  fileprivate mutating func removeQuotedString() -> String? {
    var end = index(after: startIndex)
    while end < endIndex, self[end] != "\"" {
      // The scalar after a backslash ends no string.
      let isEscape = self[end] == "\\"
      formIndex(after: &end)
      if isEscape, end < endIndex { formIndex(after: &end) }
    }
    guard end < endIndex else { return nil }
    let quoted = String(self[...end])
    self = self[index(after: end)...]
    return try? JSONDecoder().decode(String.self, from: Data(quoted.utf8))
  }
}
