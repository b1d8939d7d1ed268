import ResilientDecoding

/// Appends to the file. A process has one writer per store, behind a lock.
final class Writer {
  let connection: Connection

  /// The tasks due since ``removeDueTasks()``.
  private var due: Maintenance.Tasks = []

  /// The length of the log, in pages, at which the next checkpoint is due.
  private var nextCheckpoint: Int

  /// The length of unfolded entries, in bytes, and its limit. Digests cannot be evicted before they
  /// are folded.
  private var unfoldedLength = 0
  private let maximumUnfoldedLength: Int

  /// The hours and releases of unfolded digests, and their maximum number if the file has a size
  /// limit. Folding each of them takes some pages of the log.
  private var unfoldedParts: Set<Part> = []
  private let maximumUnfoldedParts: Int?

  private struct Part: Hashable {
    let release: Int64
    let hour: Int64
  }

  /// The number of log restarts at the last check.
  private var knownBeginnings = 0

  /// The log that the store's identity was last written to.
  private var markedLog: UInt64?

  /// The sample generation at the last check: the file increments it when samples are cleared.
  private var sampleGeneration: Int64

  /// The number of log pages between two checkpoints.
  private let checkpointInterval: Int

  /// Whether the file has an age or size limit.
  private let isBounded: Bool
  private let encoder: DigestEncoder
  private let findState: Statement
  private let markLog: Statement
  private let addDigest: Statement
  private let addForeignID: Statement
  let findDigest: Statement
  let findForeignID: Statement
  let identity: String
  let folder: Folder
  private let pendingLosses: PendingLosses
  private let losses: LossTable
  private let pendingDecodes: PendingDecodes
  private let decodes: DecodeTable
  private let process: BackgroundProcess
  private var hasCommitted = false
  let evictedIDs: EvictedIDs
  private let evictor: Evictor

  /// The evictor of a prune with its own limits.
  private var pruner: (limits: Evictor.Limits, evictor: Evictor)?

  /// Opens a file, creates it if there is none, and migrates it to the current schema.
  init(
    path: String,
    configuration: DigestStore.Configuration,
    pendingLosses: PendingLosses,
    pendingDecodes: PendingDecodes,
    process: BackgroundProcess
  ) throws {
    let connection = try Connection.openStore(at: path, configuration)
    self.connection = connection
    self.pendingLosses = pendingLosses
    self.pendingDecodes = pendingDecodes
    self.process = process
    encoder = try DigestEncoder(connection, configuration)
    // Ids are never reused, even after digests have been deleted.
    findState = try Statement(
      connection,
      """
      SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded_through), sample_generation
      FROM store
      """
    )
    // Plain, because with RETURNING or SELECT SQLite would first make a table for the result.
    addDigest = try Statement(
      connection,
      """
      INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    )
    addForeignID = try Statement(
      connection, "INSERT INTO foreign_digest (digest_id, external_id) VALUES (?, ?)")
    // A digest that was deleted counts as known.
    findDigest = try Statement(
      connection,
      """
      SELECT ifnull((SELECT recorded_at = ?2 FROM digest WHERE id = ?1), ?1 <= folded_through)
      FROM store
      """
    )
    findForeignID = try Statement(
      connection,
      "SELECT 1 FROM foreign_digest WHERE external_id = ?"
    )
    markLog = try Statement(connection, "UPDATE store SET coarse_before = ~coarse_before")
    identity = try connection.text("SELECT identity FROM store") ?? ""
    sampleGeneration = try connection.integer("SELECT sample_generation FROM store") ?? 0
    folder = try Folder(connection)
    losses = try LossTable(connection)
    decodes = try DecodeTable(connection)
    evictedIDs = try EvictedIDs(connection)
    evictor = try Evictor(
      connection,
      Evictor.Limits(
        age: configuration.maximumAge,
        size: configuration.maximumBytes.map(SizeLimit.init(recording:))),
      losses)
    let pageSize = try connection.integer("PRAGMA page_size") ?? 4_096
    let logLimit = configuration.maximumBytes.map { SizeLimit(recording: $0).log } ?? SizeLimit.log
    checkpointInterval = SizeLimit.checkpointLength(ofLog: logLimit) / Int(pageSize)
    nextCheckpoint = checkpointInterval
    maximumUnfoldedLength = min(1 << 19, logLimit / 2)
    maximumUnfoldedParts = configuration.maximumBytes.map { _ in logLimit / Int(pageSize) / 20 }
    isBounded = configuration.maximumAge != nil || configuration.maximumBytes != nil
  }

  /// The contents of the file as far as they can be read, to report when the file is lost.
  var totals: PendingLosses.Count {
    // Digest ids are consecutive. An error here means that the file cannot be read.
    let digests = try? connection.integer(
      // Two subqueries, because one for both would read all rows.
      "SELECT (SELECT max(id) FROM digest) - (SELECT min(id) FROM digest) + 1")
    let occurrences = try? Snapshot.of(connection) {
      try $0.sumsOfAll(DigestFilter()).occurrences
    }
    return PendingLosses.Count(
      digests: Int(clamping: min(digests ?? 0, Int64.maximumCount)),
      occurrences: Int(clamping: occurrences ?? 0))
  }

  /// Appends digests, pending losses and counted decodes in one transaction.
  func append(_ digests: [DigestRecord]) throws {
    let last = try transaction {
      try digests.reduce(begin()) { last, digest in try add(digest, behind: last) }
    }
    appended(through: last)
  }

  /// Updates the due tasks after digests up to this id were committed.
  func appended(through last: Int64) {
    let hasManyParts = maximumUnfoldedParts.map { unfoldedParts.count > $0 } == true
    if folder.digestAdded(last) || unfoldedLength > maximumUnfoldedLength || hasManyParts {
      due.insert(.fold)
    }
    lookAtLog()
    if isBounded, !due.isEmpty { due.insert(.evict) }
  }

  /// Schedules a checkpoint if the log is long enough.
  private func lookAtLog() {
    let pages = connection.wal.pages
    if connection.wal.beginnings != knownBeginnings {
      knownBeginnings = connection.wal.beginnings
      nextCheckpoint = checkpointInterval
    }
    guard pages >= nextCheckpoint else { return }
    due.insert(.checkpoint)
    // If a reader blocks the checkpoint, the next digest does not try it again.
    nextCheckpoint = pages + checkpointInterval
  }

  /// Deletes some of the data that exceeds the limits.
  ///
  /// - Returns: whether there is more to delete.
  func evict(now: Moment) throws -> Bool {
    try evicting { try $0.step(now: now) }
  }

  /// Runs `body` with the evictor for these limits (nil for the configuration's), then checks the
  /// log.
  func evicting<Value>(
    by limits: Evictor.Limits? = nil, _ body: (Evictor) throws -> Value
  ) throws -> Value {
    defer {
      lookAtLog()
      markNewLog()
    }
    return try body(evictor(for: limits))
  }

  /// Releases the evictor of a prune with its own limits.
  func endPruning() { pruner = nil }

  private func evictor(for limits: Evictor.Limits?) throws -> Evictor {
    guard let limits else { return evictor }
    if let pruner, pruner.limits == limits { return pruner.evictor }
    let evictor = try Evictor(connection, limits, losses)
    pruner = (limits, evictor)
    return evictor
  }

  /// Returns and clears the due tasks.
  func removeDueTasks() -> Maintenance.Tasks {
    defer { due = [] }
    return due
  }

  /// Folds one batch of digests into the counts.
  ///
  /// - Returns: whether there may be more to fold.
  func fold() throws -> Bool {
    defer {
      lookAtLog()
      markNewLog()
    }
    let count = try folder.fold()
    if count == 0 { unfoldedLength = 0 }
    unfoldedParts = []
    return count > 0 && (folder.isDue || unfoldedLength > maximumUnfoldedLength)
  }

  /// Folds all digests, or stops at the first error.
  func foldAll() {
    folder.foldAll()
    markNewLog()
  }

  /// Writes the identity of the store to a restarted log, which distinguishes it from the log of
  /// another store.
  ///
  /// Called after a commit: another process may have copied the rest of the log during the
  /// transaction.
  private func markNewLog() {
    guard let log = SharedLog(of: connection), log.frames > 0, log.salt != markedLog else { return }
    do {
      try connection.transaction {
        // Twice, because SQLite does not write unchanged pages.
        for _ in 0..<2 { try markLog.run() }
      }
      markedLog = SharedLog(of: connection)?.salt
    } catch {
      // The earlier commit stays valid; the next transaction tries again.
    }
  }

  /// Records in the file that no digest of this process waits in memory.
  func endBackgroundWriting() {
    // Without success the row stays, as if the process had been killed.
    try? process.remove(from: connection)
    markNewLog()
  }

  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    let pending = pendingLosses.pending
    let counted = pendingDecodes.take()
    do {
      var isMarked = false
      let value = try connection.transaction {
        let log = SharedLog(of: connection)
        isMarked = log?.isCopied != false || log?.salt != markedLog
        // Twice, because SQLite does not write unchanged pages.
        if isMarked { for _ in 0..<2 { try markLog.run() } }
        for (key, count) in pending { try losses.add(count, to: key) }
        for (key, count) in counted { try add(count, to: key) }
        try process.update(on: connection, isFirst: !hasCommitted, losses)
        return try body()
      }
      try connection.confirmCommit()
      process.committed()
      hasCommitted = true
      pendingLosses.remove(pending)
      if isMarked { markedLog = SharedLog(of: connection)?.salt }
      markNewLog()
      return value
    } catch {
      encoder.forget()
      pendingDecodes.restore(counted)
      throw error
    }
  }

  private func add(_ decodes: Int, to key: PendingDecodes.Key) throws {
    let (model, release) = try encoder.ids(ofModel: key.model, release: key.release)
    try self.decodes.add(Int64(decodes), inHour: key.hour, model: model, release: release)
  }

  /// Adds clean decodes that another store has counted, unless they are known.
  func add(_ record: DecodeRecord) throws {
    let (model, release) = try encoder.ids(ofModel: record.model, release: record.release)
    try decodes.add(record, model: model, release: release)
  }

  /// Prepares for adding digests; call it first in a transaction. If any process has cleared
  /// samples, forgets them before a digest is encoded with them.
  ///
  /// - Returns: the highest digest id used so far.
  func begin() throws -> Int64 {
    let state = try findState.firstRow { ($0.integer(at: 0), $0.integer(at: 1)) }
    guard let (last, generation) = state else { throw SQLiteError.noRow(findState.sql) }
    guard last < StoredNumbers.ids.upperBound else {
      throw UnreadableRow("the file has no number left for another digest")
    }
    if generation != sampleGeneration {
      encoder.forgetSamples()
      sampleGeneration = generation
    }
    return last
  }

  /// Adds a digest.
  ///
  /// - Parameter last: the id of the previous digest.
  /// - Returns: the id of the new digest.
  func add(_ record: DigestRecord, behind last: Int64) throws -> Int64 {
    let id = last + 1
    let digest = try encoder.encode(record)
    unfoldedLength += digest.entries.utf8.count
    if let maximumUnfoldedParts, unfoldedParts.count <= maximumUnfoldedParts {
      unfoldedParts.insert(Part(release: digest.release, hour: record.recordedAt.hour))
    }
    try addDigest.run([
      .integer(id), .integer(record.recordedAt.milliseconds), .integer(digest.model),
      .integer(digest.release), .text(digest.entries), SQLiteValue(digest.omissions),
    ])
    if let externalID = record.id {
      try addForeignID.run([.integer(id), .text(externalID)])
    }
    if record.redacted > 0 {
      try losses.add(
        PendingLosses.Count(digests: 1, occurrences: record.redacted),
        to: PendingLosses.Key(reason: .redacted, hour: record.recordedAt.hour))
    }
    return id
  }
}
