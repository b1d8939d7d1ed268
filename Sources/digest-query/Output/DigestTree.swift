import DigestStore
import ResilientDecoding

/// A digest as a tree, like the one in the debugger.
struct DigestTree {
  /// A deeper path is one line, so that a crafted path cannot make the tree huge.
  private static let maximumDepth = 64

  private let digest: DigestStore.RecordedDigest

  init(_ digest: DigestStore.RecordedDigest) {
    self.digest = digest
  }

  /// The line that identifies the digest.
  var heading: String {
    let release = digest.release.map { " \($0)" } ?? ""
    return
      ("\(digest.id): \((digest.errorCount == 1 ? "1 entry" : "\(digest.errorCount) entries")) of \(digest.model)\(release) at "
      + digest.recordedAt.iso8601).printable
  }

  /// The errors at their paths, and the omitted ones by their counts.
  var lines: [String] {
    var tree = ErrorTree()
    for entry in digest.entries { tree.insert(entry.explanation, at: Self.place(of: entry)) }
    return (tree.lines + digest.omissions.map(\.omission)).map(\.printable)
  }

  /// The path of an error in the tree; for a missing key the path of its container.
  private static func place(of entry: DigestStore.Occurrence) -> ErrorDigest.Path {
    guard var path = ErrorDigest.Path(entry.codingPath),
      path.components.count <= maximumDepth
    else { return ErrorDigest.Path([.key(entry.codingPath)]) }
    if entry.isMissingKey, !path.components.isEmpty { path.components.removeLast() }
    return path
  }
}

extension DigestStore.Occurrence {
  fileprivate var isMissingKey: Bool { kind == .keyNotFound || kind == .missingKey }

  /// A short summary, followed by the kind.
  fileprivate var explanation: [String] {
    ["- \(summary)\(found.map { ", found \($0)" } ?? "")", "  \(kind.rawValue)"]
  }

  /// The found value, unless the summary already implies it.
  private var found: String? {
    guard let foundType, novelValue == nil || foundValue != novelValue else { return nil }
    if kind == .valueNotFound, foundType == .null { return nil }
    guard let foundValue else { return foundType.rawValue }
    return foundType == .string
      ? "string \"\(foundValue)\"" : "\(foundType.rawValue) \(foundValue)"
  }

  /// The errors that a full digest only counted, in words.
  fileprivate var omission: String {
    let value = novelValue.map { " \"\($0)\"" } ?? ""
    let path = codingPath.isEmpty ? "the document" : codingPath
    return "… and \(times) more: \(kind.rawValue)\(value) at \(path)"
  }

  private var summary: String {
    let expected = expectedType.map { "`\($0)`" }
    if let novelValue {
      return "Unknown novel value \"\(novelValue)\"" + (expected.map { " of \($0)" } ?? "")
    }
    let behind = expected.map { ", expected \($0)" } ?? ""
    switch kind {
    case .unknownKey: return "Unknown key"
    case .converted: return "Converted to \(expected ?? "another type")"
    case .unknownNovelValue: return "Unknown novel value" + (expected.map { " of \($0)" } ?? "")
    case .typeMismatch: return "Could not decode as \(expected ?? "the type")"
    case .valueNotFound:
      return "Found null where \(expected.map { "a \($0)" } ?? "a value") was expected"
    case .keyNotFound, .missingKey:
      let key = ErrorDigest.Path(codingPath)?.components.last?.key ?? codingPath
      return "Found no key \"\(key)\"\(behind)"
    case .dataCorrupted: return "Could not make sense of the data\(behind)"
    case .other: return "Failed\(behind)"
    }
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var key: String? {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index, .anyIndex, .anyDictionaryKey: nil
    }
  }
}
