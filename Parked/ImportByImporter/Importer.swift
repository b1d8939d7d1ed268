/// What an import did.
struct ImportCount: Sendable {
  var added = 0
  var known = 0

  /// The number of errors that are counted as others.
  var limited = 0

  var digests: Int { added + known }

  static func += (lhs: inout Self, rhs: Self) {
    lhs.added += rhs.added
    lhs.known += rhs.known
    lhs.limited = lhs.limited.adding(count: rhs.limited)
  }
}

/// Adds digests and decodes of other stores, each once.
final class Importer {
  /// The number of errors and digests of one transaction: some ten milliseconds, for which other
  /// writers wait.
  static let maximumSize = 2_000

  /// The length of their lines in bytes after which a transaction ends, however long the texts are.
  static let maximumLength = 2 << 20

  /// The most sources of a file. Digests of further ones belong to the source `import`.
  private static let maximumSources: Int64 = 10_000

  private struct Source {
    let id: Int64

    /// Digests up to this number are here, or were deleted here.
    let known: Int64
  }

  private let writer: Writer
  private let identity: String
  private var sources: [String: Source] = [:]
  private let findSource: Statement
  private let countSources: Statement
  private let findOwn: Statement
  private let findForeign: Statement

  /// - Parameter identity: the identity of the file when the import began.
  init(_ writer: Writer, _ identity: String) throws {
    self.writer = writer
    self.identity = identity
    let connection = writer.connection
    findSource = try Statement(
      connection, "SELECT id, max(counted, evicted) FROM source WHERE identity = ?")
    countSources = try Statement(connection, "SELECT count(*) FROM source")
    // -1 for a row that is not this store's own.
    findOwn = try Statement(
      connection,
      """
      SELECT (SELECT iif(source IS NULL, recorded_at, -1) FROM digest WHERE id = ?1), ?1 <= folded
      FROM store
      """)
    findForeign = try Statement(
      connection, "SELECT recorded_at FROM digest WHERE source = ? AND number = ?")
  }

  /// Adds what the file does not have, in one transaction.
  func add(_ records: [ImportedRecord]) throws -> ImportCount {
    try writer.transaction {
      try writer.checkIdentity(identity)
      var count = ImportCount()
      let first = try writer.nextID()
      var next = first
      for record in records {
        switch record {
        case .decodes(let record): try raise(record)
        case .digest(var record):
          if let id = record.id {
            guard let unknown = try unknownID(id, record.recordedAt) else {
              count.known += 1
              continue
            }
            record.id = unknown
          }
          try writer.add(record, id: next)
          next += 1
          count.added += 1
        }
      }
      count.limited = try limitedErrors(from: first)
      return count
    }
  }

  /// The number of errors in digests from an id on that are counted as others.
  private func limitedErrors(from first: Int64) throws -> Int {
    let connection = writer.connection
    let condition = Overflow.failureCondition
    guard try connection.integer("SELECT 1 FROM failure WHERE \(condition) LIMIT 1") != nil else {
      return 0
    }
    let sum = try connection.integer(
      """
      SELECT sum(o.times) FROM (\(OccurrenceRows.sql(where: "d.id >= \(first)"))) AS o
      CROSS JOIN failure AS f ON f.id = o.failure
      WHERE \(condition)
      """)
    return Int(clamping: sum ?? 0)
  }
}

/// Digests.
extension Importer {
  /// The id to add a digest with; nil if the file has it or had it.
  private func unknownID(_ id: DigestID, _ moment: Moment) throws -> DigestID? {
    // Another digest got the number if a file was copied or restored.
    var other: DigestID { DigestID(hashing: "\(id.source)-\(id.number)-\(moment.milliseconds)") }
    if id.source == identity {
      let (time, isCounted) =
        try findOwn.firstRow([.integer(id.number)]) {
          ($0.optionalInteger(at: 0), $0.integer(at: 1) != 0)
        } ?? (nil, false)
      let isKnown = time.map { $0 == moment.milliseconds } ?? isCounted
      return isKnown ? nil : try unknownImport(other)
    }
    guard id.source != DigestID.importSource else { return try unknownImport(id) }
    guard let source = try source(id.source) else { return try unknownImport(other) }
    if let time = try time(of: id.number, source) {
      return time == moment.milliseconds ? nil : try unknownImport(other)
    }
    return id.number <= source.known ? nil : id
  }

  /// Returns an id of the source `import` if there is no such digest.
  private func unknownImport(_ id: DigestID) throws -> DigestID? {
    guard let source = try source(DigestID.importSource) else { return nil }
    return try time(of: id.number, source) == nil ? id : nil
  }

  private func time(of number: Int64, _ source: Source) throws -> Int64? {
    try findForeign.firstRow([.integer(source.id), .integer(number)]) { $0.integer(at: 0) }
  }

  /// Finds or adds a source; nil if there are too many.
  private func source(_ identity: String) throws -> Source? {
    if let source = sources[identity] { return source }
    var source = try findSource.firstRow([.text(identity)]) {
      Source(id: $0.integer(at: 0), known: $0.integer(at: 1))
    }
    if source == nil {
      let count = try countSources.firstRow { $0.integer(at: 0) } ?? 0
      guard count < Self.maximumSources || identity == DigestID.importSource else { return nil }
      source = Source(id: try writer.names.sourceID(identity), known: 0)
    }
    sources[identity] = source
    return source
  }
}

/// Clean decodes.
extension Importer {
  /// Raises the clean decodes of an hour to those of another store.
  ///
  /// Hours and days whose counts were deleted here have been counted. They are not added again.
  private func raise(_ record: DecodeRecord) throws {
    let isOwn = record.source == identity
    guard let source = try isOwn ? 1 : source(record.source)?.id else { return }
    let context = try writer.names.contextID(
      source: source, release: record.release, environment: record.environment,
      operation: record.operation)
    let model = try writer.names.model(record.model).id
    try Statement(
      writer.connection,
      """
      WITH hour AS (
        SELECT * FROM decodes WHERE span = 1 AND context = :context AND model = :model
          AND start BETWEEN :hour / 24 * 24 AND :hour / 24 * 24 + 23
      ),
      day AS (
        SELECT * FROM decodes
        WHERE span = 24 AND context = :context AND model = :model AND start = :hour / 24
      ),
      new AS (
        SELECT :decodes - ifnull((SELECT decodes - digests FROM hour WHERE start = :hour), 0)
          AS decodes
        WHERE (SELECT total(decodes) FROM hour) >= (SELECT total(decodes) FROM day)
          AND NOT EXISTS (
            SELECT 1 FROM decodes WHERE span = 24 AND context = 0 AND start < 0 AND :hour / 24 < (
              SELECT min(start) FROM decodes WHERE span = 24 AND context = 0 AND start >= 0))
      )
      INSERT INTO decodes (span, context, start, model, decodes, digests, failed, occurrences)
      SELECT s.span, c.context, :hour / s.span, :model, new.decodes, 0, 0, 0
      FROM new, (SELECT 1 AS span UNION ALL SELECT 24) AS s,
        (SELECT :context AS context UNION ALL SELECT 0) AS c
      WHERE new.decodes > 0
      \(Fold.adding("decodes"))
      """
    ).run([
      .integer(context), .integer(model), .integer(record.hour), .integer(record.decodes),
    ])
  }
}
