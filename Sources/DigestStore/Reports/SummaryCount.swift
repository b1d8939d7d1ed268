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
    known = try connection.failures(
      seenBefore: Moment(window.lowerBound), filter.ofAllReleases)
  }

  /// Whether the window has hours of its own: rates are of whole hours.
  private var comparesRates: Bool {
    window.upperBound.timeIntervalSince(window.lowerBound) >= 7_200
  }

  /// A failure, and what it is to the reader.
  struct Found {
    var section: DigestStore.SummarySection
    let row: FailureRow
    let before: WindowCounts.Count
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
      func names(_ failure: DigestStore.FailureCount) -> (
        BinaryString, BinaryString, BinaryString, BinaryString, BinaryString
      ) {
        (
          BinaryString(failure.model), BinaryString(failure.codingPath),
          BinaryString(failure.novelValue ?? ""), BinaryString(failure.kind.rawValue),
          BinaryString(failure.expectedType ?? "")
        )
      }
      return names(first) < names(second)
    }
  }

  /// The failures of both windows, most frequent ones in the window first, and missing keys after errors.
  ///
  /// - Parameter errors: all errors until the end of the window; nil if they haven't been read.
  func found(
    among errors: [FailureRow]? = nil, _ hasRegressed: (DigestStore.FailureCount) -> Bool
  ) throws -> [Found] {
    let comparison = try Comparison(
      now: WindowCounts(connection, now), before: WindowCounts(connection, before),
      silence: Silence(connection, both))
    var all = now.limited(to: TimeWindow(since: nil, until: nil))
    let found = compared(
      try errors ?? FailureQuery(connection, all).read(hasRates: false), by: comparison
    ).map { found in
      var found = found
      if found.section != .over, found.row.failure.occurrences > 0,
        hasRegressed(found.row.failure)
      {
        found.section = .regressed
      }
      return found
    }
    guard all.kinds.isEmpty, all.novelValues.isEmpty else { return found }
    all.kinds = [.missingKey]
    let keys = compared(
      try FailureQuery(connection, all).read(hasRates: false), by: comparison)
    return found
      + keys.filter { [.new, .growing].contains($0.section) }.map { key in
        var key = key
        key.section = .vanished
        return key
      }
  }

  /// The counts that decide about the section of a failure.
  private struct Comparison {
    let now: WindowCounts
    let before: WindowCounts
    let silence: Silence
  }

  /// The failures that occur in either window, most frequent ones in the window first.
  private func compared(_ rows: [FailureRow], by comparison: Comparison) -> [Found] {
    rows.filter { comparison.now.has($0.id) || comparison.before.has($0.id) }
      .map { compared($0, by: comparison) }.sorted { $0.comesBefore($1) }
  }

  private func compared(_ row: FailureRow, by comparison: Comparison) -> Found {
    let (id, model) = (row.id, row.failure.model)
    let count = comparison.now.count(ofFailure: id, model)
    let before = comparison.before.count(ofFailure: id, model)
    let isOver =
      row.failure.lastSeen < window.upperBound
      && comparison.silence.isOver(row.failure, FailureRate(sum: before.rate, count.rate))
        ?? (count.isKnown && count.digests == 0 && Silence.isOver(after: before.digests))
    let section: DigestStore.SummarySection =
      if count.occurrences > 0, !known.contains(id) {
        .new
      } else if isOver {
        .over
      } else {
        count.isGrowing(from: before, byRates: comparesRates) ? .growing : .ongoing
      }
    var row = row
    row.failure = row.failure.counted(count)
    return Found(section: section, row: row, before: before, isOver: isOver)
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

  /// - Parameter limit: the most rows of a section.
  func summary(
    of found: [Found], limit: Int, _ renames: [DigestStore.KeyRename],
    _ isDecided: (DigestStore.FailureCount) -> Bool
  ) throws -> DigestStore.Summary {
    let open = found.filter { !isDecided($0.row.failure) }
    // Only those of the window: what a section would have shown.
    let decided = found.map(\.row.failure).filter { $0.occurrences > 0 && isDecided($0) }
    let sections = Dictionary(grouping: open.filter(\.isListed), by: \.section)
    let shown = DigestStore.SummarySection.allCases.flatMap { sections[$0]?.prefix(limit) ?? [] }
    return DigestStore.Summary(
      window: window, isKnown: try connection.isKnown(now.window),
      decodes: try connection.decodeRates(now)?.counts,
      decodesBefore: try connection.decodeRates(before)?.counts, hasPast: !known.isEmpty,
      failures: try rows(
        of: shown, renames,
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
    return found.map { found in
      let failure = found.row.failure
      let pairs = renames.filter {
        [.keyNotFound, .missingKey].contains(failure.kind) && $0.model == failure.model
          && $0.oldPath == failure.codingPath
      }
      // Of two keys that came as often with it, neither is known to be its new name.
      let isClear = pairs.count < 2 || pairs[0].digests > pairs[1].digests
      return DigestStore.SummarizedFailure(
        section: found.section, failure: failure,
        occurrencesBefore: found.before.isKnown ? found.before.occurrences : nil,
        digestsBefore: found.before.isKnown ? found.before.digests : nil,
        rateBefore: found.before.rate?.share,
        isOver: found.isOver, course: periods.known(occurrences[found.row.id]),
        operations: operations[found.row.id] ?? [], renamedTo: isClear ? pairs.first?.newPath : nil)
    }
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
        let id = Int64(row.names[0].text) ?? 0
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

    /// Whether the counts of no day of the window were deleted.
    var isKnown = true
  }

  private let counts: [Int64: Count]
  private let rates: FailureRates
  private let isKnown: Bool

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
    isKnown = try connection.isKnown(filter.window)
  }

  func has(_ id: Int64) -> Bool { counts[id] != nil }

  /// The counts of a failure, which are 0 if it does not occur.
  func count(ofFailure id: Int64, _ model: String) -> Count {
    var count = counts[id] ?? Count()
    count.rate = rates.rate(ofFailure: id, model, digests: count.digests)
    count.isKnown = isKnown
    return count
  }
}

extension WindowCounts.Count {
  /// Whether the share of decodes, or the number of digests where decodes were not counted, has grown
  /// by half, and by more than three standard deviations. Counts that were deleted are not compared.
  func isGrowing(from before: Self, byRates isOfRates: Bool) -> Bool {
    guard isOfRates, let rate, let past = before.rate else {
      guard isKnown, before.isKnown else { return false }
      let (count, expected) = (Double(digests), Double(before.digests))
      return count >= 1.5 * expected && count - expected > 3 * (count + expected).squareRoot()
    }
    // If nothing has changed, both shares are samples of a common one.
    let (decodes, decodesBefore) = (Double(rate.decodes), Double(past.decodes))
    let common = (Double(rate.digests) + Double(past.digests)) / (decodes + decodesBefore)
    let deviation = (common * (1 - common) * (1 / decodes + 1 / decodesBefore)).squareRoot()
    return rate.share >= 1.5 * past.share && rate.share - past.share > 3 * deviation
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
    let keys = found.filter { $0.section == .vanished }.sum(of: \.row.failure.occurrences)
    if let all = notices[.missingKey] { notices[.missingKey] = all > keys ? all - keys : nil }
    return notices
  }

  /// Whether the counts of no day of a window were deleted.
  fileprivate func isKnown(_ window: TimeWindow) throws -> Bool {
    try deletedDays(in: window.range.lowerBound.milliseconds..<window.range.upperBound.milliseconds)
      .isEmpty
  }

  /// The failures that a filter does not exclude by its contexts, and that occurred before a moment.
  fileprivate func failures(
    seenBefore moment: Moment, _ filter: DigestFilter
  ) throws -> Set<Int64> {
    try Set(
      rows(
        """
        SELECT DISTINCT failure FROM (\(TotalRows(self, filter).sql())) AS t
        WHERE first_seen < \(moment.milliseconds)
        """, filter.values()
      ) { $0.integer(at: 0) })
  }
}
