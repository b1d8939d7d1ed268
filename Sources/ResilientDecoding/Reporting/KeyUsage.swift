/// The keys of one object that a model has asked for.
// Sendable although it has no lock: only the thread that decodes the object uses it.
final class KeyUsage: @unchecked Sendable {
  /// A decoder of the object, which does not record anything.
  private let decoder: any Decoder

  /// The number of levels above the object.
  let depth: Int

  private var keys: Set<String> = []

  /// Whether the keys were listed, as those of a dictionary are.
  private var hasListedKeys = false

  /// The objects that were decoded through containers within this one.
  private var nested: [KeyUsage] = []

  init(_ decoder: any Decoder, depth: Int) {
    self.decoder = decoder
    self.depth = depth
  }

  func add(_ key: any CodingKey) {
    if !Self.isIgnoring { keys.insert(key.stringValue) }
  }

  func addAllKeys() {
    if !Self.isIgnoring { hasListedKeys = true }
  }

  /// Returns the keys of an object within this one, which are reported with those of this one.
  func adding(_ decoder: any Decoder) -> KeyUsage {
    let usage = KeyUsage(decoder, depth: decoder.codingPath.count)
    if !Self.isIgnoring { nested.append(usage) }
    return usage
  }

  /// Reports the keys that nothing has asked for, once the object is decoded.
  func report(to unknown: UnknownKeys) {
    for usage in nested { usage.report(to: unknown) }
    guard !keys.isEmpty, !hasListedKeys,
      let members = try? decoder.container(keyedBy: DictionaryKey.self)
    else { return }
    let unused = members.allKeys.filter { !keys.contains($0.stringValue) }
    guard !unused.isEmpty else { return }
    let object = ErrorDigest.Path(decoder.codingPath)
    for key in unused.sorted(by: { $0.stringValue < $1.stringValue }) {
      guard let component = unknown.add(key.stringValue, of: object.generalized) else { continue }
      let path = ErrorDigest.Path(object.components + [component])
      unknown.report(path, decoder) { component.keyName == nil ? nil : members.decoder(at: key) }
    }
  }

  @TaskLocal private static var isIgnoring = false

  /// Runs `body`, which reads an object for a report and not for a model.
  static func ignoring<Result>(_ body: () throws -> Result) rethrows -> Result {
    try $isIgnoring.withValue(true, operation: body)
  }
}

/// The unknown keys of a document that have been reported.
final class UnknownKeys: Sendable {
  /// The maximum number of unknown keys that are reported for objects with one pattern.
  private static let maximumKeys = 100

  private let reported = Locked<[ErrorDigest.Path: Set<String>]>([:])

  /// Reports a key of the object of a decoder. The closure returns a decoder of the key's value.
  let report: @Sendable (ErrorDigest.Path, any Decoder, () -> (any Decoder)?) -> Void

  init(report: @escaping @Sendable (ErrorDigest.Path, any Decoder, () -> (any Decoder)?) -> Void) {
    self.report = report
  }

  /// Returns the component to report for a key; nil if it has been reported.
  ///
  /// - Parameter object: The pattern of the object's path.
  func add(_ key: String, of object: ErrorDigest.Path) -> ErrorDigest.Path.Component? {
    reported.withLock { reported in
      guard reported[object, default: []].insert(key).inserted else { return nil }
      switch reported[object, default: []].count {
      case ...Self.maximumKeys: return .key(key)
      case Self.maximumKeys + 1: return .anyDictionaryKey
      default:
        reported[object, default: []].remove(key)
        return nil
      }
    }
  }
}
