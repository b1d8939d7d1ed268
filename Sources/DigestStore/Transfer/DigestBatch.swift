import ResilientDecoding
import ResilientPlatform

/// Digests that are read together, so that one statement finds the failures of all.
final class DigestBatch {
  /// The most digests of a batch. The first ones are smaller, for reports that show a few digests.
  private static let maximumCount = 64
  private var count = 8

  /// The most bytes of their errors, so that hostile digests do not fill the memory.
  static let maximumBytes = 1 << 20

  /// The most bytes of failures to keep. All are forgotten beyond.
  private static let maximumCost = 4 << 20

  /// A row of `digest`.
  private struct DigestRow {
    let number: Int64
    let recordedAt: Moment
    let names: [String?]
    let errors: String
  }

  /// An element of `digest.errors`.
  private struct ErrorRow {
    let failure: Int64
    let path: String?
    let times: Int64
    let foundType: String?
    let foundValue: String?
  }

  private let connection: any Engine
  private let filter: DigestFilter

  /// Reads the JSON of errors with SQLite, also those of a server.
  private let readErrors: Statement

  private var rows: [DigestRow] = []
  private var bytes = 0
  private var failures: [Int64: StoredFailure] = [:]
  private var cost = 0

  init(_ connection: any Engine, _ filter: DigestFilter) throws {
    self.connection = connection
    self.filter = filter
    readErrors = try Statement(
      connection as? Connection ?? Connection(path: "", mode: .memory),
      """
      SELECT \(OccurrenceRows.failure()), iif(e.type = 'array', e.value ->> 1, NULL),
        \(OccurrenceRows.times()), iif(e.type = 'array', e.value ->> 3, NULL),
        iif(e.type = 'array', e.value ->> 4, NULL)
      FROM json_each(iif(\(OccurrenceRows.isArray("?1")), ?1, '[0]')) AS e
      """)
  }

  /// The columns that ``append(_:)`` reads, of `digest AS d` with ``joins``.
  static let columns = """
    d.id, d.recorded_at, d.errors, \(DigestID.text), m.name, x.release, x.environment, x.operation
    """

  static let joins = """
    LEFT JOIN model AS m ON m.id = d.model LEFT JOIN context AS x ON x.id = d.context
    LEFT JOIN source AS s ON s.id = coalesce(d.source, 1)
    """

  /// Whether the batch is to be read.
  var isFull: Bool { rows.count >= count || bytes >= Self.maximumBytes }

  func append(_ row: any Row) {
    let errors = row.text(at: 2) ?? ""
    rows.append(
      DigestRow(
        number: row.integer(at: 0), recordedAt: Moment(milliseconds: row.integer(at: 1)),
        names: (3...7).map { row.text(at: $0) }, errors: errors))
    bytes += errors.utf8.count
  }

  /// Calls `body` with each digest of the batch, or with the reason why it cannot be read, and
  /// empties the batch.
  ///
  /// - Parameter body: returns whether to read the next one.
  /// - Returns: false if `body` did.
  func read(
    _ body: (_ number: Int64, Result<StoredDigest, UnreadableRow>) throws -> Bool
  ) throws -> Bool {
    defer {
      (rows, bytes) = ([], 0)
      count = min(2 * count, Self.maximumCount)
    }
    let errors = try rows.map(errors)
    // Unreadable errors refer to no failures.
    try readFailures(Set(errors.flatMap { (try? $0.get().map(\.failure)) ?? [] }))
    for (row, errors) in zip(rows, errors) {
      let digest: Result<StoredDigest, UnreadableRow> = errors.flatMap { errors in
        Result { () throws(UnreadableRow) in try self.digest(row, errors) }
      }
      guard try body(row.number, digest) else { return false }
    }
    return true
  }
}

extension DigestBatch {
  private func digest(_ row: DigestRow, _ errors: [ErrorRow]) throws(UnreadableRow) -> StoredDigest
  {
    guard Moment.earliest...Moment.latest ~= row.recordedAt else {
      throw UnreadableRow("recordedAt is not between the years 1970 and 9999")
    }
    guard let id = row.names[0], let model = row.names[1], let release = row.names[2]
    else { throw UnreadableRow("it refers to no model, context or source") }
    var found: [StoredError] = []
    found.reserveCapacity(errors.count)
    for error in errors {
      guard let failure = failures[error.failure] else {
        throw UnreadableRow("it refers to no failure")
      }
      let value = error.foundValue ?? failure.names.novelValue
      let type = error.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init)
      found.append(
        StoredError(
          failure: failure, path: error.path, times: error.times, foundType: error.foundType,
          foundValue: type?.mayHaveText == true ? value : nil))
    }
    guard found.sum(of: \.times) <= Int64(DigestRecord.maximumCount) else {
      throw UnreadableRow("it has more errors than a store counts")
    }
    func name(_ index: Int) -> String? { row.names[index].flatMap { $0.isEmpty ? nil : $0 } }
    return StoredDigest(
      number: row.number, id: id, recordedAt: row.recordedAt, model: model,
      release: release.isEmpty ? nil : release, environment: name(3), operation: name(4),
      errors: found)
  }

  private func errors(of row: DigestRow) throws -> Result<[ErrorRow], UnreadableRow> {
    try readErrors.bind([.text(row.errors)])
    defer { readErrors.reset() }
    var errors: [ErrorRow] = []
    while try readErrors.step() {
      guard case .integer(let failure) = readErrors.value(at: 0),
        case .integer(let times) = readErrors.value(at: 2),
        1...Int64(DigestRecord.maximumCount) ~= times
      else { return .failure(UnreadableRow("the errors cannot be read")) }
      errors.append(
        ErrorRow(
          failure: failure, path: readErrors.text(at: 1), times: times,
          foundType: readErrors.text(at: 3), foundValue: readErrors.text(at: 4)))
    }
    return .success(errors)
  }

  /// Reads the failures that are not known yet.
  private func readFailures(_ ids: Set<Int64>) throws {
    if cost > Self.maximumCost { (failures, cost) = ([:], 0) }
    let unknown = ids.filter { failures[$0] == nil }
    guard !unknown.isEmpty else { return }
    var values = filter.values()
    values[":failures"] = .integers(Array(unknown))
    let next = Failure.columnCount
    try connection.forEachRow(
      """
      SELECT \(Failure.columns), \(filter.failureCondition()), f.id
      FROM failure AS f CROSS JOIN model AS m ON m.id = f.model
      WHERE f.id IN (SELECT value FROM json_each(:failures))
      """, values
    ) { row in
      let failure = StoredFailure(
        id: row.integer(at: next + 1), names: Failure(row),
        isMatching: row.integer(at: next) != 0)
      failures[failure.id] = failure
      cost += failure.cost
      return true
    }
  }
}
