import ResilientDecoding

/// The ids of models, releases and failures: looked up in the file once, made where they are new.
///
/// The file never forgets an id, so that what is remembered here stays right whoever else writes.
/// Only a transaction that is rolled back can take ids back: then ``forget()``.
final class Names {
  /// A failure as the file has it.
  struct Failure {
    let id: Int64
    let message: String?
  }

  fileprivate struct FailureKey: Hashable {
    let model: Int64
    let codingPath: ExactText
    let kind: ErrorDigest.Kind
    let expectedType: ExactText?
    let novelValue: ExactText?
    let valueType: ExactText?
  }

  /// The most failures to remember: a hostile backend can make any number of them.
  private static let maximumFailures = 20_000

  private var models: [ExactText: Int64] = [:]
  private var releases: [ExactText: Int64] = [:]
  private var failures: [FailureKey: Failure] = [:]

  private let findModel: Statement
  private let addModel: Statement
  private let findRelease: Statement
  private let addRelease: Statement
  private let findFailure: Statement
  private let addFailure: Statement

  init(_ connection: Connection) throws {
    findModel = try Statement(connection, "SELECT id FROM model WHERE name = ?")
    addModel = try Statement(connection, "INSERT INTO model (name) VALUES (?) RETURNING id")
    findRelease = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    addRelease = try Statement(connection, "INSERT INTO release (name) VALUES (?) RETURNING id")
    findFailure = try Statement(
      connection,
      """
      SELECT id, message FROM failure
      WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ifnull(?3, 0)
        AND ifnull(value_type, 0) = ifnull(?4, 0) AND kind = ?5
        AND ifnull(expected_type, 0) = ifnull(?6, 0)
      """
    )
    addFailure = try Statement(
      connection,
      """
      INSERT INTO failure (model_id, coding_path, novel_value, value_type, kind, expected_type,
        path_format, message, id, value_id)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, next.id, iif(?3 IS NULL, NULL, ifnull(
        (SELECT min(value_id) FROM failure
          WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ifnull(?3, 0)
            AND ifnull(value_type, 0) = ifnull(?4, 0)), next.id))
      FROM (SELECT ifnull(max(id), 0) + 1 AS id FROM failure) AS next
      RETURNING id
      """
    )
  }

  func model(_ name: String) throws -> Int64 {
    let key = ExactText(name)
    if let id = models[key] { return id }
    let id =
      try findModel.firstRow([.text(name)]) { $0.integer(at: 0) }
      ?? addModel.returnedInteger([.text(name)])
    models[key] = id
    return id
  }

  /// The id of a release: 0 where there is none.
  func release(_ name: String?) throws -> Int64 {
    guard let name else { return 0 }
    let key = ExactText(name)
    if let id = releases[key] { return id }
    let id =
      try findRelease.firstRow([.text(name)]) { $0.integer(at: 0) }
      ?? addRelease.returnedInteger([.text(name)])
    releases[key] = id
    return id
  }

  func failure(_ record: FailureRecord, at path: PathFormat, model: Int64) throws -> Failure {
    let key = FailureKey(
      model: model,
      codingPath: ExactText(path.pattern),
      kind: record.kind,
      expectedType: record.expectedType.map(ExactText.init),
      novelValue: record.novelValue.map(ExactText.init),
      valueType: record.valueType.map(ExactText.init)
    )
    if let failure = failures[key] { return failure }
    if failures.count >= Self.maximumFailures { failures = [:] }
    let failure = try find(key) ?? add(key, format: path.format, message: record.message)
    failures[key] = failure
    return failure
  }

  /// Forgets all ids, after a transaction that may have made some was rolled back.
  func forget() {
    models = [:]
    releases = [:]
    failures = [:]
  }

  private func find(_ key: FailureKey) throws -> Failure? {
    try findFailure.firstRow(key.values) { Failure(id: $0.integer(at: 0), message: $0.text(at: 1)) }
  }

  private func add(_ key: FailureKey, format: String, message: String?) throws -> Failure {
    let id = try addFailure.returnedInteger(key.values + [.text(format), SQLiteValue(message)])
    return Failure(id: id, message: message)
  }
}

extension Names.FailureKey {
  fileprivate var values: [SQLiteValue] {
    [
      .integer(model), .text(codingPath.text), SQLiteValue(novelValue?.text),
      SQLiteValue(valueType?.text), .text(kind.rawValue), SQLiteValue(expectedType?.text),
    ]
  }
}

/// Text that is equal when its bytes are, as SQLite has it: é is not e with an accent.
private struct ExactText: Hashable {
  let text: String

  init(_ text: String) {
    // A bridged string has no bytes to hash at once.
    var text = text
    text.makeContiguousUTF8()
    self.text = text
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.text.utf8.elementsEqual(rhs.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
