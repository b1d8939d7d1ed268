import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A note about the losses that have one reason.
struct LossMessage {
  /// The kind of answer.
  enum AnswerKind {
    /// Counts.
    case counts
    /// Counts that `check` compares with limits.
    case limits
    /// The latest digests.
    case digests
    /// All digests.
    case export
    /// The digests of a store that is pushed.
    case push
  }

  let reason: DigestStore.Loss.Reason
  let losses: [DigestStore.Loss]

  init(reason: DigestStore.Loss.Reason, _ losses: [DigestStore.Loss]) {
    self.reason = reason
    self.losses = losses
  }

  /// - Parameter subject: the kind of answer.
  func text(about subject: AnswerKind) -> String {
    switch reason {
    case .evicted where subject == .export:
      "not exported: \(digests) of \(occurrences) (evicted, recorded since \(first))"
    case .evicted where subject == .push:
      "pushed as counts only: \(digests) of \(occurrences) (evicted, recorded since \(first))"
    case .evicted:
      "counted, but no longer in detail: \(digests) of \(occurrences) (evicted, recorded since "
        + "\(first))"
    case .notSent:
      "deleted before they were uploaded: \(digests) (\(reason), since \(first))"
    case .undated:
      "not counted here: \(occurrences) for which only the all-time sum is left (undated, "
        + "recorded since \(first))"
    case .redacted:
      "not written, as the app configured it: \(occurrences) of \(digests) (redacted, since "
        + "\(first))"
    case .unattributed:
      "perhaps not counted here: \(occurrences) of \(releases), whose totals were deleted "
        + "(unattributed, recorded until \(last))"
    case .quarantined:
      "a damaged file was set aside, and its contents are not counted: \(names) (quarantined, "
        + "since \(first))"
    case .movedAway:
      "the file was moved, deleted or replaced, and its earlier contents are not counted (\(reason), "
        + "since \(first))"
    case .failedMaintenance:
      "counted, but the store could not maintain the file: \(notes ?? "unknown error") (\(reason), "
        + "since \(first))"
    default:
      "not counted: \(digests) of \(occurrences) (\(reason), since \(first))"
    }
  }

  /// Says how many notices were left out, most frequent kind first.
  static func text(of notices: [ErrorDigest.Kind: Int]) -> String {
    let names: [ErrorDigest.Kind: String] = [
      .converted: "conversion", .missingKey: "missing key", .unknownKey: "unknown key",
    ]
    let sorted = notices.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    let counts = sorted.map { $1.counting(names[$0] ?? $0.rawValue) }
    return "not listed: \(counts.joined(separator: ", ")) "
      + "(--kind \(sorted.first?.key.rawValue ?? ""))"
  }

  /// Names the stores whose push has not ended.
  static func text(ofInterrupted pushes: [String]) -> String {
    let names = pushes.prefix(3).joined(separator: ", ")
    let rest = pushes.count > 3 ? " and \(pushes.count - 3) more" : ""
    let isOne = pushes.count == 1
    return "counted only in part: \(pushes.count.counting("store")), whose push has not ended; "
      + "push \(isOne ? "it" : "them") again: \(names)\(rest)"
  }

  /// Says which limits were reached, and where if there is one place.
  ///
  /// - Parameter filter: a filter for failures or releases may have excluded merged ones.
  static func text(of hits: [DigestStore.ReachedLimit], matching filter: DigestFilter) -> String {
    let ofContexts = hits.filter { $0.limit.isOnContexts }
    let ofFailures = hits.filter { !$0.limit.isOnContexts }
    return [
      text(of: ofFailures, mayBeExcluded: filter.choosesFailures),
      text(of: ofContexts, mayBeExcluded: filter.choosesContexts),
    ].compactMap(\.self).joined(separator: "; ")
  }

  private static func text(of hits: [DigestStore.ReachedLimit], mayBeExcluded: Bool) -> String? {
    guard let first = hits.first else { return nil }
    // Limits on contexts may have merged the same errors.
    let count =
      first.limit.isOnContexts
      ? hits.map(\.occurrences).max() ?? 0 : hits.sum(of: \.occurrences)
    let place = [first.model, first.codingPath].compactMap(\.self).joined(separator: " ")
    let limits = Set(hits.map(\.limit.rawValue)).sorted().joined(separator: ", ")
    let whereabouts = hits.count == 1 && !place.isEmpty ? " at \(place)" : ""
    let problem =
      mayBeExcluded ? "merged, and so perhaps not counted here" : "counted, but merged"
    return "\(problem): \(count.counting("occurrence"))\(whereabouts) (too many \(limits))"
  }

  /// Says which window was counted instead of the requested one.
  ///
  /// - Parameters:
  ///   - filter: its window was requested.
  ///   - unit: the length of a period, for a trend.
  static func text(
    of window: DigestStore.CountedWindow, insteadOf filter: DigestFilter,
    by unit: DigestStore.Trend.Unit?
  ) -> String {
    let ends = [
      window.since.map { "since \($0.iso8601)" }, window.until.map { "until \($0.iso8601)" },
    ]
    let counted = ends.compactMap { $0 }.joined(separator: " ")
    guard let unit, let since = window.since, since > filter.since ?? .distantPast else {
      return "window widened: counted \(counted), because finer counts have been deleted"
    }
    let longer = unit == .minute ? "hour" : "day"
    return "window shortened: counted \(counted), because the \(unit)s before it have been "
      + "deleted; --by \(longer) counts them"
  }

  private var digests: String { losses.sum(of: \.digests).counting("digest") }

  private var occurrences: String {
    losses.sum(of: \.occurrences).counting("occurrence")
  }

  private var first: String { losses.map(\.hour).min()?.iso8601 ?? "" }

  private var last: String { losses.map(\.hour).max()?.addingTimeInterval(3_600).iso8601 ?? "" }

  /// The names of the files.
  private var names: String { notes ?? "its name is not known" }

  private var releases: String { "old releases" + (notes.map { " (\($0))" } ?? "") }

  /// The most notes to list.
  private static let maximumNotes = 10

  /// The notes, each once; nil without any.
  private var notes: String? {
    var seen: Set<String> = []
    let notes = losses.compactMap(\.note).filter { seen.insert($0).inserted }
    guard !notes.isEmpty else { return nil }
    let rest = notes.count - Self.maximumNotes
    return notes.prefix(Self.maximumNotes).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension DigestStore.ReachedLimit.Limit {
  fileprivate var isOnContexts: Bool {
    [.releases, .environments, .operations].contains(self)
  }
}
