/// A store whose counts and digests are pushed to another database, as one snapshot.
///
/// Temporary tables of the snapshot say what is sent:
///
///     sent_context (theirs, source, ours)    the contexts, and their ids in the receiver
///     sent_period (source, span, start)      the hours and days whose counts are sent
///     sent_model (theirs, ours)              the models
///     sent_failure (theirs, ours)            the failures
///     sent_total (context, failure)          the totals, by contexts of the receiver, unless all are sent
///
/// The source of a context is a source that the store has as a whole: itself, or one that was merged
/// into it. Of others, digests were imported one by one. These are only a part of their source, and
/// are sent as the store's own.
// Sendable: one thread at a time uses it, the one that pushes.
final class PushedStore: @unchecked Sendable {
  /// A source that the store has as a whole.
  struct Source {
    let id: Int64
    let identity: String

    /// The number of its last digest in the counts of this store, and when that was recorded; 0 if
    /// unknown.
    let counted: Int64
    let countedAt: Int64

    /// Whether this is the store itself.
    var isOwn: Bool { id == 1 }
  }

  /// The decodes of a period, and the digests among them.
  struct Sums: Equatable {
    var decodes: Int64 = 0
    var digests: Int64 = 0
  }

  let path: String
  let losses: [DigestStore.Loss]
  private let connection: Connection

  /// The names of the tables with digests that are not folded yet.
  private struct Unfolded {
    let tally: String
    let decodes: String
    let failed: String
    let total: String
  }

  private var unfolded = Unfolded(tally: "", decodes: "", failed: "", total: "")

  /// Opens a store.
  ///
  /// - Throws: ``DigestStoreError``.
  init(_ path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    self.path = path
    do {
      try path.checkIsFile()
      connection = try Connection.openStoreForReading(at: path)
      losses = try connection.losses(matching: DigestFilter())
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Begins the snapshot, inside the transaction of the receiver. So of two pushes of a store at the same
  /// time, the later one has all that the other one has.
  func beginSnapshot() throws {
    try mappingErrors {
      connection.rollBack()
      try connection.beginSnapshot()
      let digests = SingleDigests(
        connection, DigestFilter(), in: TimeWindow(since: nil, until: nil), splitsContexts: true)
      unfolded = try Unfolded(
        tally: digests.tallies(), decodes: digests.decodes(), failed: digests.failed(),
        total: SingleDigests.totals(connection))
      try connection.execute(
        """
        CREATE TEMP TABLE sent_context (theirs INTEGER PRIMARY KEY, source INTEGER, ours INTEGER);
        INSERT INTO sent_context
        SELECT c.id, iif(\(Self.isWhole), o.id, 1), NULL
        FROM context AS c CROSS JOIN source AS o ON o.id = c.source;
        CREATE INDEX sent_context_of_ours ON sent_context (ours);
        CREATE TEMP TABLE sent_period (source, span, start, PRIMARY KEY (source, span, start));
        CREATE TEMP TABLE sent_model (theirs INTEGER PRIMARY KEY, ours INTEGER);
        CREATE TEMP TABLE sent_failure (theirs INTEGER PRIMARY KEY, ours INTEGER);
        CREATE TEMP TABLE sent_total (context, failure);
        """)
    }
  }

  /// Runs `body`, and throws errors of SQLite as those of this store, and not of the receiver.
  private func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw DigestStoreError(error, path: path)
    }
  }
}

extension PushedStore {
  /// The condition on `source AS o` that the store has it as a whole. Of one that was merged, and had only
  /// decodes without errors, no digest was ever here.
  private static let isWhole = """
    (o.id = 1 OR o.counted > 0 OR o.evicted = 0 AND o.identity <> '\(DigestID.importSource)'
      AND NOT EXISTS (SELECT 1 FROM digest AS d WHERE d.source = o.id))
    """

  /// The sources that the store has as a whole.
  func sources() throws -> [Source] {
    try mappingErrors {
      try connection.rows(
        """
        SELECT o.id, o.identity,
          iif(o.id = 1, (SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded) FROM store),
            o.counted), o.counted_at
        FROM source AS o WHERE \(Self.isWhole)
        """
      ) { row in
        let (id, counted) = (row.integer(at: 0), row.integer(at: 2))
        return Source(
          id: id, identity: row.text(at: 1) ?? "", counted: counted,
          countedAt: id == 1 ? try time(ofDigest: counted) ?? 0 : row.integer(at: 3))
      }
    }
  }

  /// When the store recorded one of its own digests; nil if it is not there any more.
  func time(ofDigest id: Int64) throws -> Int64? {
    try mappingErrors {
      try connection.integer("SELECT recorded_at FROM digest WHERE id = \(id) AND source IS NULL")
    }
  }

  /// The decodes and digests of all hours and days, by source.
  func periods() throws -> [PushedPeriod: Sums] {
    let rows = try mappingErrors {
      try connection.rows(
        """
        SELECT x.source, d.span, d.start, sum(d.decodes), sum(d.digests)
        FROM (
          SELECT span, context, start, decodes, digests FROM decodes WHERE context > 0
          UNION ALL
          SELECT s.span, u.context, u.start / s.span, u.decodes, u.digests
          FROM \(unfolded.decodes) AS u CROSS JOIN \(Self.spans) AS s
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
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Chooses the contexts and failures that are sent.
  ///
  /// - Parameters:
  ///   - contexts: the ids of contexts in the receiver. Others are not sent.
  ///   - periods: the periods to send.
  ///   - hasAllTotals: whether to send all totals, and not only those of failures in the periods.
  func choose(contexts: [Int64: Int64], periods: [PushedPeriod], hasAllTotals: Bool) throws {
    try mappingErrors {
      let map = try Statement(connection, "UPDATE sent_context SET ours = ? WHERE theirs = ?")
      for (theirs, ours) in contexts { try map.run([.integer(ours), .integer(theirs)]) }
      try choose(periods: periods)
      let failures =
        hasAllTotals
        ? """
        SELECT failure FROM total WHERE context = 0 UNION SELECT failure FROM \(unfolded.total)
        UNION SELECT failure FROM tally WHERE context = 0 AND span = 24
        """ : "SELECT DISTINCT failure FROM (\(rows(.tally)))"
      try connection.execute("INSERT INTO sent_failure SELECT failure, NULL FROM (\(failures))")
      guard !hasAllTotals else { return }
      // A day with all its hours adds nothing new to those of its hours that changed.
      try connection.execute(
        """
        INSERT INTO sent_total
        SELECT x.ours, t.failure
        FROM sent_period AS p CROSS JOIN sent_context AS x ON x.source = p.source
        CROSS JOIN tally AS t ON t.span = p.span AND t.context = x.theirs AND t.start = p.start
        WHERE p.span = 1 OR (
          SELECT ifnull(sum(decodes), 0) FROM decodes
          WHERE span = 1 AND context = 0 AND start BETWEEN p.start * 24 AND p.start * 24 + 23
        ) <> (SELECT ifnull(sum(decodes), 0) FROM decodes WHERE span = 24 AND context = 0 AND start = p.start)
        UNION SELECT x.ours, u.failure
        FROM \(unfolded.tally) AS u CROSS JOIN sent_context AS x ON x.theirs = u.context
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

  static let spans = "(SELECT 1 AS span UNION ALL SELECT 24)"

  /// The name of the table with the counts of digests that are not folded yet.
  private func unfolded(_ table: PushedTable) -> String {
    switch table.name {
    case "tally": unfolded.tally
    case "decodes": unfolded.decodes
    case "failed": unfolded.failed
    default: unfolded.total
    }
  }

  /// A query with the columns `context`, `span`, `start`, and the others of a table with periods: the
  /// rows of the chosen periods. They have the receiver's contexts, and the store's failures or models.
  private func rows(_ table: PushedTable) -> String {
    func columns(_ row: String) -> String {
      PushedTable.list(table.undatedKey + table.counts) { "\(row).\($0)" }
    }
    return """
      SELECT x.ours AS context, t.span, t.start, \(columns("t"))
      FROM sent_period AS p CROSS JOIN sent_context AS x ON x.source = p.source
      CROSS JOIN \(table.name) AS t
        ON t.span = p.span AND t.context = x.theirs AND t.start = p.start AND p.start >= 0
      UNION ALL
      SELECT x.ours, p.span, p.start, \(columns("u"))
      FROM \(unfolded(table)) AS u CROSS JOIN sent_context AS x ON x.theirs = u.context
      CROSS JOIN \(Self.spans) AS s
      CROSS JOIN sent_period AS p
        ON p.source = x.source AND p.span = s.span AND p.start = u.start / s.span
      """
  }

  /// A query with the columns `context`, the key without a period, and the counts of all days,
  /// including those whose counts were deleted.
  private func sums(_ table: PushedTable) -> String {
    let columns = PushedTable.list(table.undatedKey + table.counts)
    return """
      SELECT x.ours AS context, \(columns)
      FROM (
        SELECT context, \(columns) FROM \(table.name) WHERE span = 24 AND context > 0
        UNION ALL SELECT context, \(columns) FROM \(unfolded(table))
      ) AS t
      CROSS JOIN sent_context AS x ON x.theirs = t.context
      """
  }

  /// A query with the columns of `total`.
  private func totals(hasAll: Bool) -> String {
    let columns = "t.failure, t.occurrences, t.digests, t.first_seen, t.last_seen"
    let stored =
      hasAll
      ? "FROM sent_context AS x CROSS JOIN total AS t ON t.context = x.theirs"
      : """
      FROM sent_total AS s CROSS JOIN sent_context AS x ON x.ours = s.context
      CROSS JOIN total AS t ON t.context = x.theirs AND t.failure = s.failure
      """
    return """
      SELECT x.ours AS context, \(columns) \(stored)
      UNION ALL
      SELECT x.ours, \(columns)
      FROM \(unfolded.total) AS t CROSS JOIN sent_context AS x ON x.theirs = t.context
      """
  }

  /// Calls `body` with the rows of a query as the receiver gets them: with its ids, each key once, in the
  /// order of its primary key, in which rows are added fastest.
  private func forEachSent(
    of table: PushedTable, _ query: String, key: [String], order: [String],
    _ body: ([SQLValue]) throws -> Void
  ) throws {
    func ours(_ column: String) -> String { column == table.subject ? "y.ours" : "r.\(column)" }
    // A file may contain any number.
    let counts = PushedTable.list(table.counts) {
      "min(sum(min(max(r.\($0), 0), \(Int64.maximumCount))), \(Int64.maximumCount))"
    }
    let times = zip(["min", "max"], table.times).map { ", \($0)(r.\($1))" }.joined()
    try forEachRow(
      """
      SELECT \(PushedTable.list(key, ours)), \(counts)\(times)
      FROM (\(query)) AS r
      CROSS JOIN sent_\(table.subject) AS y ON y.theirs = r.\(table.subject) AND y.ours IS NOT NULL
      WHERE r.context IS NOT NULL
      GROUP BY \(PushedTable.list(order, ours))
      """, columns: key.count + table.counts.count + table.times.count, body)
  }
}

extension PushedStore {
  /// Calls `body` with the counts of the chosen periods.
  func forEachRow(of table: PushedTable, _ body: ([SQLValue]) throws -> Void) throws {
    try forEachSent(
      of: table, rows(table), key: ["context"] + table.key, order: table.primaryKey, body)
  }

  /// Calls `body` with the sums of all days.
  func forEachSum(of table: PushedTable, _ body: ([SQLValue]) throws -> Void) throws {
    let key = ["context"] + table.undatedKey
    try forEachSent(of: table, sums(table), key: key, order: key, body)
  }

  /// Calls `body` with all totals, or with those of failures in the changed periods.
  func forEachTotal(hasAll: Bool, _ body: ([SQLValue]) throws -> Void) throws {
    let key = PushedTable.total.primaryKey
    try forEachSent(of: .total, totals(hasAll: hasAll), key: key, order: key, body)
  }

  /// Calls `body` with the id and the name of each model.
  func forEachModel(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow("SELECT id, name FROM model", columns: 2, body)
  }

  /// Calls `body` with the contexts: their ids, sources and names.
  func forEachContext(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      """
      SELECT c.id, x.source, c.release, c.environment, c.operation
      FROM context AS c CROSS JOIN sent_context AS x ON x.theirs = c.id
      """, columns: 5, body)
  }

  /// Calls `body` with the chosen failures: id, key, model, and the other columns of `failure`.
  func forEachFailure(_ body: ([SQLValue]) throws -> Void) throws {
    try forEachRow(
      """
      SELECT f.id, f.key, m.ours, f.coding_path, f.kind, f.expected_type, f.novel_value,
        f.value_type, f.message, f.found_type, f.found_value, f.sampled_at
      FROM sent_failure AS s CROSS JOIN failure AS f ON f.id = s.theirs
      CROSS JOIN sent_model AS m ON m.theirs = f.model
      """, columns: 12, body)
  }

  /// Calls `body` with digests of a source that have a number above another one, in their order: number,
  /// time, model, context, and errors. All ids are those of the receiver.
  ///
  /// Skips digests that cannot be read.
  func forEachDigest(
    of source: Source, after number: Int64, limit: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    try forEachRow(
      """
      SELECT number, recorded_at, model, context, errors
      FROM (
        SELECT \(source.isOwn ? "d.id" : "d.number") AS number, d.recorded_at, m.ours AS model,
          x.ours AS context,
          (SELECT json_group_array(json_replace(value, '$[0]', ours)) FROM (
            SELECT e.value, f.ours FROM json_each(\(OccurrenceRows.errors())) AS e
            CROSS JOIN sent_failure AS f ON f.theirs = \(OccurrenceRows.failure()) ORDER BY e.key)
          ) AS errors,
          json_array_length(\(OccurrenceRows.errors())) AS length
        FROM digest AS d CROSS JOIN sent_context AS x ON x.theirs = d.context
        CROSS JOIN sent_model AS m ON m.theirs = d.model
        WHERE \(digests(of: source, after: number)) AND x.ours IS NOT NULL
          AND \(OccurrenceRows.isSound) AND \(OccurrenceRows.isArray("d.errors"))
      )
      -- A digest of which an error refers to no failure cannot be read.
      WHERE json_array_length(errors) = length AND number BETWEEN 1 AND \(Int64.max - 1)
      ORDER BY number LIMIT \(limit)
      """, columns: 5, body)
  }

  /// The condition on `digest AS d` and `sent_context AS x` for the digests of a source.
  private func digests(of source: Source, after number: Int64) -> String {
    source.isOwn
      ? "d.id > \(number) AND coalesce(x.source, 1) = 1"
      : "d.source = \(source.id) AND d.number > \(number) AND coalesce(x.source, \(source.id)) = \(source.id)"
  }

  /// Counts the digests of a source that have a number above another one, also those that cannot be
  /// read.
  func countDigests(of source: Source, after number: Int64) throws -> Int {
    let count = try mappingErrors {
      try connection.integer(
        """
        SELECT count(*) FROM digest AS d LEFT JOIN sent_context AS x ON x.theirs = d.context
        WHERE \(digests(of: source, after: number))
        """)
    }
    return Int(clamping: count ?? 0)
  }

  /// Counts all digests.
  func countDigests() throws -> Int {
    Int(clamping: try mappingErrors { try connection.integer("SELECT count(*) FROM digest") } ?? 0)
  }

  /// Counts the digests that cannot be read, and returns the problems of the first ten.
  func problems() throws -> (unreadable: Int, problems: [String]) {
    var (unreadable, problems): (Int, [String]) = (0, [])
    let cursor = DigestCursor(DigestFilter())
    for var ids in try cursor.ranges(connection).map(Optional.some) {
      while let range = ids {
        let end = try cursor.readPage(of: range, on: connection) { _ in true }
        unreadable += end.unreadable
        problems += end.problems.prefix(max(0, 10 - problems.count))
        ids = end.rest
      }
    }
    return (unreadable, problems)
  }

  /// Sets the ids that models have in the receiver.
  func setModels(_ ids: [Int64: Int64]) throws {
    let set = try Statement(connection, "INSERT INTO sent_model VALUES (?, ?)")
    for (theirs, ours) in ids { try set.run([.integer(theirs), .integer(ours)]) }
  }

  /// Sets the ids that failures have in the receiver.
  func setFailures(_ pairs: (_ set: (_ theirs: Int64, _ ours: Int64) throws -> Void) throws -> Void)
    throws
  {
    let set = try Statement(connection, "UPDATE sent_failure SET ours = ? WHERE theirs = ?")
    try pairs { try set.run([.integer($1), .integer($0)]) }
  }

  private func forEachRow(
    _ sql: String, columns: Int, _ body: ([SQLValue]) throws -> Void
  ) throws {
    let statement = try Statement(connection, sql)
    while try mappingErrors({ try statement.step() }) {
      try body((0..<Int32(columns)).map { statement.value(at: $0) })
    }
  }
}
