import ResilientDecoding

/// The ids of models, contexts and failures: looked up in the file once, and added if new.
///
/// The file never forgets an id, so remembered ids stay valid whichever process writes. Only a
/// rollback takes ids back; call ``forget()`` after it.
final class NameIDs {
  struct Model {
    let id: Int64
    let name: String
  }

  private struct FailureKeyInMemory: Hashable {
    let model: Int64
    let identity: FailureIdentity
  }

  /// A failure in the file, and the age of its sample.
  private struct Known {
    let id: Int64
    var sampledAt: Int64
    var hasFoundValue: Bool
  }

  /// The most names of each kind to remember. All are forgotten beyond: looking up the ones in use
  /// again costs a few µs each.
  private static let maximumNames = 10_000

  private var models: [BinaryString: Model] = [:]
  private var contexts: [DigestContext: Int64] = [:]
  private var failures: [FailureKeyInMemory: Known] = [:]

  private let limit: ValueLimit
  private let cardinality: Cardinality

  /// How old a sample is when the next occurrence renews it, in milliseconds.
  private let sampleAge: Int64

  /// The age at which samples are deleted, in milliseconds.
  private let maximumSampleAge: Int64

  private let findModel: Statement
  private let addModel: Statement
  private let findContext: Statement
  private let addContext: Statement
  private let findFailure: Statement
  private let addFailure: Statement
  private let renewSample: Statement

  init(_ connection: Connection, _ configuration: DigestStore.Configuration) throws {
    limit = ValueLimit(configuration.maximumValueLength)
    cardinality = try Cardinality(connection, Cardinality.Limits(configuration))
    maximumSampleAge = configuration.maximumAge.map(\.milliseconds) ?? .max
    sampleAge = min(24 * Moment.hour, maximumSampleAge / 2)
    findModel = try Statement(connection, "SELECT id FROM model WHERE name = ?")
    addModel = try Statement(connection, "INSERT INTO model (name) VALUES (?) RETURNING id")
    findContext = try Statement(
      connection,
      """
      SELECT id FROM context
      WHERE source = 1 AND release = ? AND environment = ? AND operation = ?
      """)
    addContext = try Statement(
      connection,
      """
      INSERT INTO context (source, release, environment, operation) VALUES (1, ?, ?, ?)
      RETURNING id
      """)
    findFailure = try Statement(
      connection,
      "SELECT id, ifnull(sampled_at, -1), found_type IS NOT NULL FROM failure WHERE key = ?")
    addFailure = try Statement(
      connection,
      """
      INSERT INTO failure (key, model, coding_path, kind, expected_type, novel_value, value_type,
        message, found_type, found_value, sampled_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING id
      """)
    renewSample = try Statement(
      connection,
      """
      UPDATE failure SET message = ?2, found_type = ?3, found_value = ?4, sampled_at = ?5
      WHERE id = ?1
      """)
  }

  /// Finds or adds a model: `Overflow.model` if there are too many.
  func model(_ name: String) throws -> Model {
    let name = limit.cut(name)
    let key = BinaryString(name)
    if let model = models[key] { return model }
    let known = try findModel.firstRow([.text(name)], { $0.integer(at: 0) })
    guard try known != nil || name == Overflow.model || cardinality.admitsModel() else {
      return try model(Overflow.model)
    }
    let model = try Model(id: known ?? addModel.returnedInteger([.text(name)]), name: name)
    if models.count >= Self.maximumNames { models = [:] }
    models[key] = model
    return model
  }

  /// Finds or adds a context: one with a name of `Overflow` if there are too many.
  func context(_ names: DigestContext) throws -> Int64 {
    if let id = contexts[names] { return id }
    let cut = names.map(limit.cut)
    let values = cut.members.map { SQLValue.text($0.name) }
    let known = try findContext.firstRow(values) { $0.integer(at: 0) }
    let overflow = try known == nil ? cardinality.overflow(of: cut) : cut
    let id =
      try overflow == cut
      ? known ?? addContext.returnedInteger(values) : context(overflow)
    if contexts.count >= Self.maximumNames { contexts = [:] }
    contexts[names] = id
    return id
  }

  /// Finds or adds the failure that an error is counted as, and renews an old sample.
  ///
  /// - Parameter moment: when the digest was recorded.
  /// - Returns: its id, and the error as it is counted: over a limit, as an overflow.
  func failure(
    of record: RecordedError, model: Model, at moment: Moment
  ) throws -> (id: Int64, record: RecordedError) {
    let key = FailureKeyInMemory(model: model.id, identity: FailureIdentity(record))
    if let known = failures[key], !isDue(known, record, moment) { return (known.id, record) }
    let record = record.cut(to: limit)
    let identity = FailureIdentity(record.withoutDictionaryKeys)
    let cutKey = FailureKeyInMemory(model: model.id, identity: identity)
    if let known = failures[cutKey], !isDue(known, record, moment) { return (known.id, record) }
    let pattern = record.path.pattern
    let rowKey = FailureKey(model: model.name, pattern: pattern, record)
    let found = try findFailure.firstRow([rowKey.value]) {
      Known(
        id: $0.integer(at: 0), sampledAt: $0.integer(at: 1), hasFoundValue: $0.integer(at: 2) != 0)
    }
    var known: Known
    if let found {
      known = found
      if isDue(known, record, moment) {
        try renewSample.run([.integer(known.id)] + sample(of: record, at: moment))
        known.sampledAt = moment.milliseconds
        known.hasFoundValue = record.found != nil
      }
    } else {
      if let overflow = try cardinality.overflow(of: record, model: model.id, pattern: pattern) {
        return try failure(of: record.counted(as: overflow), model: model, at: moment)
      }
      known = try add(record, rowKey, model: model.id, pattern: pattern, at: moment)
    }
    if failures.count >= Self.maximumNames { failures = [:] }
    failures[cutKey] = known
    return (known.id, record)
  }

  /// Forgets all ids, after the rollback of a transaction that may have added some.
  func forget() {
    models = [:]
    contexts = [:]
    failures = [:]
    cardinality.forget()
  }

  /// Whether an occurrence takes the place of a failure's sample. One without a found value does so
  /// only where there is none, or where the sample is so old that it is deleted.
  private func isDue(_ known: Known, _ record: RecordedError, _ moment: Moment) -> Bool {
    // A file may have any time.
    let age = moment.milliseconds &- known.sampledAt
    if record.found == nil, known.hasFoundValue { return age > maximumSampleAge }
    return age > sampleAge || record.found != nil && !known.hasFoundValue
  }

  private func add(
    _ record: RecordedError, _ key: FailureKey, model: Int64, pattern: String, at moment: Moment
  ) throws -> Known {
    let id = try addFailure.returnedInteger(
      [
        key.value, .integer(model), .text(pattern), .text(record.kind.rawValue),
        SQLValue(record.expectedType), SQLValue(record.novelValue),
        SQLValue(record.valueType),
      ] + sample(of: record, at: moment))
    return Known(
      id: id, sampledAt: moment.milliseconds, hasFoundValue: record.found != nil)
  }

  /// The columns of a sample. The message of a novel value only repeats it, so the values that the
  /// app knows take its place.
  private func sample(of record: RecordedError, at moment: Moment) -> [SQLValue] {
    let known = record.typeWithoutNovelValue.flatMap(UnknownNovelValueError.knownValues)
    let message = known.map {
      limit.cut("expected one of \($0.joined(separator: ", "))".withoutNUL)
    }
    return [
      SQLValue(message ?? record.message), SQLValue(record.found?.type.rawValue),
      SQLValue(record.found?.text), .integer(moment.milliseconds),
    ]
  }
}

extension Duration {
  /// The duration in milliseconds, from 0 on.
  var milliseconds: Int64 {
    let seconds = max(0, min(components.seconds, Moment.latest.milliseconds / 1_000))
    return seconds * 1_000 + max(0, components.attoseconds) / 1_000_000_000_000_000
  }
}
