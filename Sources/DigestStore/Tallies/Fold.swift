/// Adds new digests to the counts: to the hours, days and totals of their context, and of context
/// 0, which stands for all.
///
/// `store.folded` is the id of the last digest that the counts include. It is written in the same
/// transaction as the counts, so each digest is counted once, whichever process folds it.
final class Fold {
  /// The most digests of one transaction. Other writers wait for it, and a digest takes 20 to 80
  /// µs.
  static let maximumDigests = 300

  /// The number of digests at which folding is due. Reports count unfolded digests one by one, some
  /// µs each.
  static let maximumUnfolded: Int64 = 1_000

  /// The length of their errors in bytes after which a transaction ends, however full the digests
  /// are: some 30 bytes an error.
  private static let maximumLength: Int64 = 90_000

  private let connection: Connection
  private let findFolded: Statement
  private let findDigests: Statement
  private let addOccurrences: Statement
  private let steps: [FoldStep]

  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.execute(Self.temporaryTables)
    findFolded = try Statement(connection, "SELECT folded FROM store")
    findDigests = try Statement(
      connection,
      """
      SELECT id, length(errors) FROM digest
      WHERE id > ? AND id < \(Int64.maximumCount) ORDER BY id LIMIT ?
      """)
    addOccurrences = try Statement(connection, Self.occurrences)
    steps = try Self.statements.map { try FoldStep(connection, $0) }
  }

  /// Folds the oldest new digests, in one transaction.
  ///
  /// - Returns: the number of digests; 0 if all are folded.
  @discardableResult
  func run(limit: Int = Fold.maximumDigests) throws -> Int {
    try connection.transaction { try foldBatch(limit: limit) }
  }

  /// Folds the oldest new digests, inside a transaction.
  func foldBatch(limit: Int = Fold.maximumDigests) throws -> Int {
    // Read under the lock, because another process may have folded in the meantime.
    let folded = try findFolded.firstRow { $0.integer(at: 0) } ?? 0
    let (last, count) = try batch(after: folded, limit: limit)
    guard count > 0 else { return 0 }
    try connection.execute(
      "DELETE FROM new_occurrence; DELETE FROM new_count; DELETE FROM new_decode")
    try addOccurrences.run([.integer(folded), .integer(last)])
    for step in steps { try step.run(after: folded, through: last) }
    return count
  }

  /// Finds the last digest of a batch, and the number of digests in it.
  private func batch(after folded: Int64, limit: Int) throws -> (last: Int64, count: Int) {
    var (last, count, length) = (folded, 0, Int64(0))
    defer { findDigests.reset() }
    try findDigests.bind([.integer(folded), .integer(Int64(limit))])
    while length < Self.maximumLength, try findDigests.step() {
      last = findDigests.integer(at: 0)
      length += findDigests.integer(at: 1)
      count += 1
    }
    return (last, count)
  }
}

/// A statement of a fold. Its parameters, if it has any, are the id before the batch and the last
/// id of the batch.
private final class FoldStep {
  private let statement: Statement
  private let takesIDs: Bool

  init(_ connection: Connection, _ sql: String) throws {
    statement = try Statement(connection, sql)
    takesIDs = sql.contains("?1")
  }

  func run(after folded: Int64, through last: Int64) throws {
    try statement.run(takesIDs ? [.integer(folded), .integer(last)] : [])
  }
}

extension Fold {
  /// The sum of a stored count and a new one, at most the largest count that a store writes.
  private static func sum(_ column: String) -> String {
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

  private static let temporaryTables = """
    CREATE TEMP TABLE IF NOT EXISTS new_occurrence (
      digest, recorded_at, model, context, failure, kind, times);
    CREATE TEMP TABLE IF NOT EXISTS new_count (
      context, hour, failure, occurrences, digests, first_seen, last_seen);
    CREATE TEMP TABLE IF NOT EXISTS new_decode (
      context, hour, model, digests, failed, occurrences);
    """

  /// The occurrences of a batch. Occurrences of failures that the file does not have are not
  /// counted.
  private static let occurrences = """
    INSERT INTO new_occurrence
    SELECT o.id, o.recorded_at, o.model, o.context, o.failure, f.kind, o.times
    FROM (\(OccurrenceRows.sql(where: "d.id > ?1 AND d.id <= ?2"))) AS o
    CROSS JOIN failure AS f ON f.id = o.failure
    """

  private static let statements =
    counts + decodes + [
      """
      INSERT INTO hour
      SELECT recorded_at / \(Moment.hour), min(id), max(id) FROM digest AS d
      WHERE id > ?1 AND id <= ?2 AND \(OccurrenceRows.isSound)
      GROUP BY 1
      ON CONFLICT DO UPDATE SET
        first = min(first, excluded.first), last = max(last, excluded.last)
      """,
      "UPDATE store SET folded = ?2 WHERE folded = ?1",
    ]

  /// Sums by context, hour and failure, and their sums over all contexts, into hours, days and
  /// totals.
  private static let counts = [
    """
    INSERT INTO new_count
    SELECT context, recorded_at / \(Moment.hour), failure, sum(times), count(DISTINCT digest),
      min(recorded_at), max(recorded_at)
    FROM new_occurrence GROUP BY 1, 2, 3
    """,
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

  /// Each digest is a decode, and a failed one if it has an error.
  private static let decodes = [
    """
    INSERT INTO new_decode
    SELECT context, hour, model, sum(digests), sum(failed), sum(occurrences)
    FROM (
      SELECT d.context, d.recorded_at / \(Moment.hour) AS hour, d.model, count(*) AS digests,
        0 AS failed, 0 AS occurrences
      FROM digest AS d WHERE d.id > ?1 AND d.id <= ?2 AND \(OccurrenceRows.isSound)
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT context, recorded_at / \(Moment.hour), model, 0, count(DISTINCT digest), sum(times)
      FROM new_occurrence WHERE \(ErrorKinds.condition("kind")) GROUP BY 1, 2, 3
    )
    GROUP BY 1, 2, 3
    """,
    """
    INSERT INTO decodes
    SELECT s.span, iif(a.every, 0, n.context), n.hour / s.span, n.model, sum(n.digests),
      sum(n.digests), sum(n.failed), sum(n.occurrences)
    FROM new_decode AS n, \(spans)
    WHERE true GROUP BY 1, 2, 3, 4
    \(adding("decodes", "digests", "failed", "occurrences"))
    """,
    """
    INSERT INTO failed
    SELECT s.span, iif(a.every, 0, n.context), n.hour / s.span, n.model, n.kind, sum(n.digests)
    FROM (
        SELECT context, recorded_at / \(Moment.hour) AS hour, model, kind,
          count(DISTINCT digest) AS digests
        FROM new_occurrence GROUP BY 1, 2, 3, 4
      ) AS n,
      \(spans)
    WHERE true GROUP BY 1, 2, 3, 4, 5
    \(adding("digests"))
    """,
  ]
}
