import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The identity of a failure in a store. A novel value at a path is one failure.
struct FailureName: Hashable {
  private let texts: [BinaryString?]

  init(_ row: DigestStore.NovelValueCount) {
    texts = [row.model, row.codingPath, row.novelValue, row.valueType].map {
      $0.map(BinaryString.init)
    }
  }

  init(_ row: DigestStore.FailureCount) {
    let rest =
      row.novelValue.map { [$0, row.valueType] } ?? [nil, row.kind.rawValue, row.expectedType]
    texts = ([row.model, row.codingPath] + rest).map { $0.map(BinaryString.init) }
  }
}

/// The counts of a failure of all time, in all contexts.
struct FailureHistory {
  let name: FailureName
  let model: String
  let codingPath: String
  let kind: ErrorDigest.Kind
  let novelValue: String?
  private(set) var occurrences: Int
  private(set) var lastSeen: Date
  private(set) var releases: Set<String>

  private init(_ row: DigestStore.OperationFailure, _ name: FailureName) {
    self.name = name
    model = row.failure.model
    codingPath = row.failure.codingPath
    kind = row.failure.kind
    novelValue = row.failure.novelValue
    occurrences = row.failure.occurrences
    lastSeen = row.failure.lastSeen
    releases = Set(row.releases)
  }

  /// Reads those of all failures, also of those that are no errors.
  static func all(in store: DigestReader) throws -> [Self] {
    var filter = DigestFilter()
    filter.kinds = ErrorDigest.Kind.allCases
    var histories: [FailureName: Self] = [:]
    for row in try store.failuresByOperation(matching: filter) {
      let name = FailureName(row.failure)
      if histories[name] == nil {
        histories[name] = Self(row, name)
      } else {
        histories[name]?.add(row)
      }
    }
    return Array(histories.values)
  }

  private mutating func add(_ row: DigestStore.OperationFailure) {
    occurrences += row.failure.occurrences
    lastSeen = max(lastSeen, row.failure.lastSeen)
    releases.formUnion(row.releases)
  }

  /// Whether the failure is of a kind. That of a novel value is a sample, so each is also one.
  func isOf(_ name: String?) -> Bool {
    name == kind.rawValue
      || novelValue != nil && name == ErrorDigest.Kind.unknownNovelValue.rawValue
  }

  /// Whether the failure was seen after the end of a decision, or in its release or a later one.
  ///
  /// - Parameter later: the releases that are not older than others.
  func isAfterEnd(of decision: Decision, _ later: [String: Set<String>]) -> Bool {
    switch decision.until {
    case .date(let date)?: lastSeen >= date
    case .release(let name)?: !releases.isDisjoint(with: later[name] ?? [])
    case .occurrences(let count)?: occurrences > count
    case nil: decision.state == .resolved && decision.at.map { lastSeen > $0 } == true
    }
  }
}

/// A row about one failure.
protocol TriagedRow {
  var failureName: FailureName { get }
}

extension DigestStore.NovelValueCount: TriagedRow {
  var failureName: FailureName { FailureName(self) }
}

extension DigestStore.FailureCount: TriagedRow {
  var failureName: FailureName { FailureName(self) }
}

extension JudgedFailure: TriagedRow {
  var failureName: FailureName { FailureName(failure.failure) }
}
