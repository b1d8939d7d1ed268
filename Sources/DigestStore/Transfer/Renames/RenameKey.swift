import ResilientDecoding

/// A missing or an unknown key that a rename may explain.
struct RenameKey: Sendable {
  /// The most missing and the most unknown keys of one object to compare, the most frequent first.
  /// They bound the pairs of a hostile backend.
  private static let maximumKeys = 64

  let model: String

  /// The pattern of the key's path.
  let path: String

  /// The pattern of the object's path, which the path begins with.
  let object: String

  /// Whether the app does not know the key.
  let isNew: Bool

  /// Whether the filter selects the key.
  let isMatching: Bool

  /// The failures of the key. A required and an optional property have one each.
  private(set) var failures: [Int64] = []
  private var digests: Int64 = 0

  /// The number of characters of the path behind that of the object, as SQLite counts them.
  var suffix: Int { path.unicodeScalars.count - object.unicodeScalars.count }

  /// Reads the keys that occur in the window and releases of a filter, in objects with keys of both
  /// kinds.
  static func candidates(_ connection: any Engine, _ filter: DigestFilter) throws -> [Self] {
    var all = filter
    all.codingPaths = []
    let counts = try Counts(connection, all, in: connection.widened(filter.window), name: "all")
    var keys: [[BinaryString]: Self] = [:]
    try connection.forEachRow(
      """
      SELECT f.id, m.name, f.coding_path, f.kind, \(filter.failureCondition()), c.digests
      FROM (SELECT failure, sum(digests) AS digests FROM (\(counts.sql)) AS t GROUP BY 1) AS c
      CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
      """, filter.values().merging(counts.values) { first, _ in first }
    ) { row in
      let (model, path) = (row.text(at: 1) ?? "", row.text(at: 2) ?? "")
      let isNew = row.text(at: 3) == ErrorDigest.Kind.unknownKey.rawValue
      guard let components = ErrorDigest.Path(path)?.components, case .key? = components.last else {
        return true
      }
      let object = ErrorDigest.Path(components.dropLast()).description
      let name = [model, path, isNew ? "new" : "old"].map(BinaryString.init)
      var key =
        keys[name]
        ?? Self(
          model: model, path: path, object: object, isNew: isNew,
          isMatching: row.integer(at: 4) != 0)
      key.failures.append(row.integer(at: 0))
      key.digests = key.digests.adding(count: row.count(at: 5))
      keys[name] = key
      return true
    }
    let objects = Dictionary(grouping: keys.values) {
      [$0.model, $0.object].map(BinaryString.init)
    }
    return objects.values.flatMap { keys -> [Self] in
      let sorted = keys.sorted { ($0.digests, $1.path) > ($1.digests, $0.path) }
      let (new, old) = (sorted.filter(\.isNew), sorted.filter { !$0.isNew })
      guard !new.isEmpty, !old.isEmpty else { return [] }
      return Array(new.prefix(maximumKeys) + old.prefix(maximumKeys))
    }
  }
}
