package import ResilientDecoding
package import ResilientPlatform

extension DigestStore {
  /// The contents of the page, counted in one snapshot.
  package struct Overview: Sendable, Hashable {
    /// The totals of errors.
    package let totals: Totals
    /// The decodes; nil if they were not counted.
    package let decodes: DecodeCounts?
    /// The number of errors over time.
    package let trend: OverviewTrend
    /// The models with the most errors.
    package let models: [ModelCount]
    /// The number of models without a limit.
    package let modelCount: Int
    /// The summary of the window, or of its last seven days if the window has no beginning. It lists no
    /// failures.
    package let summary: Summary
    /// The failures of each section, section by section, with their counts in the whole window.
    package let failures: [OverviewFailure]
    /// The number of failures without a limit, and without those that somebody decided on.
    package let failureCount: Int
    /// The number of notices among these, which nobody asked for.
    package let noticeCount: Int
    /// The failures that `isDecided` left out.
    package let decided: [FailureCount]
    /// The notices that no section has.
    package let notices: [ErrorDigest.Kind: Int]
    /// The contexts of the failures; empty if they are too many to filter by.
    package let contexts: [OverviewContext]
  }

  /// A failure of an overview.
  package struct OverviewFailure: Sendable, Hashable {
    /// The failure. Its course has the periods of ``Overview/trend``.
    package let row: SummarizedFailure
    /// Its counts in each context of ``Overview/contexts`` in which it occurred.
    package let parts: [Part]
    /// The decodes by releases that never had the failure.
    package let adoption: Adoption
    /// The message of its sample.
    package let message: String?

    package struct Part: Sendable, Hashable {
      /// The index of the context.
      package let context: Int
      package var occurrences = 0
      /// The digests in the whole hours whose decodes were counted.
      package var ratedDigests = 0
      /// The number of errors of each period that has any.
      package var course: [Int: Int] = [:]
    }
  }

  /// A release, an environment, an operation and a source; nil for digests without one.
  package struct OverviewContext: Sendable, Hashable {
    package let release: String?
    package let environment: String?
    package let operation: String?
    package let source: String?
    /// The decodes of each model.
    package let decodes: [BinaryString: Int]
  }

  /// The number of errors in each period of the window.
  ///
  /// The length of the periods limits their number: minutes, hours, days, weeks or several weeks.
  package struct OverviewTrend: Sendable, Hashable, Codable {
    /// The unit of the periods.
    package let unit: Trend.Unit
    /// The number of units in a period: 1, unless the window spans years.
    package let unitsPerPeriod: Int
    /// The starts of the periods, without gaps.
    package let starts: [Date]
    /// The number of errors in each period; nil if counts of a day in the period were deleted, as
    /// in ``DigestStore/Trend/Point/occurrences``.
    package let occurrences: [Int?]
    /// The periods that are not whole, because the window begins or ends within them.
    package let partial: Set<Int>
    /// The releases that were first decoded in the window, and the period of each.
    package let releases: [String: Int]
  }
}

extension DigestReader {
  /// Returns an overview: totals, a trend, and the first rows of each section and of the models.
  ///
  /// Sections are those of ``summary(of:matching:limit:leavingOut:regressed:)``, of the window or, if
  /// the filter has no beginning, of its last seven days: in UTC, with today. A failure that occurred only before these
  /// and the seven days before is over if chance does not explain its absence since.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows of a section, and the most models.
  ///   - end: a time that the window includes if the filter has no upper bound.
  ///   - latest: the latest end of the trend; errors after it are only in the other counts.
  ///   - isDecided: whether to leave a failure out.
  ///   - hasRegressed: whether a failure occurs again after the end of a decision.
  /// - Throws: ``DigestStoreError`` as ``failures(matching:limit:)`` does.
  package func overview(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int,
    reaching end: Date? = nil,
    atMost latest: Date? = nil,
    leavingOut isDecided: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false },
    regressed hasRegressed: @Sendable (DigestStore.FailureCount) -> Bool = { _ in false }
  ) throws -> DigestStore.Overview {
    let renames =
      filter.kinds.isEmpty && filter.novelValues.isEmpty
      ? try latestRenames(matching: filter) : []
    return try snapshot { connection in
      try OverviewCount(
        connection, filter, limit: max(0, limit), reaching: end.map { Moment($0) },
        atMost: latest.map { Moment($0) }
      ).overview(renames, isDecided, hasRegressed)
    }
  }
}

/// Counts for an overview.
struct OverviewCount {
  private static let day = 24 * Moment.hour

  private let connection: any Engine
  private let filter: DigestFilter
  private let limit: Int
  private let window: TimeWindow
  private let models: [DigestStore.ModelCount]

  /// The time range of the window, in milliseconds; empty if there is nothing to count.
  private let moments: Range<Int64>

  /// The window of the summary.
  private let recent: Range<Date>

  init(
    _ connection: any Engine, _ filter: DigestFilter, limit: Int, reaching end: Moment?,
    atMost latest: Moment?
  ) throws {
    self.connection = connection
    self.filter = filter
    self.limit = limit
    window = try connection.widened(filter.window)
    models = try connection.modelCounts(filter)
    let seen =
      window.since != nil && window.until != nil
      ? nil : try connection.errorMoments(filter.ofAllKinds, in: window)
    moments = TrendCount.moments(of: seen, window, end, atMost: latest)
    // Decodes without errors show that a failure is over.
    let clean = try connection.newestHour(before: latest ?? .latest, filter, "decodes > digests")
    let newest = max(moments.upperBound, clean.map { $0.milliseconds + Moment.hour } ?? 0)
    let last =
      filter.until.map { Moment($0).milliseconds } ?? min(newest, latest?.milliseconds ?? newest)
    // Without bounds, whole days, which are counted fastest.
    let isBounded = filter.since != nil || filter.until != nil
    let end = isBounded ? last : (last + Self.day - 1) / Self.day * Self.day
    let first =
      filter.since.map { Moment($0).milliseconds }
      ?? max(Moment.earliest.milliseconds, end - 7 * Self.day)
    recent = Moment(milliseconds: first).date..<Moment(milliseconds: max(first, end)).date
  }

  func overview(
    _ renames: [DigestStore.KeyRename],
    _ isDecided: (DigestStore.FailureCount) -> Bool,
    _ hasRegressed: (DigestStore.FailureCount) -> Bool
  ) throws -> DigestStore.Overview {
    let count = try SummaryCount(connection, filter, recent)
    let errors =
      filter.since == nil ? try FailureQuery(connection, filter).read(hasReleases: false) : nil
    let recentFailures = try count.found(among: errors, hasRegressed)
    let all = try errors.map { try ofAllTime($0, recentFailures) } ?? recentFailures
    let sections = SummaryCount.sections(of: all, leavingOut: isDecided)
    let shown = SummaryCount.first(limit, of: sections)
    let periods = try OverviewPeriods(connection, filter.ofAllKinds, in: moments)
    let parts = try OverviewParts(
      connection, filter.ofAllKinds, in: window, periods, of: shown.map(\.row.id))
    let rows = try count.rows(
      of: shown, renames, periods, operationsIn: filter.since == nil ? filter : nil)
    let decided = all.filter { $0.row.failure.occurrences > 0 && isDecided($0.row.failure) }
    let models = self.models.without(counts(of: decided))
    let adoption = try connection.adoption(of: shown.map(\.row), filter)
    let messages = try connection.messages(ofFailures: shown.map(\.row.id))
    return DigestStore.Overview(
      totals: DigestStore.Totals(models), decodes: try connection.decodeRates(filter)?.counts,
      trend: try OverviewPeriods(connection, filter, in: moments).trend(
        without: decided.map(\.row.id)),
      models: Array(models.prefix(limit)), modelCount: models.count,
      summary: try count.summary(of: recentFailures, limit: 0, [], isDecided),
      failures: shown.indices.map { index in
        let id = shown[index].row.id
        return DigestStore.OverviewFailure(
          row: rows[index], parts: parts.parts[id] ?? [], adoption: adoption[index],
          message: messages[id])
      },
      failureCount: sections.values.sum { $0.count },
      noticeCount: sections.values.sum { $0.count { !isError($0) } },
      decided: decided.map(\.row.failure),
      notices: try connection.notices(filter, besides: all),
      contexts: parts.contexts)
  }

  /// Whether a failure is an error, or a notice that the filter names.
  private func isError(_ found: SummaryCount.Found) -> Bool {
    !filter.kinds.isEmpty || !ErrorKinds.others.contains(found.row.failure.kind)
  }

  /// The errors of failures by model.
  private func counts(of found: [SummaryCount.Found]) -> [DigestStore.ModelCount] {
    let errors = found.filter(isError).map(\.row.failure)
    return Dictionary(grouping: errors, by: \.model).map { model, failures in
      DigestStore.ModelCount(
        model: model, contextName: nil, occurrences: failures.sum(of: \.occurrences), digests: nil,
        share: nil, failures: failures.count,
        novelValues: failures.count { $0.novelValue != nil }, firstSeen: nil, lastSeen: nil,
        decodes: nil, rate: nil)
    }
  }

  /// All failures of the window, each with its section in the last week.
  private func ofAllTime(
    _ errors: [FailureRow], _ recentFailures: [SummaryCount.Found]
  ) throws -> [SummaryCount.Found] {
    let sections = Dictionary(recentFailures.map { ($0.row.id, $0) }) { first, _ in first }
    let silence = try Silence(connection, filter, per: [.day])
    var rows = errors
    var vanished = filter
    let read = Set(errors.map(\.id))
    vanished.failures = recentFailures.map(\.row.id).filter { !read.contains($0) }
    if !vanished.failures.isEmpty {
      rows += try FailureQuery(connection, vanished.ofAllKinds).read(hasReleases: false)
    }
    return rows.map { row in
      let found = sections[row.id]
      let isOver =
        found?.isOver ?? silence.isOverInAllTime(row.failure, until: recent.upperBound)
      return SummaryCount.Found(
        section: found?.section ?? (isOver ? .over : .ongoing), row: row,
        before: WindowCounts.Count(hasAllCounts: false),
        rateSinceItBegan: found?.rateSinceItBegan, isOver: isOver)
    }
  }
}

/// The counts of failures by context.
private struct OverviewParts {
  typealias Part = DigestStore.OverviewFailure.Part

  private static let columns: [CountColumn] = [.release, .environment, .operation, .source]

  /// The most counts and contexts. With more, a browser would take seconds to filter a page of
  /// megabytes.
  private static let (maximumCounts, maximumContexts) = (200_000, 2_000)

  private(set) var parts: [Int64: [Part]] = [:]
  private(set) var contexts: [DigestStore.OverviewContext] = []

  init(
    _ connection: any Engine, _ filter: DigestFilter, in window: TimeWindow,
    _ periods: OverviewPeriods, of failures: [Int64]
  ) throws {
    guard !failures.isEmpty else { return }
    var shown = filter
    shown.failures = failures
    let columns = [.failure] + Self.columns
    func names(_ count: GroupedCounts.GroupedCount) -> [BinaryString] {
      Array(count.names.dropFirst())
    }
    let rated = try connection.decodeWindow(filter)
    var decodes: [[BinaryString]: [BinaryString: Int]] = [:]
    if let rated {
      for count in try GroupedCounts(
        connection, of: .decodes, filter, in: rated, by: [.model] + Self.columns
      ).rows() where count.decodes > 0 {
        decodes[names(count), default: [:]][count.names[0]] = Int(clamping: count.decodes)
      }
    }
    // Errors of deleted days are in no period.
    let counts = try GroupedCounts(connection, shown, in: window, by: columns)
      .rows(limit: Self.maximumCounts + 1)
    // Those without the failures have decodes, too.
    let keys = Set(counts.map(names)).union(decodes.keys)
      .sorted { $0.lexicographicallyPrecedes($1) }
    guard counts.count <= Self.maximumCounts, keys.count <= Self.maximumContexts else { return }
    let courses = try periods.counts(
      ofFailures: failures, by: columns, limit: Self.maximumCounts + 1)
    guard courses.count <= Self.maximumCounts else { return }
    let indexes = Dictionary(zip(keys, 0...)) { first, _ in first }
    var byID: [Int64: [[BinaryString]: Part]] = [:]
    for count in counts {
      let key = names(count)
      byID[count.failure, default: [:]][key] = Part(
        context: indexes[key] ?? 0, occurrences: Int(clamping: count.occurrences))
    }
    for (period, count) in courses {
      guard let period else { continue }
      let id = count.failure
      let sum = byID[id]?[names(count)]?.course[period] ?? 0
      byID[id]?[names(count)]?.course[period] = sum.adding(count: Int(clamping: count.occurrences))
    }
    if let rated {
      // Of whole hours, which may have contexts that the window does not have.
      for count in try GroupedCounts(connection, shown, in: rated, by: columns).rows() {
        guard let index = indexes[names(count)] else { continue }
        byID[count.failure, default: [:]][names(count), default: Part(context: index)]
          .ratedDigests = Int(clamping: count.digests)
      }
    }
    contexts = keys.map { key in
      let texts = key.map { $0.text.isEmpty ? nil : $0.text }
      return DigestStore.OverviewContext(
        release: texts[0], environment: texts[1], operation: texts[2], source: texts[3],
        decodes: decodes[key] ?? [:])
    }
    parts = byID.mapValues { $0.values.sorted { $0.context < $1.context } }
  }
}
