extension ErrorDigest: CustomDebugStringConvertible {
  /// The errors as a tree by recovery path, indented by two spaces a level.
  ///
  /// Members are sorted by name, elements by index.
  public var debugDescription: String {
    var tree = ErrorTree()
    for entry in entries { tree.insert(["- \(entry.summary.onOneLine)"], at: entry.recoveryPath) }
    return (tree.lines + omissions.map(\.line)).joined(separator: "\n")
  }
}

extension ErrorDigest.Entry {
  /// A short description of the error.
  fileprivate var summary: String {
    if kind == .converted {
      return "Converted to `\(expectedType ?? "?")` (this error is not reported by default)"
    }
    if kind == .unknownKey {
      let key = codingPath.components.last?.keyName.map { " \"\($0)\"" } ?? "s"
      return "Unknown key\(key) (this error is not reported by default)"
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
      let hint = isForOptionalKey ? " (this error is not reported by default)" : ""
      return "Found no key \"\(codingPath.components.last?.keyName ?? key.stringValue)\"\(hint)"
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
