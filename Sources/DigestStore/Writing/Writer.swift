import ResilientDecoding

/// The one that appends to the file, in this process; the store keeps it behind its lock.
final class Writer {
  let connection: Connection
  private let names: Names
  private let limit: ValueLimit
  private let addDigest: Statement
  private let addForeignID: Statement
  private let findDigest: Statement
  private let findForeignID: Statement
  private let identity: String
  private let folder: Folder
  private let ledger: Ledger

  /// The last time that the file was locked for too long.
  private var busy: (error: SQLiteError, since: ContinuousClock.Instant)?

  init(_ connection: Connection, maximumValueLength: Int) throws {
    self.connection = connection
    names = try Names(connection)
    limit = ValueLimit(maximumValueLength)
    // An id is never given twice, also when digests have been deleted.
    addDigest = try Statement(
      connection,
      """
      INSERT INTO digest (id, recorded_at, model_id, release_id, entries, omissions, says_found)
      SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded_through) + 1, ?, ?, ?, ?, ?, 1
      FROM store
      RETURNING id
      """
    )
    addForeignID = try Statement(connection, "INSERT INTO foreign_digest VALUES (?, ?)")
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
    identity = try connection.text("SELECT identity FROM store") ?? ""
    folder = try Folder(connection)
    ledger = try Ledger(connection)
  }

  /// Appends a digest in a transaction of its own.
  ///
  /// When that fails, the loss is counted, and written with the next digest.
  ///
  /// - Parameter asked: when the caller began to wait for its turn. If another one has waited for a
  ///   locked file in vain since then, this one has waited as long and does not do so again.
  func append(_ record: DigestRecord, asked: ContinuousClock.Instant = .now) throws {
    let id: Int64
    do {
      if let busy, asked < busy.since { throw busy.error }
      id = try rememberingBusy { try transaction { try add(record) } }
    } catch {
      ledger.count(.failedWrite, of: record)
      throw error
    }
    folder.digestAdded(id)
  }

  /// Appends all records, or none when `records` throws.
  ///
  /// - Parameter next: gives one record after the other, then nil.
  /// - Returns: how many were added and how many were there already.
  func appendAll(
    _ next: () throws -> DigestRecord?
  ) throws -> (added: Int, known: Int) {
    var added = 0
    var known = 0
    try transaction {
      while let record = try next() {
        if try isKnown(record) {
          known += 1
        } else {
          _ = try add(record)
          added += 1
        }
      }
    }
    folder.foldAll()
    return (added, known)
  }

  /// Writes what is still to be said; the file itself is closed when this object is gone.
  func close() throws {
    if ledger.hasPending { try transaction {} }
  }

  private func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      let value = try connection.transaction {
        try ledger.write()
        return try body()
      }
      ledger.forget()
      return value
    } catch {
      names.forget()
      throw error
    }
  }

  /// Remembers when a wait for a locked file was in vain.
  private func rememberingBusy<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError where error.isBusy {
      busy = (error, .now)
      throw error
    }
  }

  private func add(_ record: DigestRecord) throws -> Int64 {
    let model = try names.model(limit.cut(record.model))
    let release = try names.release(record.release.map(limit.cut))
    let entries = try record.entries.map { try entry($0, model: model) }
    let omissions = try record.omissions.map { try omission($0, count: $1, model: model) }
    let id = try addDigest.returnedInteger([
      .integer(record.recordedAt.milliseconds), .integer(model), .integer(release),
      .text("[\(entries.joined(separator: ","))]"),
      omissions.isEmpty ? .null : .text("[\(omissions.joined(separator: ","))]"),
    ])
    if let externalID = record.id {
      try addForeignID.run([.integer(id), .text(externalID)])
    }
    return id
  }

  /// An entry as the file has it: `[failure, index or key…, {"m": message, "t": …, "f": …}?]`, with
  /// only what is not its failure's.
  private func entry(_ record: FailureRecord, model: Int64) throws -> String {
    let record = record.cut(to: limit)
    let path = PathFormat(record.path)
    let failure = try names.failure(record, at: path, model: model)
    var own = KeptFoundValue.members(of: record.keptFound, besides: failure.found)
    if record.message.map(ExactText.init) != failure.message {
      own.insert("\"m\":\(record.message?.jsonQuoted ?? "null")", at: 0)
    }
    return Self.array(["\(failure.id)"] + path.arguments, own)
  }

  /// What was only counted, as the file has it: `[failure, count, {"t": …, "f": …}?]`.
  private func omission(_ record: FailureRecord, count: Int, model: Int64) throws -> String {
    let record = record.cut(to: limit)
    let failure = try names.failure(record, at: PathFormat(record.path), model: model)
    let own = KeptFoundValue.members(of: record.keptFound, besides: nil)
    return Self.array(["\(failure.id)", "\(count)"], own)
  }

  /// JSON of values and, behind them, an object of members if there are any.
  private static func array(_ values: [String], _ members: [String]) -> String {
    let object = members.isEmpty ? [] : ["{\(members.joined(separator: ","))}"]
    return "[\((values + object).joined(separator: ","))]"
  }

  /// Whether the file has had the digest, as its own or from elsewhere.
  private func isKnown(_ record: DigestRecord) throws -> Bool {
    guard let id = record.id else { return false }
    let moment = record.recordedAt.milliseconds
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, let number = Int64(parts[1]), id == "\(identity)-\(number)-\(moment)",
      try findDigest.firstRow(
        [.integer(number), .integer(moment)], { $0.integer(at: 0) != 0 }) == true
    {
      return true
    }
    return try findForeignID.firstRow([.text(id)]) { _ in true } != nil
  }
}
