extension ErrorDigest {
  /// A place in a payload, exact (`items[3].kind`) or as a pattern (`items[].kind`).
  ///
  /// A key that is no plain word of letters, digits and underscores is quoted: `a["x.y"].b`. The
  /// whole document is the empty path. Paths are equal when their keys have the same Unicode scalars.
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
    for component in components { text += component.text(isFirst: text.isEmpty) }
    return text
  }

  /// The path with every index as `[]`, and every key that is known as a dictionary's as `*`.
  public var pattern: String {
    generalized.description
  }

  /// The path of which only the pattern is known: without indices and dictionary keys.
  public var generalized: Self {
    Self(components.map(\.generalized))
  }

  func starts(with prefix: Self) -> Bool {
    components.starts(with: prefix.components)
  }
}

extension ErrorDigest.Path.Component {
  package static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.key(let key), .key(let other)), (.dictionaryKey(let key), .dictionaryKey(let other)):
      key.hasSameScalars(as: other)
    case (.index(let index), .index(let other)): index == other
    case (.anyIndex, .anyIndex), (.anyDictionaryKey, .anyDictionaryKey): true
    default: false
    }
  }

  /// The key of an object, a model's or a dictionary's, if it is known.
  var keyName: String? {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index, .anyIndex, .anyDictionaryKey: nil
    }
  }

  /// The component as it is in a pattern.
  package var generalized: Self {
    switch self {
    case .key, .anyIndex, .anyDictionaryKey: self
    case .index: .anyIndex
    case .dictionaryKey: .anyDictionaryKey
    }
  }

  /// The component as it stands in a path, with the dot that it may need behind another one.
  package func text(isFirst: Bool) -> String {
    switch self {
    case .index(let index): "[\(index)]"
    case .anyIndex: "[]"
    case .anyDictionaryKey: isFirst ? "*" : ".*"
    case .key(let key), .dictionaryKey(let key):
      if !key.isPlainWord {
        "[\(key.jsonQuoted)]"
      } else {
        isFirst ? key : ".\(key)"
      }
    }
  }
}

extension String {
  fileprivate var isPlainWord: Bool {
    // Nearly all keys are ASCII, for which a look at the bytes is enough.
    if utf8.allSatisfy(\.isPlain) { return !isEmpty }
    return allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
  }

  /// The string in quotes, with the escapes of JSON (RFC 8259, section 7).
  package var jsonQuoted: String {
    unicodeScalars.reduce(into: "\"") { text, scalar in
      if scalar == "\"" || scalar == "\\" {
        text += "\\"
        text.unicodeScalars.append(scalar)
      } else if scalar.properties.generalCategory == .control {
        text += scalar.escaped
      } else {
        text.unicodeScalars.append(scalar)
      }
    } + "\""
  }
}

extension Unicode.Scalar {
  /// The escape of JSON for a scalar of the Basic Multilingual Plane (RFC 8259, section 7).
  package var escaped: String {
    switch self {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
