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

/// A digest as it is read from its row.
struct StoredDigest: Sendable {
  let number: Int64

  /// The id of the digest in exports and other stores.
  let id: String
  let recordedAt: Moment
  let model: String
  let release: String?
  let environment: String?
  let operation: String?

  /// The errors in their order.
  let errors: [StoredError]

  /// The number of errors, including those that are only counted.
  var count: Int64 { errors.sum(of: \.times) }
}

/// An error of a digest.
struct StoredError: Sendable {
  let failure: StoredFailure

  /// The exact path; nil if it equals the pattern.
  let path: String?
  let times: Int64
  let foundType: String?
  let foundValue: String?

  var codingPath: String { path ?? failure.names.codingPath }
}

/// A failure that errors refer to.
final class StoredFailure: Sendable {
  let id: Int64
  let names: Failure

  /// Whether the failure matches the filter.
  let isMatching: Bool

  init(id: Int64, names: Failure, isMatching: Bool) {
    self.id = id
    self.names = names
    self.isMatching = isMatching
  }

  /// The approximate size, in bytes.
  var cost: Int {
    [
      names.codingPath, names.kind, names.expectedType ?? "", names.novelValue ?? "",
      names.valueType ?? "",
    ].reduce(400) { $0 + $1.utf8.count }
  }
}

/// Finds digests by their ids, and by short forms of ids.
struct DigestIDLookup {
  let identity: String
  private let connection: any Engine

  init(_ connection: any Engine) throws {
    self.connection = connection
    identity = try connection.text("SELECT identity FROM store") ?? ""
  }

  /// The number of the digest with an id; nil if there is none.
  func number(of text: String) throws -> Int64? {
    let id = DigestID(text)
    let time = id.recordedAt.map { "d.recorded_at = \($0.milliseconds)" } ?? "true"
    return try connection.integer(
      """
      SELECT d.id FROM digest AS d
      WHERE d.id = :number AND d.source IS NULL
        AND :identity = (SELECT identity FROM source WHERE id = 1) AND \(time)
      UNION ALL
      SELECT d.id FROM digest AS d
      WHERE d.source = (SELECT id FROM source WHERE identity = :identity) AND d.number = :number
        AND \(time)
      """, [":identity": .text(id.source), ":number": .integer(id.number)])
  }

  /// The ids that a text abbreviates, latest digest first: a whole id stands for itself; otherwise
  /// the text is the first 4 to 32 digits of an identity, a hyphen, and the number.
  func ids(abbreviatedAs text: String, limit: Int) throws -> [String] {
    guard limit > 0 else { return [] }
    if try number(of: text) != nil { return [text] }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]), number > 0,
      parts[1] == "\(number)"
    else { return [] }
    return try connection.rows(
      """
      SELECT name FROM (
        SELECT d.id AS id, \(DigestID.text) AS name FROM source AS s CROSS JOIN digest AS d
        WHERE s.id = 1 AND substr(s.identity, 1, length(:identity)) = :identity AND d.id = :number
          AND d.source IS NULL
        UNION ALL
        SELECT d.id AS id, \(DigestID.text) AS name
        FROM source AS s CROSS JOIN digest AS d ON d.source = s.id
        WHERE substr(s.identity, 1, length(:identity)) = :identity AND d.number = :number
      ) AS found
      ORDER BY id DESC LIMIT :limit
      """,
      [
        ":identity": .text(String(parts[0])), ":number": .integer(number),
        ":limit": .integer(Int64(limit)),
      ]
    ) { $0.text(at: 0) ?? "" }
  }
}
