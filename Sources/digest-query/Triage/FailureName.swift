import DigestStore
import ResilientDecoding

/// The identity of a failure in a store. A novel value at a path is one failure.
struct FailureName: Hashable {
  private let texts: [BinaryString?]

  init(_ row: DigestStore.FailureCount) {
    let rest =
      row.novelValue.map { [$0, row.valueType] }
      ?? [nil, row.kind.rawValue, row.expectedType, row.body?.rawValue]
    texts = ([row.model, row.codingPath] + rest).map { $0.map(BinaryString.init) }
  }
}

/// A row about one failure.
protocol TriagedRow {
  var failureName: FailureName { get }
}

extension DigestStore.FailureCount: TriagedRow {
  var failureName: FailureName { FailureName(self) }
}

extension JudgedFailure: TriagedRow {
  var failureName: FailureName { FailureName(failure.failure) }
}

extension [JudgedFailure] {
  /// The number of failures. One of several operations has several rows.
  var failures: Int { Set(map(\.failureName)).count }
}
