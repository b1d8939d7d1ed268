import ResilientDecoding

/// The ids of models, releases and failures: looked up in the file once, and added if new.
///
/// The file never forgets an id, so remembered ids stay valid whichever process writes. Only a
/// rollback takes ids back; call ``forget()`` after it. The fields that a failure's entries may
/// omit change when old samples are cleared; call ``forgetSamples()`` then.
final class NameTable {
  private struct FailureKey: Hashable {
    let model: Int64
    let identity: FailureIdentity
  }

  private typealias IDs = GenerationCache<BinaryString, Int64>

  private var models = IDs(limit: 1 << 20) { name, _ in name.text.utf8.count + 100 }
  private var releases = IDs(limit: 1 << 20) { name, _ in name.text.utf8.count + 100 }
  private var failures = GenerationCache<FailureKey, FailureSample>(limit: 6 << 20) {
    $0.identity.size + $1.size + 100
  }

  private let limit: ValueLimit
  private let cardinality: Cardinality
  private let findModel: Statement
  private let addModel: Statement
  private let findRelease: Statement
  private let addRelease: Statement
  private let findFailure: Statement
  private let addFailure: Statement
  private let keepFound: Statement
  private let keepMessage: Statement

  init(_ connection: Connection, _ configuration: DigestStore.Configuration) throws {
    limit = ValueLimit(configuration.maximumValueLength)
    cardinality = try Cardinality(connection, Cardinality.Limits(configuration))
    findModel = try Statement(connection, "SELECT id FROM model WHERE name = ?")
    addModel = try Statement(connection, "INSERT INTO model (name) VALUES (?) RETURNING id")
    findRelease = try Statement(connection, "SELECT id FROM release WHERE name = ?")
    addRelease = try Statement(connection, "INSERT INTO release (name) VALUES (?) RETURNING id")
    findFailure = try Statement(
      connection,
      """
      SELECT id, message, found_type, found_value, found_default, message_cleared, found_cleared
      FROM failure
      WHERE model_id = ?1 AND coding_path = ?2 AND ifnull(novel_value, 0) = ifnull(?3, 0)
        AND ifnull(value_type, 0) = ifnull(?4, 0) AND kind = ?5
        AND ifnull(expected_type, 0) = ifnull(?6, 0)
      """
    )
    addFailure = try Statement(
      connection,
      """
      INSERT INTO failure (model_id, coding_path, novel_value, value_type, kind, expected_type,
        path_format, message, found_type, found_value, found_default, found_at, id, value_id)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
        iif(?11 = 0 AND typeof(?10) = 'text', ?12, NULL), next.id,
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
      SET found_type = ?2, found_value = ?3,
        found_at = iif(NOT found_default AND typeof(?3) = 'text', ?4, NULL), found_cleared = 0
      WHERE id = ?1
      """
    )
    keepMessage = try Statement(
      connection, "UPDATE failure SET message = ?2, message_cleared = 0 WHERE id = ?1")
  }

  /// The id of a model, or of `Overflow.model` if there are too many.
  func model(_ name: String) throws -> Int64 {
    let name = limit.cut(name)
    let key = BinaryString(name)
    if let id = models[key] { return id }
    if let id = try findModel.firstRow([.text(name)], { $0.integer(at: 0) }) {
      models.insert(id, for: key)
      return id
    }
    guard try name == Overflow.model || cardinality.admitsModel() else {
      return try model(Overflow.model)
    }
    let id = try addModel.returnedInteger([.text(name)])
    models.insert(id, for: key)
    return id
  }

  /// The id of a release: 0 for nil, or the id of `Overflow.release` if there are too many.
  func release(_ name: String?) throws -> Int64 {
    guard let name = name.map(limit.cut) else { return 0 }
    let key = BinaryString(name)
    if let id = releases[key] { return id }
    if let id = try findRelease.firstRow([.text(name)], { $0.integer(at: 0) }) {
      releases.insert(id, for: key)
      return id
    }
    guard try name == Overflow.release || cardinality.admitsRelease() else {
      return try release(Overflow.release)
    }
    let id = try addRelease.returnedInteger([.text(name)])
    releases.insert(id, for: key)
    return id
  }

  /// Finds or adds the failure that an error is counted as.
  ///
  /// - Parameter source: the digest that the error belongs to.
  func admit(_ record: FailureRecord, model: Int64, of source: Source) throws -> Admitted {
    let key = FailureKey(model: model, identity: FailureIdentity(record))
    if let failure = failures[key], !failure.shouldStore(record.found, isCounted: source.isCounted)
    {
      return Admitted(record: record, failure: failure)
    }
    return try admitCut(record.cut(to: limit), model: model, of: source)
  }

  /// Finds or adds the failure of an error whose texts have been cut.
  private func admitCut(
    _ record: FailureRecord, model: Int64, of source: Source
  ) throws -> Admitted {
    let identity = FailureIdentity(record.withoutDictionaryKeys)
    let cacheKey = FailureKey(model: model, identity: identity)
    if let failure = failures[cacheKey],
      !failure.shouldStore(record.found, isCounted: source.isCounted)
    {
      return Admitted(record: record, failure: failure)
    }
    let path = PathFormat(record.path)
    let key = RowKey(record, model: model, pattern: path.pattern)
    let found = record.keptFound
    // An overflow failure may always be added.
    let isLimited = record.overflow == nil
    if isLimited, let value = record.novelValue,
      try cardinality.isKnownAsOver(value, ofType: record.valueType, at: key.place)
    {
      return try admit(record.counted(as: .ofValues), model: model, of: source)
    }
    var failure: FailureSample
    if let known = try find(key, record.message) {
      failure = known
    } else {
      if let overflow = try overflow(of: record, key) {
        return try admit(record.counted(as: overflow), model: model, of: source)
      }
      failure = try add(
        key, format: path.format, message: record.message, found, source, isOverflow: !isLimited)
    }
    if failure.shouldStore(record.found, isCounted: source.isCounted), let found {
      try keepFound.run([
        .integer(failure.id), .text(found.type), found.column,
        .integer(source.recordedAt.milliseconds),
      ])
      if failure.found != nil { failure.found = found }
      failure.hasSample = true
    }
    failures.insert(failure, for: cacheKey)
    return Admitted(record: record, failure: failure)
  }

  /// Forgets which fields the entries of failures may omit.
  func forgetSamples() {
    failures.removeAll()
  }

  /// Forgets all ids, after the rollback of a transaction that may have added some.
  func forget() {
    models.removeAll()
    releases.removeAll()
    failures.removeAll()
    cardinality.forget()
  }

  /// The overflow that a new failure is counted as, or nil when the failure may be added.
  private func overflow(of record: FailureRecord, _ key: RowKey) throws -> Overflow? {
    switch record.overflow {
    case .ofFailures: return nil
    case .ofValues:
      return try cardinality.overflow(addingValue: nil, ofType: nil, at: key.place)
    case nil:
      return try cardinality.overflow(
        addingValue: record.novelValue, ofType: record.valueType, at: key.place)
    }
  }

  /// Finds a failure. If its message was cleared, stores this one as the new sample.
  private func find(
    _ key: RowKey, _ message: String?
  ) throws -> FailureSample? {
    try findFailure.firstRow(key.values) { row in
      let id = row.integer(at: 0)
      var sample = KeptFoundValue(type: row.text(at: 2), column: row.value(at: 3))
      let isDefault = row.integer(at: 4) != 0
      let isMessageCleared = row.integer(at: 5) != 0
      let isFoundCleared = row.integer(at: 6) != 0
      if isFoundCleared { sample?.text = .cleared }
      if isMessageCleared { try keepMessage.run([.integer(id), SQLiteValue(message)]) }
      return FailureSample(
        id: id,
        message: (isMessageCleared ? message : row.text(at: 1)).map(BinaryString.init),
        found: isDefault ? sample : nil,
        hasSample: sample != nil && !isFoundCleared
      )
    }
  }

  private func add(
    _ key: RowKey,
    format: String,
    message: String?,
    _ found: KeptFoundValue?,
    _ source: Source,
    isOverflow: Bool
  ) throws -> FailureSample {
    try addFailure.bind(
      key.values + [
        .text(format), SQLiteValue(message), SQLiteValue(found?.type), found?.column ?? .null,
        .integer(source.canOmit(found) ? 1 : 0), .integer(source.recordedAt.milliseconds),
      ])
    var id: Int64 = 0
    var valueID: Int64?
    while try addFailure.step() {
      id = addFailure.integer(at: 0)
      valueID = addFailure.optionalInteger(at: 1)
    }
    cardinality.added(id, newValueAt: valueID == id && !isOverflow ? key.place : nil)
    return FailureSample(
      id: id, message: message.map(BinaryString.init), found: source.isCounted ? nil : found,
      hasSample: found != nil)
  }
}

/// The columns that identify a failure.
private struct RowKey {
  let place: Cardinality.Place
  let values: [SQLiteValue]

  init(_ record: FailureRecord, model: Int64, pattern: String) {
    place = Cardinality.Place(model: model, codingPath: BinaryString(pattern))
    values = [
      .integer(model), .text(pattern), SQLiteValue(record.novelValue),
      SQLiteValue(record.valueType), .text(record.kind.rawValue), SQLiteValue(record.expectedType),
    ]
  }
}
