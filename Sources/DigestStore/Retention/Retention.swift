import CSQLite
import ResilientPlatform

/// Deletes what exceeds an age or a size, in steps between which others write.
///
/// By age, it deletes digests and samples. By size, it deletes the oldest digests first. But hours
/// are kept at most four times as long as digests: otherwise a small file would end with counts
/// alone. Then go the counts of the oldest hours and days, and the totals of the contexts that sent
/// nothing for longest. Nothing is estimated: each step measures the size again.
final class Retention {
  struct Limits: Equatable {
    var age: Duration?
    var size: SizeLimit?
  }

  /// The most digests that one step deletes: some ms, for which other writers wait.
  private static let maximumDigests = 500

  /// How many times as long as digests hours are kept.
  private static let hoursPerDigest: Int64 = 4

  /// The most pages that one step returns to the file system.
  private static let maximumPages = 256

  let connection: Connection
  private let limits: Limits
  private let losses: LossTable

  /// Whether deleting by size goes on until the low limit.
  private var isDeleting = false

  /// The time of the last look by age.
  private var lastLook: Moment?

  /// The time of a look that was a day or more after the last one.
  private var jump: Moment?

  /// The digests deleted since ``takeSummary()``, and their errors.
  private var deleted = PendingLosses.Count.none

  init(_ connection: Connection, _ limits: Limits) throws {
    self.connection = connection
    self.limits = limits
    losses = try LossTable(connection)
  }

  /// Deletes some of what exceeds the limits, in a transaction of some milliseconds.
  ///
  /// - Returns: whether there may be more.
  func step(now: Moment) throws -> Bool {
    guard limits.age != nil || limits.size != nil else { return false }
    return try connection.transaction {
      if try deleteByAge(now) || deleteBySize(now) { return true }
      return try returnPages(of: limits.size?.high ?? .max, isThorough: false)
    }
  }

  /// Returns free pages to the file system.
  ///
  /// - Parameter isThorough: whether to return all.
  /// - Returns: whether there may be more.
  func returnPages(isThorough: Bool) throws -> Bool {
    try connection.transaction { try returnPages(of: 0, isThorough: isThorough) }
  }

  /// The number of deleted digests, and of their errors, since the last call.
  func takeSummary() -> PendingLosses.Count {
    defer { deleted = .none }
    return deleted
  }

  private func returnPages(of limit: Int, isThorough: Bool) throws -> Bool {
    let size = try connection.fileSize()
    guard size.freePages > 0,
      isThorough || size.bytes > limit || size.freePages > size.pages / 4
    else { return false }
    try connection.execute("PRAGMA incremental_vacuum(\(Self.maximumPages))")
    return try connection.fileSize().freePages < size.freePages
  }
}

extension Retention {
  private func deleteByAge(_ now: Moment) throws -> Bool {
    guard let age = limits.age else { return false }
    // A clock that jumps ahead would delete everything at once. A look a minute later confirms it.
    if let lastLook, now.milliseconds - lastLook.milliseconds > 24 * Moment.hour {
      let first = jump ?? now
      jump = first
      guard now.milliseconds - first.milliseconds >= 60_000 else { return false }
    }
    (lastLook, jump) = (now, nil)
    let cutoff = now.milliseconds - age.milliseconds
    if try deleteDigests(before: cutoff) { return true }
    try Statement(
      connection,
      """
      UPDATE failure
      SET message = NULL, found_type = NULL, found_value = NULL, sampled_at = NULL
      WHERE sampled_at < ?
      """
    ).run([.integer(cutoff)])
    return false
  }

  /// Deletes digests of the oldest hour.
  ///
  /// - Parameter cutoff: deletes only digests recorded before this time.
  /// - Returns: whether there were any.
  private func deleteDigests(before cutoff: Int64) throws -> Bool {
    guard let hour = try oldestHour(before: cutoff) else { return false }
    let end = min(cutoff, (hour.start + 1) * Moment.hour)
    let hourIDs = """
      d.id BETWEEN \(hour.first) AND min(\(hour.last), (SELECT folded FROM store))
        AND d.recorded_at >= \(hour.start * Moment.hour)
      """
    let ids = try connection.rows(
      """
      SELECT d.id FROM digest AS d WHERE \(hourIDs) AND d.recorded_at < \(end)
      ORDER BY d.id LIMIT \(Self.maximumDigests)
      """
    ) { $0.integer(at: 0) }
    if let first = ids.first, let last = ids.last {
      try delete(
        "d.id BETWEEN \(first) AND \(last) AND d.recorded_at >= \(hour.start * Moment.hour) "
          + "AND d.recorded_at < \(end)", inHour: hour.start, count: ids.count)
    }
    // The row of the hour goes with its last digest.
    try connection.execute(
      """
      DELETE FROM hour WHERE start = \(hour.start) AND NOT EXISTS (
        SELECT 1 FROM digest AS d
        WHERE \(hourIDs) AND d.recorded_at < \((hour.start + 1) * Moment.hour))
      """)
    // An index that was damaged may name rows that cannot be deleted.
    guard !ids.isEmpty || connection.changes > 0 else { throw SQLiteError.notDeleted("hour") }
    return true
  }

  /// The oldest hour with digests before a time.
  private func oldestHour(before cutoff: Int64) throws -> (start: Int64, first: Int64, last: Int64)?
  {
    let statement = try Statement(
      connection,
      """
      SELECT start, first, last FROM hour AS h
      WHERE start BETWEEN 0 AND \(Moment.latest.hour) AND start * \(Moment.hour) < ?1 AND (
        (start + 1) * \(Moment.hour) <= ?1 OR EXISTS (
          SELECT 1 FROM digest
          WHERE id BETWEEN h.first AND h.last AND recorded_at >= h.start * \(Moment.hour)
            AND recorded_at < ?1))
      ORDER BY start LIMIT 1
      """)
    return try statement.firstRow([.integer(cutoff)]) {
      ($0.integer(at: 0), $0.integer(at: 1), $0.integer(at: 2))
    }
  }

  private func delete(_ condition: String, inHour hour: Int64, count: Int) throws {
    let occurrences =
      try connection.integer(
        "SELECT ifnull(sum(times), 0) FROM (\(OccurrenceRows.sql(where: condition)))") ?? 0
    let loss = PendingLosses.Count(digests: count, occurrences: Int(clamping: occurrences))
    try losses.add(loss, to: PendingLosses.Key(reason: .evicted, hour: hour))
    // Numbers up to this one are known when they are imported again. Those of the source `import`
    // are hashes, which have no order.
    try connection.execute(
      """
      UPDATE source SET evicted = max(evicted, e.number)
      FROM (SELECT d.source, max(d.number) AS number FROM digest AS d
        WHERE \(condition) AND d.source IS NOT NULL GROUP BY 1) AS e
      WHERE e.source = source.id AND identity <> '\(DigestID.importSource)'
      """)
    try connection.execute("DELETE FROM digest AS d WHERE \(condition)")
    guard connection.changes > 0 else { throw SQLiteError.notDeleted("digest") }
    deleted = PendingLosses.Count(
      digests: deleted.digests.adding(count: count),
      occurrences: deleted.occurrences.adding(count: loss.occurrences))
  }
}

extension Retention {
  private func deleteBySize(_ now: Moment) throws -> Bool {
    guard let limit = limits.size else { return false }
    let used = try connection.fileSize().usedBytes
    isDeleting = used > (isDeleting ? limit.low : limit.high)
    guard isDeleting else { return false }
    let oldestDigest = try connection.integer("SELECT max(0, min(start)) FROM hour")
    let oldestTally = try oldestPeriod(span: 1)
    if let oldestDigest {
      let age = max(1, now.hour - oldestDigest)
      if let oldestTally, now.hour - oldestTally > age * Self.hoursPerDigest {
        return try deleteHour(oldestTally)
      }
      return try deleteDigests(before: .max / 2)
    }
    if let oldestTally { return try deleteHour(oldestTally) }
    return try deleteDay() || deleteTotals()
  }

  /// The beginning of the oldest hour or day with counts, in hours or days since 1970.
  private func oldestPeriod(span: Int64) throws -> Int64? {
    let condition = "WHERE span = \(span) AND context = 0 AND start >= 0"
    return try connection.integer(
      """
      SELECT min(start) FROM (
        SELECT min(start) AS start FROM tally \(condition)
        UNION ALL SELECT min(start) FROM decodes \(condition)
      )
      """)
  }

  /// All contexts, so that SQLite searches the keys of each.
  private static let contexts = "context IN (SELECT 0 UNION ALL SELECT id FROM context)"

  private func deleteHour(_ hour: Int64) throws -> Bool {
    try delete(span: 1, start: hour)
    return true
  }

  private func delete(span: Int64, start: Int64) throws {
    var deleted: Int64 = 0
    for table in ["decodes", "failed", "tally"] {
      try connection.execute(
        "DELETE FROM \(table) WHERE span = \(span) AND \(Self.contexts) AND start = \(start)")
      deleted += connection.changes
    }
    guard deleted > 0 else { throw SQLiteError.notDeleted("tally") }
  }

  /// Deletes the counts of the oldest day. Its decodes are added to those of all time.
  private func deleteDay() throws -> Bool {
    guard let day = try oldestPeriod(span: 24) else { return false }
    let condition = "span = 24 AND context = 0 AND start = \(day)"
    let digests = try connection.integer("SELECT sum(digests) FROM decodes WHERE \(condition)") ?? 0
    let occurrences =
      try connection.integer("SELECT sum(occurrences) FROM tally WHERE \(condition)") ?? 0
    let hour = min(max(0, day), Moment.latest.hour / 24) * 24
    try losses.add(
      PendingLosses.Count(digests: Int(clamping: digests), occurrences: Int(clamping: occurrences)),
      to: PendingLosses.Key(reason: .undated, hour: hour))
    let days = "span = 24 AND \(Self.contexts) AND start = \(day)"
    try connection.execute(
      """
      INSERT INTO decodes
      SELECT span, context, -1, model, decodes, digests, failed, occurrences FROM decodes
      WHERE \(days)
      \(Fold.adding("decodes", "digests", "failed", "occurrences"));
      INSERT INTO failed SELECT span, context, -1, model, kind, digests FROM failed WHERE \(days)
      \(Fold.adding("digests"))
      """)
    try delete(span: 24, start: day)
    return true
  }

  /// Deletes the totals of the context that sent nothing for longest. Their sum stays in context 0.
  private func deleteTotals() throws -> Bool {
    let oldest = try Statement(
      connection,
      """
      SELECT t.context, max(t.last_seen), sum(t.occurrences), ifnull(c.release, ''),
        (SELECT ifnull(sum(digests), 0) FROM decodes WHERE span = 24 AND context = t.context)
      FROM total AS t LEFT JOIN context AS c ON c.id = t.context
      WHERE t.context > 0 GROUP BY 1 ORDER BY 2, 1 LIMIT 1
      """
    ).firstRow { row in
      (
        context: row.integer(at: 0), hour: min(max(0, row.moment(at: 1).hour), Moment.latest.hour),
        loss: PendingLosses.Count(
          digests: Int(clamping: row.count(at: 4)), occurrences: Int(clamping: row.count(at: 2))),
        release: row.text(at: 3) ?? ""
      )
    }
    guard let oldest else { return false }
    try losses.add(
      oldest.loss,
      to: PendingLosses.Key(
        reason: .unattributed, hour: oldest.hour,
        note: oldest.release.isEmpty ? "(no release)" : oldest.release))
    try connection.execute("DELETE FROM total WHERE context = \(oldest.context)")
    guard connection.changes > 0 else { throw SQLiteError.notDeleted("total") }
    return true
  }
}

/// The size of a database file.
struct FileSize {
  let pages: Int
  let freePages: Int
  let pageSize: Int

  var bytes: Int { pages * pageSize }
  var usedBytes: Int { (pages - freePages) * pageSize }
}

extension Connection {
  func fileSize() throws -> FileSize {
    func number(_ pragma: String) throws -> Int {
      Int(clamping: try integer("PRAGMA \(pragma)") ?? 0)
    }
    return try FileSize(
      pages: number("page_count"), freePages: number("freelist_count"),
      pageSize: number("page_size"))
  }

  /// The number of rows that the last statement changed.
  var changes: Int64 { sqlite3_changes64(handle) }
}

extension SQLiteError {
  /// The error for a row that an index has and the table does not.
  static func notDeleted(_ table: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: "rows of \(table) cannot be deleted", sql: nil)
  }
}
