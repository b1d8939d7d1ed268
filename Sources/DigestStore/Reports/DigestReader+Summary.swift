public import ResilientDecoding
public import ResilientPlatform

extension DigestStore {
  /// The failures of a window, compared with the window of the same length before it.
  public struct Summary: Sendable, Hashable {
    /// The window.
    public let window: Range<Date>
    /// The decodes of the window; nil if they were not counted.
    public let decodes: DecodeCounts?
    /// The decodes of the window before; nil if they were not counted.
    public let decodesBefore: DecodeCounts?
    /// Whether the store has anything older than the window.
    public let hasPast: Bool
    /// The first failures of each section, section by section, most frequent first.
    public let failures: [SummarizedFailure]
    /// The number of failures in each section, with those that the limit leaves out.
    public let totals: [SummarySection: Int]
    /// The number of failures of all sections that do not occur any more.
    public let overCount: Int
    /// The notices of the window that no section has.
    public let notices: [ErrorDigest.Kind: Int]
    /// The failures that were left out because somebody decided on them.
    public let decided: [FailureCount]
  }

  /// How a failure has changed since the window before.
  public enum SummarySection: String, Sendable, Hashable, CaseIterable, Codable {
    /// It never occurred before the window.
    case new
    /// It was resolved, and occurs again.
    case regressed
    /// It is in a larger share of decodes than before.
    case growing
    /// A key is missing that the app does not require, and that is new or growing.
    case vanished
    /// It occurs about as often as before, or less often.
    case ongoing
    /// It occurred before, and does not any more.
    case over
  }

  /// A failure of a summary.
  public struct SummarizedFailure: Sendable, Hashable {
    /// The section that lists the failure.
    public let section: SummarySection
    /// The failure, with its counts in the window.
    public let failure: FailureCount
    /// The number of errors in the window before.
    public let occurrencesBefore: Int
    /// The number of digests with at least one of these errors in the window before.
    public let digestsBefore: Int
    /// The share of the model's decodes in the window before; nil if decodes were not counted.
    public let rateBefore: Double?
    /// Whether it does not occur any more, as ``SummarySection/over`` says; also of a new failure.
    public let isOver: Bool
    /// The number of errors in periods of equal length, from the beginning of the window before to
    /// the last whole hour of the window; nil where it is unknown.
    public let course: [Int?]
    /// The operations in which it occurred in both windows, the one with most errors first.
    public let operations: [String]
    /// The pattern of the path of an unknown key that came in place of a missing one.
    public let renamedTo: String?
  }
}

extension DigestReader {
  /// Compares the failures of a window with the window before it.
  ///
  /// - A failure is **new** if it never occurred before the window, in any release.
  /// - It is **growing** if its share of the model's decodes is at least 1.5 times that in the
  ///   window before, and the number of its digests exceeds the expected one by more than three
  ///   standard deviations. Where decodes were not counted, numbers of digests are compared.
  /// - It is **over** if five more digests with it were to be expected since its last error, from its
  ///   share of decodes while it occurred and from the number of decodes since. Where decodes were not
  ///   counted, it is over if at least five digests had it in the window before, and none has it in this
  ///   one. A new failure may be over, too.
  ///
  /// Missing keys that a model does not require are not listed unless they are new or growing. Other
  /// notices are never listed.
  ///
  /// Rates are of whole hours. In a window of less than two hours, numbers of digests are compared.
  ///
  /// - Parameters:
  ///   - window: the window. That of the filter has no effect.
  ///   - filter: the errors to count.
  ///   - limit: the most rows of a section; nil for all.
  ///   - isDecided: whether to leave a failure out.
  ///   - hasRegressed: whether a failure that was resolved occurs again.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func summary(
    of window: Range<Date>,
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil,
    leavingOut isDecided: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false },
    regressed hasRegressed: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false }
  ) throws -> DigestStore.Summary {
    let renames =
      filter.kinds.isEmpty && filter.novelValues.isEmpty
      ? try latestRenames(matching: filter.limited(to: window), limit: nil) : []
    return try snapshot { connection in
      let count = SummaryCount(connection, filter, window)
      return try count.summary(
        of: count.found(hasRegressed), limit: limit ?? .max, renames, isDecided)
    }
  }
}

extension DigestFilter {
  func limited(to window: Range<Date>) -> Self {
    limited(to: TimeWindow(since: Moment(window.lowerBound), until: Moment(window.upperBound)))
  }

  /// The filter for missing keys.
  var ofMissingKeys: Self {
    var filter = self
    filter.kinds = [.missingKey]
    return filter
  }

  /// The filter for errors and missing keys.
  var ofAllKinds: Self {
    var filter = self
    if kinds.isEmpty { filter.kinds = ErrorDigest.Kind.allCases }
    return filter
  }
}

/// The counts of a summary.
struct SummaryCount {
  private let connection: any Engine
  private let window: Range<Date>

  /// The filters for the window, for the window before it, and for both.
  private let now: DigestFilter
  private let before: DigestFilter
  private let both: DigestFilter

  init(_ connection: any Engine, _ filter: DigestFilter, _ window: Range<Date>) {
    self.connection = connection
    self.window = window
    let length = window.upperBound.timeIntervalSince(window.lowerBound)
    // Rates are of whole hours. The hour in which the window begins is not in that before it, too.
    let since = Moment(window.lowerBound)
    let end = Moment(milliseconds: since.milliseconds / Moment.hour * Moment.hour).date
    let begin = max(Moment.earliest.date, end.addingTimeInterval(-length))
    now = filter.limited(to: window)
    before = filter.limited(to: begin..<max(begin, end))
    both = filter.limited(to: begin..<max(begin, window.upperBound))
  }

  /// Whether the window has hours of its own: rates are of whole hours.
  private var comparesRates: Bool {
    window.upperBound.timeIntervalSince(window.lowerBound) >= 7_200
  }

  /// A failure, and what it is to the reader.
  struct Found {
    var section: DigestStore.SummarySection
    var row: FailureRow
    let before: WindowCounts.Count
    let isOver: Bool

    /// False for what did not come, but is too rare to be over.
    var isListed: Bool { section != .ongoing || row.failure.occurrences > 0 }
  }

  /// The failures of all sections, most frequent ones first, and missing keys after errors.
  func found(_ hasRegressed: (DigestStore.FailureCount) -> Bool) throws -> [Found] {
    let errors = try failures(now, before, both).map { found in
      var found = found
      if found.section != .over, found.row.failure.occurrences > 0,
        hasRegressed(found.row.failure)
      {
        found.section = .regressed
      }
      return found
    }
    guard now.kinds.isEmpty, now.novelValues.isEmpty else { return errors }
    let keys = try failures(now.ofMissingKeys, before.ofMissingKeys, both.ofMissingKeys)
    return errors
      + keys.filter { [.new, .growing].contains($0.section) }.map { key in
        var key = key
        key.section = .vanished
        return key
      }
  }

  /// The time range of courses: both windows, without an hour that has just begun, which would look like
  /// an end.
  private var courseMoments: Range<Int64> {
    let range = both.window.range
    let (first, last) = (range.lowerBound.milliseconds, range.upperBound.milliseconds)
    let isLong = last - first >= 6 * Moment.hour
    return first..<(isLong ? last / Moment.hour * Moment.hour : last)
  }

  func summary(
    of found: [Found], limit: Int, _ renames: [DigestStore.KeyRename],
    _ isDecided: (DigestStore.FailureCount) -> Bool
  ) throws -> DigestStore.Summary {
    let hidden = found.filter { isDecided($0.row.failure) }.map(\.row)
    let ids = Set(hidden.map(\.id))
    // A list of the window has them.
    let decided = hidden.filter {
      $0.failure.occurrences > 0 && !ErrorKinds.others.contains($0.failure.kind)
    }
    let sections = Dictionary(
      grouping: found.filter { $0.isListed && !ids.contains($0.row.id) }, by: \.section)
    let shown = DigestStore.SummarySection.allCases.flatMap { sections[$0]?.prefix(limit) ?? [] }
    let overCount = sections.values.sum { $0.count(where: \.isOver) }
    let periods = try OverviewPeriods(connection, both.ofAllKinds, in: courseMoments)
    return DigestStore.Summary(
      window: window, decodes: try connection.decodeRates(now)?.counts,
      decodesBefore: try connection.decodeRates(before)?.counts,
      hasPast: try connection.hasErrors(before: Moment(window.lowerBound), now.ofAllReleases),
      failures: try rows(of: shown, renames, periods), totals: sections.mapValues(\.count),
      overCount: overCount,
      notices: try connection.notices(now, besides: found), decided: decided.map(\.failure))
  }

  /// The failures of both windows, most frequent ones first, each with its section.
  private func failures(
    _ now: DigestFilter, _ before: DigestFilter, _ both: DigestFilter
  ) throws -> [Found] {
    let rows = try FailureQuery(connection, both).read()
    guard !rows.isEmpty else { return [] }
    let new = try Set(FailureQuery(connection, now, newTo: now).ids())
    let counts = try WindowCounts(connection, now)
    let past = try WindowCounts(connection, before)
    let silence = try Silence(connection, both)
    let found = rows.map { row -> Found in
      var row = row
      let (model, digests) = (row.failure.model, row.failure.digests)
      let count = counts.count(ofFailure: row.id, model)
      let before = past.count(ofFailure: row.id, model)
      let isOver =
        silence.isOver(row.failure, before: window.upperBound)
        ?? (count.digests == 0 && digests >= Silence.leastMissing)
      row.failure = row.failure.counted(count)
      if new.contains(row.id) {
        return Found(section: .new, row: row, before: before, isOver: isOver)
      }
      guard !isOver else { return Found(section: .over, row: row, before: before, isOver: true) }
      return Found(
        section: count.isGrowing(from: before, byRates: comparesRates) ? .growing : .ongoing,
        row: row, before: before,
        isOver: false)
    }
    return found.sorted { $0.row.failure.comesBefore($1.row.failure) }
  }

  /// The rows of failures, with their courses and operations.
  func rows(
    of found: [Found], _ renames: [DigestStore.KeyRename], _ periods: OverviewPeriods
  ) throws -> [DigestStore.SummarizedFailure] {
    let ids = found.map(\.row.id)
    let occurrences = try periods.occurrences(ofFailures: ids)
    let operations = try operations(ofFailures: ids)
    return found.map { found in
      let failure = found.row.failure
      return DigestStore.SummarizedFailure(
        section: found.section, failure: failure, occurrencesBefore: found.before.occurrences,
        digestsBefore: found.before.digests,
        rateBefore: found.before.rate, isOver: found.isOver,
        course: periods.known(occurrences[found.row.id]),
        operations: operations[found.row.id] ?? [],
        renamedTo: renames.first {
          $0.model == failure.model && $0.oldPath == failure.codingPath
        }?.newPath)
    }
  }

  /// The operations of failures, by the ids of the failures, the one with most errors first.
  private func operations(ofFailures ids: [Int64]) throws -> [Int64: [String]] {
    guard !ids.isEmpty else { return [:] }
    let list = ids.map(String.init).joined(separator: ",")
    let rows = try GroupedCounts(
      connection, of: .entries, both.ofAllKinds, in: connection.widened(both.window),
      by: [.failure, .operation], where: "failure IN (\(list))"
    ).rows()
    let sorted = rows.filter { $0[1] != nil }.sorted {
      ($0.occurrences, $1.names[1]) > ($1.occurrences, $0.names[1])
    }
    return Dictionary(grouping: sorted) { Int64($0.names[0].text) ?? 0 }
      .mapValues { $0.compactMap { $0[1] } }
  }
}

/// The counts of all failures in a window.
struct WindowCounts {
  struct Count {
    var occurrences = 0
    var digests = 0
    var rate: Double?
  }

  private let counts: [Int64: Count]
  private let rates: FailureRates

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
    rates = try FailureRates(connection, filter, besides: window)
  }

  /// The counts of a failure, which are 0 if it does not occur.
  func count(ofFailure id: Int64, _ model: String) -> Count {
    var count = counts[id] ?? Count()
    count.rate = rates.rate(ofFailure: id, model, digests: count.digests)
    return count
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

  /// Whether anything occurred before a moment.
  func hasErrors(before moment: Moment, _ filter: DigestFilter) throws -> Bool {
    try rows(
      """
      SELECT EXISTS (SELECT 1 FROM (\(TotalRows(self, filter).sql())) AS t
        WHERE first_seen < \(moment.milliseconds))
      """, filter.values()
    ) { $0.integer(at: 0) } == [1]
  }
}

extension DigestStore.FailureCount {
  /// Whether it comes before another one in a report: the more frequent one, then by name.
  func comesBefore(_ other: Self) -> Bool {
    guard occurrences == other.occurrences else { return occurrences > other.occurrences }
    func names(_ failure: Self) -> [BinaryString] {
      [failure.model, failure.codingPath, failure.novelValue ?? "", failure.kind.rawValue]
        .map(BinaryString.init)
    }
    return names(self).lexicographicallyPrecedes(names(other))
  }

  /// The same failure with other counts.
  fileprivate func counted(_ count: WindowCounts.Count) -> Self {
    Self(
      model: model, codingPath: codingPath, kind: kind, expectedType: expectedType,
      novelValue: novelValue, valueType: valueType, occurrences: count.occurrences,
      digests: count.digests, firstSeen: firstSeen, lastSeen: lastSeen, foundType: foundType,
      foundValue: foundValue, firstRelease: firstRelease, rate: count.rate)
  }
}

extension WindowCounts.Count {
  /// Whether the share of decodes, or the number of digests where decodes were not counted, has grown
  /// by half, and by more than chance explains.
  fileprivate func isGrowing(from before: Self, byRates isOfRates: Bool) -> Bool {
    let count = Double(digests)
    var expected = Double(before.digests)
    if isOfRates, let rate, rate > 0, let past = before.rate {
      // As many digests as the share before would have made of the decodes of now.
      expected = count / rate * past
    }
    return count >= 1.5 * expected && count - expected > 3 * (count + expected).squareRoot()
  }
}

/// The decodes of models by hour, which tell whether a failure that does not come is over.
private struct Silence {
  /// The least number of expected digests whose absence says something: that none of five comes by
  /// chance has a probability below 1 %.
  static let leastMissing = 5

  /// The decodes of each model, and the hours in which they were.
  private var decodes: [BinaryString: [(hour: Int64, count: Int64)]] = [:]

  init(_ connection: any Engine, _ filter: DigestFilter) throws {
    guard let window = try connection.decodeWindow(filter) else { return }
    let rows = try GroupedCounts(
      connection, of: .decodes, filter, in: window, by: [.model], per: .hour
    ).rows()
    for row in rows {
      decodes[row.names[0], default: []].append((row.start / Moment.hour, row.decodes))
    }
  }

  /// Whether five more digests with a failure were to be expected since its last error; nil if the
  /// decodes of its model were not counted.
  ///
  /// - Parameter end: the end of the window. A failure that was seen after it is not over.
  func isOver(_ failure: DigestStore.FailureCount, before end: Date) -> Bool? {
    guard let decodes = decodes[BinaryString(failure.model)] else { return nil }
    guard failure.lastSeen < end else { return false }
    let (first, last) = (Moment(failure.firstSeen).hour, Moment(failure.lastSeen).hour)
    let until = decodes.filter { first...max(first, last) ~= $0.hour }.sum(of: \.count)
    let since = decodes.filter { $0.hour > last }.sum(of: \.count)
    guard until > 0 else { return nil }
    // The time of a failure that began in it begins with a digest that has it, which says nothing.
    let hasBegun = decodes.contains { $0.hour < first }
    let digests = failure.digests - (hasBegun ? 1 : 0)
    return Double(digests) / Double(until) * Double(since) >= Double(Self.leastMissing)
  }
}
