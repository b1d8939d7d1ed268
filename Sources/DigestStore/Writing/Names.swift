import ResilientDecoding

/// The ids of models, releases and failures: looked up in the file once, made where they are new.
///
/// The file never forgets an id, nor changes what a failure's entries may leave out, so that what is
/// remembered here stays right whoever else writes.
/// Only a transaction that is rolled back can take ids back: then ``forget()``.
final class Names {
  /// What an error is written as: itself, or over a limit one of many that are counted together.
  struct Admitted {
    let record: FailureRecord
    let path: PathFormat
    let failure: Failure

    /// Whether it is counted as itself.
    var isItself = true
  }

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

  /// The most failures to remember: the file may have more.
  private static let maximumRemembered = 20_000

  private var models: [ExactText: Int64] = [:]
  private var releases: [ExactText: Int64] = [:]
  private var failures: [FailureKey: Failure] = [:]

  private let cardinality: Cardinality
  private let findModel: Statement
  private let addModel: Statement
  private let findRelease: Statement
  private let addRelease: Statement
  private let findFailure: Statement
  private let addFailure: Statement
  private let keepFound: Statement

  init(_ connection: Connection, _ limits: Cardinality.Limits) throws {
    cardinality = try Cardinality(connection, limits)
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
      RETURNING id, value_id
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

  /// The id of a model: that of the others where there are too many.
  func model(_ name: String) throws -> Int64 {
    let key = ExactText(name)
    if let id = models[key] { return id }
    if let id = try findModel.firstRow([.text(name)], { $0.integer(at: 0) }) {
      models[key] = id
      return id
    }
    guard try name == Overflow.model || cardinality.admitsModel() else {
      return try model(Overflow.model)
    }
    let id = try addModel.returnedInteger([.text(name)])
    models[key] = id
    return id
  }

  /// The id of a release: 0 where there is none, that of the others where there are too many.
  func release(_ name: String?) throws -> Int64 {
    guard let name else { return 0 }
    let key = ExactText(name)
    if let id = releases[key] { return id }
    if let id = try findRelease.firstRow([.text(name)], { $0.integer(at: 0) }) {
      releases[key] = id
      return id
    }
    guard try name == Overflow.release || cardinality.admitsRelease() else {
      return try release(Overflow.release)
    }
    let id = try addRelease.returnedInteger([.text(name)])
    releases[key] = id
    return id
  }

  /// Finds or makes the failure that an error is counted as.
  func admit(_ record: FailureRecord, model: Int64) throws -> Admitted {
    let path = PathFormat(record.path)
    let key = FailureKey(
      model: model,
      codingPath: ExactText(path.pattern),
      kind: record.kind,
      expectedType: record.expectedType.map(ExactText.init),
      novelValue: record.novelValue.map(ExactText.init),
      valueType: record.valueType.map(ExactText.init)
    )
    if let failure = failures[key], failure.hasSample || record.found == nil {
      return Admitted(record: record, path: path, failure: failure)
    }
    let found = record.keptFound
    // The one that stands for many is always let in.
    let isLimited = record.overflow == nil
    if isLimited, let value = record.novelValue,
      try cardinality.isKnownAsOver(value, ofType: record.valueType, at: key.place)
    {
      return try admitOverflow(record.counted(as: .ofValues), model: model)
    }
    var failure: Failure
    if let known = try find(key, found) {
      failure = known
    } else {
      if let overflow = try overflow(of: record, key) {
        return try admitOverflow(record.counted(as: overflow), model: model)
      }
      failure = try add(
        key, format: path.format, message: record.message, found, isOverflow: !isLimited)
    }
    if failures.count >= Self.maximumRemembered { failures = [:] }
    if !failure.hasSample, let found {
      try keep(found, of: failure.id)
      failure.hasSample = true
    }
    failures[key] = failure
    return Admitted(record: record, path: path, failure: failure)
  }

  private func admitOverflow(_ record: FailureRecord, model: Int64) throws -> Admitted {
    var admitted = try admit(record, model: model)
    admitted.isItself = false
    return admitted
  }

  /// Forgets all ids, after a transaction that may have made some was rolled back.
  func forget() {
    models = [:]
    releases = [:]
    failures = [:]
    cardinality.forget()
  }

  /// What a failure that the file does not have is to be counted as; nil when it may be added.
  private func overflow(of record: FailureRecord, _ key: FailureKey) throws -> Overflow? {
    switch record.overflow {
    case .ofFailures: return nil
    case .ofValues:
      return try cardinality.overflow(addingValue: nil, ofType: nil, at: key.place)
    case nil:
      return try cardinality.overflow(
        addingValue: record.novelValue, ofType: record.valueType, at: key.place)
    }
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
    _ found: KeptFoundValue?,
    isOverflow: Bool
  ) throws -> Failure {
    try addFailure.bind(
      key.values + [
        .text(format), SQLiteValue(message), SQLiteValue(found?.type), found?.column ?? .null,
      ])
    var id: Int64 = 0
    var valueID: Int64?
    while try addFailure.step() {
      id = addFailure.integer(at: 0)
      valueID = addFailure.optionalInteger(at: 1)
    }
    cardinality.added(id, newValueAt: valueID == id && !isOverflow ? key.place : nil)
    return Failure(
      id: id, message: message.map(ExactText.init), found: found, hasSample: found != nil)
  }

  /// Keeps what was found for a failure that has nothing yet.
  private func keep(_ found: KeptFoundValue?, of id: Int64) throws {
    try keepFound.run([.integer(id), SQLiteValue(found?.type), found?.column ?? .null])
  }
}

extension Names.FailureKey {
  var place: Cardinality.Place { Cardinality.Place(model: model, codingPath: codingPath) }

  fileprivate var values: [SQLiteValue] {
    [
      .integer(model), .text(codingPath.text), SQLiteValue(novelValue?.text),
      SQLiteValue(valueType?.text), .text(kind.rawValue), SQLiteValue(expectedType?.text),
    ]
  }
}
