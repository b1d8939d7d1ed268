/// A store whose digests are added to another one, as it is at one moment.
///
/// What it has is trusted no further than a line of a file.
final class MergeSource {
  let path: String

  /// What it could not keep, so that it cannot give it either.
  let losses: [Loss]

  /// How many digests it has that can be read.
  private(set) var digests = 0

  /// How many cannot be read, or written into a store, and are skipped.
  private(set) var unreadable = 0

  /// What is wrong with the first ten of those.
  private(set) var problems: [String] = []

  /// How many rows and parts of rows it takes to write them.
  private(set) var size = 0

  private let connection: Connection
  private let ids: ClosedRange<Int64>?
  private var reader: RecordReader

  /// What has been read and not been handed over, in the opposite order, and what is left to read.
  private var page: [DigestRecord] = []
  private var rest: ClosedRange<Int64>?

  /// Opens a store and reads all of it once, so that nothing of it can be wrong later: it stays as it
  /// is for this object, whatever others write.
  ///
  /// - Throws: ``DigestStoreError``.
  init(_ path: String) throws {
    guard !FileIdentity.isMissing(path) else {
      throw DigestStoreError(.noSuchStore, "\(path): no such store")
    }
    self.path = path
    do {
      try path.checkIsFile()
      connection = try .openStoreForReading(at: path)
      try connection.execute("BEGIN")
      losses = try connection.losses(matching: DigestFilter())
      ids = try connection.digestIDs()
      reader = try RecordReader(connection)
      rewind()
      while let record = try nextRecord() {
        digests += 1
        size += record.size
      }
      (unreadable, problems) = (reader.unreadable, reader.problems)
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Goes back to the first digest.
  func rewind() {
    page = []
    rest = ids
  }

  /// Reads the next digest; nil behind the last one.
  func next() throws -> DigestRecord? {
    do {
      return try nextRecord()
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  private func nextRecord() throws -> DigestRecord? {
    while page.isEmpty, let ids = rest {
      (page, rest) = try reader.page(of: ids, on: connection)
      page.reverse()
    }
    return page.popLast()
  }
}

/// Makes of digests what is written into another store: what an import makes of an export's lines.
private struct RecordReader {
  /// How many digests are read at once.
  private static let fullPage = 200

  /// How many digests of all pages were skipped, in all readings.
  private(set) var unreadable = 0
  private(set) var problems: [String] = []

  private let identity: String
  private let scan = DigestCursor(DigestFilter())
  private var failures = StoredFailures()
  private var names = NameCache()

  init(_ connection: Connection) throws {
    identity = try connection.text("SELECT identity FROM store") ?? ""
  }

  mutating func page(
    of ids: ClosedRange<Int64>,
    on connection: Connection
  ) throws -> ([DigestRecord], rest: ClosedRange<Int64>?) {
    let findFailure = try StoredFailure.statement(DigestFilter(), connection)
    var page: [DigestRecord] = []
    let end = try scan.readPage(of: ids, on: connection) { digest in
      do {
        page.append(try record(digest, findFailure))
      } catch let problem as DigestLine.Problem {
        throw UnreadableRow(problem.description)
      }
      return page.count < Self.fullPage
    }
    unreadable += end.unreadable
    problems += end.problems.prefix(10 - problems.count)
    return (page, end.rest)
  }

  private mutating func record(
    _ digest: StoredDigest,
    _ findFailure: borrowing Statement
  ) throws -> DigestRecord {
    var record = try DigestRecord(
      id: digest.externalID(identity),
      at: digest.recordedAt,
      model: names.model(digest.model, findFailure.connection),
      release: names.release(digest.release, findFailure.connection)
    )
    var entries = EntryReader(digest.entries)
    while try entries.next() {
      let failure = try failures.failure(entries.failure, findFailure)
      try record.add(
        DigestLine.Failure(
          failure,
          path: entries.path(failure.pathSegments),
          message: failure.message(of: entries),
          found: failure.found(of: entries, isCounted: false)
        ))
    }
    var omissions = EntryReader(digest.omissions)
    while try omissions.next() {
      let failure = try failures.failure(omissions.failure, findFailure)
      try record.add(
        DigestLine.Failure(
          failure,
          path: failure.codingPath,
          message: failure.message(of: omissions),
          found: failure.found(of: omissions, isCounted: true),
          count: omissions.count()
        ))
    }
    return record
  }
}

extension DigestLine.Failure {
  /// What an export has of an error.
  fileprivate init(
    _ failure: StoredFailure,
    path: String,
    message: String?,
    found: (type: String?, value: String?),
    count: Int64? = nil
  ) {
    self.init(
      path: path,
      pattern: failure.codingPath.utf8.contains(UInt8(ascii: "*")) ? failure.codingPath : nil,
      kind: failure.kind,
      novelValue: failure.novelValue,
      novelValueType: failure.valueType,
      expectedType: failure.expectedType,
      message: message,
      foundType: found.type,
      foundValue: found.value,
      count: count.map { DigestLine.Count(value: Int(clamping: $0)) }
    )
  }
}
