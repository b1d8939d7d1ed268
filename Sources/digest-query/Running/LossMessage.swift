import DigestStore

/// A note about the losses that have one reason.
struct LossMessage {
  /// The kind of answer.
  enum Subject {
    /// Counts.
    case counts
    /// The latest digests.
    case digests
    /// All digests.
    case export
    /// The digests added since an earlier export. The number of missing ones is known.
    case newDigests
    /// The digests of a store that is merged into another one.
    case merge
  }

  let reason: DigestStore.Loss.Reason
  let losses: [DigestStore.Loss]

  init(reason: DigestStore.Loss.Reason, _ losses: [DigestStore.Loss]) {
    self.reason = reason
    self.losses = losses
  }

  /// - Parameter subject: the kind of answer.
  func text(about subject: Subject) -> String {
    switch reason {
    case .evicted where subject == .export:
      "not exported: \(digests) of \(occurrences) (evicted, recorded since \(first))"
    case .evicted where subject == .merge:
      "not merged: \(digests) of \(occurrences) (evicted, recorded since \(first))"
    case .evicted:
      "counted, but no longer in detail: \(digests) of \(occurrences) (evicted, recorded since "
        + "\(first))"
    case .undated:
      "not counted here: \(occurrences) for which only the all-time sum is left (undated, "
        + "recorded since \(first))"
    case .redacted:
      "not written, as the app configured it: \(occurrences) of \(digests) (redacted, since "
        + "\(first))"
    case .notClosed:
      "perhaps not counted: digests in the memory of a process that ended without closing the store "
        + "(not closed, since \(first))"
    case .quarantined:
      "a damaged file was set aside, and its contents are not counted: \(names) (quarantined, "
        + "since \(first))"
    default:
      "not counted: \(digests) of \(occurrences) (\(reason), since \(first))"
    }
  }

  /// Says which limits were reached, where if there is one place, and what is counted elsewhere.
  ///
  /// - Parameter filter: a filter for failures may have excluded merged ones.
  static func text(of hits: [DigestStore.ReachedLimit], matching filter: DigestFilter) -> String {
    let elsewhere = hits.filter { !$0.releases.isEmpty }.map { hit in
      "not counted here: up to \(hit.occurrences.counting("occurrence")) of release "
        + "\(hit.releases.joined(separator: " or ")), counted as (other \(hit.limit.rawValue))"
    }
    let together = hits.filter(\.releases.isEmpty)
    let all = together.isEmpty ? [] : [textOfAll(together, matching: filter)]
    return (all + elsewhere).joined(separator: "; ")
  }

  private static func textOfAll(_ hits: [DigestStore.ReachedLimit], matching filter: DigestFilter)
    -> String
  {
    let count = hits.sum(of: \.occurrences).counting("occurrence")
    let place = [hits[0].model, hits[0].codingPath].compactMap { $0 }.joined(separator: " ")
    let limits = Set(hits.map(\.limit.rawValue)).sorted().joined(separator: ", ")
    let whereabouts = hits.count == 1 && !place.isEmpty ? " at \(place)" : ""
    let problem =
      filter.choosesFailures
      ? "merged, and so perhaps not counted" : "counted, but merged"
    return "\(problem): \(count)\(whereabouts) (too many \(limits))"
  }

  /// Says which window was counted instead of the requested one.
  static func text(of window: DigestStore.CountedWindow) -> String {
    let ends = [
      window.since.map { "since \($0.iso8601)" }, window.until.map { "until \($0.iso8601)" },
    ]
    let counted = ends.compactMap { $0 }.joined(separator: " ")
    return "window widened: counted \(counted), because finer counts have been deleted"
  }

  private var digests: String { losses.sum(of: \.digests).counting("digest") }

  private var occurrences: String {
    losses.sum(of: \.occurrences).counting("occurrence")
  }

  private var first: String { losses.map(\.hour).min()?.iso8601 ?? "" }

  private var names: String {
    let names = losses.compactMap(\.note)
    return names.isEmpty ? "its name is not known" : names.joined(separator: ", ")
  }
}
