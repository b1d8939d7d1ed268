import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The state of a failure, by the decisions of a triage file.
enum TriageState: String, CaseIterable {
  case open, ignored, resolved, regressed

  var meaning: String {
    switch self {
    case .open: "nothing was decided"
    case .ignored: "until the end of the decision, or for ever if it has none"
    case .resolved: "not seen since the decision, or since its end"
    case .regressed: "seen again after the end of the decision"
    }
  }

  /// Whether someone has to look at the failure.
  var needsWork: Bool { self == .open || self == .regressed }
}

/// The failures of a store, as a triage file sees them.
struct Triage {
  let file: TriageFile

  /// Whether lists have all failures, including those that are ignored or resolved.
  let listsAll: Bool

  private let states: [FailureKey: TriageState]

  /// The failures that are ignored or resolved.
  private let decided: [DigestStore.FailureCount]

  /// The numbers of the entries that decide, in their order.
  private let deciding: [FailureKey: Int]

  /// The decisions, each with the failures that it matches.
  let entries: [TriageEntry]

  /// A decision, and the failures that it matches.
  struct TriageEntry {
    let line: Int
    let decision: Decision

    /// The number of failures that it matches.
    var matches = 0

    /// Whether one of them was seen in a release that is a version.
    var hasVersion = false

    /// Of those for which no later line decides, the number that have regressed.
    var regressed = 0

    /// The number of failures that are ignored or resolved by this line.
    var deciding = 0

    var hasEnded = false

    /// Why the line no longer applies; nil if it does.
    var remark: String? {
      if matches == 0 { return "matches nothing" }
      if regressed + deciding == 0 { return "replaced by later lines" }
      if hasEnded { return "past its end" }
      return nil
    }
  }

  /// Compares decisions with the failures that a store has ever had.
  ///
  /// - Parameter listsAll: whether lists have all failures.
  init(
    _ file: TriageFile, _ store: DigestReader, listingAll listsAll: Bool = false,
    at now: Date = Date()
  ) throws {
    (self.file, self.listsAll) = (file, listsAll)
    let histories = try FailureHistory.read(
      for: file.decisions.map(\.decision), in: store, at: now)
    let releases = try Self.releases(of: file.decisions.map(\.decision), in: store)
    var entries = file.decisions.map { TriageEntry(line: $0.line, decision: $0.decision) }
    let matchers = entries.map { Matcher($0.decision) }
    // Most decisions name a value or a path without wildcards, by which they are looked up.
    let byName = Dictionary(grouping: entries.indices) { index in
      [entries[index].decision.value, entries[index].decision.path].compactMap(\.self)
        .first { !$0.hasWildcards }.map(BinaryString.init)
    }
    var states: [FailureKey: TriageState] = [:]
    var deciding: [FailureKey: Int] = [:]
    var seen: [Date: Set<FailureKey>] = [:]
    func wasSeen(_ history: FailureHistory, since date: Date) throws -> Bool {
      guard history.lastSeen > now else { return history.lastSeen >= date }
      guard date < now else { return false }
      let keys =
        try seen[date]
        ?? FailureHistory.keys(
          for: file.decisions.map(\.decision), in: store, since: date, until: now)
      seen[date] = keys
      return keys.contains(history.key)
    }
    for history in histories {
      let names = [history.failure.novelValue, history.failure.codingPath].compactMap(\.self)
      let candidates = names.flatMap { byName[BinaryString($0)] ?? [] } + (byName[nil] ?? [])
      let matching = Set(candidates).filter { matchers[$0].matches(history) }.sorted()
      let hasVersion = history.releases.contains(where: ReleaseOrder.isVersion)
      for index in matching {
        entries[index].matches += 1
        if hasVersion { entries[index].hasVersion = true }
      }
      // The last line counts.
      guard let last = matching.last else { continue }
      let decision = entries[last].decision
      let hasRegressed = try history.isAfterEnd(of: decision, releases, wasSeen: wasSeen)
      if hasRegressed {
        entries[last].regressed += 1
      } else {
        entries[last].deciding += 1
      }
      deciding[history.key] = last
      states[history.key] =
        hasRegressed ? .regressed : decision.state == .ignored ? .ignored : .resolved
    }
    for index in entries.indices {
      entries[index].hasEnded = entries[index].hasEnded(at: now)
    }
    self.states = states
    decided = histories.filter { states[$0.key]?.needsWork == false }.map(\.failure)
    self.deciding = deciding
    self.entries = entries
  }

  func state(of key: FailureKey) -> TriageState { states[key] ?? .open }

  /// Whether a failure that was ignored or resolved occurs again.
  func hasRegressed(_ row: some TriagedRow) -> Bool {
    !states.isEmpty && state(of: row.failureKey) == .regressed
  }

  /// Why a failure needs no work, as in `ignored: shown as a house`; nil if it does.
  func suppression(of key: FailureKey) -> String? {
    let state = state(of: key)
    guard !state.needsWork else { return nil }
    let reason = deciding[key].flatMap { entries[$0].decision.reason }
    return [state.rawValue, reason].compactMap(\.self).joined(separator: ": ")
  }

  /// The releases that end decisions, with those that are not older, of those that a store has.
  private static func releases(
    of decisions: [Decision], in store: DigestReader
  ) throws -> [String: Set<String>] {
    var releases: [String: Set<String>] = [:]
    for case .release(let name)? in decisions.map(\.until) where releases[name] == nil {
      releases[name] = try store.releases(atLeast: name)
    }
    return releases
  }
}

/// The rule for all lists of failures: what is ignored or resolved is left out, and counted in a note.
extension Triage {
  /// Whether lists leave a row out.
  func hides(_ row: some TriagedRow) -> Bool {
    !listsAll && !states.isEmpty && !state(of: row.failureKey).needsWork
  }

  /// The rows that a list leaves out.
  ///
  /// - Parameter question: narrows its filters before it asks with them, because decisions are few.
  func hidden<Row: TriagedRow>(
    in question: (_ narrowed: @escaping (DigestFilter) -> DigestFilter) throws -> [Row]
  ) rethrows -> [Row] {
    guard !listsAll, !decided.isEmpty else { return [] }
    return try question { $0.narrowed(to: decided) }.filter(hides)
  }

  /// The number of rows that a list leaves out, in words; nil if there are none.
  func text(of hidden: [some TriagedRow]) -> String? {
    guard !hidden.isEmpty else { return nil }
    let keys = Set(hidden.map(\.failureKey))
    let counts = [TriageState.ignored, .resolved].compactMap { state in
      let count = keys.count { self.state(of: $0) == state }
      return count > 0 ? "\(count) \(state.rawValue)" : nil
    }
    return "\(counts.joined(separator: " and ")) failure\(keys.count == 1 ? "" : "s") "
      + "(\(hidden.sum(of: \.occurrences).counting("occurrence"))) of \(file.path)"
  }

  /// The column of a row's state, which only a list of all failures has.
  func columns<Row: TriagedRow>() -> [Column<Row>] {
    listsAll ? [.text("state") { state(of: $0.failureKey).rawValue }] : []
  }
}

extension Triage.TriageEntry {
  /// Whether an `ignored` decision has ended.
  fileprivate func hasEnded(at now: Date) -> Bool {
    guard decision.state == .ignored else { return false }
    if case .date(let date)? = decision.until { return date <= now }
    return regressed > 0
  }
}

/// The patterns of a decision.
private struct Matcher {
  private let model: Pattern?
  private let path: Pattern?
  private let kind: ErrorDigest.Kind?
  private let value: Pattern?

  init(_ decision: Decision) {
    model = decision.model.map(Pattern.init)
    path = decision.path.map(Pattern.init)
    kind = decision.kind
    value = decision.value.map(Pattern.init)
  }

  func matches(_ history: FailureHistory) -> Bool {
    guard kind.map(history.isOf) ?? true, model?.matches(history.failure.model) ?? true,
      path?.matches(history.failure.codingPath) ?? true
    else { return false }
    guard let value else { return true }
    return history.failure.novelValue.map(value.matches) ?? false
  }
}

extension Triage.TriageEntry: OutputRow {
  static var columns: [Column<Self>] {
    [
      .number("line") { $0.line },
      .text("decision") { $0.decision.state.rawValue },
      .text("model", cut: .front) { $0.decision.model }.omittedIfEmpty.dropped(at: 7),
      .text("path", cut: .middle) { $0.decision.path }.omittedIfEmpty,
      .text("kind") { $0.decision.kind?.rawValue }.omittedIfEmpty.dropped(at: 3),
      .text("value") { $0.decision.value }.omittedIfEmpty,
      .text("until") { $0.decision.until?.text }.omittedIfEmpty.dropped(at: 6),
      .number("failures") { $0.matches },
      .number("regressed") { $0.regressed },
      .text("remark") { $0.remark }.omittedIfEmpty.dropped(at: 5),
      .text("reason") { $0.decision.reason }.dropped(at: 4),
      .text("by") { $0.decision.by }.omittedIfEmpty.dropped(at: 2),
      .time("at") { $0.decision.at }.dropped(at: 1),
    ]
  }
}
