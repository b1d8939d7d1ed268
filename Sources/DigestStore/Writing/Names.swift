import ResilientDecoding

/// The ids of models, releases and failures: looked up in the file once, made where they are new.
///
/// The file never forgets an id, nor changes what a failure's entries may leave out, so that what is
/// remembered here stays right whoever else writes.
/// Only a transaction that is rolled back can take ids back: then ``forget()``.
final class Names {
  /// A failure as the file has it.
  struct Failure {
    let id: Int64

    /// The message of an entry that has none of its own.
    let message: ExactText?

    /// What was found by an entry that does not say so.
    let found: KeptFoundValue?

    /// Whether the file has something found for it, or had when this was read.
    var hasSample: Bool
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
  private let keepFound: Statement

  init(_ connection: Connection) throws {
    findModel = try Statement(connection, "SELECT id FROM model WHERE name = ?")
    addModel = try Statement(connection, "INSERT INTO model (name) VALUES (?) RETURNING id")
    findRelease = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    addRelease = try Statement(connection, "INSERT INTO release (name) VALUES (?) RETURNING id")
    findFailure = try Statement(
      connection,
      """
      SELECT id, message, found_type, found_value, found_default FROM failure
      WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ifnull(?3, 0)
        AND ifnull(value_type, 0) = ifnull(?4, 0) AND kind = ?5
        AND ifnull(expected_type, 0) = ifnull(?6, 0)
      """
    )
    addFailure = try Statement(
      connection,
      """
      INSERT INTO failure (model_id, coding_path, novel_value, value_type, kind, expected_type,
        path_format, message, found_type, found_value, found_default, id, value_id)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?9 IS NOT NULL, next.id,
        iif(?3 IS NULL, NULL, ifnull(
        (SELECT min(value_id) FROM failure
          WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ifnull(?3, 0)
            AND ifnull(value_type, 0) = ifnull(?4, 0)), next.id))
      FROM (SELECT ifnull(max(id), 0) + 1 AS id FROM failure) AS next
      RETURNING id
      """
    )
    keepFound = try Statement(
      connection,
      """
      UPDATE failure
      SET found_type = ?2, found_value = ?3, found_default = ifnull(found_default, ?2 IS NOT NULL)
      WHERE id = ?1
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

  /// The failure of an error, and what an entry for it need not say.
  func failure(_ record: FailureRecord, at path: PathFormat, model: Int64) throws -> Failure {
    let key = FailureKey(
      model: model,
      codingPath: ExactText(path.pattern),
      kind: record.kind,
      expectedType: record.expectedType.map(ExactText.init),
      novelValue: record.novelValue.map(ExactText.init),
      valueType: record.valueType.map(ExactText.init)
    )
    if let failure = failures[key], failure.hasSample || record.found == nil { return failure }
    let found = record.keptFound
    if failures.count >= Self.maximumFailures { failures = [:] }
    var failure =
      try find(key, found) ?? add(key, format: path.format, message: record.message, found)
    if !failure.hasSample, let found {
      try keep(found, of: failure.id)
      failure.hasSample = true
    }
    failures[key] = failure
    return failure
  }

  /// Forgets all ids, after a transaction that may have made some was rolled back.
  func forget() {
    models = [:]
    releases = [:]
    failures = [:]
  }

  /// Finds a failure; of one that is older than schema 2, `found` becomes what an entry need not say.
  private func find(_ key: FailureKey, _ found: KeptFoundValue?) throws -> Failure? {
    try findFailure.firstRow(key.values) { row in
      let id = row.integer(at: 0)
      let isDefault = row.optionalInteger(at: 4).map { $0 != 0 }
      if isDefault == nil { try keep(found, of: id) }
      let sample =
        isDefault == nil ? found : KeptFoundValue(type: row.text(at: 2), column: row.value(at: 3))
      return Failure(
        id: id,
        message: row.text(at: 1).map(ExactText.init),
        found: isDefault == false ? nil : sample,
        hasSample: sample != nil
      )
    }
  }

  private func add(
    _ key: FailureKey,
    format: String,
    message: String?,
    _ found: KeptFoundValue?
  ) throws -> Failure {
    let id = try addFailure.returnedInteger(
      key.values + [
        .text(format), SQLiteValue(message), SQLiteValue(found?.type), found?.column ?? .null,
      ])
    return Failure(
      id: id, message: message.map(ExactText.init), found: found, hasSample: found != nil)
  }

  /// Keeps what was found for a failure that has nothing yet.
  private func keep(_ found: KeptFoundValue?, of id: Int64) throws {
    try keepFound.run([.integer(id), SQLiteValue(found?.type), found?.column ?? .null])
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
