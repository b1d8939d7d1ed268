import ResilientDecoding
import ResilientPlatform

/// The counts of a summary.
struct SummaryCount {
  private let connection: any Engine
  private let window: Range<Date>

  /// The filters for the window, for the window before it, and for both.
  private let now: DigestFilter
  private let before: DigestFilter
  private let both: DigestFilter

  /// The failures that occurred before the window, in any release.
  private let known: Set<Int64>

  /// When the first of them occurred, or decodes were counted; nil for neither.
  private let oldest: Date?

  init(_ connection: any Engine, _ filter: DigestFilter, _ window: Range<Date>) throws {
    self.connection = connection
    self.window = window
    now = filter.limited(to: window)
    // The window before ends where the first hour of this one begins, or the first day if the hours
    // of that were deleted. So nothing counts twice. It is of whole hours, which are tallied.
    let since = try connection.widened(now.window).since ?? Moment(window.lowerBound)
    let hour = Double(Moment.hour) / 1_000
    let length = window.upperBound.timeIntervalSince(window.lowerBound)
    let end = Moment(milliseconds: since.milliseconds / Moment.hour * Moment.hour).date
    let begin = max(
      Moment.earliest.date,
      end.addingTimeInterval(-(length < 2 * hour ? length : (length / hour).rounded(.up) * hour)))
    before = filter.limited(to: begin..<max(begin, end))
    both = filter.limited(to: begin..<max(begin, window.upperBound))
    let seen = try connection.failures(seenBefore: Moment(window.lowerBound), filter)
    known = Set(seen.keys)
    let decoded = try connection.firstDecode()
    // By a clock that wasn't set, or of deleted days, it is unknown how old the first one is.
    oldest = (Array(seen.values) + [decoded].compactMap(\.self)).map { max($0, .firstOfSwift).date }
      .min().flatMap { $0 < window.lowerBound ? $0 : nil }
  }

  /// Whether the window has hours of its own: rates are of whole hours.
  private var comparesRates: Bool {
    window.upperBound.timeIntervalSince(window.lowerBound) >= 7_200
  }

  /// A failure, and what it is to the reader.
  struct Found {
    let section: DigestStore.SummarySection
    let row: FailureRow
    let before: WindowCounts.Count
    let rateSinceItBegan: Double?
    let isOver: Bool

    /// Whether a section lists it. A failure that did not occur in the window, but is too rare to be
    /// called over, is in none.
    var isListed: Bool { section != .ongoing || row.failure.occurrences > 0 }

    /// Whether it is more frequent than another one, or equally frequent and first by name. Failures that
    /// are over compare by the window before.
    func comesBefore(_ other: Self) -> Bool {
      let (first, second) = (row.failure, other.row.failure)
      guard first.occurrences == second.occurrences else {
        return first.occurrences > second.occurrences
      }
      if section == .over, other.section == .over, before.occurrences != other.before.occurrences {
        return before.occurrences > other.before.occurrences
      }
      func names(_ failure: DigestStore.FailureCount) -> [BinaryString] {
        [
          failure.model, failure.codingPath, failure.novelValue ?? "", failure.kind.rawValue,
          failure.expectedType ?? "", failure.valueType ?? "", failure.foundType?.rawValue ?? "",
        ].map(BinaryString.init)
      }
      return names(first).lexicographicallyPrecedes(names(second))
    }
  }

  /// The failures of both windows, in no particular order.
  ///
  /// - Parameter errors: all errors until the end of the window; nil if they haven't been read.
  func found(
    among errors: [FailureRow]? = nil, _ hasRegressed: (DigestStore.FailureCount) -> Bool
  ) throws -> [Found] {
    let comparison = try Comparison(
      now: WindowCounts(connection, now), before: WindowCounts(connection, before),
      silence: Silence(connection, both))
    var all = now.limited(to: TimeWindow(since: nil, until: nil))
    func read() throws -> [FailureRow] {
      try FailureQuery(connection, all).read(hasRates: false, hasReleases: false)
    }
    let found = compared(try errors ?? read(), by: comparison, hasRegressed)
    guard all.kinds.isEmpty, all.novelValues.isEmpty else { return found }
    all.kinds = [.missingKey]
    return found
      + compared(try read(), by: comparison, hasRegressed).filter {
        [.vanished, .regressed].contains($0.section)
      }
  }

  /// The counts that decide about the section of a failure.
  private struct Comparison {
    let now: WindowCounts
    let before: WindowCounts
    let silence: Silence
  }

  /// The failures that occur in either window.
  private func compared(
    _ rows: [FailureRow], by comparison: Comparison,
    _ hasRegressed: (DigestStore.FailureCount) -> Bool
  ) -> [Found] {
    rows.filter { comparison.now.has($0.id) || comparison.before.has($0.id) }
      .map { compared($0, by: comparison, hasRegressed) }
  }

  private func compared(
    _ row: FailureRow, by comparison: Comparison,
    _ hasRegressed: (DigestStore.FailureCount) -> Bool
  ) -> Found {
    let (id, model) = (row.id, row.failure.model)
    let count = comparison.now.count(ofFailure: id, model)
    let before = comparison.before.count(ofFailure: id, model)
    let rate = FailureRate(sum: before.rate, count.rate)
    let isOver =
      row.failure.lastSeen < window.upperBound
      && comparison.silence.isOver(row.failure, rate)
        ?? (count.hasAllCounts && count.digests == 0
          && !Chance.explains(Int64(before.digests), of: Int64(before.digests), in: 0.5))
    var row = row
    row.failure = row.failure.counted(count)
    let isNew = count.occurrences > 0 && !known.contains(id)
    let isGrowing = !isOver && count.isGrowing(from: before, byRates: comparesRates)
    let section: DigestStore.SummarySection =
      if isOver, !isNew {
        .over
      } else if count.occurrences > 0, hasRegressed(row.failure) {
        .regressed
      } else if isNew || isGrowing {
        row.failure.kind == .missingKey ? .vanished : isNew ? .new : .growing
      } else {
        .ongoing
      }
    return Found(
      section: section, row: row, before: before,
      rateSinceItBegan: comparison.silence.rateSinceItBegan(row.failure, rate), isOver: isOver)
  }

  /// The most periods of a course: the hours of two weeks and more, so that a day which has just begun
  /// doesn't look like an end.
  private static let maximumPeriods: Int64 = 400

  /// The time range of courses: both windows, without an hour that has just begun, which would look like
  /// an end.
  private var courseMoments: Range<Int64> {
    let range = both.window.range
    let (first, last) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
    let isLong = last - first >= 6 * Moment.hour
    return first..<(isLong ? last / Moment.hour * Moment.hour : last)
  }

  /// The failures of each section that nobody decided on, in no particular order.
  static func sections(
    of found: [Found], leavingOut isDecided: (DigestStore.FailureCount) -> Bool
  ) -> [DigestStore.SummarySection: [Found]] {
    Dictionary(
      grouping: found.filter { $0.isListed && !isDecided($0.row.failure) }, by: \.section)
  }

  /// The most frequent failures of each section, section by section.
  static func first(
    _ limit: Int, of sections: [DigestStore.SummarySection: [Found]]
  ) -> [Found] {
    guard limit > 0 else { return [] }
    return DigestStore.SummarySection.allCases.flatMap { section in
      (sections[section] ?? []).sorted { $0.comesBefore($1) }.prefix(limit)
    }
  }

  /// - Parameter limit: the most rows of a section.
  func summary(
    of found: [Found], limit: Int, _ renames: [DigestStore.KeyRename],
    _ isDecided: (DigestStore.FailureCount) -> Bool
  ) throws -> DigestStore.Summary {
    // Only those of the window: what a section would have shown.
    let decided = found.map(\.row.failure).filter { $0.occurrences > 0 && isDecided($0) }
    let sections = Self.sections(of: found, leavingOut: isDecided)
    let past = try connection.decodeRates(before)?.counts
    let isWhole =
      try past.map { $0.since ?? .distantPast <= before.since ?? .distantPast } ?? false
      && connection.hasAllCounts(in: before.window)
    return DigestStore.Summary(
      window: window, hasAllCounts: try connection.hasAllCounts(in: now.window),
      decodes: try connection.decodeRates(now)?.counts, decodesBefore: isWhole ? past : nil,
      oldest: oldest, windowBefore: (before.since ?? .distantPast)..<(before.until ?? .distantPast),
      failures: try rows(
        of: Self.first(limit, of: sections), renames,
        OverviewPeriods(
          connection, both.ofAllKinds, in: courseMoments, atMost: Self.maximumPeriods)),
      totals: sections.mapValues(\.count),
      overCount: sections.values.sum { $0.count(where: \.isOver) },
      notices: try connection.notices(now, besides: found), decided: decided)
  }

  /// The rows of failures, with their courses and operations.
  ///
  /// - Parameter filter: the occurrences whose operations are listed; nil for those of both windows.
  func rows(
    of found: [Found], _ renames: [DigestStore.KeyRename], _ periods: OverviewPeriods,
    operationsIn filter: DigestFilter? = nil
  ) throws -> [DigestStore.SummarizedFailure] {
    let ids = found.map(\.row.id)
    let occurrences = try periods.occurrences(ofFailures: ids)
    let operations = try operations(of: found, in: filter)
    let releases = try firstReleases(ofFailures: ids)
    return found.map { found in
      var failure = found.row.failure
      failure.firstRelease = releases[found.row.id]
      // An unknown key has an old name.
      let rename = failure.kind == .unknownKey ? nil : renames.rename(of: failure)
      return DigestStore.SummarizedFailure(
        section: found.section, failure: failure,
        occurrencesBefore: found.before.hasAllCounts ? found.before.occurrences : nil,
        digestsBefore: found.before.hasAllCounts ? found.before.digests : nil,
        rateBefore: found.before.hasAllCounts ? found.before.rate?.share : nil,
        rateSinceItBegan: found.rateSinceItBegan, isOver: found.isOver,
        course: periods.known(occurrences[found.row.id]),
        operations: operations[found.row.id] ?? [], renamedTo: rename?.newPath)
    }
  }

  /// The releases in which failures were first seen, by the ids of the failures.
  private func firstReleases(ofFailures ids: [Int64]) throws -> [Int64: String] {
    guard !ids.isEmpty else { return [:] }
    var filter = now.ofAllKinds.limited(to: TimeWindow(since: nil, until: nil))
    filter.failures = ids
    let rows = try FailureQuery(connection, filter).read(limit: ids.count, hasRates: false)
    return rows.reduce(into: [:]) { $0[$1.id] = $1.failure.firstRelease }
  }

  /// The operations of failures, by the ids of the failures: most errors first, or most growth first if the
  /// failure is growing.
  private func operations(
    of found: [Found], in filter: DigestFilter?
  ) throws -> [Int64: [String]] {
    guard !found.isEmpty else { return [:] }
    let growing = Set(found.filter { $0.section == .growing }.map(\.row.id))
    var counts: [Int64: [BinaryString: Int64]] = [:]
    for (filter, isPast) in filter.map({ [($0, false)] }) ?? [(now, false), (before, true)] {
      var filter = filter.ofAllKinds
      filter.failures = found.map(\.row.id)
      for row in try GroupedCounts(
        connection, filter, in: connection.widened(filter.window), by: [.failure, .operation]
      ).rows() where row[1] != nil {
        let id = row.failure
        let sign: Int64 = isPast && growing.contains(id) ? -1 : 1
        counts[id, default: [:]][row.names[1], default: 0] += sign * row.occurrences
      }
    }
    return counts.mapValues { counts in
      counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key.text)
    }
  }
}

/// The counts of all failures in a window.
struct WindowCounts {
  struct Count {
    var occurrences = 0
    var digests = 0
    var rate: FailureRate?

    /// Whether the decodes of any model were counted.
    var hasDecodes = false

    /// Whether no counts of the window were deleted.
    var hasAllCounts = true
  }

  private let counts: [Int64: Count]
  private let rates: FailureRates
  private let hasAllCounts: Bool

  init(_ connection: any Engine, _ filter: DigestFilter) throws {
    let window = try connection.widened(filter.window)
    let rows = try connection.rows(
      """
      SELECT failure, sum(occurrences), sum(digests)
      FROM (\(try Counts(connection, filter, in: window).sql)) AS c GROUP BY 1
      """, filter.values()
    ) { row in
      let count = Count(
        occurrences: Int(clamping: row.count(at: 1)), digests: Int(clamping: row.count(at: 2)))
      return (row.integer(at: 0), count)
    }
    counts = Dictionary(rows) { first, _ in first }
    rates = try FailureRates(connection, filter, reportWindow: window)
    hasAllCounts = try connection.hasAllCounts(in: filter.window)
  }

  func has(_ id: Int64) -> Bool { counts[id] != nil }

  /// The counts of a failure, which are 0 if it does not occur.
  func count(ofFailure id: Int64, _ model: String) -> Count {
    var count = counts[id] ?? Count()
    count.rate = rates.rate(ofFailure: id, model, digests: count.digests)
    (count.hasDecodes, count.hasAllCounts) = (rates.hasDecodes, hasAllCounts)
    return count
  }
}

extension WindowCounts.Count {
  /// Whether the share of decodes, or the number of digests where decodes were not counted, has grown by
  /// half, and by more than chance explains. Incomplete counts are not compared.
  func isGrowing(from before: Self, byRates isOfRates: Bool) -> Bool {
    guard hasAllCounts, before.hasAllCounts else { return false }
    guard isOfRates, let rate, let past = before.rate else {
      // Its model was not decoded then.
      if rate != nil, before.hasDecodes { return false }
      let (now, all) = (Int64(digests), Int64(digests.adding(count: before.digests)))
      return Double(now) >= 1.5 * Double(before.digests)
        && !Chance.explains(now, of: all, in: 0.5)
    }
    let share = Double(rate.decodes) / (Double(rate.decodes) + Double(past.decodes))
    return rate.share >= 1.5 * past.share
      && !Chance.explains(
        rate.digests, of: rate.digests.adding(count: past.digests), in: share)
  }
}

extension DigestStore.FailureCount {
  /// The same failure with other counts.
  fileprivate func counted(_ count: WindowCounts.Count) -> Self {
    Self(
      model: model, codingPath: codingPath, kind: kind, expectedType: expectedType,
      novelValue: novelValue, valueType: valueType, occurrences: count.occurrences,
      digests: count.digests, firstSeen: firstSeen, lastSeen: lastSeen, foundType: foundType,
      foundValue: foundValue, firstRelease: firstRelease, rate: count.rate?.share)
  }
}

extension Engine {
  /// Counts the notices that a filter leaves out, without the missing keys of a section.
  func notices(
    _ filter: DigestFilter, besides found: [SummaryCount.Found]
  ) throws -> [ErrorDigest.Kind: Int] {
    var notices = try notices(filter)
    let keys = found.filter { $0.row.failure.kind == .missingKey }
      .sum(of: \.row.failure.occurrences)
    if let all = notices[.missingKey] { notices[.missingKey] = all > keys ? all - keys : nil }
    return notices
  }

  /// Whether no counts of a window were deleted.
  fileprivate func hasAllCounts(in window: TimeWindow) throws -> Bool {
    try deletedDays(in: window.range.lowerBound.milliseconds..<window.range.upperBound.milliseconds)
      .isEmpty
  }

  /// The failures that a filter does not exclude by its contexts, and that occurred before a moment, with
  /// their first times.
  fileprivate func failures(
    seenBefore moment: Moment, _ filter: DigestFilter
  ) throws -> [Int64: Moment] {
    let past = filter.ofContexts.ofAllReleases
    let found = try rows(
      """
      SELECT failure, min(first_seen) FROM (\(TotalRows(self, past).sql())) AS t
      WHERE first_seen < \(moment.milliseconds) GROUP BY 1
      """, past.values()
    ) { ($0.integer(at: 0), $0.moment(at: 1)) }
    let unset = Set(try failuresOfUnsetClocks(before: moment, filter))
    return Dictionary(found.filter { !unset.contains($0.0) }) { first, _ in first }
  }
}
