import ResilientDecoding

/// The one that appends to the file, in this process; kept behind a lock.
final class Writer {
  let connection: Connection

  /// What has come together since someone looked.
  private var due: Maintenance.Tasks = []

  /// The length of the log, in pages, at which it is to be copied into the file.
  private var nextCheckpoint: Int

  /// About how many bytes of what went wrong wait to be folded, and how many may: what is not folded
  /// cannot be evicted either.
  private var unfoldedLength = 0
  private let maximumUnfoldedLength: Int

  /// Of which hours and releases it is, and of how many it may be, if the file has a limit: each of
  /// them takes some pages of the log when it is folded.
  private var unfoldedParts: Set<Part> = []
  private let maximumUnfoldedParts: Int?

  private struct Part: Hashable {
    let release: Int64
    let hour: Int64
  }

  /// How often it had begun anew when someone looked.
  private var knownBeginnings = 0

  /// The log to which the identity of the store was last written.
  private var markedLog: LogSalt?

  /// How often samples of failures had been cleared when someone looked.
  private var sampleGeneration: Int64

  /// How long it may grow, in pages.
  private let checkpointInterval: Int

  /// Whether there is a limit to what the file may keep.
  private let isBounded: Bool
  private let known: KnownFailures
  private let encoder: DigestEncoder
  private let findState: Statement
  private let markLog: Statement
  private let addDigest: Statement
  private let addForeignID: Statement
  let findDigest: Statement
  let findForeignID: Statement
  let identity: String
  let folder: Folder
  private let ledger: PendingLosses
  private let losses: LossTable
  private let processes: BackgroundProcesses

  /// Whether digests may wait in memory when this process ends.
  private let isInBackground: Bool
  private let now: @Sendable () -> Moment
  let evictedIDs: EvictedIDs
  private let evictor: Evictor

  /// The one of a prune with limits of its own.
  private var pruner: (limits: Evictor.Limits, evictor: Evictor)?

  /// Opens a file, makes it if there is none, and brings it to the schema of this version.
  ///
  /// - Parameter known: learns what the file has, for those who encode digests before it is their
  ///   turn to write.
  init(
    path: String,
    configuration: DigestStore.Configuration,
    ledger: PendingLosses,
    known: KnownFailures
  ) throws {
    let connection = try Connection.openStore(at: path, configuration)
    self.connection = connection
    self.ledger = ledger
    self.known = known
    encoder = try DigestEncoder(connection, configuration, known)
    // An id is never given twice, also when digests have been deleted.
    findState = try Statement(
      connection,
      """
      SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded_through), sample_generation
      FROM store
      """
    )
    // Plain: with a RETURNING or a SELECT behind it SQLite would make a table for the result first.
    addDigest = try Statement(
      connection,
      """
      INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    )
    addForeignID = try Statement(
      connection, "INSERT INTO foreign_digest (digest_id, external_id) VALUES (?, ?)")
    // A digest that is gone was known, as far as anyone can tell.
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
    processes = BackgroundProcesses(connection)
    isInBackground = if case .inBackground = configuration.writing { true } else { false }
    now = { Moment(configuration.clock()) }
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
    maximumUnfoldedParts = configuration.maximumBytes.map { _ in logLimit / Int(pageSize) / 16 }
    isBounded = configuration.maximumAge != nil || configuration.maximumBytes != nil
  }

  /// What the file holds, as far as it can be read: for when it is lost.
  var totals: PendingLosses.Count {
    // The numbers of digests follow each other. An error here means a file that says nothing.
    let digests = try? connection.integer(
      // Apart from each other, for together they read all rows.
      "SELECT (SELECT max(id) FROM digest) - (SELECT min(id) FROM digest) + 1")
    let occurrences = try? Snapshot.of(connection) {
      try $0.sumsOfAll(DigestFilter()).occurrences
    }
    return PendingLosses.Count(
      digests: Int(clamping: min(digests ?? 0, Int64.maximumCount)),
      occurrences: Int(clamping: occurrences ?? 0))
  }

  /// Appends digests in one transaction, with what the ledger has to say.
  ///
  /// They may have been encoded before, by what was known of the file then.
  func append(_ digests: [(record: DigestRecord, encoded: EncodedDigest?)]) throws {
    let last = try transaction {
      try digests.reduce(begin()) { last, digest in
        try add(digest.record, as: valid(digest.encoded), behind: last)
      }
    }
    appended(through: last)
  }

  /// What was encoded before, unless it was for another state of the file.
  func valid(_ encoded: EncodedDigest?) -> EncodedDigest? {
    encoded?.generation == known.generation ? encoded : nil
  }

  /// Finds out what is due now that the file has digests up to this one.
  func appended(through last: Int64) {
    let hasManyParts = maximumUnfoldedParts.map { unfoldedParts.count > $0 } == true
    if folder.digestAdded(last) || unfoldedLength > maximumUnfoldedLength || hasManyParts {
      due.insert(.fold)
    }
    lookAtLog()
    if isBounded, !due.isEmpty { due.insert(.evict) }
  }

  /// Finds out whether the log has become long enough to be copied.
  private func lookAtLog() {
    let pages = connection.wal.pages
    if connection.wal.beginnings != knownBeginnings {
      knownBeginnings = connection.wal.beginnings
      nextCheckpoint = checkpointInterval
    }
    guard pages >= nextCheckpoint else { return }
    due.insert(.checkpoint)
    // One that a reader stands in the way of is not tried again with every digest.
    nextCheckpoint = pages + checkpointInterval
  }

  /// Deletes some of what is older or more than the file may keep.
  ///
  /// - Returns: whether there is more to do.
  func evict(now: Moment) throws -> Bool {
    try evicting { try $0.step(now: now) }
  }

  /// Evicts by limits, nil for those of the configuration, and looks at the log.
  func evicting<Value>(
    by limits: Evictor.Limits? = nil, _ body: (Evictor) throws -> Value
  ) throws -> Value {
    defer {
      lookAtLog()
      markNewLog()
    }
    return try body(evictor(for: limits))
  }

  /// Lets go of the evictor of a prune with limits of its own.
  func endPruning() { pruner = nil }

  private func evictor(for limits: Evictor.Limits?) throws -> Evictor {
    guard let limits else { return evictor }
    if let pruner, pruner.limits == limits { return pruner.evictor }
    let evictor = try Evictor(connection, limits, losses)
    pruner = (limits, evictor)
    return evictor
  }

  /// What is to be done now that more is written.
  func takeDue() -> Maintenance.Tasks {
    defer { due = [] }
    return due
  }

  /// Adds digests to the tallies, as many as one transaction may.
  ///
  /// - Returns: whether there may be more to do.
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

  /// Folds all that there is, as far as that succeeds.
  func foldAll() { folder.foldAll() }

  /// Writes the identity of the store to a log that has begun anew, which tells it from the log of
  /// another store.
  ///
  /// SQLite does not say before a commit whether the log begins anew with it.
  private func markNewLog() {
    guard let log = connection.logSalt(), log != markedLog else { return }
    do {
      try connection.transaction {
        // Twice, because SQLite does not write unchanged pages.
        for _ in 0..<2 { try markLog.run() }
      }
      markedLog = connection.logSalt()
    } catch {
      // What was committed before stays so; the next transaction tries again.
    }
  }

  /// Notes in the file that no digest of this process waits in memory.
  func endBackgroundWriting() {
    if processes.remove() { markNewLog() }
  }

  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    let pending = ledger.pending
    do {
      let isNewLog = markedLog == nil || connection.logSalt() != markedLog
      let (value, commit) = try connection.transaction {
        // Twice, because SQLite does not write unchanged pages.
        if isNewLog { for _ in 0..<2 { try markLog.run() } }
        for (key, count) in pending { try losses.add(count, to: key) }
        let commit = try processes.update(
          isWaiting: isInBackground, now: now(), losses)
        return (try body(), commit)
      }
      commit()
      ledger.remove(pending)
      encoder.publish()
      if isNewLog { markedLog = connection.logSalt() }
      markNewLog()
      return value
    } catch {
      encoder.forget()
      throw error
    }
  }

  /// Begins to add digests, at the beginning of a transaction: forgets samples of failures if this
  /// process or another one has cleared some since, before anything is encoded by them.
  ///
  /// - Returns: the id of the last digest that there has been.
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
  /// - Parameters:
  ///   - encoded: what it is written as, if that has been found out before.
  ///   - last: the id of the one before.
  /// - Returns: its own id.
  func add(
    _ record: DigestRecord,
    as encoded: EncodedDigest? = nil,
    behind last: Int64
  ) throws -> Int64 {
    let id = last + 1
    let digest = try encoded ?? encoder.encode(record)
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
