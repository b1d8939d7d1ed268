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

/// Errors as a tree of the places in a payload, indented by two spaces a level.
///
/// Members are sorted by name, elements by index.
package struct ErrorTree {
  /// The greatest depth of the tree, in which further levels are one: the greatest of
  /// `JSONDecoder`.
  private static let maximumDepth = 512

  private var errors: [(path: ErrorDigest.Path, lines: [String])] = []

  package init() {}

  /// Adds the text of an error, in one line or several.
  package mutating func insert(_ lines: [String], at path: ErrorDigest.Path) {
    let rest = ErrorDigest.Path(Array(path.components.dropFirst(Self.maximumDepth)))
    let last = rest.components.isEmpty ? [] : [ErrorDigest.Path.Component.key(rest.description)]
    errors.append((ErrorDigest.Path(path.components.prefix(Self.maximumDepth) + last), lines))
  }

  /// The errors of the whole document, then each child with its subtree.
  ///
  /// Control characters in names are escaped.
  package var lines: [String] {
    var lines: [String] = []
    var place: [ErrorDigest.Path.Component] = []
    for error in errors.sorted(by: { $0.path }) {
      let components = error.path.components
      var depth = 0
      // In this order, no place comes after the next one.
      while depth < min(place.count, components.count), !place[depth].precedes(components[depth]) {
        depth += 1
      }
      for depth in depth..<components.count {
        lines.append(Self.indented(components[depth].name.onOneLine, by: depth))
      }
      lines += error.lines.map { Self.indented($0, by: components.count) }
      place = components
    }
    return lines
  }

  private static func indented(_ line: String, by depth: Int) -> String {
    String(repeating: "  ", count: depth) + line
  }
}
