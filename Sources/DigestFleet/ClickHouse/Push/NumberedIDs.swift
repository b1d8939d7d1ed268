import DigestStore

/// The fleet's ids of the failures and models of a store, by its numbers. An id is computed when it is
/// asked for, because most pushes count few failures.
struct NumberedIDs {
  struct IDs {
    let id: FleetID
    /// Equal for failures with the same novel value.
    let value: FleetID
    let model: FleetID
    /// Equal for failures of a model with the same coding path.
    let place: FleetID
    /// Equal for failures with the same kind; 0 for a model.
    let kind: UInt64
  }

  /// The failures of a model with the same kind.
  struct Kind: Hashable {
    /// The number of the model.
    let model: Int64
    let kind: String
  }

  private let store: DigestReader
  private var models: [Int64: String]?
  private var failures: [Int64: StoreCounts.NumberedFailure]?
  private var known: [CountTable: [Int64: IDs]] = [.failures: [:], .models: [:]]

  init(_ store: DigestReader) { self.store = store }

  /// Returns the ids for a number; nil if the store has no name for it.
  mutating func ids(_ number: Int64, _ table: CountTable) throws -> IDs? {
    if let ids = known[table]?[number] { return ids }
    try readNames()
    let ids: IDs? =
      switch table {
      case .models: models?[number].map { IDs(ofModel: $0) }
      case .failures:
        failures?[number].flatMap { failure in
          models?[failure.model].map { IDs(of: failure.failure, inModel: $0) }
        }
      }
    known[table]?[number] = ids
    return ids
  }

  /// Returns the kind of a failure; nil if the store has no name for it.
  mutating func kind(ofFailure number: Int64) throws -> Kind? {
    try readNames()
    return failures?[number].map { Kind(model: $0.model, kind: $0.failure.kind) }
  }

  private mutating func readNames() throws {
    guard models == nil else { return }
    let names = try store.names(afterFailure: 0, model: 0)
    models = Dictionary(names.models.map { ($0.number, $0.name) }) { first, _ in first }
    failures = Dictionary(names.failures.map { ($0.number, $0) }) { first, _ in first }
  }
}

extension NumberedIDs.IDs {
  init(ofModel name: String) {
    let id = FleetID(of: [name])
    self.init(id: id, value: .none, model: id, place: .none, kind: 0)
  }

  init(of failure: Failure, inModel name: String) {
    let value = failure.novelValue.map {
      FleetID(of: [name, failure.codingPath, $0, failure.valueType])
    }
    self.init(
      id: FleetID(of: [
        name, failure.codingPath, failure.kind, failure.expectedType, failure.novelValue,
        failure.valueType,
      ]),
      value: value ?? .none, model: FleetID(of: [name]),
      place: FleetID(of: [name, failure.codingPath]), kind: Self.id(ofKind: failure.kind))
  }

  /// The ids under which the failures of the model with the same kind are counted together.
  ///
  /// The place is this failure, to find the name of the kind.
  var ofKind: Self {
    Self(id: FleetID(model.low, kind), value: .none, model: model, place: id, kind: kind)
  }

  static func id(ofKind kind: String) -> UInt64 { FleetID(of: [kind]).low }
}
