import ResilientDecoding

/// The missing and unknown keys of a store that a rename may explain.
struct RenameKeys: Sendable {
  static let kinds: [ErrorDigest.Kind] = [.keyNotFound, .missingKey, .unknownKey]

  /// The most missing and the most unknown keys of one place to compare, the most frequent first.
  /// They bound the pairs of a hostile backend.
  private static let maximumKeys = 64

  struct Key: Sendable, Hashable {
    private let names: [BinaryString]

    /// Whether the app does not know the key.
    let isNew: Bool

    /// Whether the filter selects the key.
    let isMatching: Bool

    /// - Parameters:
    ///   - object: the pattern of the object's path.
    ///   - path: the pattern of the key's path.
    init(model: String, object: String, path: String, isNew: Bool, isMatching: Bool) {
      names = [model, object, path].map(BinaryString.init)
      (self.isNew, self.isMatching) = (isNew, isMatching)
    }

    var model: String { names[0].text }
    var path: String { names[2].text }

    /// The model, and the pattern of the object's path.
    var object: [BinaryString] { Array(names.prefix(2)) }
  }

  /// The keys by the ids of their failures.
  private var keys: [Int64: Key] = [:]

  /// The types of values, as the app expects them or as payloads have them.
  private var types: [Key: RenamedValueType] = [:]

  /// The keys in all digests.
  private(set) var history = RenameHistory()

  var isEmpty: Bool { keys.isEmpty }

  /// Reads the keys that occur in the window and releases of a filter.
  init(_ connection: any Engine, _ filter: DigestFilter) throws {
    var all = filter
    (all.codingPaths, all.kinds) = ([], Self.kinds)
    let counts = try Counts(connection, all, in: connection.widened(filter.window), name: "all")
    var digests: [Key: Int64] = [:]
    var found: [Int64: Key] = [:]
    var models: [Int64: Int64] = [:]
    try connection.forEachRow(
      """
      SELECT f.id, m.name, f.coding_path, f.kind, f.expected_type, f.found_type,
        \(filter.failureCondition()), c.digests, f.model
      FROM (SELECT failure, sum(digests) AS digests FROM (\(counts.sql)) AS t GROUP BY 1) AS c
      CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
      """, filter.values().merging(counts.values) { first, _ in first }
    ) { row in
      let path = row.text(at: 2) ?? ""
      let isNew = row.text(at: 3) == ErrorDigest.Kind.unknownKey.rawValue
      guard let object = PayloadKey(path)?.object else { return true }
      let key = Key(
        model: row.text(at: 1) ?? "", object: object, path: path, isNew: isNew,
        isMatching: row.integer(at: 6) != 0)
      found[row.integer(at: 0)] = key
      models[row.integer(at: 0)] = row.integer(at: 8)
      digests[key] = (digests[key] ?? 0).adding(count: row.count(at: 7))
      types[key] =
        isNew
        ? RenamedValueType(found: row.text(at: 5))
        : RenamedValueType(expected: row.text(at: 4))
      return true
    }
    guard Set(found.values.lazy.map(\.isNew)).count == 2 else { return }
    let keys = Self.candidates(of: found, digests)
    self.keys = keys
    history = try RenameHistory(
      connection,
      Dictionary(
        uniqueKeysWithValues: keys.map { id, key in (id, (model: models[id] ?? 0, key: key)) }))
  }

  /// The keys of objects with keys of both kinds.
  private static func candidates(
    of found: [Int64: Key], _ digests: [Key: Int64]
  ) -> [Int64: Key] {
    let objects = Dictionary(grouping: digests.keys, by: \.object)
    var candidates: Set<Key> = []
    for keys in objects.values {
      let sorted = keys.sorted { (digests[$0] ?? 0, $1.path) > (digests[$1] ?? 0, $0.path) }
      let (new, old) = (sorted.filter(\.isNew), sorted.filter { !$0.isNew })
      guard !new.isEmpty, !old.isEmpty else { continue }
      candidates.formUnion(new.prefix(maximumKeys) + old.prefix(maximumKeys))
    }
    return found.filter { candidates.contains($0.value) }
  }

  /// The key of a failure; nil if it is no candidate.
  subscript(failure: Int64) -> Key? { keys[failure] }

  /// Whether a missing key and an unknown one of the same object may be the same.
  func canBeRename(_ old: Key, _ new: Key) -> Bool {
    old.object == new.object
      && (types[old] ?? .unknown).matches(types[new] ?? .unknown)
  }
}

/// The path of a key, split into the path of its object and its name.
struct PayloadKey {
  let object: String
  let key: String

  /// - Returns: nil if the path ends with an index or a dictionary's key.
  init?(_ path: String) {
    guard let path = ErrorDigest.Path(path), case .key(let key) = path.components.last
    else { return nil }
    self.key = key
    object = ErrorDigest.Path(path.components.dropLast()).description
  }
}

/// The JSON type of a value, as far as it is known.
enum RenamedValueType: Sendable {
  case unknown
  case string
  case number
  case boolean
  case array
  case object

  /// - Parameter type: the name of a Swift type; nil if it is unknown.
  init(expected type: String?) {
    var type = type?[...] ?? ""
    if type.hasSuffix("?") { type.removeLast() }
    switch type.split(separator: "<").first ?? "" {
    case "String", "URL", "UUID", "Data": self = .string
    case "Bool": self = .boolean
    case "Double", "Float", "Decimal": self = .number
    case "Array", "Set": self = .array
    case "Dictionary": self = .object
    case let name where name.hasPrefix("Int") || name.hasPrefix("UInt"): self = .number
    case let name where name.hasPrefix("["): self = name.contains(":") ? .object : .array
    default: self = .unknown
    }
  }

  /// - Parameter type: the raw value of an `ErrorDigest.FoundValue.ValueType`.
  init(found type: String?) {
    switch type.flatMap(ErrorDigest.FoundValue.ValueType.init) {
    case .string: self = .string
    case .number: self = .number
    case .boolean: self = .boolean
    case .array: self = .array
    case .object: self = .object
    default: self = .unknown
    }
  }

  func matches(_ other: Self) -> Bool { self == other || self == .unknown || other == .unknown }
}
