/// Deletes digests that are too old, or too many for the size of the file, a few at a time.
///
/// Only digests that are in the tallies go, so that no count changes. It is used under the lock of
/// the writer whose connection it has; each step is a transaction of some milliseconds.
final class Evictor {
  /// How many digests a step deletes or looks at, and how many bytes of what went wrong it deletes.
  static let maximumDigests = 500
  static let maximumScanned = 4_000
  static let maximumLength = 256 << 10
  private static let maximumPacks = 100

  /// How many bytes a digest takes besides its errors, about.
  private static let rowLength: Int = 32

  /// How many bytes of what went wrong a step deletes in this file, and how many pages it gives
  /// back: what a step changes is in the write-ahead log at first, and has to fit there.
  private let maximumLength: Int
  private let maximumPages: Int

  /// What it has done since it was made or asked.
  private(set) var digests = 0
  private(set) var occurrences = 0

  private let connection: Connection
  private let maximumAge: Int64?
  private var limit: SizeLimit?
  private let file: FileSizeReader
  private let losses: LossTable
  private let tallies: CountDropper

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

  /// Whether the file has been too large and is not yet as small as it is to become.
  private var isShrinking = false

  /// Whether the limit was compared with what the names take, which stay.
  private var hasComparedNames = false

  /// How small the file can become, once that was asked while it shrinks.
  private var smallest: Int?

  /// When so many digests are gone, more may be known of those from elsewhere than is worth its room.
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
    tallies = try CountDropper(
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

  /// Says what it has done since it was made or asked.
  func takeSummary() -> PendingLosses.Count {
    defer { (digests, occurrences) = (0, 0) }
    nextLookAtIDs -= digests
    return PendingLosses.Count(digests: digests, occurrences: occurrences)
  }

  /// Looks at the samples of all failures with the next steps, however short ago it has.
  func lookAtSamplesAgain() {
    samples?.forget()
  }

  /// Deletes some digests, or gives some pages back.
  ///
  /// To leave nothing older than `now` allows, fold first.
  ///
  /// - Returns: whether there is more to do just now.
  func step(now: Moment) throws -> Bool {
    try evictExpired(before: now) || shrink(now: now) || giveBack(isThorough: false)
  }

  /// The size that the file cannot fall below, in bytes, if it is too large and its limit is less.
  func smallestSizeAboveLimit(now: Moment) throws -> Int? {
    guard let limit, try file.read().usedBytes > limit.maximum else { return nil }
    let smallest = try smallestSize(now: now)
    return smallest > limit.maximum ? smallest : nil
  }

  /// The size of the file once everything that may go is gone, in bytes.
  ///
  /// Deletes all of it in a transaction, and rolls that back. Others cannot write meanwhile.
  private func smallestSize(now: Moment) throws -> Int {
    // Pages that are not overwritten with zeros need not be written at all.
    try connection.execute("PRAGMA secure_delete = OFF")
    defer {
      tallies.forget()
      // It fails for want of memory alone, as anything else would then.
      try? connection.execute("PRAGMA secure_delete = ON")
    }
    var bytes = 0
    do {
      try connection.transaction {
        // What evicting the digests enters in the ledger stays.
        try connection.execute(
          """
          INSERT OR IGNORE INTO loss (reason, hour, digests, occurrences)
          SELECT DISTINCT 'evicted', recorded_at / \(Moment.hour), 1000000, 1000000 FROM digest
          """)
        try connection.execute("DELETE FROM digest")
        try connection.execute("DELETE FROM foreign_digest")
        try connection.execute("UPDATE store SET evicted_through = folded_through")
        while try tallies.dropAll(before: now) {}
        bytes = try file.read().usedBytes
        throw RolledBack()
      }
    } catch is RolledBack {}
    return bytes
  }

  /// Gives some pages back to the file system.
  ///
  /// - Parameter isThorough: whether to leave none for the next digests, which saves them work.
  /// - Returns: whether there are more.
  func giveBack(isThorough: Bool) throws -> Bool {
    let size = try file.read()
    let isTooLarge = limit.map { size.bytes > $0.high } ?? false
    guard size.freePages > 0, isThorough || isTooLarge || size.freePages > size.pages / 4 else {
      return false
    }
    try connection.execute("PRAGMA incremental_vacuum(\(maximumPages))")
    // Where nothing moves, as in a file that was made without auto_vacuum, there is no more to do.
    return try file.read().pages < size.pages && size.freePages > maximumPages
  }
}

extension Evictor {
  /// Which digests have to go: those beyond the limits of a configuration, or of one prune.
  struct Limits: Equatable {
    var age: Duration?
    var size: SizeLimit?
  }

  /// Ends a transaction that is to change nothing.
  private struct RolledBack: Error {}

  /// Deletes some of what is older than it may be: digests, and once there are none the samples of
  /// failures on which only such digests relied.
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

  /// Deletes the oldest digests while the file is too large, and then what else can go.
  private func shrink(now: Moment) throws -> Bool {
    guard let limit else { return false }
    let used = try file.read().usedBytes
    if used > limit.high { isShrinking = true }
    guard isShrinking, used > limit.low else {
      isShrinking = false
      smallest = nil
      tallies.forget()
      return false
    }
    if try !hasComparedNames && namesMayExceed(limit) && !canMeet(limit, now: now) { return true }
    let hasMore = try transaction {
      if digests >= nextLookAtIDs {
        if try tallies.dropForeignIDs(keeping: limit.foreignIDs) { return true }
        nextLookAtIDs = digests + 4 * Self.maximumDigests
      }
      guard let ids = try oldest() else { return false }
      try evict(ids, before: nil)
      return true
    }
    if hasMore { return true }
    isShrinking =
      try canMeet(limit, now: now)
      && transaction { try tallies.drop(before: now, excess: used - limit.high) }
    return isShrinking
  }

  /// Whether the names, which stay, may take more than a limit: a guess that costs nothing.
  private func namesMayExceed(_ limit: SizeLimit) throws -> Bool {
    hasComparedNames = true
    return try findNames.returnedInteger() > limit.high / 1_024
  }

  /// Whether the file can become small enough; a limit that it cannot meet is raised.
  private func canMeet(_ limit: SizeLimit, now: Moment) throws -> Bool {
    let smallest = try self.smallest ?? smallestSize(now: now)
    self.smallest = smallest
    guard smallest > limit.high else { return true }
    self.limit = SizeLimit(beyond: smallest)
    return false
  }

  /// Runs a transaction, and does not count what it has done when it is rolled back.
  private func transaction(_ body: () throws -> Bool) throws -> Bool {
    let before = (digests, occurrences)
    do {
      return try connection.transaction(body)
    } catch {
      (digests, occurrences) = before
      tallies.forget()
      throw error
    }
  }

  /// The ids of the oldest digests, in one step's measure; nil when there are none.
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

  /// Deletes those of the digests that are from before a moment, and enters it in the ledger.
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

  /// Keeps of the ids of digests from elsewhere what is needed to know them again.
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
  /// In milliseconds, of which none is negative, nor so many that one cannot count on.
  var inMilliseconds: Int64 {
    let seconds = min(max(0, components.seconds), Moment.latest.milliseconds / 1_000)
    return max(0, seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
  }

  /// How often to look for what has become older than this, in seconds.
  var evictionInterval: Double { min(max(1, Double(components.seconds) / 10), 600) }
}
