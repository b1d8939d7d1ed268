/// Makes room once all digests are deleted. Drops the counts by hour, then the ids of imported
/// digests, then the counts by day, each oldest first, and finally merges the oldest releases. The
/// hours and days of today go last.
///
/// The counts of all time are never dropped; merging only loses which release they belong to.
final class CountDropper {
  private static let maximumIDs: Int64 = 2_000

  private let losses: LossTable
  private let releases: ReleaseMerger
  private let failures: PackedCountDropper
  private let models: PackedCountDropper
  private let decodes: DecodeDropper
  private let findIDs: Statement
  private let dropIDs: Statement
  private let forgetHours: Statement
  private let coarsen: Statement
  private let findLength: Statement
  private let changes: Statement

  /// Whether ids of evicted digests were dropped, so that an import would count these digests again.
  var hasDroppedIDs = false

  /// - Parameters:
  ///   - maximumLength: the approximate number of bytes of packed counts that one step adds up.
  ///   - maximumPacks: the number of packs that one step deletes. Each may be in a page of its own.
  init(
    _ connection: Connection,
    _ losses: LossTable,
    maximumLength: Int,
    maximumPacks: Int
  ) throws {
    self.losses = losses
    releases = try ReleaseMerger(
      connection, maximumLength: maximumLength, maximumReleases: maximumPacks)
    failures = try PackedCountDropper(connection, .failures, maximumPacks: maximumPacks)
    models = try PackedCountDropper(connection, .models, maximumPacks: maximumPacks)
    decodes = try DecodeDropper(connection)
    findIDs = try Statement(
      connection,
      """
      SELECT (SELECT min(digest_id) FROM foreign_digest), digest_id
      FROM foreign_digest
      WHERE digest_id <= (SELECT evicted_through FROM store)
      ORDER BY digest_id DESC LIMIT 1 OFFSET ?
      """
    )
    dropIDs = try Statement(
      connection,
      """
      DELETE FROM foreign_digest
      WHERE digest_id IN (
        SELECT digest_id FROM foreign_digest
        WHERE digest_id BETWEEN ?1 AND ?2
          AND NOT EXISTS (SELECT 1 FROM digest WHERE id = digest_id)
        ORDER BY digest_id LIMIT \(Self.maximumIDs))
      """
    )
    forgetHours = try Statement(
      connection,
      """
      DELETE FROM hour WHERE hour < ?
        AND last_digest_id <= (SELECT evicted_through FROM store)
      """
    )
    coarsen = try Statement(
      connection, "UPDATE store SET coarse_before = max(coarse_before, ?)")
    findLength = try Statement(
      connection,
      """
      SELECT (SELECT total(length(cells)) FROM period)
        + (SELECT total(length(cells)) FROM model_period)
      """
    )
    changes = try Statement(connection, "SELECT changes()")
  }

  /// Drops ids of evicted digests, except the newest `count`.
  ///
  /// - Returns: whether it dropped any.
  func dropForeignIDs(keeping count: Int64) throws -> Bool {
    let ids = try findIDs.firstRow([.integer(count)]) { ($0.integer(at: 0), $0.integer(at: 1)) }
    guard let (first, last) = ids else { return false }
    try dropIDs.run([.integer(first), .integer(last)])
    // Some of these digests may still exist, because the clock jumped after they were recorded.
    let isAny = try changes.firstRow { $0.integer(at: 0) } ?? 0 > 0
    if isAny { hasDroppedIDs = true }
    return isAny
  }

  /// Drops some counts from before the day of `now`, or merges some releases. Drops counts of that
  /// day only if the file cannot become small enough otherwise.
  ///
  /// - Parameter excess: the number of bytes by which the file is too large.
  /// - Returns: whether it dropped or merged any.
  func drop(before now: Moment, excess: Int) throws -> Bool {
    let today = now.hour / 24 * 24
    if try drop(before: today) || releases.merge() { return true }
    // If all packed counts together take less than the excess, the names take too much room.
    // Dropping the counts of today would not help.
    guard excess > 0, try findLength.returnedInteger() > excess else { return false }
    return try drop(before: today + 24)
  }

  /// Drops some of everything that ``drop(before:excess:)`` may drop.
  ///
  /// - Returns: whether it dropped any.
  func dropAll(before now: Moment) throws -> Bool {
    try drop(before: now.hour / 24 * 24 + 24) || releases.merge()
  }

  /// Resets the search for releases, once the file is small enough or after a rollback.
  func forget() {
    releases.forget()
  }

  private func drop(before end: Int64) throws -> Bool {
    if let hour = try first(1, before: end) {
      let end = hour / 24 * 24 + 24
      try coarsen.run([.integer(end)])
      try failures.dropHours(before: end)
      try models.dropHours(before: end)
      try decodes.addUpHours(before: end)
      if try first(1, before: end) == nil { try forgetHours.run([.integer(end)]) }
      return true
    }
    if try dropForeignIDs(keeping: 0) { return true }
    guard let day = try first(24, before: end) else { return false }
    let occurrences = try failures.drop(ofDay: day)
    _ = try models.drop(ofDay: day)
    try decodes.addUpDays(before: day + 24)
    if occurrences > 0 {
      try losses.add(
        PendingLosses.Count(digests: 0, occurrences: Int(occurrences)),
        to: PendingLosses.Key(reason: .undated, hour: day))
    }
    return true
  }

  private func first(_ span: Int64, before end: Int64) throws -> Int64? {
    try [
      failures.first(span, before: end), models.first(span, before: end),
      decodes.first(span, before: end),
    ].compactMap(\.self).min()
  }
}
