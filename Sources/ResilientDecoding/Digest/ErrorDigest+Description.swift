extension ErrorDigest: CustomDebugStringConvertible {
  /// The errors as a tree of what was recovered, two spaces a level.
  ///
  /// Children are in the order of their names, elements in the order of their indices.
  public var debugDescription: String {
    var tree = ErrorTree()
    for entry in entries { tree.insert(["- \(entry.summary.onOneLine)"], at: entry.recoveryPath) }
    return (tree.lines + omissions.map(\.line)).joined(separator: "\n")
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
      return "Found no key \"\(codingPath.components.last?.keyName ?? key.stringValue)\""
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
