import ResilientDecoding

/// Decides, inside the writing transaction, whether the file may have one more name.
///
/// The file never forgets a name, so a limit once reached stays reached.
final class Cardinality {
  /// The most names that a file may have.
  struct Limits {
    /// Novel values per model and path.
    var novelValuesPerPath: Int

    /// Failures of any kind.
    var failures: Int

    /// Models. An app has few, but an imported file may name any number.
    var models = 10_000

    /// Contexts. Every build may be a release, and an operation may have an id in its path.
    var contexts = 10_000
  }

  /// The model and path whose novel values are counted.
  private struct ModelPath: Hashable {
    let model: Int64
    let codingPath: BinaryString
  }

  /// The most full places to remember.
  private static let maximumPlaces = 20_000

  private let limits: Limits
  private var fullPlaces: Set<ModelPath> = []

  private let countFailures: Statement
  private let countValues: Statement
  private let countModels: Statement
  private let countContexts: Statement

  init(_ connection: Connection, _ limits: Limits) throws {
    self.limits = limits
    // Ids have no gaps and are never reused, so the last id is the number of rows.
    countFailures = try Statement(connection, "SELECT ifnull(max(id), 0) FROM failure")
    countValues = try Statement(
      connection,
      """
      SELECT count(*) FROM failure
      WHERE model = ? AND coding_path = ? AND novel_value IS NOT NULL
        AND NOT (novel_value = ? AND value_type IS NULL)
      """)
    countModels = try Statement(connection, "SELECT ifnull(max(id), 0) FROM model")
    countContexts = try Statement(connection, "SELECT ifnull(max(id), 0) FROM context")
  }

  /// The overflow that a new failure is counted as, or nil when the failure may be added.
  ///
  /// - Parameters:
  ///   - record: an error of a failure that the file does not have.
  ///   - pattern: the pattern of its path.
  func overflow(of record: RecordedError, model: Int64, pattern: String) throws -> Overflow? {
    guard record.overflow != .ofFailures else { return nil }
    if try count(countFailures) >= limits.failures { return .ofFailures }
    guard record.novelValue != nil, record.overflow == nil else { return nil }
    let place = ModelPath(model: model, codingPath: BinaryString(pattern))
    if fullPlaces.contains(place) { return .ofValues }
    guard
      try count(countValues, [.integer(model), .text(pattern), .text(Overflow.value)])
        >= limits.novelValuesPerPath
    else { return nil }
    if fullPlaces.count >= Self.maximumPlaces { fullPlaces = [] }
    fullPlaces.insert(place)
    return .ofValues
  }

  /// Whether the file may have one more model.
  func admitsModel() throws -> Bool {
    try count(countModels) < limits.models
  }

  /// The context that a new one is counted as: itself while there is room.
  ///
  /// Nine tenths of the contexts have any name. Then operations are counted together, so that one
  /// with an id in its path leaves room for releases; the last hundredth is for environments. What
  /// comes after that is counted in one context.
  ///
  /// - Parameter context: a context that the file does not have.
  func overflow(of context: DigestContext) throws -> DigestContext {
    let count = try count(countContexts)
    var context = context
    if count >= limits.contexts - limits.contexts / 10, !context.operation.isEmpty {
      context.operation = Overflow.operation
    }
    if count >= limits.contexts - limits.contexts / 100, !context.release.isEmpty {
      context.release = Overflow.release
    }
    if count >= limits.contexts {
      context = DigestContext(
        release: Overflow.release, environment: Overflow.environment,
        operation: Overflow.operation)
    }
    return context
  }

  /// Forgets everything, after the rollback of a transaction that may have added names.
  func forget() {
    fullPlaces = []
  }

  private func count(_ statement: borrowing Statement, _ values: [SQLValue] = []) throws -> Int {
    Int(clamping: try statement.firstRow(values) { $0.integer(at: 0) } ?? 0)
  }
}

extension Cardinality.Limits {
  init(_ configuration: DigestStore.Configuration) {
    self.init(
      novelValuesPerPath: max(0, configuration.maximumNovelValuesPerPath),
      failures: max(0, configuration.maximumFailures)
    )
  }
}

extension RecordedError {
  /// Returns the error as counted under an overflow. Keeps its found value and message.
  func counted(as overflow: Overflow) -> Self {
    var record = self
    record.expectedType = nil
    record.valueType = nil
    switch overflow {
    case .ofValues:
      record.kind = .unknownNovelValue
      record.novelValue = Overflow.value
    case .ofFailures:
      record.path = ErrorDigest.Path([.key(Overflow.path)])
      // What isn't an error does not become one.
      if !ErrorKinds.others.contains(kind) { record.kind = .other }
      record.novelValue = nil
      if record.body != nil { record.found = nil }
    }
    return record
  }

  /// The overflow that the error is counted under; nil for an ordinary error.
  var overflow: Overflow? {
    guard expectedType == nil, valueType == nil else { return nil }
    if kind == .unknownNovelValue, novelValue == Overflow.value { return .ofValues }
    let isOther = kind == .other || ErrorKinds.others.contains(kind)
    return isOther && novelValue == nil && path.components == [.key(Overflow.path)]
      ? .ofFailures : nil
  }
}
