/// Deletes expired digests, and the oldest digests of a file that is too large, a few at a time.
///
/// It deletes only digests that the packed counts include, so that no count changes. It must be
/// used under the lock of the writer that owns the connection. Each step is a transaction of some
/// milliseconds.
final class Evictor {
  /// The largest number of digests that a step deletes, the largest number that it reads, and the
  /// largest number of bytes of entries that it deletes.
  static let maximumDigests = 500
  static let maximumScanned = 4_000
  static let maximumLength = 256 << 10
  private static let maximumPacks = 100

  /// The approximate number of bytes that a digest takes besides its errors.
  private static let rowLength: Int = 32

  /// The number of bytes of entries that a step deletes in this file, and the number of pages that
  /// it frees. A step writes all its changes to the write-ahead log first, and they must fit there.
  private let maximumLength: Int
  private let maximumPages: Int

  /// The number of deleted digests and of their errors since the last ``takeSummary()``.
  private(set) var digests = 0
  private(set) var occurrences = 0

  private let connection: Connection
  private let maximumAge: Int64?
  private var limit: SizeLimit?
  private let file: FileSizeReader
  private let losses: LossTable
  private let countDropper: CountDropper

  private let findDigests: Statement
  private let readDigests: Statement
  private let deleteDigests: Statement
  private let findForeignIDs: Statement
  private let evictedIDs: EvictedIDs
  private let advance: Statement
  private let findNames: Statement

  private let expiry: Expiry
  private let samples: SampleExpiry?
  private var counts = DigestCounts()

  /// Whether the file was too large and has not yet shrunk to its target size.
  private var isShrinking = false

  /// Whether the limit has been compared with the room that the names take. Names are never
  /// deleted.
  private var hasComparedNames = false

  /// The smallest possible size of the file in bytes, if it was computed since the file began to
  /// shrink.
  private var smallest: Int?

  /// The number of deleted digests at which to check again whether the ids of imported digests take
  /// too much room.
  private var nextLookAtIDs = 0

  init(_ connection: Connection, _ limits: Limits, _ losses: LossTable) throws {
    self.connection = connection
    maximumAge = limits.age.map(\.inMilliseconds)
    limit = limits.size
    let log = limit?.log ?? SizeLimit.log
    maximumLength = limit?.step ?? Self.maximumLength
    let maximumPages = min(200, max(4, log / 4 / 4_096))
    self.maximumPages = maximumPages
    file = try FileSizeReader(connection)
    self.losses = losses
    countDropper = try CountDropper(
      connection, losses, maximumLength: log / 4,
      maximumPacks: min(Self.maximumPacks, log / 4_096 / 2))
    expiry = try Expiry(connection)
    samples = try limits.age.map {
      try SampleExpiry(connection, maximumAge: $0, maximumFailures: maximumPages)
    }
    findDigests = try Statement(
      connection,
      """
      SELECT id, length(CAST(entries AS BLOB)) FROM digest
      WHERE id <= (SELECT folded_through FROM store)
      ORDER BY id LIMIT \(Self.maximumDigests)
      """
    )
    readDigests = try Statement(
      connection,
      """
      SELECT \(DigestCounts.columns), id FROM digest
      WHERE id BETWEEN ?1 AND ?2 AND (recorded_at < ?3) IS NOT 0
      """
    )
    deleteDigests = try Statement(
      connection, "DELETE FROM digest WHERE id BETWEEN ?1 AND ?2 AND (recorded_at < ?3) IS NOT 0")
    findForeignIDs = try Statement(
      connection,
      """
      SELECT digest_id, external_id FROM foreign_digest
      WHERE digest_id BETWEEN ?1 AND ?2
        AND digest_id IN (SELECT id FROM digest WHERE id BETWEEN ?1 AND ?2 AND (recorded_at < ?3) IS NOT 0)
      """
    )
    evictedIDs = try EvictedIDs(connection)
    advance = try Statement(
      connection, "UPDATE store SET evicted_through = max(evicted_through, ?)")
    findNames = try Statement(
      connection,
      "SELECT ifnull((SELECT max(id) FROM failure), 0) + ifnull((SELECT max(id) FROM release), 0)")
  }

  /// Returns the number of digests and errors deleted since the last call, and resets it.
  func takeSummary() -> PendingLosses.Count {
    defer { (digests, occurrences) = (0, 0) }
    nextLookAtIDs -= digests
    return PendingLosses.Count(digests: digests, occurrences: occurrences)
  }

  /// Returns whether ids of deleted digests were dropped since the last call.
  func takeDroppedIDs() -> Bool {
    defer { countDropper.hasDroppedIDs = false }
    return countDropper.hasDroppedIDs
  }

  /// Makes the next steps check the samples of all failures, even if they were checked recently.
  func lookAtSamplesAgain() {
    samples?.forget()
  }

  /// Deletes some digests, or returns some free pages to the file system.
  ///
  /// To delete everything older than `now` allows, fold first.
  ///
  /// - Returns: whether there is more to do now.
  func step(now: Moment) throws -> Bool {
    try evictExpired(before: now) || shrink(now: now) || giveBack(isThorough: false)
  }

  /// The size that the file cannot fall below, in bytes, if it is too large and its limit is less.
  func smallestSizeAboveLimit(now: Moment) throws -> Int? {
    guard let limit, try file.read().usedBytes > limit.maximum else { return nil }
    let smallest = try smallestSize(now: now)
    return smallest > limit.maximum ? smallest : nil
  }

  /// Returns the size of the file after deleting everything that may be deleted, in bytes.
  ///
  /// Deletes it all in a transaction and rolls that back. Blocks other writers meanwhile.
  private func smallestSize(now: Moment) throws -> Int {
    // Without zeroing, SQLite need not write the deleted pages.
    try connection.execute("PRAGMA secure_delete = OFF")
    defer {
      countDropper.forget()
      // This fails only when memory runs out, and then everything else fails too.
      try? connection.execute("PRAGMA secure_delete = ON")
    }
    var bytes = 0
    do {
      try connection.transaction {
        // Evicting the digests would record these losses, and losses are never deleted.
        try connection.execute(
          """
          INSERT OR IGNORE INTO loss (reason, hour, digests, occurrences)
          SELECT DISTINCT 'evicted', recorded_at / \(Moment.hour), 1000000, 1000000 FROM digest
          """)
        try connection.execute("DELETE FROM digest")
        try connection.execute("DELETE FROM foreign_digest")
        try connection.execute("UPDATE store SET evicted_through = folded_through")
        while try countDropper.dropAll(before: now) {}
        bytes = try file.read().usedBytes
        throw RolledBack()
      }
    } catch is RolledBack {}
    return bytes
  }

  /// Returns some free pages to the file system.
  ///
  /// - Parameter isThorough: whether to return all of them. Pages that stay free save the next
  ///   digests work.
  /// - Returns: whether more remain.
  func giveBack(isThorough: Bool) throws -> Bool {
    let size = try file.read()
    let isTooLarge = limit.map { size.bytes > $0.high } ?? false
    guard size.freePages > 0, isThorough || isTooLarge || size.freePages > size.pages / 4 else {
      return false
    }
    try connection.execute("PRAGMA incremental_vacuum(\(maximumPages))")
    // If the file does not shrink, as without auto_vacuum, there is nothing more to do.
    return try file.read().pages < size.pages && size.freePages > maximumPages
  }
}

extension Evictor {
  /// The limits of a configuration or of one prune. Digests beyond them are deleted.
  struct Limits: Equatable {
    var age: Duration?
    var size: SizeLimit?
  }

  /// Rolls back a transaction that must not change anything.
  private struct RolledBack: Error {}

  /// Deletes some expired digests. Once there are none, clears samples of failures that only
  /// expired digests relied on.
  private func evictExpired(before now: Moment) throws -> Bool {
    guard let maximumAge else { return false }
    let cutoff = Moment(milliseconds: now.milliseconds - min(maximumAge, now.milliseconds))
    do {
      return try transaction {
        if let batch = try expiry.next(before: cutoff) {
          if let ids = batch.ids { try evict(ids, before: batch.cutoff) }
          return true
        }
        guard let done = expiry.done, let samples else { return false }
        return try samples.step(before: done.cutoff, behind: done.foldedThrough)
      }
    } catch {
      expiry.forget()
      samples?.forget()
      throw error
    }
  }

  /// Deletes the oldest digests while the file is too large, and then whatever else may be deleted.
  private func shrink(now: Moment) throws -> Bool {
    guard let limit else { return false }
    let used = try file.read().usedBytes
    if used > limit.high { isShrinking = true }
    guard isShrinking, used > limit.low else {
      isShrinking = false
      smallest = nil
      countDropper.forget()
      return false
    }
    if try !hasComparedNames && namesMayExceed(limit) && !canMeet(limit, now: now) { return true }
    let hasMore = try transaction {
      if digests >= nextLookAtIDs {
        if try countDropper.dropForeignIDs(keeping: limit.foreignIDs) { return true }
        nextLookAtIDs = digests + 4 * Self.maximumDigests
      }
      guard let ids = try oldest() else { return false }
      try evict(ids, before: nil)
      return true
    }
    if hasMore { return true }
    isShrinking =
      try canMeet(limit, now: now)
      && transaction { try countDropper.drop(before: now, excess: used - limit.high) }
    return isShrinking
  }

  /// Whether the names, which are never deleted, may take more room than a limit. A cheap estimate.
  private func namesMayExceed(_ limit: SizeLimit) throws -> Bool {
    hasComparedNames = true
    return try findNames.returnedInteger() > limit.high / 1_024
  }

  /// Whether the file can become small enough. Raises a limit that it cannot meet.
  private func canMeet(_ limit: SizeLimit, now: Moment) throws -> Bool {
    let smallest = try self.smallest ?? smallestSize(now: now)
    self.smallest = smallest
    guard smallest > limit.high else { return true }
    self.limit = SizeLimit(beyond: smallest)
    return false
  }

  /// Runs a transaction. If it is rolled back, the summary does not count its deletions.
  private func transaction(_ body: () throws -> Bool) throws -> Bool {
    let before = (digests, occurrences)
    do {
      return try connection.transaction(body)
    } catch {
      (digests, occurrences) = before
      countDropper.forget()
      throw error
    }
  }

  /// Returns the ids of as many of the oldest digests as one step deletes; nil if there are none.
  private func oldest() throws -> ClosedRange<Int64>? {
    var ids: ClosedRange<Int64>?
    var length = 0
    defer { findDigests.reset() }
    while length < maximumLength, try findDigests.step() {
      let id = findDigests.integer(at: 0)
      ids = (ids?.lowerBound ?? id)...id
      length += Int(findDigests.integer(at: 1)) + Self.rowLength
    }
    return ids
  }

  /// Deletes the digests recorded before a cutoff, and records them as losses.
  ///
  /// - Parameter cutoff: nil to delete all of them.
  private func evict(_ ids: ClosedRange<Int64>, before cutoff: Moment?) throws {
    let values: [SQLiteValue] = [
      .integer(ids.lowerBound), .integer(ids.upperBound), SQLiteValue(cutoff?.milliseconds),
    ]
    try shortenForeignIDs(values)
    var hours: [Int64: PendingLosses.Count] = [:]
    var last: Int64 = 0
    let known = FailureValues()
    try readDigests.bind(values)
    while try readDigests.step() {
      let hour = Moment(milliseconds: readDigests.integer(at: 0)).hour
      _ = counts.read(readDigests, known)
      let before = hours[hour] ?? PendingLosses.Count(digests: 0, occurrences: 0)
      hours[hour] = PendingLosses.Count(
        digests: before.digests + 1,
        occurrences: before.occurrences.adding(count: Int(clamping: counts.occurrences)))
      last = max(last, readDigests.integer(at: 5))
    }
    try deleteDigests.run(values)
    try advance.run([.integer(last)])
    for (hour, gone) in hours {
      try losses.add(gone, to: PendingLosses.Key(reason: .evicted, hour: hour))
      digests += gone.digests
      occurrences = occurrences.adding(count: gone.occurrences)
    }
  }

  /// Replaces the ids of imported digests by what is needed to recognize them.
  private func shortenForeignIDs(_ values: [SQLiteValue]) throws {
    var ids: [(digest: Int64, id: String)] = []
    try findForeignIDs.bind(values)
    while try findForeignIDs.step() {
      ids.append((findForeignIDs.integer(at: 0), findForeignIDs.text(at: 1) ?? ""))
    }
    try evictedIDs.shorten(ids)
  }
}

extension Duration {
  /// The duration in milliseconds, never negative and limited so that arithmetic cannot overflow.
  var inMilliseconds: Int64 {
    let seconds = min(max(0, components.seconds), Moment.latest.milliseconds / 1_000)
    return max(0, seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
  }

  /// The interval in seconds at which to look for digests older than this duration.
  var evictionInterval: Double { min(max(1, Double(components.seconds) / 10), 600) }
}
