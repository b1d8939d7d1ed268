import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// Everything about one failure.
struct FailureDetail {
  let failure: DigestStore.FailureCount

  /// The beginning of the window; nil if it has none.
  let since: Date?

  /// What it is to the reader, in the window of ``standingSince``; nil if it is in neither window of a summary.
  let standing: DigestStore.SummarizedFailure?

  /// The beginning of the window that ``standing`` is of.
  let standingSince: Date

  /// Its course over time.
  let trend: DigestStore.Trend?

  /// Its counts by release, environment and so on, most frequent first; empty where it has none.
  let parts: [(name: DigestStore.ContextName, counts: [DigestStore.ModelCount])]

  /// The decodes by releases that never had it.
  let adoption: DigestStore.Adoption?

  /// The rename that may explain a missing or an unknown key.
  let rename: DigestStore.KeyRename?

  /// The message of its sample.
  let message: String?

  /// Its last digests.
  let digests: [DigestStore.DigestSummary]

  /// The verdicts of an OpenAPI document.
  let verdicts: [JudgedFailure]

  /// What was decided, as in `ignored: shown as a house`; nil if nothing was.
  let decision: String?

  /// The number of last digests.
  private static let lastDigests = 3

  /// - Parameters:
  ///   - filter: the filter for this failure alone.
  ///   - window: the window of a summary.
  init(
    _ failure: DigestStore.FailureCount, matching filter: DigestFilter, window: Range<Date>,
    in store: DigestReader, contract: APIContract?, triage: Triage
  ) throws {
    self.failure = failure
    since = filter.since
    standingSince = window.lowerBound
    standing = try store.summary(
      of: window, matching: filter,
      regressed: { triage.state(of: $0.failureKey) == .regressed }
    ).failures.first
    trend = try store.trend(matching: filter, reaching: filter.until == nil ? Date() : nil).first
    parts = try DigestStore.ContextName.allCases.map { name in
      let counts = try store.models(matching: filter, by: name)
      // Each digest has a source. It says something if there are several.
      let isNamed = counts.contains { $0.contextName != nil }
      return (name, isNamed && (name != .source || counts.count > 1) ? counts : [])
    }
    adoption = try store.adoption(matching: filter).first
    rename = try store.latestRenames(matching: filter, limit: nil).first {
      let path = failure.kind == .unknownKey ? $0.newPath : $0.oldPath
      return $0.model == failure.model && path == failure.codingPath
        && [.keyNotFound, .missingKey, .unknownKey].contains(failure.kind)
    }
    message = try store.message(matching: filter)
    digests = try store.digests(matching: filter, limit: Self.lastDigests)
    verdicts = try contract?.judged(store.failuresByOperation(matching: filter)) ?? []
    let state = triage.state(of: failure.failureKey)
    decision =
      triage.suppression(of: failure.failureKey) ?? (state == .open ? nil : state.rawValue)
  }
}
