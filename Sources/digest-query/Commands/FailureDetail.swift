import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// Everything about one failure.
struct FailureDetail {
  let failure: DigestStore.FailureCount

  /// The beginning of the window; nil if it has none.
  let since: Date?

  /// Its row in a summary; nil if it occurs in neither window.
  let summarized: DigestStore.SummarizedFailure?

  /// The beginning of the summary's window.
  let summarizedSince: Date

  /// The share of the model's decodes until the end of the hour in which it was last seen.
  let rateWhileSeen: Double?

  /// Its course over time.
  let trend: DigestStore.Trend?

  /// Its counts by release, environment and so on, most frequent first; empty where it has none.
  let parts: [(name: DigestStore.ContextName, counts: [DigestStore.ModelCount])]

  /// The decodes by releases that never had it.
  let adoption: DigestStore.Adoption?

  /// The rename that may explain a missing or an unknown key.
  let rename: DigestStore.KeyRename?

  /// The values that the app knows in place of a novel one; nil if they are unknown.
  let knownValues: String?

  /// Its last digests.
  let digests: [DigestStore.DigestSummary]

  /// The verdicts of an OpenAPI document.
  let verdicts: [JudgedFailure]

  /// The decision and its reason, as in `ignored: shown as a house`; nil without one.
  let decision: String?

  /// Reads the latest three digests. Those of the last minute, of the last ten minutes and so on are few, so all of
  /// them are read: a fleet may have got the latest ones before others.
  private static func lastDigests(
    of failure: DigestStore.FailureCount, matching filter: DigestFilter, in store: DigestReader
  ) throws -> [DigestStore.DigestSummary] {
    // The last time is of all time.
    let end = min(failure.lastSeen, filter.until ?? failure.lastSeen)
    var latest = filter
    var digests: [DigestStore.DigestSummary] = []
    for seconds: Double in [60, 600, 3_600, 86_400, 30 * 86_400, .infinity] {
      latest.since = max(
        filter.since ?? failure.firstSeen, end.addingTimeInterval(-seconds))
      digests = try store.digests(matching: latest)
      if digests.count >= min(3, failure.digests) { break }
    }
    return Array(digests.sorted { $0.recordedAt > $1.recordedAt }.prefix(3))
  }

  /// - Parameters:
  ///   - filter: the filter for this failure alone.
  ///   - window: the window of a summary.
  init(
    _ failure: DigestStore.FailureCount, matching filter: DigestFilter, window: Range<Date>,
    in store: DigestReader, contract: APIContract?, triage: Triage
  ) throws {
    self.failure = failure
    since = filter.since
    summarizedSince = window.lowerBound
    summarized = try store.summary(
      of: window, matching: filter,
      regressed: { triage.hasRegressed($0) }
    ).failures.first
    // A clock that was far ahead would make years of periods.
    var ended = filter
    if failure.lastSeen > window.upperBound { ended.until = window.upperBound }
    trend = try store.trend(
      matching: ended, reaching: ended.until == nil ? window.upperBound : nil
    ).first
    var seen = filter
    seen.until = min(
      failure.lastSeen.hour.addingTimeInterval(3_600), filter.until ?? .distantFuture)
    rateWhileSeen = try store.failures(matching: seen).first?.rate
    // Each digest has a source. It says something if the store has several.
    let hasSources = try store.sources().count > 1
    parts = try DigestStore.ContextName.allCases.map { name in
      let counts = try store.models(matching: filter, by: name)
      let isNamed = counts.contains { $0.contextName != nil }
      return (name, isNamed && (name != .source || hasSources) ? counts : [])
    }
    adoption = try store.adoption(matching: filter).first
    rename = try store.latestRenames(matching: filter).rename(of: failure)
    knownValues = failure.knownValues(in: try store.message(matching: filter))
    digests = try Self.lastDigests(of: failure, matching: filter, in: store)
    verdicts = try contract?.judged(store.failuresByOperation(matching: filter)) ?? []
    let state = triage.state(of: failure.failureKey)
    decision =
      triage.suppression(of: failure.failureKey) ?? (state == .open ? nil : state.rawValue)
  }
}
