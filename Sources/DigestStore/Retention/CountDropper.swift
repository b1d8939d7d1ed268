/// Makes room once there are no more digests: hours go, then ids, then days, the oldest first, and
/// then the oldest releases are counted together. The hours and days of today are the last to go.
///
/// The tallies of all time never go, but for which of the merged releases they are of.
final class CountDropper {
  private static let maximumIDs: Int64 = 2_000

  private let losses: LossTable
  private let releases: ReleaseMerger
  private let failures: PackedCountDropper
  private let models: PackedCountDropper
  private let findIDs: Statement
  private let dropIDs: Statement
  private let forgetHours: Statement
  private let coarsen: Statement
  private let findLength: Statement
  private let changes: Statement

  /// - Parameters:
  ///   - maximumLength: how many bytes of tallies one step adds up, about.
  ///   - maximumPacks: how many packs of tallies one step deletes, each of which may be in a page of
  ///     its own.
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

  /// Drops ids of evicted digests, but not the last ones.
  ///
  /// - Returns: whether there were any.
  func dropForeignIDs(keeping count: Int64) throws -> Bool {
    let ids = try findIDs.firstRow([.integer(count)]) { ($0.integer(at: 0), $0.integer(at: 1)) }
    guard let (first, last) = ids else { return false }
    try dropIDs.run([.integer(first), .integer(last)])
    // Of digests from before a jump of the clock some may still be there.
    return try changes.firstRow { $0.integer(at: 0) } ?? 0 > 0
  }

  /// Drops some tallies from before the day of `now`, or merges some; those of the day itself go
  /// only when the file cannot be small enough with them.
  ///
  /// - Parameter excess: by how many bytes the file is too large just now.
  /// - Returns: whether there were any.
  func drop(before now: Moment, excess: Int) throws -> Bool {
    let today = now.hour / 24 * 24
    if try drop(before: today) || releases.merge() { return true }
    // Where all tallies together are less than that, it is the names that are too many: then
    // nothing is gained by knowing less of today.
    guard excess > 0, try findLength.returnedInteger() > excess else { return false }
    return try drop(before: today + 24)
  }

  /// Drops some of all that ``drop(before:excess:)`` may drop.
  ///
  /// - Returns: whether there was any.
  func dropAll(before now: Moment) throws -> Bool {
    try drop(before: now.hour / 24 * 24 + 24) || releases.merge()
  }

  /// Hears that the file is small enough, or that what was done was rolled back.
  func forget() {
    releases.forget()
  }

  private func drop(before end: Int64) throws -> Bool {
    if let hour = try first(1, before: end) {
      let end = hour / 24 * 24 + 24
      try coarsen.run([.integer(end)])
      try failures.dropHours(before: end)
      try models.dropHours(before: end)
      if try first(1, before: end) == nil { try forgetHours.run([.integer(end)]) }
      return true
    }
    if try dropForeignIDs(keeping: 0) { return true }
    guard let day = try first(24, before: end) else { return false }
    let occurrences = try failures.drop(ofDay: day)
    _ = try models.drop(ofDay: day)
    try losses.add(
      PendingLosses.Count(digests: 0, occurrences: Int(occurrences)),
      to: PendingLosses.Key(reason: .undated, hour: day))
    return true
  }

  private func first(_ span: Int64, before end: Int64) throws -> Int64? {
    let ofModels = try models.first(span, before: end)
    return try failures.first(span, before: end).map { min($0, ofModels ?? $0) } ?? ofModels
  }
}
