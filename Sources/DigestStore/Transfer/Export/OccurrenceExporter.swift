import ResilientDecoding

/// Reads occurrences, one page of digests at a time.
struct OccurrenceExporter: Sendable {
  /// The number of occurrences at which a page ends, including the digest that reaches it.
  private static let fullPage = 2_000

  private let filter: DigestFilter
  private let scan: DigestCursor
  private var reader = OccurrenceReader()

  init(_ filter: DigestFilter) {
    self.filter = filter
    scan = DigestCursor(filter)
  }

  /// Reads a page.
  ///
  /// - Returns: the occurrences, with a count for those that were only counted.
  mutating func page(
    of ids: ClosedRange<Int64>,
    on connection: Connection
  ) throws -> ([(DigestStore.Occurrence, count: Int64?)], PageEnd) {
    let findFailure = try StoredFailure.statement(filter, connection)
    let identity = try connection.text("SELECT identity FROM store") ?? ""
    var page: [(DigestStore.Occurrence, count: Int64?)] = []
    let scan = scan
    let end = try scan.readPage(of: ids, on: connection) { digest in
      let length = page.count
      do {
        var rows: Int64 = 0
        try reader.read(digest, identity, findFailure) { occurrence, count in
          page.append((occurrence, count))
          rows = rows.adding(count: count ?? 1)
        }
        guard rows <= DigestLine.maximumCount else { throw UnreadableRow.tooManyErrors }
      } catch {
        page.removeSubrange(length...)
        throw error
      }
      return page.count < Self.fullPage
    }
    return (page, end)
  }
}

/// Reads the occurrences of a digest as texts.
struct OccurrenceReader: Sendable {
  private var failures = StoredFailures()
  private var names = NameCache()

  /// Reads the occurrences of a digest that match the filter of `findFailure`.
  ///
  /// - Parameter body: called with each occurrence, and its count if it was only counted.
  /// - Returns: the names of the digest's model and release.
  @discardableResult
  mutating func read(
    _ digest: StoredDigest,
    _ identity: String,
    _ findFailure: borrowing Statement,
    _ body: (DigestStore.Occurrence, _ count: Int64?) -> Void
  ) throws -> (model: String, release: String?) {
    let model = try names.model(digest.model, findFailure.connection)
    let release = try names.release(digest.release, findFailure.connection)
    func occurrence(
      _ failure: StoredFailure,
      path: String,
      message: String?,
      found: (type: String?, value: String?)
    ) -> DigestStore.Occurrence {
      DigestStore.Occurrence(
        digestID: digest.externalID(identity),
        recordedAt: digest.recordedAt.date,
        release: release,
        model: model,
        codingPath: path,
        kind: ErrorDigest.Kind(stored: failure.failure.kind),
        expectedType: failure.failure.expectedType,
        novelValue: failure.failure.novelValue,
        valueType: failure.failure.valueType,
        message: message,
        foundType: found.type.flatMap(ErrorDigest.FoundValue.ValueType.init),
        foundValue: found.value
      )
    }
    var reader = digest.reader
    while try reader.next() {
      let failure = try failures.failure(reader.failure, findFailure)
      guard failure.isMatching else { continue }
      let found = failure.found(of: reader)
      let path = reader.isOmission ? failure.failure.codingPath : reader.path(failure.pathSegments)
      let message = failure.message(of: reader)
      body(
        occurrence(failure, path: path, message: message, found: found),
        reader.isOmission ? reader.count : nil)
    }
    return (model, release)
  }
}
