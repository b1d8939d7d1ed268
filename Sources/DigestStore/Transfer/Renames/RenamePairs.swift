import ResilientPlatform

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
