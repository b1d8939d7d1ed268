import ResilientDecoding

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

  /// The message of the sample.
  let message: String?

  /// Whether the failure matches the filter.
  let isMatching: Bool

  init(id: Int64, names: Failure, message: String?, isMatching: Bool) {
    self.id = id
    self.names = names
    self.message = message
    self.isMatching = isMatching
  }

  /// The approximate size, in bytes.
  var cost: Int {
    [
      names.codingPath, names.kind, names.expectedType ?? "", names.novelValue ?? "",
      names.valueType ?? "", message ?? "",
    ].reduce(400) { $0 + $1.utf8.count }
  }
}

/// Reads digests and their errors, and keeps the names that it has read.
final class DigestRows {
  /// The most bytes of failures to keep. All are forgotten beyond.
  private static let maximumCost = 4 << 20

  private let connection: Connection
  private let findFailure: Statement
  private let readErrors: Statement
  private var failures: [Int64: StoredFailure] = [:]
  private var cost = 0

  /// - Parameter filter: determines which failures match.
  init(_ connection: Connection, _ filter: DigestFilter) throws {
    self.connection = connection
    findFailure = try Statement(
      connection,
      """
      SELECT \(Failure.columns), f.message, \(filter.failureCondition())
      FROM failure AS f JOIN model AS m ON m.id = f.model WHERE f.id = :failure
      """)
    try findFailure.bind(named: filter.values())
    readErrors = try Statement(
      connection,
      """
      SELECT \(OccurrenceRows.failure()), iif(e.type = 'array', e.value ->> 1, NULL),
        \(OccurrenceRows.times()), iif(e.type = 'array', e.value ->> 3, NULL),
        iif(e.type = 'array', e.value ->> 4, NULL)
      FROM json_each(?1) AS e
      """)
  }

  /// The columns that ``digest(_:)`` reads, of `digest AS d` with ``joins``.
  static let columns = """
    d.id, d.recorded_at, \(DigestID.text), m.name, x.release, x.environment, x.operation, d.errors,
    \(OccurrenceRows.isArray("d.errors"))
    """

  /// The joins of the columns. Without a model or a context, a digest cannot be read.
  static let joins = """
    LEFT JOIN model AS m ON m.id = d.model LEFT JOIN context AS x ON x.id = d.context
    LEFT JOIN source AS s ON s.id = ifnull(d.source, 1)
    """

  /// Reads a digest.
  ///
  /// - Throws: ``UnreadableRow`` if the row is not one that a store writes.
  func digest(_ row: borrowing Statement) throws -> StoredDigest {
    guard Moment.earliest...Moment.latest ~= row.moment(at: 1) else {
      throw UnreadableRow("recordedAt is not between the years 1970 and 9999")
    }
    guard let id = row.text(at: 2), let model = row.text(at: 3), let release = row.text(at: 4)
    else { throw UnreadableRow("it refers to no model, context or source") }
    guard row.integer(at: 8) == 1 else { throw UnreadableRow("the errors cannot be read") }
    func name(_ column: Int32) -> String? { row.text(at: column).flatMap { $0.isEmpty ? nil : $0 } }
    return StoredDigest(
      number: row.integer(at: 0), id: id, recordedAt: row.moment(at: 1), model: model,
      release: release.isEmpty ? nil : release, environment: name(5), operation: name(6),
      errors: try errors(row.text(at: 7) ?? ""))
  }

  private func errors(_ text: String) throws -> [StoredError] {
    try readErrors.bind([.text(text)])
    defer { readErrors.reset() }
    var errors: [StoredError] = []
    while try readErrors.step() {
      guard case .integer(let id) = readErrors.value(at: 0),
        case .integer(let times) = readErrors.value(at: 2),
        1...Int64(DigestRecord.maximumCount) ~= times
      else { throw UnreadableRow("the errors cannot be read") }
      let failure = try failure(id)
      let type = readErrors.text(at: 3)
      let found = readErrors.text(at: 4)
      errors.append(
        StoredError(
          failure: failure, path: readErrors.text(at: 1), times: times, foundType: type,
          foundValue: Self.hasText(type) ? found ?? failure.names.novelValue : nil))
    }
    guard errors.sum(of: \.times) <= Int64(DigestRecord.maximumCount) else {
      throw UnreadableRow("it has more errors than a store counts")
    }
    return errors
  }

  /// Whether found values of a type have a text.
  private static func hasText(_ type: String?) -> Bool {
    switch type.flatMap(ErrorDigest.FoundValue.ValueType.init) {
    case .string, .number, .boolean: true
    case .null, .array, .object, nil: false
    }
  }

  private func failure(_ id: Int64) throws -> StoredFailure {
    if let failure = failures[id] { return failure }
    try findFailure.bind(named: [":failure": .integer(id)])
    defer { findFailure.reset() }
    guard try findFailure.step() else { throw UnreadableRow("it refers to no failure") }
    let next = Failure.columnCount
    let failure = StoredFailure(
      id: id, names: Failure(findFailure), message: findFailure.text(at: next),
      isMatching: findFailure.integer(at: next + 1) != 0)
    if cost > Self.maximumCost { (failures, cost) = ([:], 0) }
    failures[id] = failure
    cost += failure.cost
    return failure
  }
}
