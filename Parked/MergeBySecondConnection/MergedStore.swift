/// A snapshot of a store that is merged into another one.
///
/// Its errors are those of its own file, so that damage in it is not taken for damage of the store
/// that is written.
// Sendable: only the thread that merges uses the connection.
final class MergedStore: @unchecked Sendable {
  /// A store of which the file has all counts: itself, and those that were merged into it.
  struct Source {
    /// The id in the file; 1 for the file's own.
    let id: Int64
    let identity: String

    /// The number of its last digest in the counts, and when it was recorded; 0 if unknown.
    let counted: Int64
    let countedAt: Int64

    var isOwn: Bool { id == 1 }
  }

  let path: String
  let losses: [DigestStore.Loss]

  /// The number of digests, and the id of the last one in the counts.
  let digests: Int
  let folded: Int64

  /// The first one is the file's own.
  let sources: [Source]

  /// The ids of ``sources``.
  let wholeSources: Set<Int64>

  private let connection: Connection

  /// Opens a store. The snapshot does not change, whatever others write.
  ///
  /// - Throws: ``DigestStoreError``.
  init(_ path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    self.path = path
    do {
      try path.checkIsFile()
      connection = try .openStoreForReading(at: path)
      try connection.execute("BEGIN")
      losses = try connection.losses(matching: DigestFilter())
      digests = Int(clamping: try connection.integer("SELECT count(*) FROM digest") ?? 0)
      folded = try connection.integer("SELECT folded FROM store") ?? 0
      sources = try connection.rows(
        """
        SELECT s.id, s.identity, s.counted, iif(s.counted_at
          BETWEEN \(Moment.earliest.milliseconds) AND \(Moment.latest.milliseconds), s.counted_at, 0)
        FROM (
          SELECT 1 AS id, identity, counted, ifnull(
            (SELECT recorded_at FROM digest WHERE id = counted), 0) AS counted_at
          FROM (
            SELECT identity, max(folded, ifnull(
              (SELECT max(id) FROM digest WHERE id <= \(Int64.maximumCount)), 0)) AS counted
            FROM store)
          UNION ALL
          SELECT id, identity, counted, counted_at FROM source
          WHERE id > 1 AND counted BETWEEN 1 AND \(Int64.maximumCount)
        ) AS s
        ORDER BY 1
        """
      ) {
        Source(
          id: $0.integer(at: 0), identity: $0.text(at: 1) ?? "", counted: $0.integer(at: 2),
          countedAt: $0.integer(at: 3))
      }
      wholeSources = Set(sources.map(\.id))
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// When the digest of a source with a number was recorded; nil if it is not in the file.
  func time(of number: Int64, _ source: Source) throws -> Int64? {
    try reading {
      try Statement(
        connection,
        """
        SELECT recorded_at FROM digest WHERE id = ?2 AND ?1 = 1
        UNION ALL SELECT recorded_at FROM digest WHERE source = ?1 AND number = ?2 AND ?1 > 1
        """
      ).firstRow([.integer(source.id), .integer(number)]) { $0.integer(at: 0) }
    }
  }

  /// Calls `body` with each row of a query.
  func forEachRow(_ sql: String, _ body: (borrowing Statement) throws -> Void) throws {
    let statement = try reading { try Statement(connection, sql) }
    while try reading({ try statement.step() }) { try body(statement) }
  }

  private func reading<Value: ~Copyable>(_ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }
}
