import DigestStore
import ResilientDecoding
import ResilientPlatform

/// When, and in which releases, a failure was seen, in all contexts.
struct FailureHistory {
  let key: FailureKey

  /// The failure, with the counts of one operation.
  let failure: DigestStore.FailureCount
  private(set) var lastSeen: Date
  private(set) var releases: Set<String> = []

  /// Reads the failures that decisions can match, including those that are not errors.
  ///
  /// - Parameter now: the end of the window; later times come from a clock that is ahead.
  static func read(
    for decisions: [Decision], in store: DigestReader, at now: Date
  ) throws -> [Self] {
    guard !decisions.isEmpty else { return [] }
    var filter = filter(of: decisions)
    var histories = try read(filter, in: store)
    guard histories.values.contains(where: { $0.lastSeen > now }) else {
      return Array(histories.values)
    }
    filter.until = now
    let past = try read(filter, in: store)
    for (key, history) in histories where history.lastSeen > now {
      histories[key]?.releases = past[key]?.releases ?? []
    }
    return Array(histories.values)
  }

  /// The keys of those that were seen in a window.
  static func keys(
    for decisions: [Decision], in store: DigestReader, since: Date, until: Date
  ) throws -> Set<FailureKey> {
    var filter = filter(of: decisions)
    (filter.since, filter.until) = (since, until)
    return Set(try read(filter, in: store).keys)
  }

  private static func filter(of decisions: [Decision]) -> DigestFilter {
    var filter = DigestFilter()
    filter.kinds = ErrorDigest.Kind.allCases
    filter.models = DigestFilter.names(decisions.map(\.model))
    filter.codingPaths = DigestFilter.names(decisions.map(\.path))
    filter.novelValues = DigestFilter.names(decisions.map(\.value))
    return filter
  }

  private static func read(
    _ filter: DigestFilter, in store: DigestReader
  ) throws -> [FailureKey: Self] {
    var histories: [FailureKey: Self] = [:]
    for row in try store.failuresByOperation(matching: filter) {
      let key = row.failure.failureKey
      var history =
        histories[key] ?? Self(key: key, failure: row.failure, lastSeen: row.failure.lastSeen)
      history.lastSeen = max(history.lastSeen, row.failure.lastSeen)
      history.releases.formUnion(row.releases)
      histories[key] = history
    }
    return histories
  }

  /// Whether the failure is of a kind. That of a novel value is a sample, so each is also one.
  func isOf(_ other: ErrorDigest.Kind) -> Bool {
    other == failure.kind || failure.novelValue != nil && other == .unknownNovelValue
  }

  /// Whether the failure was seen after the end of a decision, or in its release or a later one.
  ///
  /// - Parameters:
  ///   - later: the releases that are not older than others.
  ///   - wasSeen: whether a failure was seen between a moment and now.
  func isAfterEnd(
    of decision: Decision, _ later: [String: Set<String>], wasSeen: (Self, Date) throws -> Bool
  ) rethrows -> Bool {
    switch decision.until {
    case .date(let date)?: try wasSeen(self, date)
    case .release(let name)?: !releases.isDisjoint(with: later[name] ?? [])
    case nil:
      // After the decision: times have milliseconds.
      try decision.state == .resolved && decision.at.map { try wasSeen(self, $0 + 0.001) } == true
    }
  }
}
