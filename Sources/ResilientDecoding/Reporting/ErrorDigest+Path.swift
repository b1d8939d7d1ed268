extension ErrorDigest {
  /// A place in a payload, exact (`items[3].kind`) or as a pattern (`items[].kind`).
  ///
  /// A key that is no plain word of letters, digits and underscores is quoted: `a["x.y"].b`. The
  /// whole document is the empty path.
  public struct Path: Sendable, Hashable {
    package enum Component: Sendable, Hashable {
      case key(String)
      case dictionaryKey(String)
      case anyDictionaryKey
      case index(Int)
      case anyIndex
    }

    package var components: [Component]

    package init(_ components: [Component] = []) {
      self.components = components
    }
  }
}

extension ErrorDigest.Path: CustomStringConvertible {
  /// The path as text: exact where it is known.
  public var description: String {
    var text = ""
    for component in components { component.write(to: &text) }
    return text
  }

  /// The path with every index as `[]`, and every key that is known as a dictionary's as `*`.
  public var pattern: String {
    generalized.description
  }

  /// The pattern of this path as a path of its own.
  package var generalized: Self {
    Self(components.map(\.generalized))
  }

  func starts(with prefix: Self) -> Bool {
    components.starts(with: prefix.components)
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var generalized: Self {
    switch self {
    case .key, .anyIndex, .anyDictionaryKey: self
    case .index: .anyIndex
    case .dictionaryKey: .anyDictionaryKey
    }
  }

  /// Appends the component, with the dot before it that it needs behind another one.
  package func write(to text: inout String) {
    switch self {
    case .index(let index): text += "[\(index)]"
    case .anyIndex: text += "[]"
    case .anyDictionaryKey: text += text.isEmpty ? "*" : ".*"
    case .key(let key), .dictionaryKey(let key):
      if key.isPlainWord {
        if !text.isEmpty { text += "." }
        text += key
      } else {
        text += "[\(key.jsonQuoted)]"
      }
    }
  }
}

extension String {
  fileprivate var isPlainWord: Bool {
    !isEmpty && allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
  }

  /// The string in quotes, with the escapes of JSON (RFC 8259, section 7).
  package var jsonQuoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\":
        text += "\\"
        text.unicodeScalars.append(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.properties.generalCategory == .control:
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
