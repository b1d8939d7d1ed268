import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// A key that payloads lack, and one that they have in the same object.
  public struct KeyRename: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path of the missing key.
    public let oldPath: String
    /// The pattern of the coding path of the unknown key, in the same objects.
    public let newPath: String
    /// The number of digests in which an object lacks the old key and has the new one.
    public let digests: Int
    /// When the first of these digests was recorded.
    public let firstSeen: Date
    /// When the last of these digests was recorded.
    public let lastSeen: Date
    /// The release of the first of these digests, if it has one.
    public let firstRelease: String?
    /// The number of digests in which an object lacks the old key.
    public let oldDigests: Int
    /// The number of digests in which an object has the new key.
    public let newDigests: Int

    /// The share of the digests with either, from 0 to 1, that have both.
    public var share: Double {
      let either = oldDigests.adding(count: newDigests) - digests
      return either > 0 ? Double(digests) / Double(either) : 0
    }
  }
}

extension DigestReader {
  /// Finds keys that the backend may have renamed, most digests first, then the largest share.
  ///
  /// A row is a missing key and an unknown key of one object, if at least half of the digests that
  /// have one of them have both. Other keys that come and go together are rows, too: the share, the
  /// times and the names tell a rename from these. Of an object, the 64 most frequent keys of
  /// each kind are compared.
  ///
  /// The store must record both kinds of keys: `reportsMissingKeys` and `reportsUnknownKeys` of the
  /// configuration. Only digests that the store still has are searched, so this takes time in
  /// proportion to them if there is any candidate.
  ///
  /// - Parameters:
  ///   - filter: the digests to search. A path selects renames with either key. Kinds and novel
  ///     values have no effect.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func renames(
    matching filter: DigestFilter = DigestFilter(), limit: Int? = nil
  ) throws -> [DigestStore.KeyRename] {
    try renames(matching: filter, limit: limit, pages: nil)
  }

  /// Finds renames in the latest digests, which is fast in a store of any size.
  package func latestRenames(
    matching filter: DigestFilter, limit: Int?
  ) throws -> [DigestStore.KeyRename] {
    try renames(matching: filter, limit: limit, pages: 1)
  }

  /// Whether the store has recorded missing and unknown keys.
  package func hasRenameKeys() throws -> Bool {
    func has(_ kind: ErrorDigest.Kind) throws -> Bool { try hasName(kind.rawValue, of: .kind) }
    return try has(.unknownKey) && (has(.missingKey) || has(.keyNotFound))
  }

  /// - Parameter pages: the most pages of digests to read, the latest; nil for all.
  private func renames(
    matching filter: DigestFilter, limit: Int?, pages: Int?
  ) throws -> [DigestStore.KeyRename] {
    var filter = filter
    (filter.kinds, filter.novelValues) = ([.keyNotFound, .missingKey, .unknownKey], [])
    filter.failures = []
    let keys = try snapshot { [filter] in try RenameKey.candidates($0, filter) }
    guard !keys.isEmpty else { return [] }
    filter.codingPaths = []
    let cursor = DigestCursor(filter, newestFirst: pages != nil)
    let pairs = try RenamePairs(of: keys)
    var rest = pages ?? .max
    try forEachPage(of: cursor) { ids, connection in
      try cursor.readErrors(of: ids, on: connection)
    } handle: { page in
      for digest in page { try pairs.add(digest) }
      rest -= 1
      return rest > 0
    }
    return try pairs.renames(limit: limit)
  }
}

/// Counts the digests in which an object lacks one key and has another, with SQLite in memory. A
/// server's digests are counted there, too.
final class RenamePairs {
  private let connection: Connection
  private let forgetDigest: Statement
  private let readDigest: Statement
  private let countDigest: Statement

  init(of keys: [RenameKey]) throws {
    connection = try Connection(path: "", mode: .memory)
    try connection.execute(
      """
      CREATE TABLE key (id INTEGER PRIMARY KEY, model TEXT, pattern TEXT, suffix INTEGER, is_new INTEGER,
        is_matching INTEGER);
      CREATE TABLE failure (id INTEGER PRIMARY KEY, key INTEGER);
      -- The keys of one digest. The object is the exact path, as in `items[3]`.
      CREATE TABLE entry (model, object, is_new, key, PRIMARY KEY (model, object, is_new, key))
        WITHOUT ROWID;
      -- How many digests have both keys, or the first one if the second one is 0.
      CREATE TABLE pair (old INTEGER, new INTEGER, digests INTEGER, first_seen INTEGER,
        last_seen INTEGER, first_release TEXT, PRIMARY KEY (old, new)) WITHOUT ROWID;
      BEGIN
      """)
    let addKey = try Statement(connection, "INSERT INTO key VALUES (?, ?, ?, ?, ?, ?)")
    let addFailure = try Statement(connection, "INSERT INTO failure VALUES (?, ?)")
    for (id, key) in zip(Int64(1)..., keys) {
      try addKey.run([
        .integer(id), .text(key.model), .text(key.path),
        .integer(Int64(key.suffix)), .integer(key.isNew ? 1 : 0),
        .integer(key.isMatching ? 1 : 0),
      ])
      for failure in key.failures { try addFailure.run([.integer(failure), .integer(id)]) }
    }
    forgetDigest = try Statement(connection, "DELETE FROM entry")
    // An error that a full digest only counted has no exact path, so it is in no pair.
    readDigest = try Statement(
      connection,
      """
      INSERT OR IGNORE INTO entry
      SELECT model, iif(times > 1, id, substr(path, 1, length(path) - suffix)), is_new, id
      FROM (
        SELECT k.*, \(OccurrenceRows.failure()) AS failure, \(OccurrenceRows.times()) AS times,
          iif(e.type = 'array', ifnull(e.value ->> 1, k.pattern), NULL) AS path
        FROM json_each(iif(\(OccurrenceRows.isArray("?1")), ?1, '[]')) AS e
        CROSS JOIN failure AS f ON f.id = \(OccurrenceRows.failure())
        CROSS JOIN key AS k ON k.id = f.key
      )
      WHERE \(OccurrenceRows.isCounted)
      """)
    countDigest = try Statement(
      connection,
      """
      INSERT INTO pair
      SELECT DISTINCT key, 0, 1, ?1, ?1, ?2 FROM entry
      UNION ALL
      SELECT DISTINCT o.key, n.key, 1, ?1, ?1, ?2
      FROM entry AS o CROSS JOIN entry AS n ON n.model = o.model AND n.object = o.object
      WHERE NOT o.is_new AND n.is_new
      ON CONFLICT DO UPDATE SET
        digests = digests + 1,
        -- Of two digests at the same moment the smaller release, whatever their order is.
        first_release = iif(
          (excluded.first_seen, ifnull(excluded.first_release, ''))
            < (first_seen, ifnull(first_release, '')), excluded.first_release, first_release),
        first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen)
      """)
  }

  func add(_ digest: DigestErrors) throws {
    guard Moment.earliest...Moment.latest ~= digest.recordedAt else { return }
    try forgetDigest.run()
    try readDigest.run([.text(digest.errors)])
    try countDigest.run([.integer(digest.recordedAt.milliseconds), SQLValue(digest.release)])
  }

  /// Returns the pairs that have at least half of the digests of either key.
  func renames(limit: Int?) throws -> [DigestStore.KeyRename] {
    try connection.rows(
      """
      SELECT o.model, o.pattern, n.pattern, both.digests, both.first_seen, both.last_seen,
        both.first_release, old.digests, new.digests
      FROM pair AS both CROSS JOIN key AS o ON o.id = both.old CROSS JOIN key AS n ON n.id = both.new
      CROSS JOIN pair AS old ON old.old = both.old AND old.new = 0
      CROSS JOIN pair AS new ON new.old = both.new AND new.new = 0
      WHERE (o.is_matching OR n.is_matching)
        AND 3 * both.digests >= old.digests + new.digests
      ORDER BY both.digests DESC, old.digests + new.digests, o.model, o.pattern, n.pattern
      LIMIT :limit
      """, [":limit": .integer(Int64(limit ?? -1))]
    ) { row in
      DigestStore.KeyRename(
        model: row.text(at: 0) ?? "", oldPath: row.text(at: 1) ?? "",
        newPath: row.text(at: 2) ?? "", digests: Int(row.integer(at: 3)),
        firstSeen: Moment(milliseconds: row.integer(at: 4)).date,
        lastSeen: Moment(milliseconds: row.integer(at: 5)).date, firstRelease: row.text(at: 6),
        oldDigests: Int(row.integer(at: 7)), newDigests: Int(row.integer(at: 8)))
    }
  }
}

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
