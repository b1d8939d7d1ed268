/// The stores whose exports are imported, and what is here of them.
///
/// Call ``begin(_:)`` in each transaction, because another process may delete what is remembered.
final class Origins {
  /// Where a digest belongs.
  enum ImportOutcome {
    /// The file has the digest.
    case known

    /// The file has had the digest, or a later one of the same store.
    case evicted

    /// To this store, because it has no id.
    case own
    case foreign(origin: Int64, number: Int64)
  }

  private struct Origin {
    let id: Int64
    let isImport: Bool
    let evicted: Int64
    let evictedHour: Int64
    var lost: Int64
  }

  /// A store that was pushed: the last digest that is counted here, and the hour of the push.
  private struct Pushed {
    let counted: Int64
    let hour: Int64
  }

  /// The most origins of a file. Digests of further stores belong to the origin `import`.
  static let maximumOrigins = 1_000_000

  private let path: String
  private var origins: [String: Origin] = [:]
  private var pushed: [String: Pushed?] = [:]
  private var count: Int?
  private var today: Int64 = 0

  /// How many were added since the import began, and how many may be.
  private(set) var added = 0
  private var mostAdded = Int.max

  private let countOrigins: Statement
  private let findOrigin: Statement
  private let addOrigin: Statement
  private let see: Statement
  private let findPushed: Statement
  private let findOwn: Statement
  private let findForeign: Statement
  private let findDecodes: Statement
  private let setDecodes: Statement
  private let setLost: Statement

  init(_ connection: Connection) throws {
    path = connection.path
    countOrigins = try Statement(connection, "SELECT count(*) FROM origin")
    findOrigin = try Statement(
      connection, "SELECT id, evicted, evicted_hour, seen, lost FROM origin WHERE identity = ?")
    addOrigin = try Statement(
      connection,
      """
      INSERT INTO origin (identity, seen, evicted, evicted_hour, lost) VALUES (?, ?, 0, -1, 0)
      RETURNING id
      """)
    see = try Statement(connection, "UPDATE origin SET seen = ? WHERE id = ?")
    findPushed = try Statement(
      connection, "SELECT counted, pushed_at, pushing FROM source WHERE identity = ? AND id <> 1")
    findOwn = try Statement(
      connection, "SELECT iif(number IS NULL, recorded_at, NULL) FROM digest WHERE id = ?")
    findForeign = try Statement(
      connection, "SELECT recorded_at FROM digest WHERE origin = ? AND number = ?")
    findDecodes = try Statement(
      connection, "SELECT decodes FROM origin_decodes WHERE hour = ? AND origin = ? AND names = ?")
    setLost = try Statement(connection, "UPDATE origin SET lost = ? WHERE id = ?")
    setDecodes = try Statement(
      connection,
      "INSERT OR REPLACE INTO origin_decodes (hour, origin, names, decodes) VALUES (?, ?, ?, ?)")
  }

  /// Begins an import, inside a transaction.
  ///
  /// - Parameter count: the most origins that it may add.
  func begin(_ now: Moment, mayAdd count: Int = .max) {
    (added, mostAdded) = (0, count)
    origins = [:]
    pushed = [:]
    today = now.hour / 24
  }

  /// Forgets how many there are, after the rollback of a transaction that may have added some.
  func forget() {
    count = nil
  }

  /// Finds where a digest belongs.
  ///
  /// - Parameters:
  ///   - identity: the identity of this store.
  ///   - last: the last number of a digest of this store.
  func place(
    of record: DigestRecord, in identity: String, after last: Int64
  ) throws -> ImportOutcome {
    guard let id = record.id else { return .own }
    let moment = record.recordedAt.milliseconds
    if let place = try place(of: id, moment, in: identity, after: last) { return place }
    // Another digest has the number.
    let other =
      id.store == DigestID.importOrigin
      ? id : DigestID(hashing: "\(id.store)-\(id.number)-\(moment)")
    let origin = try origin(DigestID.importOrigin)
    let isKnown =
      try findForeign.firstRow([.integer(origin.id), .integer(other.number)]) { _ in true } == true
    return isKnown ? .known : .foreign(origin: origin.id, number: other.number)
  }

  /// - Returns: nil if the digest cannot have its number here.
  private func place(
    of id: DigestID, _ moment: Int64, in identity: String, after last: Int64
  ) throws -> ImportOutcome? {
    if id.store == identity {
      let found = try findOwn.firstRow([.integer(id.number)]) { $0.optionalInteger(at: 0) }
      // A digest of this store that was evicted has no row any more.
      guard let found else { return id.number <= last ? .evicted : nil }
      return found == moment ? .known : nil
    }
    if let counted = try pushed(id.store)?.counted, id.number <= counted { return .known }
    let origin = try origin(id.store)
    guard !origin.isImport else { return nil }
    if let found = try findForeign.firstRow(
      [.integer(origin.id), .integer(id.number)], { $0.integer(at: 0) })
    {
      return found == moment ? .known : nil
    }
    return id.number <= origin.evicted
      ? .evicted : .foreign(origin: origin.id, number: id.number)
  }

  /// Stores the clean decodes of a store's hour, unless more are known.
  ///
  /// - Parameter names: what they are told apart by: the model and the context.
  /// - Returns: how many of them are not counted yet.
  func raise(to decodes: Int64, of store: String, hour: Int64, names: String) throws -> Int64 {
    // A push has brought those of its hour.
    if let pushed = try pushed(store)?.hour, hour <= pushed { return 0 }
    let origin = try origin(store)
    guard hour > origin.evictedHour else { return 0 }
    let names = Int64.hash(of: origin.isImport ? "\(store)\0\(names)" : names)
    let key = [SQLValue.integer(hour), .integer(origin.id), .integer(names)]
    let known = try findDecodes.firstRow(key) { $0.count(at: 0) } ?? 0
    guard decodes > known else { return 0 }
    try setDecodes.run(key + [.integer(decodes)])
    return decodes - known
  }

  /// Counts the loss of digests that a store deleted before it sent them, unless it is counted.
  ///
  /// - Parameter number: the last of them.
  /// - Returns: whether it was not counted yet.
  func lose(through number: Int64, of store: String) throws -> Bool {
    var origin = try origin(store)
    // One origin stands for many stores beyond the limit, and so has no last number.
    guard number > origin.lost, !origin.isImport else { return false }
    try setLost.run([.integer(number), .integer(origin.id)])
    origin.lost = number
    origins[store] = origin
    return true
  }

  /// Finds or adds an origin.
  private func origin(_ identity: String) throws -> Origin {
    if let origin = origins[identity] { return origin }
    let isImport = identity == DigestID.importOrigin
    var (origin, seen): (Origin?, Int64) = (nil, today)
    if let known = try findOrigin.firstRow(
      [.text(identity)],
      { row in
        (
          Origin(
            id: row.integer(at: 0), isImport: isImport, evicted: row.count(at: 1),
            evictedHour: row.integer(at: 2), lost: row.integer(at: 4)), row.integer(at: 3)
        )
      })
    {
      (origin, seen) = known
    }
    if let origin, seen < today { try see.run([.integer(today), .integer(origin.id)]) }
    let found = try origin ?? add(identity, isImport)
    origins[identity] = found
    return found
  }

  private func add(_ identity: String, _ isImport: Bool) throws -> Origin {
    let known = try count ?? Int(clamping: countOrigins.firstRow { $0.integer(at: 0) } ?? 0)
    count = known
    guard known < Self.maximumOrigins || isImport else { return try origin(DigestID.importOrigin) }
    guard added < mostAdded || isImport else {
      throw DigestStoreError(
        .tooManyStores,
        "\(path): the limit of stores that are new today is reached; send again tomorrow")
    }
    if !isImport { added += 1 }
    let id = try addOrigin.returnedInteger([.text(identity), .integer(today)])
    count = known + 1
    return Origin(id: id, isImport: isImport, evicted: 0, evictedHour: -1, lost: 0)
  }

  private func pushed(_ identity: String) throws -> Pushed? {
    if let known = pushed[identity] { return known }
    let found = try findPushed.firstRow([.text(identity)]) { row in
      guard row.integer(at: 2) == 0 else {
        throw DigestStoreError(
          .busy,
          "\(path): a push of the store \(identity) has not ended; push it again, and then import its "
            + "digests")
      }
      // After it was forgotten, a source has no time.
      return Pushed(
        counted: row.count(at: 0), hour: row.integer(at: 1) > 0 ? row.moment(at: 1).hour : -1)
    }
    pushed[identity] = .some(found)
    return found
  }
}
