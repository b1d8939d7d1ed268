import CSQLite
import ResilientPlatform

/// Deletes what exceeds an age or a size, in steps between which others write.
///
/// By age, it deletes digests and samples. By size, it deletes the oldest digests first. But hours
/// are kept at most four times as long as digests: otherwise a small file would end with counts
/// alone. Then go the counts of the oldest hours and days, and the totals of the contexts that sent
/// nothing for longest. Nothing is estimated: each step measures the size again.
///
/// Ages are measured from the newest digest, not from now: opening a store while the clock is ahead,
/// or after a long pause, deletes nothing.
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

  /// The time before which samples were deleted last.
  private var sampleCutoff: Int64 = 0

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
  /// The time from which ages are measured: that of the newest digest that is not in the future; nil
  /// if there is none.
  private func newest(now: Moment) throws -> Moment? {
    let statement = try Statement(
      connection, "SELECT max(recorded_at) FROM digest WHERE recorded_at BETWEEN 0 AND ?")
    return try statement.firstRow([.integer(now.milliseconds)]) {
      $0.optionalInteger(at: 0).map(Moment.init(milliseconds:))
    } ?? nil
  }

  private func deleteByAge(_ now: Moment) throws -> Bool {
    guard let age = limits.age?.milliseconds, let newest = try newest(now: now) else {
      return false
    }
    let cutoff = newest.milliseconds - age
    if try deleteDigests(before: cutoff) { return true }
    try deleteSamples(before: cutoff, atIntervalsOf: min(age / 10, 24 * Moment.hour))
    return false
  }

  /// Deletes samples, which reads all failures, so it doesn't do so for each digest that is deleted.
  private func deleteSamples(before cutoff: Int64, atIntervalsOf interval: Int64) throws {
    guard cutoff - sampleCutoff > interval else { return }
    try Statement(
      connection,
      """
      UPDATE failure SET \(Failure.withoutSample) WHERE sampled_at < ?
      """
    ).run([.integer(cutoff)])
    sampleCutoff = cutoff
  }

  /// Deletes the oldest digests, of one hour.
  ///
  /// - Parameter cutoff: deletes only digests recorded before this time.
  /// - Returns: whether there were any.
  private func deleteDigests(before cutoff: Int64) throws -> Bool {
    let folded = "CAST(id AS bigint) <= (SELECT folded FROM store)"
    let oldest = try Statement(
      connection,
      """
      SELECT recorded_at FROM digest WHERE recorded_at >= 0 AND recorded_at < ? AND \(folded)
      ORDER BY recorded_at LIMIT 1
      """
    ).firstRow([.integer(min(cutoff, Moment.latest.milliseconds + 1))]) { $0.integer(at: 0) }
    guard let oldest else { return false }
    let hour = oldest / Moment.hour
    let ids = try connection.rows(
      """
      SELECT id FROM digest
      WHERE recorded_at BETWEEN \(oldest) AND \(min(cutoff, (hour + 1) * Moment.hour) - 1)
        AND \(folded)
      ORDER BY recorded_at, id LIMIT \(Self.maximumDigests)
      """
    ) { $0.integer(at: 0) }
    try delete(ids, inHour: hour)
    return true
  }

  private func delete(_ ids: [Int64], inHour hour: Int64) throws {
    let digests = "d.id IN (SELECT value FROM json_each(:ids))"
    let values: [String: SQLValue] = [":ids": .integers(ids)]
    let occurrences =
      try connection.integer(
        "SELECT ifnull(sum(times), 0) FROM (\(OccurrenceRows.sql(where: digests)))", values) ?? 0
    let loss = PendingLosses.Count(digests: ids.count, occurrences: Int(clamping: occurrences))
    try losses.add(loss, to: PendingLosses.Key(reason: .evicted, hour: hour))
    // Numbers up to this one are known when they are imported again. Those of the source `import`
    // are hashes, which have no order.
    try connection.execute(
      """
      UPDATE source SET evicted = max(evicted, e.number)
      FROM (SELECT d.source, max(d.number) AS number FROM digest AS d
        WHERE \(digests) AND d.source IS NOT NULL GROUP BY 1) AS e
      WHERE e.source = source.id AND identity <> '\(DigestID.importSource)'
      """, values)
    // An index that is damaged may name rows that cannot be deleted.
    guard try connection.execute("DELETE FROM digest AS d WHERE \(digests)", values) > 0 else {
      throw SQLiteError.unchanged("digest")
    }
    deleted = PendingLosses.Count(
      digests: deleted.digests.adding(count: ids.count),
      occurrences: deleted.occurrences.adding(count: loss.occurrences))
  }
}

extension Retention {
  private func deleteBySize(_ now: Moment) throws -> Bool {
    guard let limit = limits.size else { return false }
    let used = try connection.fileSize().usedBytes
    isDeleting = used > (isDeleting ? limit.low : limit.high)
    guard isDeleting else { return false }
    let oldestTally = try oldestPeriod(span: 1)
    if let oldestDigest = try oldestHourOfDigests() {
      let newest = try newest(now: now)?.hour ?? oldestDigest
      let age = max(1, newest - oldestDigest)
      if let oldestTally, newest - oldestTally > age * Self.hoursPerDigest {
        return try deleteHour(oldestTally)
      }
      return try deleteDigests(before: .max)
    }
    if let oldestTally { return try deleteHour(oldestTally) }
    return try deleteDay() || deleteTotals()
  }

  private func oldestHourOfDigests() throws -> Int64? {
    try connection.integer(
      """
      SELECT min(recorded_at) / \(Moment.hour) FROM digest
      WHERE recorded_at BETWEEN 0 AND \(Moment.latest.milliseconds)
        AND CAST(id AS bigint) <= (SELECT folded FROM store)
      """)
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
    for table in ["decodes", "tally"] {
      try connection.execute(
        "DELETE FROM \(table) WHERE span = \(span) AND \(Self.contexts) AND start = \(start)")
      deleted += connection.changes
    }
    guard deleted > 0 else { throw SQLiteError.unchanged("tally") }
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
      \(Fold.adding("decodes", "digests", "failed", "occurrences"))
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
    guard connection.changes > 0 else { throw SQLiteError.unchanged("total") }
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
  /// The error for rows that are there and a statement does not change, such as those that only an
  /// index has.
  static func unchanged(_ table: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: "rows of \(table) cannot be changed", sql: nil)
  }
}
