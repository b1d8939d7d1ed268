import ResilientDecoding

/// Counts the digests in which an object lacks one key and has another, with SQLite in memory. A
/// server's digests are counted there, too.
final class RenamePairs {
  private let connection: Connection
  private let forgetDigest: Statement
  private let readDigest: Statement
  private let countDigest: Statement
  private let window: TimeWindow
  private let countedWindow: TimeWindow?

  /// - Parameters:
  ///   - window: the window of the digests that are listed.
  ///   - countedWindow: the window of those that are counted as a share of decodes; nil for none.
  init(of keys: [RenameKey], in window: TimeWindow, countedIn countedWindow: TimeWindow?) throws {
    (self.window, self.countedWindow) = (window, countedWindow)
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
      CREATE TABLE pair (old INTEGER, new INTEGER, digests INTEGER, counted INTEGER,
        first_seen INTEGER, last_seen INTEGER, first_release TEXT, PRIMARY KEY (old, new))
        WITHOUT ROWID;
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
      SELECT DISTINCT key, 0, :listed, :counted, :first, :last, :release FROM entry
      UNION ALL
      SELECT DISTINCT o.key, n.key, :listed, :counted, :first, :last, :release
      FROM entry AS o CROSS JOIN entry AS n ON n.model = o.model AND n.object = o.object
      WHERE NOT o.is_new AND n.is_new
      ON CONFLICT DO UPDATE SET
        digests = digests + excluded.digests, counted = counted + excluded.counted,
        -- Of two digests at the same moment the smaller release, whatever their order is.
        first_release = iif(
          (excluded.first_seen, ifnull(excluded.first_release, ''))
            < (first_seen, ifnull(first_release, '')), excluded.first_release, first_release),
        first_seen = min(first_seen, excluded.first_seen),
        last_seen = max(last_seen, excluded.last_seen)
      """)
  }

  func add(_ digest: DigestErrors) throws {
    let moment = digest.recordedAt
    guard Moment.earliest...Moment.latest ~= moment else { return }
    let isListed = window.range.contains(moment)
    let isCounted = countedWindow?.range.contains(moment) ?? false
    guard isListed || isCounted else { return }
    try forgetDigest.run()
    try readDigest.run([.text(digest.errors)])
    // One that isn't listed is neither the first nor the last.
    try countDigest.run([
      .integer(isListed ? 1 : 0), .integer(isCounted ? 1 : 0),
      .integer(isListed ? moment.milliseconds : .max),
      .integer(isListed ? moment.milliseconds : .min), SQLValue(digest.release),
    ])
  }

  /// A missing key and an unknown one.
  struct Pair {
    let model: String
    let oldPath: String
    let newPath: String
    let digests: Int
    let counted: Int
    let firstSeen: Moment
    let lastSeen: Moment
    let firstRelease: String?
  }

  /// Returns the pairs that have at least half of the digests of either key.
  func found(limit: Int?) throws -> [Pair] {
    try connection.rows(
      """
      SELECT o.model, o.pattern, n.pattern, both.digests, both.counted, both.first_seen,
        both.last_seen, both.first_release
      FROM pair AS both CROSS JOIN key AS o ON o.id = both.old CROSS JOIN key AS n ON n.id = both.new
      CROSS JOIN pair AS old ON old.old = both.old AND old.new = 0
      CROSS JOIN pair AS new ON new.old = both.new AND new.new = 0
      WHERE (o.is_matching OR n.is_matching) AND both.digests > 0
        AND 3 * both.digests >= old.digests + new.digests
      ORDER BY both.digests DESC, old.digests + new.digests, o.model, o.pattern, n.pattern
      LIMIT :limit
      """, [":limit": .integer(limit.map { Int64(max(0, $0)) } ?? -1)]
    ) { row in
      Pair(
        model: row.text(at: 0) ?? "", oldPath: row.text(at: 1) ?? "",
        newPath: row.text(at: 2) ?? "", digests: Int(row.integer(at: 3)),
        counted: Int(row.integer(at: 4)), firstSeen: Moment(milliseconds: row.integer(at: 5)),
        lastSeen: Moment(milliseconds: row.integer(at: 6)), firstRelease: row.text(at: 7))
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
