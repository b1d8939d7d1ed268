/// Adds new digests to the counts: to the hours, days and totals of their context, and of context
/// 0, which stands for all.
///
/// `store.folded` is the id of the last digest that the counts include. It is written in the same
/// transaction as the counts, so each digest is counted once, whichever process folds it.
final class Fold {
  /// The most digests of one transaction while digests are recorded, which wait for it. A digest
  /// takes 20 to 80 µs.
  static let maximumDigests = 300

  /// The most digests of one transaction of an import. Each transaction writes the same pages of
  /// counts anew, so large ones write less.
  static let maximumImported = 6_000

  /// The number of digests at which folding is due. Reports count unfolded digests one by one, some
  /// µs each.
  static let maximumUnfolded: Int64 = 1_000

  /// The length of a digest's errors in bytes, some 30 an error, that the numbers of digests are
  /// meant for. A transaction of longer ones has fewer digests.
  private static let usualLength = 300

  let connection: Connection
  private let findFolded: Statement
  private let findDigests: Statement
  private let setFolded: Statement
  private let counts: NewCounts
  private let steps: [FoldStep]

  init(_ connection: Connection) throws {
    self.connection = connection
    counts = try NewCounts(connection, of: "d.id > ?1 AND d.id <= ?2")
    findFolded = try Statement(connection, "SELECT folded FROM store")
    findDigests = try Statement(
      connection,
      """
      SELECT id, length(errors) FROM digest
      WHERE id > ? AND id < \(Int64.maximumCount) ORDER BY id LIMIT ?
      """)
    setFolded = try Statement(connection, "UPDATE store SET folded = ?2 WHERE folded = ?1")
    steps = try Self.statements.map { try FoldStep(connection, $0) }
  }

  /// Folds the oldest new digests, inside a transaction.
  ///
  /// - Returns: the number of digests; 0 if all are folded.
  func foldBatch(limit: Int = Fold.maximumDigests) throws -> Int {
    // Read under the lock, because another process may have folded in the meantime.
    let folded = try findFolded.firstRow { $0.integer(at: 0) } ?? 0
    let (last, count) = try batch(after: folded, limit: limit)
    guard count > 0 else { return 0 }
    try counts.count(folded, last)
    for step in steps { try step.statement.run() }
    try setFolded.run([.integer(folded), .integer(last)])
    guard connection.changes == 1 else { throw SQLiteError.unchanged("store") }
    return count
  }

  /// Finds the last digest of a batch, and the number of digests in it.
  private func batch(after folded: Int64, limit: Int) throws -> (last: Int64, count: Int) {
    var (last, count, length) = (folded, 0, 0)
    defer { findDigests.reset() }
    try findDigests.bind([.integer(folded), .integer(Int64(limit))])
    while length < limit * Self.usualLength, try findDigests.step() {
      last = findDigests.integer(at: 0)
      length += Int(findDigests.integer(at: 1))
      count += 1
    }
    return (last, count)
  }
}

/// A statement of a fold; an array cannot have the statement itself.
private final class FoldStep {
  let statement: Statement

  init(_ connection: Connection, _ sql: String) throws {
    statement = try Statement(connection, sql)
  }
}

extension Fold {
  /// The sum of a stored count and a new one, at most the largest count that a store writes.
  static func sum(_ column: String) -> String {
    "\(column) = min(\(column) + excluded.\(column), \(Int64.maximumCount))"
  }

  /// Adds to the row that has the same key.
  static func adding(_ columns: String...) -> String {
    "ON CONFLICT DO UPDATE SET \(columns.map(sum).joined(separator: ", "))"
  }

  /// Repeats a row for hours and days, and for its context and all contexts.
  static let spans = """
    (SELECT 1 AS span UNION ALL SELECT 24) AS s, (SELECT false AS every UNION ALL SELECT true) AS a
    """

  private static let statements = counts + decodes

  /// Adds up all contexts, and adds the counts to hours, days and totals.
  private static let counts = [
    """
    INSERT INTO new_count
    SELECT 0, hour, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
    FROM new_count GROUP BY 2, 3
    """,
    """
    INSERT INTO tally
    SELECT 1, context, hour, failure, occurrences, digests FROM new_count WHERE true
    \(adding("occurrences", "digests"))
    """,
    """
    INSERT INTO tally
    SELECT 24, context, hour / 24, failure, sum(occurrences), sum(digests)
    FROM new_count WHERE true GROUP BY 2, 3, 4
    \(adding("occurrences", "digests"))
    """,
    """
    INSERT INTO total
    SELECT context, failure, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
    FROM new_count WHERE true GROUP BY 1, 2
    \(adding("occurrences", "digests")),
      first_seen = min(first_seen, excluded.first_seen),
      last_seen = max(last_seen, excluded.last_seen)
    """,
  ]

  private static let decodes = [
    """
    INSERT INTO decodes
    SELECT s.span, iif(a.every, 0, n.context), n.hour / s.span, n.model, sum(n.digests),
      sum(n.digests), sum(n.failed), sum(n.occurrences)
    FROM new_decode AS n, \(spans)
    WHERE true GROUP BY 1, 2, 3, 4
    \(adding("decodes", "digests", "failed", "occurrences"))
    """
  ]
}

/// The counts of some digests, in temporary tables: what a fold adds to the stored counts, and what
/// a check compares with them.
///
///     new_occurrence (digest, recorded_at, model, context, failure, kind, times)
///     new_count (context, hour, failure, occurrences, digests, first_seen, last_seen)
///     new_decode (context, hour, model, digests, failed, occurrences)
final class NewCounts {
  private let connection: Connection
  private let addOccurrences: Statement
  private let addCounts: Statement
  private let addDecodes: Statement

  /// - Parameter digests: the condition on `digest AS d`, with the parameters `?1` and `?2`.
  init(_ connection: Connection, of digests: String) throws {
    self.connection = connection
    try connection.execute(Self.tables)
    addOccurrences = try Statement(connection, Self.occurrences(of: digests))
    addCounts = try Statement(connection, Self.counts)
    addDecodes = try Statement(connection, Self.decodes(of: digests))
  }

  /// Counts the digests between two values of the parameters, in place of those counted before.
  func count(_ first: Int64, _ last: Int64) throws {
    try connection.execute(
      "DELETE FROM new_occurrence; DELETE FROM new_count; DELETE FROM new_decode")
    try addOccurrences.run([.integer(first), .integer(last)])
    try addCounts.run()
    try addDecodes.run([.integer(first), .integer(last)])
  }

  private static let tables = """
    CREATE TEMP TABLE IF NOT EXISTS new_occurrence (
      digest INTEGER, recorded_at INTEGER, model INTEGER, context INTEGER, failure INTEGER,
      kind TEXT, times INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS new_count (
      context INTEGER, hour INTEGER, failure INTEGER, occurrences INTEGER, digests INTEGER,
      first_seen INTEGER, last_seen INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS new_decode (
      context INTEGER, hour INTEGER, model INTEGER, digests INTEGER, failed INTEGER,
      occurrences INTEGER);
    """

  /// Occurrences of failures that the file does not have are not counted.
  private static func occurrences(of digests: String) -> String {
    """
    INSERT INTO new_occurrence
    SELECT o.id, o.recorded_at, o.model, o.context, o.failure, f.kind, o.times
    FROM (\(OccurrenceRows.sql(where: digests))) AS o
    CROSS JOIN failure AS f ON f.id = o.failure
    """
  }

  private static let counts = """
    INSERT INTO new_count
    SELECT context, recorded_at / \(Moment.hour), failure, sum(times), count(DISTINCT digest),
      min(recorded_at), max(recorded_at)
    FROM new_occurrence GROUP BY 1, 2, 3
    """

  /// Each digest is a decode, and a failed one if it has an error.
  private static func decodes(of digests: String) -> String {
    """
    INSERT INTO new_decode
    SELECT context, hour, model, sum(digests), sum(failed), sum(occurrences)
    FROM (
      SELECT d.context, d.recorded_at / \(Moment.hour) AS hour, d.model, count(*) AS digests,
        0 AS failed, 0 AS occurrences
      FROM digest AS d WHERE \(digests) AND \(OccurrenceRows.isSound)
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT context, recorded_at / \(Moment.hour), model, 0, count(DISTINCT digest), sum(times)
      FROM new_occurrence WHERE \(ErrorKinds.condition("kind")) GROUP BY 1, 2, 3
    )
    GROUP BY 1, 2, 3
    """
  }
}
