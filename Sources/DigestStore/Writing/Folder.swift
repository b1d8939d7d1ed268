/// Adds digests to the counts, in batches.
///
/// One number in the file, the id of the last folded digest, says which digests the counts contain.
/// It is written in the same transaction as the counts, so each digest is counted once, in
/// whichever process.
final class Folder {
  /// The most digests that one transaction folds.
  private static let batch = 1_500

  /// The length of entries, in bytes, after which a batch ends: some ten bytes per error. It bounds
  /// how long other writers wait, however full the digests are.
  private static let batchLength = 90_000

  /// The most bytes of packed counts that one transaction adds up.
  private static let batchBudget = 2 << 20

  /// The number of unfolded digests at which folding is due.
  static let interval: Int64 = 1_000

  private let connection: Connection
  private let findFolded: Statement
  private let findDigests: Statement
  private let addLifetime: Statement
  private let addHour: Statement
  private let advance: Statement
  private let failures: PeriodCountTable
  private let models: PeriodCountTable
  private let decodes: DecodeTable
  private var values = FailureValues()
  private var counts = DigestCounts()

  /// The id of the digest that makes the next batch due, and the id of the last digest added.
  private var next: Int64 = 0
  private var last: Int64 = 0

  init(_ connection: Connection) throws {
    self.connection = connection
    findFolded = try Statement(connection, "SELECT folded_through FROM store")
    findDigests = try Statement(
      connection,
      """
      SELECT \(DigestCounts.columns), id FROM digest
      WHERE id > ?
      ORDER BY id
      LIMIT \(Self.batch)
      """
    )
    addLifetime = try Statement(
      connection,
      """
      INSERT INTO lifetime (failure_id, occurrences, digests, shared_digests, first_seen, last_seen,
        message_used, found_used)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET
        occurrences = min(occurrences + excluded.occurrences, \(Int64.maximumCount)),
        digests = min(digests + excluded.digests, \(Int64.maximumCount)),
        shared_digests = min(
          shared_digests + excluded.shared_digests, \(Int64.maximumCount)),
        first_seen = iif(first_seen < excluded.first_seen, first_seen, excluded.first_seen),
        last_seen = iif(last_seen > excluded.last_seen, last_seen, excluded.last_seen),
        message_used = iif(message_used > excluded.message_used, message_used, excluded.message_used),
        found_used = iif(found_used > excluded.found_used, found_used, excluded.found_used)
      """
    )
    addHour = try Statement(
      connection,
      """
      INSERT INTO hour (hour, first_digest_id, last_digest_id) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET
        first_digest_id = min(first_digest_id, excluded.first_digest_id),
        last_digest_id = max(last_digest_id, excluded.last_digest_id)
      """
    )
    advance = try Statement(
      connection, "UPDATE store SET folded_through = ?")
    failures = try PeriodCountTable(connection, .failures)
    models = try PeriodCountTable(connection, .models)
    decodes = try DecodeTable(connection)
    next = try folded() + Self.interval
  }

  /// Notes that a digest was committed, and returns whether folding is due.
  func digestAdded(_ id: Int64) -> Bool {
    last = id
    return isDue
  }

  /// Whether enough digests wait to be folded.
  var isDue: Bool { last >= next }

  /// Folds all digests, or stops at the first error. The rest is folded later.
  func foldAll() {
    do { while try fold() > 0 {} } catch {}
  }

  /// Folds one batch.
  ///
  /// - Returns: the number of digests in the batch.
  /// - Throws: an error when the batch cannot be written. Nothing is lost: reports count unfolded
  ///   digests one by one. Folding is tried again after another ``interval`` of digests.
  @discardableResult
  func fold() throws -> Int {
    do {
      return try connection.transaction {
        // Read under the lock, because another process may have folded in the meantime.
        let first = try folded()
        let batch = try readBatch(after: first)
        if batch.digests > 0 { try write(batch) }
        next = batch.last + Self.interval
        return batch.digests
      }
    } catch {
      next = max(next, last) + Self.interval
      throw error
    }
  }

  private func folded() throws -> Int64 {
    try findFolded.firstRow { $0.count(at: 0) } ?? 0
  }

  /// The counts that a batch adds.
  private struct Batch {
    var last: Int64
    var digests = 0
    var failures: [PeriodCount] = []
    var models: [PeriodCount] = []
    var uses = SampleUses()

    /// The first and last digest id of each hour.
    var hours: [Int64: ClosedRange<Int64>] = [:]
  }

  private func readBatch(after first: Int64) throws -> Batch {
    try values.update(connection)
    var batch = Batch(last: first)
    var length = 0
    defer { findDigests.reset() }
    try findDigests.bind(first, at: 1)
    while length < Self.batchLength, try findDigests.step() {
      let id = findDigests.integer(at: 5)
      let hour = Moment(milliseconds: findDigests.integer(at: 0)).hour
      batch.hours[hour] = (batch.hours[hour]?.lowerBound ?? id)...id
      batch.last = id
      batch.digests += 1
      length += findDigests.withBytes(at: 2) { $0.count }
      // A damaged digest counts for nothing, here and in the recount, which reports it.
      _ = counts.read(findDigests, values)
      let release = findDigests.integer(at: 1)
      for count in counts.failures {
        batch.failures.append(PeriodCount(release: release, start: hour, count: count))
      }
      if let model = counts.model {
        batch.models.append(PeriodCount(release: release, start: hour, count: model))
      }
      batch.uses.add(counts, recordedAt: findDigests.integer(at: 0))
    }
    return batch
  }

  private func write(_ batch: Batch) throws {
    var budget = Self.batchBudget
    let allTime = try failures.add(batch.failures, budget: &budget)
    try models.add(batch.models, budget: &budget)
    for sum in PeriodCount.sums(ofAllReleasesIn: allTime) {
      let count = sum.count
      let use = batch.uses[count.id]
      let row = [
        count.id, count.occurrences, count.digests, count.sharedDigests, count.first, count.last,
        use.message, use.found,
      ]
      for (index, value) in row.enumerated() { try addLifetime.bind(value, at: Int32(index + 1)) }
      try addLifetime.run()
    }
    for sum in PeriodCount.sums(of: batch.models, span: 1) {
      try decodes.add(
        digests: sum.count.digests, inHour: sum.start, model: sum.count.id, release: sum.release)
    }
    for (hour, ids) in batch.hours {
      try addHour.run([.integer(hour), .integer(ids.lowerBound), .integer(ids.upperBound)])
    }
    try advance.run([.integer(batch.last)])
  }
}
