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

extension ErrorDigest: CustomStringConvertible {
  /// The errors in their order, one in each line, and the counted ones after them.
  public var description: String {
    (entries.map(\.description) + omissions.map(\.line)).joined(separator: "\n")
  }
}

extension ErrorDigest.Entry: CustomStringConvertible {
  /// The error in one line, such as
  /// `items[3].kind: unknownNovelValue, expected App.Kind, found string "villa"`.
  ///
  /// It may contain a value of the payload: consider where you log it.
  public var description: String {
    let place = codingPath.components.isEmpty ? "the document" : codingPath.description
    let expected = expectedType.map { ", expected \($0)" } ?? ""
    return "\(place): \(kind.rawValue)\(expected)\(found)".onOneLine
  }

  private var found: String {
    if let foundValue {
      ", found \(foundValue.type.rawValue)\(foundValue.text.map { " \($0.jsonQuoted)" } ?? "")"
    } else {
      novelValue.map { ", found \($0.text.jsonQuoted)" } ?? ""
    }
  }
}

extension ErrorDigest.Entry {
  /// A short description of the error.
  fileprivate var summary: String {
    if kind == .converted {
      return "Converted to `\(expectedType ?? "?")` (this error is not reported by default)"
    }
    if kind == .missingKey {
      let key = codingPath.components.last?.keyName.map { " \"\($0)\"" } ?? ""
      return "Found no key\(key) (this error is not reported by default)"
    }
    if kind == .unknownKey {
      let key = codingPath.components.last?.keyName.map { " \"\($0)\"" } ?? "s"
      return "Unknown key\(key) (this error is not reported by default)"
    }
    let value = novelValue.map { "Unknown novel value \"\($0.text)\"" }
    switch error.decoderError {
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
