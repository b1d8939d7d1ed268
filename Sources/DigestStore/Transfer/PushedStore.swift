import ResilientPlatform

/// A store whose counts and digests are pushed to another database, as one snapshot.
///
/// Temporary tables of the snapshot say what is sent:
///
///     sent_context (theirs, source, ours)    the contexts, and their ids in the receiver
///     sent_period (source, span, start)      the hours and days whose counts are sent
///     sent_model (theirs, ours)              the models
///     sent_failure (theirs, ours)            the failures
///     unfolded_tally, …_decodes, …_total     the counts of digests that are not folded
///
/// A source is the store itself, or one that was pushed to it. What the store has imported is its
/// own.
// Sendable: one thread at a time uses it, the one that pushes.
final class PushedStore: @unchecked Sendable {
  /// The store itself, or a store that was pushed to it.
  struct SentSource {
    let id: Int64
    let identity: String

    /// The number of its last digest in the counts of this store, and when that was recorded; 0 if
    /// unknown.
    let counted: Int64
    let countedAt: Int64

    /// The name for the receiver; empty without one.
    let name: String

    /// When it was pushed last: now, if this is the store itself.
    let pushedAt: Int64

    /// Whether this is the store itself.
    var isOwn: Bool { id == 1 }
  }

  /// The decodes of a period, and the digests among them.
  struct Sums: Equatable {
    var decodes: Int64 = 0
    var digests: Int64 = 0
  }

  /// A name from outside is cut at this length.
  private static let nameLimit = ValueLimit(256)

  let path: String
  let losses: [DigestStore.Loss]
  let connection: Connection
  private let name: String

  /// Opens a store.
  ///
  /// - Parameter name: its name for the receiver; empty for the one that it has there.
  /// - Throws: ``DigestStoreError``.
  init(_ path: String, name: String = "") throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    (self.path, self.name) = (path, name)
    do {
      try path.checkIsFile()
      connection = try Connection.openStoreForReading(at: path)
      losses = try connection.losses(matching: DigestFilter())
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Begins the snapshot, inside the first transaction of a receiver that has any. So of two pushes
  /// of a store at the same time, the later one has all that the other one has.
  func beginSnapshot() throws {
    try mappingErrors {
      connection.rollBack()
      try connection.beginSnapshot()
      // SQLite takes the snapshot with the first read.
      _ = try connection.schemaVersion()
    }
  }

  /// Makes the temporary tables and views.
  func countUnfolded() throws {
    try mappingErrors {
      let digests = SingleDigests(
        connection, DigestFilter(), in: TimeWindow(since: nil, until: nil), splitsContexts: true)
      try connection.execute(
        """
        CREATE TEMP VIEW unfolded_tally AS SELECT * FROM \(digests.table(of: .tally));
        CREATE TEMP VIEW unfolded_decodes AS SELECT * FROM \(digests.table(of: .decodes));
        CREATE TEMP VIEW unfolded_total AS SELECT * FROM \(SingleDigests.totals(connection));
        CREATE TEMP TABLE sent_context (theirs INTEGER PRIMARY KEY, source INTEGER, ours INTEGER);
        INSERT INTO sent_context SELECT id, source, NULL FROM context;
        CREATE INDEX sent_context_of_ours ON sent_context (ours);
        CREATE TEMP TABLE sent_period (
          source INTEGER, span INTEGER, start INTEGER, PRIMARY KEY (source, span, start));
        CREATE TEMP TABLE sent_model (theirs INTEGER PRIMARY KEY, ours INTEGER);
        INSERT INTO sent_model SELECT id, NULL FROM model;
        CREATE TEMP TABLE sent_failure (theirs INTEGER PRIMARY KEY, ours INTEGER);
        """)
    }
  }

  /// Reads all rows of a query, and throws errors of SQLite as those of this store.
  private func rows<Value>(
    _ sql: String, _ values: [String: SQLValue] = [:], _ read: (any Row) throws -> Value
  ) throws -> [Value] {
    try mappingErrors { try connection.rows(sql, values, read) }
  }

  /// Runs `body`, and throws errors of SQLite as those of this store, and not of the receiver.
  func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw DigestStoreError(error, path: path)
    }
  }
}

extension PushedStore {
  /// The sources. Those whose push has not ended are left out, because the store has a part of them.
  func sources() throws -> [SentSource] {
    try rows(
      """
      SELECT o.id, o.identity,
        iif(o.id = 1, (SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded) FROM store),
          o.counted), o.counted_at, o.name, o.pushed_at
      FROM source AS o WHERE o.pushing = 0
      """
    ) { row in
      let (id, counted) = (row.integer(at: 0), row.count(at: 2))
      return SentSource(
        id: id, identity: row.text(at: 1) ?? "", counted: counted,
        countedAt: id == 1
          ? try times(ofDigests: [counted])[counted]?.milliseconds ?? 0
          : row.moment(at: 3).milliseconds,
        name: Self.nameLimit.cut(id == 1 ? name : row.text(at: 4) ?? ""),
        pushedAt: (id == 1 ? Moment(Date()) : row.moment(at: 5)).milliseconds)
    }
  }

  /// When digests were recorded, by id, of those that are still there.
  func times(ofDigests ids: some Sequence<Int64>) throws -> [Int64: Moment] {
    let rows = try rows(
      "SELECT id, recorded_at FROM digest WHERE id IN (SELECT value FROM json_each(:ids))",
      [":ids": .integers(Array(ids))]
    ) { ($0.integer(at: 0), $0.moment(at: 1)) }
    return Dictionary(rows) { first, _ in first }
  }

  /// The identity of the store.
  func identity() throws -> String {
    try mappingErrors { try connection.text("SELECT identity FROM store") ?? "" }
  }

  /// The days whose counts were deleted, in days since 1970.
  func deletedDays() throws -> [Int64] {
    try mappingErrors {
      try connection.deletedDays(in: 0..<Moment.latest.milliseconds)
    }
  }

  /// The decodes and digests of all hours and days, by source.
  func periods() throws -> [PushedPeriod: Sums] {
    let rows = try rows(
      """
      SELECT x.source, d.span, d.start, sum(d.decodes), sum(d.digests)
      FROM (
        SELECT span, context, start, decodes, digests FROM decodes WHERE context > 0
        UNION ALL
        SELECT s.span, u.context, u.start / s.span, u.decodes, u.digests
        FROM unfolded_decodes AS u CROSS JOIN \(Self.spans) AS s
      ) AS d
      CROSS JOIN sent_context AS x ON x.theirs = d.context
      GROUP BY 1, 2, 3
      """
    ) { row in
      (
        PushedPeriod(
          source: row.integer(at: 0), span: row.integer(at: 1), start: row.integer(at: 2)),
        Sums(decodes: row.count(at: 3), digests: row.count(at: 4))
      )
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Chooses the contexts that are sent, and their failures.
  ///
  /// - Parameter contexts: the ids of contexts in the receiver. Others are not sent.
  func choose(contexts: [Int64: Int64]) throws {
    try mappingErrors {
      try set(contexts, in: "sent_context")
      try connection.execute(
        """
        INSERT INTO sent_failure
        SELECT failure, NULL FROM (
          SELECT t.failure FROM sent_context AS x CROSS JOIN total AS t ON t.context = x.theirs
          WHERE x.ours IS NOT NULL
          UNION SELECT failure FROM unfolded_total
          UNION SELECT t.failure FROM sent_context AS x
          CROSS JOIN tally AS t ON t.span = 24 AND t.context = x.theirs WHERE x.ours IS NOT NULL
        )
        """)
    }
  }

  /// Chooses the periods for ``forEachRow(of:_:)``.
  func choose(periods: [PushedPeriod]) throws {
    try connection.execute("DELETE FROM sent_period")
    let add = try Statement(connection, "INSERT INTO sent_period VALUES (?, ?, ?)")
    for period in periods {
      try add.run([.integer(period.source), .integer(period.span), .integer(period.start)])
    }
  }
}
