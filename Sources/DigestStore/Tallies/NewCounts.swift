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
