extension ErrorDigest.Path {
  /// Reads a path or a pattern as `description` and `pattern` write them.
  ///
  /// A key that should be quoted and is not is taken as it is. A dictionary's key cannot be told
  /// from another one.
  ///
  /// - Returns: nil for text that is no path.
  public init?(parsing text: String) {
    // By scalars: a key may begin with one that would make one character with the dot before it.
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

  /// Takes those keys for a dictionary's where a pattern has a `*`.
  ///
  /// - Returns: nil when the pattern is of another path.
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

  /// Whether some index or dictionary key is not known.
  package var isPattern: Bool {
    components.contains(.anyIndex) || components.contains(.anyDictionaryKey)
  }
}

extension ErrorDigest.Path.Component {
  /// Reads `[]`, `[3]` or `["a key"]`, and moves behind it.
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
  /// Removes a string in quotes with the escapes of JSON (RFC 8259, section 7), and returns it.
  fileprivate mutating func removeQuotedString() -> String? {
    var units: [UInt16] = []
    removeFirst()
    while let scalar = popFirst() {
      switch scalar {
      case "\"":
        return String(decoding: units, as: UTF16.self)
      case "\\":
        guard let unit = removeEscape() else { return nil }
        units.append(unit)
      default:
        units += String(scalar).utf16
      }
    }
    return nil
  }

  /// Removes what stands behind a backslash, and returns the UTF-16 code unit that it means.
  private mutating func removeEscape() -> UInt16? {
    switch popFirst() {
    case "\"": return 0x22
    case "\\": return 0x5c
    case "/": return 0x2f
    case "b": return 0x08
    case "f": return 0x0c
    case "n": return 0x0a
    case "r": return 0x0d
    case "t": return 0x09
    case "u":
      let digits = String(prefix(4))
      guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
      removeFirst(4)
      return UInt16(digits, radix: 16)
    default: return nil
    }
  }
}
