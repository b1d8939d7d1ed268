import DigestStore
import ResilientPlatform

extension ReportRunner {
  /// Notes about unknown names, and about losses in the window.
  ///
  /// - Parameters:
  ///   - subject: the kind of answer.
  ///   - unit: the length of a period, for a trend.
  ///   - isCut: whether there are more rows than the limit, so that older losses do not matter.
  ///   - isEmpty: whether nothing was found, so that the reasons matter.
  ///   - hasRates: whether the rows have rates.
  ///   - byContexts: whether counts are divided by releases, operations and so on.
  ///   - byPeriods: whether counts of all time are divided by periods, too.
  static func notes(
    of store: DigestReader,
    matching filter: DigestFilter,
    about subject: LossMessage.AnswerKind = .counts,
    by unit: DigestStore.Trend.Unit? = nil,
    isCut: Bool = false,
    isEmpty: Bool = false,
    hasRates: Bool = false,
    byContexts: Bool = false,
    byPeriods: Bool = false
  ) throws -> [Note] {
    try mistakes(in: filter, of: store, isEmpty: isEmpty)
      + losses(
        of: store, matching: filter, about: subject, by: unit, isCut: isCut, byContexts: byContexts,
        byPeriods: byPeriods)
      + (hasRates && !isEmpty ? decodes(of: store, matching: filter) : [])
  }

  /// Ends an open window now if the store has errors or decodes with later times, from a device whose clock
  /// was ahead.
  ///
  /// - Parameter isWindow: whether to do so without `--since` too, as for the periods of a trend.
  /// - Returns: the filter, and a note about the later errors, if there are any.
  static func endingNow(
    _ filter: DigestFilter, in store: DigestReader, isWindow: Bool = false
  ) throws -> (DigestFilter, notes: [Note]) {
    let now = Date()
    guard filter.until == nil, filter.since.map({ $0 < now }) ?? true,
      let newest = try store.newestTime(), newest >= now
    else { return (filter, []) }
    var (ending, later) = (filter, filter)
    later.since = now
    let count = try store.occurrences(matching: later)
    let errors =
      "\(count.counting("occurrence")) recorded after now, by a clock that was ahead"
    guard isWindow || filter.since != nil else {
      return (filter, count > 0 ? ["counted: \(errors)"] : [])
    }
    ending.until = now
    let end = Date(timeIntervalSince1970: newest.timeIntervalSince1970.rounded(.down) + 1)
    // Decodes are of whole hours, and those of this one count.
    later.since = now.hour.addingTimeInterval(3_600)
    let decodes = try count > 0 ? 0 : store.decodeCounts(matching: later)?.decodes ?? 0
    let left =
      decodes > 0
      ? "\(decodes.counting("decode")) after now, by a clock that was ahead"
      : errors
    return (
      ending,
      count + decodes > 0 ? ["not counted: \(left); --until \(end.iso8601) counts them"] : []
    )
  }

  /// A note about errors before the periods of a trend, by clocks that weren't set.
  ///
  /// - Parameter begin: the start of the first period; nil without periods.
  static func unsetClocks(
    in store: DigestReader, matching filter: DigestFilter, trendSince begin: Date?
  ) throws -> [Note] {
    let count = try store.occurrencesBeforeTrend(matching: filter)
    guard count > 0 else { return [] }
    let trend = begin.map { "the trend begins \($0.second)" } ?? "the trend is empty"
    let left = "\(count.counting("occurrence")) recorded before Swift existed"
    return [
      """
      \(trend), without \(left), by a clock that wasn't set; \
      digest-query digests --until 2014-06-02 lists them
      """
    ]
  }

  /// Notes about mistakes in a filter, and if nothing was found also about what cannot match.
  static func mistakes(
    in filter: DigestFilter, of store: DigestReader, isEmpty: Bool
  ) throws -> [Note] {
    let reasons =
      try isEmpty
      ? emptiness(of: filter, in: store, before: Date()) : mistakes(in: filter, in: store)
    guard isEmpty, reasons.isEmpty, let until = filter.until,
      try isBeforeFirstError(until, in: store)
    else { return reasons.map { Note($0) } }
    return ["the window ends before the first error in the store"]
  }

  /// Notes about a window that ends before it begins, and about names that the store does not
  /// contain.
  private static func mistakes(in filter: DigestFilter, in store: DigestReader) throws -> [String] {
    let isReversed =
      if let since = filter.since, let until = filter.until { since > until } else { false }
    let window = isReversed ? ["--until is before --since: there is no time between them"] : []
    let names = names(in: filter).flatMap { category, names in
      names.filter { !category.hasWildcards || !$0.hasWildcards }.map { (category, $0) }
    }
    return try window + names.compactMap { try unknownName($1, of: $0, in: store) }
  }

  /// The names and patterns of a filter, by category.
  private static func names(
    in filter: DigestFilter
  ) -> [(category: DigestReader.NameCategory, names: [String])] {
    [
      (.model, filter.models), (.codingPath, filter.codingPaths), (.novelValue, filter.novelValues),
      (.release, filter.releases), (.environment, filter.environments),
      (.operation, filter.operations), (.source, filter.sources),
    ]
  }

  /// The reasons why at least a part of an answer has to be 0: a name or pattern in the filter that
  /// the store does not contain, or a window without counts.
  ///
  /// - Returns: all reasons, but at most ten patterns of a category; empty if the answer can differ
  ///   from 0.
  private static func emptiness(
    of filter: DigestFilter, in store: DigestReader, before now: Date
  ) throws -> [String] {
    let mistakes = try mistakes(in: filter, in: store)
    guard mistakes.isEmpty else { return mistakes }
    if let since = filter.since, since > now { return ["the window begins in the future"] }
    if let since = filter.since, since == filter.until {
      return ["--until equals --since: there is no time between them"]
    }
    if try hasOnlyDroppedCounts(filter, in: store) {
      return ["the daily counts of the window were dropped"]
    }
    if let release = try deletedRelease(filter, in: store) {
      return ["the totals of release \(release) were deleted to save space"]
    }
    return try names(in: filter).filter(\.category.hasWildcards).flatMap { category, names in
      try store.patternsWithoutName(names.filter(\.hasWildcards), of: category).map {
        "the store has no \(category.noun) that matches \($0)"
      }
    }
  }

  /// Whether a window has no counts only because those of its days were dropped.
  static func hasOnlyDroppedCounts(_ filter: DigestFilter, in store: DigestReader) throws -> Bool {
    let window = DigestFilter(since: filter.since, until: filter.until)
    // All-time sums stay.
    guard window.since != nil || window.until != nil else { return false }
    return try lacksDroppedCounts(window, in: store) && store.occurrences(matching: window) == 0
  }

  /// A release of a filter whose all-time totals were deleted, so that none of its failures is left.
  static func deletedRelease(
    _ filter: DigestFilter, in store: DigestReader
  ) throws -> String? {
    guard filter.since == nil, filter.until == nil, !filter.releases.isEmpty else { return nil }
    let deleted = Set(try store.losses().filter { $0.reason == .unattributed }.compactMap(\.note))
    return try filter.releases.first { release in
      try deleted.contains(release)
        && store.failures(matching: DigestFilter(release: release).ofAllKinds, limit: 1).isEmpty
    }
  }

  private static func isBeforeFirstError(_ moment: Date, in store: DigestReader) throws -> Bool {
    let past = DigestFilter(until: moment)
    return try store.occurrences(matching: past) == 0 && store.occurrences() > 0
      && !lacksDroppedCounts(past, in: store)
  }

  /// Whether counts of a day in a window were dropped.
  static func lacksDroppedCounts(_ window: DigestFilter, in store: DigestReader) throws -> Bool {
    try store.losses(matching: window).contains { $0.reason == .undated }
  }

  /// Fails if at least a part of the answer has to be 0.
  ///
  /// - Parameters:
  ///   - consequence: what the command did not do.
  ///   - remedy: what to do if 0 is the intended answer; nil without a remedy.
  static func checkIsNotEmpty(
    _ filter: DigestFilter, in store: DigestReader, before now: Date,
    _ consequence: String, remedy: String? = nil
  ) throws {
    let reasons = try emptiness(of: filter, in: store, before: now)
    guard let last = reasons.last else { return }
    for reason in reasons.dropLast() { Note.write(reason) }
    let isQuestion = last.hasSuffix("?")
    let rest = remedy.map {
      isQuestion ? " \($0.withCapital)" : "; \($0)"
    }
    throw ExitFailure.missing("\(consequence): \(last)\(rest ?? "")")
  }

  /// A note about a name that the store does not contain, with a suggestion; nil if the store
  /// contains it.
  static func unknownName(
    _ name: String,
    of category: DigestReader.NameCategory,
    in store: DigestReader
  ) throws -> String? {
    guard try !store.hasName(name, of: category) else { return nil }
    let names = try store.names(of: category)
    let suggestion =
      names.isEmpty
      ? category.remedyWithoutNames : name.suggestion(among: names) ?? category.newest(names)
    return ["the store has no \(category.noun) \(name)", suggestion]
      .compactMap { $0 }.joined(separator: "; ")
  }

  /// Notes about the losses in the window.
  ///
  /// - Parameters:
  ///   - byContexts: whether counts are divided by releases, operations and so on.
  ///   - byPeriods: whether counts of all time are divided by periods, too.
  static func losses(
    of store: DigestReader,
    matching filter: DigestFilter,
    about subject: LossMessage.AnswerKind = .counts,
    by unit: DigestStore.Trend.Unit? = nil,
    isCut: Bool = false,
    byContexts: Bool = false,
    byPeriods: Bool = false
  ) throws -> [Note] {
    let isOfAllTime = filter.since == nil && filter.until == nil
    let isOfCounts = subject == .counts || subject == .limits
    let coverage = try isOfCounts ? store.coverage(matching: filter, by: unit) : nil
    var byReason = Dictionary(
      grouping: try coverage?.losses ?? store.losses(matching: filter), by: \.reason)
    // Nothing is missing. `doctor` has it.
    byReason[.failedMaintenance] = nil
    // The digests are gone, and their counts are not.
    if isOfCounts || subject == .digests && isCut { byReason[.evicted] = nil }
    // No digest is missing, and all-time sums stay.
    if !isOfCounts || isOfAllTime && unit == nil && !byPeriods {
      byReason[.undated] = nil
    }
    // The sums of all releases together stay, and a window has no totals.
    if !isOfCounts || !isOfAllTime || !filter.choosesContexts && !byContexts {
      byReason[.unattributed] = nil
    }
    // The app configured this.
    if subject == .limits { byReason[.redacted] = nil }
    var texts = byReason.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, losses in
      LossMessage(reason: reason, losses).text(about: subject)
    }
    if let coverage {
      if !coverage.notices.isEmpty { texts.append(LossMessage.text(of: coverage.notices)) }
      if subject == .counts { texts += limits(of: coverage, matching: filter, by: unit) }
    }
    return texts.map { Note($0) }
  }

  /// Says why counts are incomplete, although nothing was lost.
  private static func limits(
    of coverage: DigestStore.Coverage, matching filter: DigestFilter,
    by unit: DigestStore.Trend.Unit?
  ) -> [String] {
    var texts: [String] = []
    let pushes = coverage.interruptedPushes
    if !pushes.isEmpty { texts.append(LossMessage.text(ofInterrupted: pushes)) }
    if !coverage.window.isExact {
      texts.append(LossMessage.text(of: coverage.window, insteadOf: filter, by: unit))
    }
    let hits = coverage.reachedLimits
    if !hits.isEmpty { texts.append(LossMessage.text(of: hits, matching: filter)) }
    return texts
  }

  /// A note about decodes that were not counted, or about the window in which they were.
  private static func decodes(
    of store: DigestReader, matching filter: DigestFilter
  ) throws -> [Note] {
    let window = DigestFilter(since: filter.since, until: filter.until)
    guard let counts = try store.decodeCounts(matching: window) else {
      return [noRates]
    }
    guard counts.since != filter.since || counts.until != filter.until else { return [] }
    let end = counts.until.map { " to \($0.iso8601)" } ?? ""
    let since = counts.since?.iso8601 ?? "the beginning"
    return ["rates cover whole hours with counted decodes: from \(since)\(end)"]
  }

  /// A note if rates are not of all digests, because decodes were counted only later.
  ///
  /// - Parameter first: when the first failure was first seen.
  static func lateRates(
    of store: DigestReader, matching filter: DigestFilter, since first: Date?
  ) throws -> [Note] {
    guard let first, let start = try store.lateStartOfRates(matching: filter), first < start else {
      return []
    }
    return ["rates are of the time from \(start.minute) on, when decodes began to be counted"]
  }

  /// Says why the column of rates is missing. Programs see empty cells.
  static let noRates = Note(whyThereAreNoRates, .hint)

  static let whyThereAreNoRates =
    "no decodes without errors were counted, so there are no rates: apps count them that decode with "
    + "decode(_:from:recordingTo:), recordErrors(of:) or a PersistentErrorReporter"

  static let whyDigestsAreUnknown =
    "digests are unknown for models of which several failures match, but not all; choose one "
    + "failure, or whole models"
}

extension DigestReader.NameCategory {
  fileprivate var noun: String {
    switch self {
    case .codingPath: "coding path"
    case .novelValue: "novel value"
    case .model, .kind, .release, .environment, .operation, .source: rawValue
    }
  }

  /// Whether a filter has wildcards for these names.
  fileprivate var hasWildcards: Bool {
    switch self {
    case .model, .codingPath, .novelValue, .operation: true
    case .kind, .release, .environment, .source: false
    }
  }

  /// What to do if the store has no name at all; nil if that says nothing.
  fileprivate var remedyWithoutNames: String? {
    switch self {
    case .release: "no digest has a release: set release in DigestStore.Configuration"
    case .environment: "no digest has an environment: set environment in DigestStore.Configuration"
    case .operation: "no digest has an operation: pass operation: to decode(_:from:recordingTo:)"
    case .model, .codingPath, .kind, .novelValue, .source: nil
    }
  }

  /// The newest of all names; nil if there is none, or if they have no such order.
  fileprivate func newest(_ names: [String]) -> String? {
    guard self == .release, let newest = names.last else { return nil }
    return "the newest is \(newest)"
  }
}
