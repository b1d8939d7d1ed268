/// Reads summaries of digests, one page of digests at a time.
struct SummaryReader: Sendable {
  /// The most places in a summary.
  private static let maximumPlaces = 3

  /// The pattern of a path, and a novel value.
  private struct Place: Hashable {
    let codingPath: BinaryString
    let novelValue: BinaryString?
  }

  private let scan: DigestCursor
  private let filter: DigestFilter
  private let limit: Int
  private var failures = StoredFailures()
  private var names = NameCache()

  /// - Parameter limit: the number of summaries at which a page ends.
  init(_ scan: DigestCursor, _ filter: DigestFilter, limit: Int) {
    self.scan = scan
    self.filter = filter
    self.limit = limit
  }

  /// Reads a page.
  mutating func page(
    of ids: ClosedRange<Int64>,
    on connection: Connection
  ) throws -> ([DigestStore.DigestSummary], PageEnd) {
    let identity = try connection.text("SELECT identity FROM store") ?? ""
    let findFailure = try StoredFailure.statement(filter, connection)
    var page: [DigestStore.DigestSummary] = []
    let scan = scan
    let end = try scan.readPage(of: ids, on: connection) { digest in
      if let summary = try summary(of: digest, identity, findFailure) { page.append(summary) }
      return page.count < limit
    }
    return (page, end)
  }

  /// - Returns: nil for a digest that does not match the filter.
  private mutating func summary(
    of digest: StoredDigest,
    _ identity: String,
    _ findFailure: borrowing Statement
  ) throws -> DigestStore.DigestSummary? {
    var isMatching = !filter.choosesFailures
    var (errors, novelValues) = (0, 0)
    var failuresSeen: Set<Int64> = []
    var paths: Set<BinaryString> = []
    var places: Set<Place> = []
    var first: [DigestStore.DigestSummary.Place] = []
    func add(_ id: Int64, _ failure: StoredFailure, _ count: Int64) {
      isMatching = isMatching || failure.isMatching
      let count = Int(clamping: count)
      errors = errors.adding(count: count)
      if failure.failure.novelValue != nil { novelValues = novelValues.adding(count: count) }
      guard failuresSeen.insert(id).inserted else { return }
      let path = BinaryString(failure.failure.codingPath)
      paths.insert(path)
      let place = Place(
        codingPath: path, novelValue: failure.failure.novelValue.map(BinaryString.init))
      guard places.insert(place).inserted, first.count < Self.maximumPlaces else { return }
      first.append(
        .init(codingPath: failure.failure.codingPath, novelValue: failure.failure.novelValue))
    }
    var reader = digest.reader
    while try reader.next() {
      add(reader.failure, try failures.failure(reader.failure, findFailure), reader.count)
    }
    guard isMatching else { return nil }
    return DigestStore.DigestSummary(
      id: digest.externalID(identity),
      recordedAt: digest.recordedAt.date,
      release: try names.release(digest.release, findFailure.connection),
      model: try names.model(digest.model, findFailure.connection),
      errors: errors,
      novelValues: novelValues,
      paths: paths.count,
      places: places.count,
      firstPlaces: first
    )
  }
}
