import CSQLite
import ResilientPlatform

/// Deletes what exceeds an age or a size, in steps between which others write.
///
/// Nothing is estimated: each step looks at the file, and ``RetentionStep`` chooses what to delete.
final class Retention {
  /// The most digests that one step deletes. 500 of three errors take 2 ms, and 10 ms with a write
  /// to the disk; 1,000 change more pages than the cache has, and take 17 to 60 ms, for which other
  /// writers wait.
  private static let maximumDigests = 500

  /// The most pages that one step returns to the file system: a mebibyte, which takes 3 to 20 ms.
  private static let maximumPages = 256

  private let connection: Connection
  private let limits: RetentionLimits
  private let losses: LossTable
  private let readState: Statement

  /// The most rows of `origin_decodes` that one step deletes, and the most origins that one looks at.
  private static let (maximumDecodes, maximumOrigins) = (1_000, 10_000)

  /// The day for which origins were looked at, and the id after which the next step does so.
  private var originDay: Int64 = 0
  private var nextOrigin: Int64?

  /// The time before which samples were deleted.
  private var sampleCutoff: Int64 = 0

  /// The digests deleted since ``takeSummary()``, and their errors.
  private var deleted = PendingLosses.LossCount.none

  init(_ connection: Connection, _ limits: RetentionLimits) throws {
    self.connection = connection
    self.limits = limits
    losses = try LossTable(connection)
    readState = try Statement(connection, Self.stateQuery)
  }

  /// Deletes some of what exceeds the limits, in a transaction of some milliseconds.
  ///
  /// - Parameter limits: nil for those of the configuration.
  /// - Returns: whether there may be more.
  func step(_ limits: RetentionLimits? = nil, now: Moment) throws -> Bool {
    let limits = limits ?? self.limits
    // A store without limits takes no lock for this.
    guard
      try limits.age != nil || limits.size != nil || !limits.keepsFreePages
        || connection.integer("SELECT 1 FROM origin LIMIT 1") != nil
    else { return false }
    var (cutoff, loss) = (sampleCutoff, PendingLosses.LossCount.none)
    let hasMore = try connection.transaction {
      let state = try state(now)
      switch RetentionStep.next(state, limits) {
      case .originDecodes(let hour): try deleteOriginDecodes(hour)
      case .origins(let id): nextOrigin = try deleteOrigins(after: id)
      case .digests(let times): loss = try deleteDigests(times)
      case .samples(let time):
        try connection.execute(
          "UPDATE failure SET \(StoredFailure.withoutSample) WHERE sampled_at < \(time)")
        cutoff = time
      case .hour(let hour): try deleteCounts(span: 1, start: hour)
      case .day(let day): try deleteDay(day)
      case .totals: try deleteTotals()
      case .pages:
        try connection.execute("PRAGMA incremental_vacuum(\(Self.maximumPages))")
        return try connection.fileSize().freePages < state.size.freePages
      case .nothing: return false
      }
      return true
    }
    // A transaction that fails has deleted nothing.
    sampleCutoff = cutoff
    deleted = PendingLosses.LossCount(
      digests: deleted.digests.adding(count: loss.digests),
      occurrences: deleted.occurrences.adding(count: loss.occurrences))
    return hasMore
  }

  /// Has the next step look for samples again: an import may have brought old ones.
  func forgetSamples() {
    sampleCutoff = 0
  }

  /// The number of deleted digests, and of their errors, since the last call.
  func takeSummary() -> PendingLosses.LossCount {
    defer { deleted = .none }
    return deleted
  }
}

extension Retention {
  /// The cast keeps SQLite from finding digests by their ids: the index on times has them, too.
  private static let isFolded = "CAST(id AS bigint) <= (SELECT folded FROM store)"

  private static let stateQuery = """
    SELECT
      (SELECT min(recorded_at) FROM digest
        WHERE recorded_at BETWEEN 0 AND \(Moment.latest.milliseconds) AND \(isFolded)),
      (SELECT max(recorded_at) FROM digest WHERE recorded_at BETWEEN 0 AND ?),
      \(oldestPeriod(span: 1)), \(oldestPeriod(span: 24)),
      EXISTS (SELECT 1 FROM total WHERE context > 0),
      (SELECT min(hour) FROM origin_decodes WHERE hour >= 0),
      (SELECT max(hour) FROM origin_decodes WHERE hour <= ?)
    """

  private static func oldestPeriod(span: Int) -> String {
    let condition = "WHERE span = \(span) AND context = 0 AND start >= 0"
    return """
      (SELECT min(start) FROM (SELECT min(start) AS start FROM tally \(condition)
        UNION ALL SELECT min(start) FROM decodes \(condition)))
      """
  }

  private func state(_ now: Moment) throws -> RetentionState {
    var state = RetentionState(sampleCutoff: sampleCutoff, size: try connection.fileSize())
    try readState.firstRow([.integer(now.milliseconds), .integer(now.hour)]) { row in
      state.oldestDigest = row.optionalInteger(at: 0)
      state.newestDigest = row.optionalInteger(at: 1)
      state.oldestHour = row.optionalInteger(at: 2)
      state.oldestDay = row.optionalInteger(at: 3)
      state.hasTotals = row.integer(at: 4) != 0
      if let first = row.optionalInteger(at: 5), let last = row.optionalInteger(at: 6),
        first <= last
      {
        state.originHours = first...last
      }
    }
    let day = (state.newestDigest ?? 0) / (24 * Moment.hour)
    if day > originDay { (originDay, nextOrigin) = (day, 0) }
    state.nextOrigin = nextOrigin
    return state
  }

  /// Deletes some rows of an hour. Their origins remember that the hour was counted.
  private func deleteOriginDecodes(_ hour: Int64) throws {
    let rows = """
      FROM origin_decodes WHERE hour = \(hour) ORDER BY origin, names LIMIT \(Self.maximumDecodes)
      """
    try connection.execute(
      """
      UPDATE origin SET evicted_hour = max(evicted_hour, \(hour))
      WHERE id IN (SELECT origin \(rows))
      """)
    let deleted = try connection.execute(
      """
      DELETE FROM origin_decodes
      WHERE hour = \(hour) AND (origin, names) IN (SELECT origin, names \(rows))
      """, [:])
    guard deleted > 0 else { throw SQLiteError.unchanged("origin_decodes") }
  }

  /// Deletes those of some origins that have no digests, and from which nothing has come for long.
  ///
  /// - Returns: the id of the last one; nil if there are no more.
  private func deleteOrigins(after id: Int64) throws -> Int64? {
    let ids = "SELECT id FROM origin WHERE id > \(id) ORDER BY id LIMIT \(Self.maximumOrigins)"
    guard let last = try connection.integer("SELECT max(id) FROM (\(ids))") else { return nil }
    try connection.execute(
      """
      DELETE FROM origin
      WHERE id > \(id) AND id <= \(last) AND seen < \(originDay - RetentionStep.originDays)
        AND identity <> '\(DigestID.importOrigin)'
        AND NOT EXISTS (SELECT 1 FROM digest AS d WHERE d.origin = origin.id)
      """)
    return last
  }

  private func deleteDigests(_ times: Range<Int64>) throws -> PendingLosses.LossCount {
    let ids = try connection.rows(
      """
      SELECT id FROM digest
      WHERE recorded_at >= \(times.lowerBound) AND recorded_at < \(times.upperBound)
        AND \(Self.isFolded)
      ORDER BY recorded_at, id LIMIT \(Self.maximumDigests)
      """
    ) { $0.integer(at: 0) }
    let digests = "d.id IN (SELECT value FROM json_each(:ids))"
    let values: [String: SQLValue] = [":ids": .integers(ids)]
    let occurrences =
      try connection.integer(
        "SELECT ifnull(sum(times), 0) FROM (\(OccurrenceRows.sql(where: digests)))", values) ?? 0
    let loss = PendingLosses.LossCount(digests: ids.count, occurrences: Int(clamping: occurrences))
    try losses.add(
      loss, to: PendingLosses.LossKey(reason: .evicted, hour: times.lowerBound / Moment.hour))
    // Numbers up to this one are known when they are imported again. Those of the origin `import`
    // are hashes, which have no order.
    try connection.execute(
      """
      UPDATE origin SET evicted = max(evicted, e.number)
      FROM (SELECT d.origin, max(d.number) AS number FROM digest AS d
        WHERE \(digests) AND d.origin IS NOT NULL GROUP BY 1) AS e
      WHERE e.origin = origin.id AND identity <> '\(DigestID.importOrigin)'
      """, values)
    // An index that is damaged may name rows that cannot be deleted.
    guard try connection.execute("DELETE FROM digest AS d WHERE \(digests)", values) > 0 else {
      throw SQLiteError.unchanged("digest")
    }
    return loss
  }

  /// All contexts, so that SQLite searches the keys of each.
  private static let contexts = "context IN (SELECT 0 UNION ALL SELECT id FROM context)"

  private func deleteCounts(span: Int64, start: Int64) throws {
    var rows: Int64 = 0
    for table in ["decodes", "tally"] {
      rows += try connection.execute(
        "DELETE FROM \(table) WHERE span = \(span) AND \(Self.contexts) AND start = \(start)", [:])
    }
    guard rows > 0 else { throw SQLiteError.unchanged("decodes and tally") }
  }

  /// Deletes the counts of a day. Its decodes are added to those of all time.
  private func deleteDay(_ day: Int64) throws {
    let condition = "span = 24 AND context = 0 AND start = \(day)"
    let digests = try connection.integer("SELECT sum(digests) FROM decodes WHERE \(condition)") ?? 0
    let occurrences =
      try connection.integer("SELECT sum(occurrences) FROM tally WHERE \(condition)") ?? 0
    let hour = min(day, Moment.latest.hour / 24) * 24
    try losses.add(
      PendingLosses.LossCount(
        digests: Int(clamping: digests), occurrences: Int(clamping: occurrences)),
      to: PendingLosses.LossKey(reason: .undated, hour: hour))
    let days = "span = 24 AND \(Self.contexts) AND start = \(day)"
    try connection.execute(
      """
      INSERT INTO decodes
      SELECT span, context, -1, model, decodes, digests, failed, occurrences FROM decodes
      WHERE \(days)
      \(Fold.adding("decodes", "digests", "failed", "occurrences"))
      """)
    try deleteCounts(span: 24, start: day)
  }

  /// Deletes the totals of the context that sent nothing for longest. Their sum stays in context 0.
  private func deleteTotals() throws {
    let oldest = try connection.firstRow(
      """
      SELECT t.context, max(t.last_seen), sum(t.occurrences), ifnull(c.release, ''),
        (SELECT ifnull(sum(digests), 0) FROM decodes WHERE span = 24 AND context = t.context)
      FROM total AS t LEFT JOIN context AS c ON c.id = t.context
      WHERE t.context > 0 GROUP BY 1 ORDER BY 2, 1 LIMIT 1
      """
    ) { row in
      (
        context: row.integer(at: 0), hour: min(max(0, row.moment(at: 1).hour), Moment.latest.hour),
        loss: PendingLosses.LossCount(
          digests: Int(clamping: row.count(at: 4)), occurrences: Int(clamping: row.count(at: 2))),
        release: row.text(at: 3) ?? ""
      )
    }
    guard let oldest else { throw SQLiteError.unchanged("total") }
    try losses.add(
      oldest.loss,
      to: PendingLosses.LossKey(
        reason: .unattributed, hour: oldest.hour,
        note: oldest.release.isEmpty ? "(no release)" : oldest.release))
    guard try connection.execute("DELETE FROM total WHERE context = \(oldest.context)", [:]) > 0
    else {
      throw SQLiteError.unchanged("total")
    }
  }
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
}

extension SQLiteError {
  /// The error for rows that are there and a statement does not change, such as those that only an
  /// index has.
  static func unchanged(_ table: String) -> Self {
    Self(code: SQLITE_CORRUPT, message: "rows of \(table) cannot be changed", sql: nil)
  }
}
