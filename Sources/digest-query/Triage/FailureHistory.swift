import DigestStore
import ResilientDecoding
import ResilientPlatform

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

  /// Reads those of the failures that decisions may be about, also of those that are no errors.
  static func all(
    in store: DigestReader, for decisions: [Decision]
  ) throws -> [Self] {
    guard !decisions.isEmpty else { return [] }
    var filter = DigestFilter()
    filter.kinds = ErrorDigest.Kind.allCases
    filter.models = names(decisions.map(\.model))
    filter.codingPaths = names(decisions.map(\.path))
    filter.novelValues = names(decisions.map(\.value))
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

  /// Patterns of which one has to match; none if a decision has no pattern, or if they are so many
  /// that reading all failures is faster.
  private static func names(_ patterns: [String?]) -> [String] {
    let names = Set(patterns.compactMap { $0.map(BinaryString.init) })
    return patterns.contains(nil) || names.count > 100 ? [] : names.map(\.text)
  }

  private mutating func add(_ row: DigestStore.OperationFailure) {
    occurrences += row.failure.occurrences
    lastSeen = max(lastSeen, row.failure.lastSeen)
    releases.formUnion(row.releases)
  }

  /// Whether the failure is of a kind. That of a novel value is a sample, so each is also one.
  func isOf(_ other: ErrorDigest.Kind) -> Bool {
    other == kind || novelValue != nil && other == .unknownNovelValue
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
