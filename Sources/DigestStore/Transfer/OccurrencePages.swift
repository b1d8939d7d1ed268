/// Reads occurrences, a page of digests at a time.
struct OccurrencePages: Sendable {
  /// How many occurrences make a page full; the digest that does so is still in it.
  private static let fullPage = 2_000

  private let filter: DigestFilter
  private let scan: DigestScan
  private var failures = GenerationCache<StoredFailure?>(limit: 1 << 20) { $0?.cost ?? 50 }
  private var names = DigestNames()

  init(_ filter: DigestFilter) {
    self.filter = filter
    scan = DigestScan(filter)
  }

  /// Reads a page.
  ///
  /// - Returns: the occurrences, how often each comes, and the digests that are left.
  mutating func page(
    of ids: ClosedRange<Int64>,
    on connection: Connection
  ) throws -> ([(Occurrence, count: Int64)], rest: ClosedRange<Int64>?) {
    let findFailure = try StoredFailure.statement(filter, connection)
    let identity = try connection.text("SELECT identity FROM store") ?? ""
    var page: [(Occurrence, count: Int64)] = []
    let scan = scan
    let rest = try scan.readPage(of: ids, on: connection) { digest in
      let model = try names.model(digest.model, connection)
      let release = try names.release(digest.release, connection)
      func occurrence(
        _ failure: StoredFailure,
        path: String,
        message: String?,
        found: (type: String?, value: String?)
      ) -> Occurrence {
        Occurrence(
          digestID: digest.externalID(identity),
          recordedAt: digest.recordedAt.date,
          release: release,
          model: model,
          codingPath: path,
          kind: failure.kind,
          expectedType: failure.expectedType,
          novelValue: failure.novelValue,
          valueType: failure.valueType,
          message: message,
          foundType: found.type,
          foundValue: found.value
        )
      }
      var entries = EntryReader(digest.entries)
      while try entries.next() {
        guard let failure = try failure(entries.failure, findFailure), failure.isMatching
        else { continue }
        let found = failure.found(of: entries, isInherited: digest.saysFound)
        let path = entries.path(failure.pathSegments)
        let message = failure.message(of: entries)
        page.append((occurrence(failure, path: path, message: message, found: found), 1))
      }
      var omissions = EntryReader(digest.omissions)
      while try omissions.next() {
        guard let failure = try failure(omissions.failure, findFailure), failure.isMatching,
          let count = omissions.count, count > 0
        else { continue }
        let found = failure.found(of: omissions, isInherited: false)
        let (path, message) = (failure.codingPath, failure.message)
        page.append((occurrence(failure, path: path, message: message, found: found), count))
      }
      return page.count < Self.fullPage
    }
    return (page, rest)
  }

  private mutating func failure(
    _ id: Int64,
    _ find: borrowing Statement
  ) throws -> StoredFailure? {
    try failures.value(id) {
      try find.bind(id, at: 1)
      defer { find.reset() }
      return try find.step() ? StoredFailure(find) : nil
    }
  }
}
