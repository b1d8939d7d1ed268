/// Imports digests and decodes of other stores.
extension Writer {
  /// Appends the digests and decodes that the file does not have yet, in one transaction.
  ///
  /// - Returns: the number of digests added, of those already known, and of those among them that
  ///   were evicted.
  func appendNew(
    _ records: [ImportedRecord]
  ) throws -> (added: Int, known: Int, evicted: Int) {
    try transaction {
      var (added, known, evicted) = (0, 0, 0)
      var last = try lastDigest()
      let sources = try ImportSources(connection)
      for record in records {
        switch record {
        case .digest(let record):
          switch try sources.place(of: record, in: identity, after: last) {
          case .known: known += 1
          case .evicted: (known, evicted) = (known + 1, evicted + 1)
          case .own:
            last = try add(record, after: last)
            added += 1
          case .foreign(let source, let number):
            last = try add(record, after: last, from: (source, number))
            added += 1
          }
        case .decodes(let record): try add(record, sources)
        }
      }
      return (added, known, evicted)
    }
  }

  /// Raises the clean decodes of a source's hour to those of a record.
  private func add(_ record: DecodeRecord, _ sources: ImportSources) throws {
    guard record.source != identity else { return }
    let source = try sources.source(record.source)
    // Of a source that is here as a whole, all decodes are counted.
    guard source.counted == 0 else { return }
    let context = try names.context(record.context, source: source.id)
    let model = try names.model(record.model).id
    let counted =
      try Statement(
        connection,
        """
        SELECT decodes - digests FROM decodes
        WHERE span = 1 AND context = ? AND start = ? AND model = ?
        """
      ).firstRow([.integer(context), .integer(record.hour), .integer(model)]) { $0.count(at: 0) }
    // Decodes of an hour whose counts may have been deleted are in those of the day, or of all
    // time.
    guard try counted != nil || hasHours(ofDayWith: record.hour),
      record.decodes > counted ?? 0
    else { return }
    try addDecodes(
      record.decodes - (counted ?? 0), context: context, hour: record.hour, model: model)
  }

  private func hasHours(ofDayWith hour: Int64) throws -> Bool {
    let day = hour / 24 * 24 * Moment.hour
    return try connection.hasHours(day: hour / 24)
      && connection.deletedDays(in: day..<day + 24 * Moment.hour).isEmpty
  }
}

/// The sources of imported digests, inside a transaction.
private final class ImportSources {
  struct ImportedSource {
    let id: Int64
    let identity: String
    let counted: Int64
    let evicted: Int64
  }

  /// Where a digest belongs.
  enum ImportOutcome {
    /// The file has the digest.
    case known

    /// The file has had the digest, or a later one of the same store.
    case evicted

    /// To this store, because it has no id.
    case own
    case foreign(source: Int64, number: Int64)
  }

  /// The most sources of a file. Digests of further ones belong to the source `import`.
  private static let maximumSources = 10_000

  private var sources: [String: ImportedSource] = [:]
  private let connection: Connection
  private let findSource: Statement
  private let addSource: Statement
  private let findOwn: Statement
  private let findForeign: Statement

  init(_ connection: Connection) throws {
    self.connection = connection
    findSource = try Statement(
      connection, "SELECT id, counted, evicted, pushing FROM source WHERE identity = ?")
    addSource = try Statement(
      connection,
      """
      INSERT INTO source (identity, name, counted, counted_at, evicted, pushed_at)
      SELECT ?1, '', 0, 0, 0, 0 WHERE ?1 = '\(DigestID.importSource)'
        OR (SELECT count(*) FROM source) < \(Self.maximumSources)
      RETURNING id
      """)
    // No digest of this store has the id of an imported one.
    findOwn = try Statement(
      connection, "SELECT iif(source IS NULL, recorded_at, NULL) FROM digest WHERE id = ?")
    findForeign = try Statement(
      connection, "SELECT recorded_at FROM digest WHERE source = ? AND number = ?")
  }

  /// Finds or adds a source.
  func source(_ identity: String) throws -> ImportedSource {
    if let source = sources[identity] { return source }
    let known = try findSource.firstRow([.text(identity)]) {
      guard $0.integer(at: 3) == 0 else {
        throw DigestStoreError(
          .busy,
          "\(connection.path): a push of the store \(identity) has not ended; push it again, and then "
            + "import its digests")
      }
      return ImportedSource(
        id: $0.integer(at: 0), identity: identity, counted: $0.count(at: 1),
        evicted: $0.count(at: 2))
    }
    let source: ImportedSource
    if let known {
      source = known
    } else if let id = try addSource.firstRow([.text(identity)], { $0.integer(at: 0) }) {
      source = ImportedSource(id: id, identity: identity, counted: 0, evicted: 0)
    } else {
      source = try self.source(DigestID.importSource)
    }
    sources[identity] = source
    return source
  }

  /// Finds where a digest belongs.
  ///
  /// - Parameters:
  ///   - identity: the identity of this store.
  ///   - last: the last number of a digest of this store.
  func place(of record: DigestRecord, in identity: String, after last: Int64) throws
    -> ImportOutcome
  {
    guard let id = record.id else { return .own }
    let moment = record.recordedAt.milliseconds
    if let place = try place(of: id, moment, in: identity, after: last) { return place }
    // Another digest has the number.
    let other =
      id.source == DigestID.importSource
      ? id : DigestID(hashing: "\(id.source)-\(id.number)-\(moment)")
    let source = try source(DigestID.importSource)
    let isKnown =
      try findForeign.firstRow([.integer(source.id), .integer(other.number)]) { _ in true } == true
    return isKnown ? .known : .foreign(source: source.id, number: other.number)
  }

  /// - Returns: nil if the digest cannot have its number here.
  private func place(
    of id: DigestID, _ moment: Int64, in identity: String, after last: Int64
  ) throws -> ImportOutcome? {
    if id.source == identity {
      let found = try findOwn.firstRow([.integer(id.number)]) { $0.optionalInteger(at: 0) }
      // A digest of this store that was evicted has no row any more.
      guard let found else { return id.number <= last ? .evicted : nil }
      return found == moment ? .known : nil
    }
    let source = try source(id.source)
    guard source.identity != DigestID.importSource else { return nil }
    if let found = try findForeign.firstRow(
      [.integer(source.id), .integer(id.number)], { $0.integer(at: 0) })
    {
      return found == moment ? .known : nil
    }
    return id.number <= max(source.counted, source.evicted)
      ? .evicted : .foreign(source: source.id, number: id.number)
  }
}
