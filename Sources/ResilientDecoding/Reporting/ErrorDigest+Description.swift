extension ErrorDigest: CustomDebugStringConvertible {
  /// The errors as a tree of what was recovered, two spaces a level.
  ///
  /// Children are in the order of their names, elements in the order of their indices.
  public var debugDescription: String {
    var root = Node()
    for entry in entries { root.insert(entry, at: entry.recoveryPath.components[...]) }
    return (root.lines + omissions.map(\.line)).joined(separator: "\n")
  }
}

/// A property or element, what was recovered from there, and what is below it.
private struct Node {
  private var errors: [String] = []
  private var children: [ErrorDigest.Path.Component: Node] = [:]

  mutating func insert(_ entry: ErrorDigest.Entry, at path: ArraySlice<ErrorDigest.Path.Component>)
  {
    guard let first = path.first else {
      errors.append("- \(entry.summary.onOneLine)")
      return
    }
    children[first, default: Node()].insert(entry, at: path.dropFirst())
  }

  var lines: [String] {
    errors
      + children.sorted { $0.key.sortKey < $1.key.sortKey }.flatMap { component, node in
        [component.name.onOneLine] + node.lines.map { "  " + $0 }
      }
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var name: String {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index(let index): "Index \(index)"
    case .anyIndex: "[]"
    case .anyDictionaryKey: "*"
    }
  }

  /// Names by themselves, indices by number.
  fileprivate var sortKey: (Int, String) {
    if case .index(let index) = self { (index, "") } else { (-1, name) }
  }
}

extension ErrorDigest.Entry {
  /// The error in a few words.
  fileprivate var summary: String {
    if kind == .converted {
      return "Converted to `\(expectedType ?? "?")` (this error is not reported by default)"
    }
    let value = novelValue.map { "Unknown novel value \"\($0.text)\"" }
    switch (error as? DecodingPathError)?.underlyingError ?? error {
    case is UnknownNovelValueError:
      return "\(value ?? message) (this error is not reported by default)"
    case DecodingError.typeMismatch(let type, _):
      return "Could not decode as `\(typeName(type))`"
    case DecodingError.valueNotFound(let type, _):
      return "Found null where a `\(typeName(type))` was expected"
    case DecodingError.keyNotFound(let key, _):
      return "Found no key \"\(key.stringValue)\""
    case DecodingError.dataCorrupted:
      return value ?? "Could not make sense of the data: \(message)"
    default:
      return message
    }
  }
}

extension ErrorDigest.Omission {
  fileprivate var line: String {
    let value = failure.novelValue.map { " \"\($0.text)\"" } ?? ""
    return "… and \(count) more: \(failure.kind.rawValue)\(value) at \(failure.codingPath)"
      .onOneLine
  }
}

extension String {
  /// The text with its line breaks and other controls as escapes: data makes no lines.
  var onOneLine: String {
    let isControl = { (scalar: Unicode.Scalar) in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return unicodeScalars.map { isControl($0) ? $0.escaped : String($0) }.joined()
  }
}
