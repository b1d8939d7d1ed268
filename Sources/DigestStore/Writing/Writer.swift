import ResilientDecoding

/// Writes to the file. A process has one writer per store, and uses it in turns.
final class Writer {
  /// The number of digests at which a flush folds some itself, because the thread that folds falls
  /// behind: reports count unfolded digests one by one, some µs each.
  private static let mostUnfolded: Int64 = 10_000

  let connection: Connection
  let names: NameIDs
  let origins: Origins
  let fold: Fold
  let retention: Retention

  /// The identity of the store.
  let identity: String

  private let encoder: DigestEncoder
  let losses: LossTable
  private let findLast: Statement
  private let addDigest: Statement
  private let insertDecodes: Statement
  private let pendingLosses: PendingLosses
  private let pendingDecodes: PendingDecodes

  /// The number of digests at which folding is due.
  private let maximumUnfolded: Int64

  /// When the log is copied into the file.
  private var checkpoints: CheckpointSchedule

  /// The last digest that may be folded already.
  private var folded: Int64

  /// Opens a file, creates it if there is none, and migrates it to the current schema.
  init(
    path: String,
    configuration: DigestStore.Configuration,
    pendingLosses: PendingLosses,
    pendingDecodes: PendingDecodes
  ) throws {
    connection = try Connection.openStore(at: path, configuration)
    self.pendingLosses = pendingLosses
    self.pendingDecodes = pendingDecodes
    encoder = try DigestEncoder(connection, configuration)
    names = encoder.names
    origins = try Origins(connection)
    fold = try Fold(connection)
    losses = try LossTable(connection)
    let limits = RetentionLimits(configuration)
    retention = try Retention(connection, limits)
    maximumUnfolded = limits.maximumUnfolded
    identity = try connection.text("SELECT identity FROM store") ?? ""
    folded = try connection.integer("SELECT folded FROM store") ?? 0
    // Ids are never reused, even after digests have been deleted.
    findLast = try Statement(
      connection, "SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded) FROM store")
    addDigest = try Statement(
      connection,
      """
      INSERT INTO digest (id, recorded_at, model, context, origin, number, errors)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    insertDecodes = try Statement(
      connection,
      """
      INSERT INTO decodes
      SELECT s.span, iif(a.every, 0, ?1), ?2 / s.span, ?3, ?4, 0, 0, 0 FROM \(Fold.spans)
      WHERE true
      \(Fold.adding("decodes"))
      """)
    checkpoints = CheckpointSchedule(
      path: path, pageSize: Int(try connection.integer("PRAGMA page_size") ?? 4_096))
  }

  /// Writes digests, pending losses and counted decodes in one transaction.
  ///
  /// - Returns: the tasks that are due then.
  @discardableResult
  func append(_ digests: [DigestRecord]) throws -> MaintenanceTasks {
    let last = try transaction {
      var last = try lastDigest()
      for digest in digests { last = try add(digest, after: last) }
      return last
    }
    // If folding fails, it is tried again with the next digest.
    if last - folded > Self.mostUnfolded { _ = try? foldSome() }
    return due(last)
  }

  /// Runs `body` in a transaction that also writes pending losses and counted decodes.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    let pending = pendingLosses.pending
    let decodes = pendingDecodes.take()
    do {
      let value = try connection.transaction {
        for (key, count) in pending { try losses.add(count, to: key) }
        for (key, count) in decodes { try add(count, to: key) }
        return try body()
      }
      pendingLosses.remove(pending)
      return value
    } catch {
      names.forget()
      origins.forget()
      pendingDecodes.restore(decodes)
      throw error
    }
  }

  /// The highest id of a digest used so far. Call it inside a transaction.
  func lastDigest() throws -> Int64 {
    let last = try findLast.firstRow { $0.integer(at: 0) } ?? 0
    guard 0..<Int64.maximumCount ~= last else {
      throw UnreadableRow("the file has no number left for another digest")
    }
    return last
  }

  /// Adds a digest, inside a transaction.
  ///
  /// - Parameters:
  ///   - last: the id of the previous digest.
  ///   - origin: the origin that recorded the digest, and its number there; nil for this store.
  /// - Returns: the id of the new digest.
  func add(
    _ record: DigestRecord, after last: Int64, from origin: (id: Int64, number: Int64)? = nil
  ) throws -> Int64 {
    let id = last + 1
    let digest = try encoder.encode(record)
    try addDigest.run([
      .integer(id), .integer(record.recordedAt.milliseconds), .integer(digest.model),
      .integer(digest.context), SQLValue(origin?.id), SQLValue(origin?.number),
      .text(digest.errors),
    ])
    if record.redacted > 0 {
      try losses.add(
        PendingLosses.LossCount(digests: 1, occurrences: record.redacted),
        to: PendingLosses.LossKey(reason: .redacted, hour: record.recordedAt.hour))
    }
    return id
  }

  private func add(_ decodes: Int, to key: PendingDecodes.DecodeKey) throws {
    try addDecodes(
      Int64(decodes), context: names.context(key.context), hour: key.hour,
      model: names.model(key.model).id)
  }

  /// Adds clean decodes to the counts of a context and to those of all, inside a transaction.
  func addDecodes(_ decodes: Int64, context: Int64, hour: Int64, model: Int64) throws {
    try insertDecodes.run([
      .integer(context), .integer(hour), .integer(model), .integer(decodes),
    ])
  }

  /// Folds some digests.
  ///
  /// - Parameter limit: the most digests to fold.
  /// - Returns: whether there are more. A busy store so folds few digests at most once, and not all
  ///   the time.
  func foldSome(limit: Int = Fold.maximumDigests) throws -> Bool {
    // Takes no lock if another process has folded all.
    let first = "SELECT 1 FROM digest WHERE id > (SELECT folded FROM store) LIMIT 1"
    guard try connection.integer(first) != nil else { return false }
    return try connection.transaction {
      guard try fold.foldBatch(limit: limit) > 0 else { return false }
      return try connection.firstRow(
        """
        SELECT folded, EXISTS (SELECT 1 FROM digest
          WHERE id > folded AND id < \(Int64.maximumCount)) FROM store
        """
      ) { row in
        folded = row.integer(at: 0)
        return row.integer(at: 1) != 0
      } ?? false
    }
  }

  /// The tasks that are due after digests up to this id were committed.
  func due(_ last: Int64) -> MaintenanceTasks {
    var tasks: MaintenanceTasks = checkpointIfEarly() ? [.checkpoint, .evict] : []
    if last - folded >= maximumUnfolded {
      tasks.formUnion([.fold, .evict])
      // Other tasks of another process may have folded them.
      folded = (try? connection.integer("SELECT folded FROM store") ?? folded) ?? folded
    } else if last > folded {
      tasks.insert(.foldSoon)
    }
    return tasks
  }

  /// Copies the log into the file if it is long enough and the volume is nearly full: another
  /// connection would copy it while this one writes, and leave the file no space to grow.
  ///
  /// - Returns: whether another connection should copy the log now.
  func checkpointIfEarly() -> Bool {
    guard checkpoints.isDue(pages: connection.wal.pages) else { return false }
    guard checkpoints.isEarly else { return true }
    // A full disk also fails the next digest, which reports it.
    _ = try? connection.checkpoint()
    return false
  }
}
