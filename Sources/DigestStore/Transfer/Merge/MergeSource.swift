/// A snapshot of a store whose digests are added to another one.
///
/// Its contents are checked like the lines of an imported file.
final class MergeSource {
  let path: String

  /// The losses of the store, which it cannot contribute either.
  let losses: [DigestStore.Loss]

  /// The number of digests that can be read.
  private(set) var digests = 0

  /// The number of digests that are skipped because they cannot be read or stored.
  private(set) var unreadable = 0

  /// The problems of the first ten of them.
  private(set) var problems: [String] = []

  /// The number of rows and parts of rows that the digests and decodes take.
  private(set) var size = 0

  private let connection: Connection
  private let ids: ClosedRange<Int64>?
  private var reader: RecordReader

  /// The position in the decodes, which follow the digests, and those read but not returned yet.
  private var decodes: DecodeCursor?
  private var decodePage: [DecodeRecord] = []

  /// Digests that were read but not returned yet, in reverse order, and the ids left to read.
  private var page: [DigestRecord] = []
  private var rest: ClosedRange<Int64>?

  /// Opens a store and reads all of it once, so that no error can occur later. The snapshot does
  /// not change, whatever others write.
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
      while let record = try read() {
        if case .digest = record { digests += 1 }
        size += record.size
      }
      (unreadable, problems) = (reader.unreadable, reader.problems)
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  /// Returns to the first digest.
  func rewind() {
    page = []
    rest = ids
    decodes = DecodeCursor()
    decodePage = []
  }

  /// Reads the next digest, or after these the next decodes; nil at the end.
  func next() throws -> ImportedRecord? {
    do {
      return try read()
    } catch {
      throw DigestStoreError(error, path: path)
    }
  }

  private func read() throws -> ImportedRecord? {
    if let record = try nextRecord() { return .digest(record) }
    while decodePage.isEmpty, let cursor = decodes {
      (decodePage, decodes) = try Snapshot.of(connection) { try $0.decodes(from: cursor) }
      decodePage.reverse()
    }
    return decodePage.popLast().map { .decodes($0) }
  }

  private func nextRecord() throws -> DigestRecord? {
    while page.isEmpty, let ids = rest {
      (page, rest) = try reader.page(of: ids, on: connection)
      page.reverse()
    }
    return page.popLast()
  }
}

/// Makes the records that an import would make from the lines of an export.
private struct RecordReader {
  /// The number of digests to read at once.
  private static let fullPage = 200

  /// The number of digests skipped on all pages, in all readings.
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
    var reader = digest.reader
    while try reader.next() {
      let failure = try failures.failure(reader.failure, findFailure)
      try record.add(
        DigestLine.Failure(
          failure,
          path: reader.isOmission ? failure.failure.codingPath : reader.path(failure.pathSegments),
          message: failure.message(of: reader),
          found: failure.found(of: reader),
          count: reader.isOmission ? reader.count : nil
        ))
    }
    return record
  }
}

extension DigestLine.Failure {
  /// Makes the failure of an export's line from an error.
  fileprivate init(
    _ failure: StoredFailure,
    path: String,
    message: String?,
    found: (type: String?, value: String?),
    count: Int64?
  ) {
    self.init(
      path: path,
      pattern: failure.failure.codingPath.utf8.contains(UInt8(ascii: "*"))
        ? failure.failure.codingPath : nil,
      kind: failure.failure.kind,
      novelValue: failure.failure.novelValue,
      novelValueType: failure.failure.valueType,
      expectedType: failure.failure.expectedType,
      message: message,
      foundType: found.type,
      foundValue: found.value,
      count: count.map { DigestLine.Count(value: Int(clamping: $0)) }
    )
  }
}
