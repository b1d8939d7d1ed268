public import ResilientPlatform

extension DigestStore {
  /// A model and the counts of its errors.
  public struct ModelCount: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The release, environment, operation or source, if models are counted by one; nil for digests
    /// without one.
    public let contextName: String?
    /// The number of errors.
    public let occurrences: Int
    /// The number of digests with at least one of these errors; nil if unknown, see
    /// ``DigestReader/models(matching:by:limit:)``.
    public let digests: Int?
    /// ``digests`` as a share, from 0 to 1, of the digests of all models that match the filter's
    /// window and context.
    public let share: Double?
    /// The number of distinct failures, including novel values.
    public let failures: Int
    /// The number of distinct novel values.
    public let novelValues: Int
    /// When the first error of these failures was recorded, including before the filter's window; nil
    /// without errors.
    public let firstSeen: Date?
    /// When the last error of these failures was recorded, including after the filter's window; nil
    /// without errors.
    public let lastSeen: Date?
    /// The number of decodes of the model, with and without errors; nil if they were not counted,
    /// see ``DigestReader/decodeCounts(matching:)``.
    public let decodes: Int?
    /// The share of ``decodes``, from 0 to 1, with at least one of these errors; nil if unknown.
    public let rate: Double?
  }
}

extension DigestReader {
  /// Counts the errors of each model and the digests with errors, most errors first.
  ///
  /// The counts are exact under every filter, to the millisecond. Models with equally many errors
  /// are sorted by name.
  ///
  /// The number of digests is nil if the filter includes several of a model's failures, but not all:
  /// their counts do not say how many digests have more than one of them.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - name: counts each model by its releases, environments, operations or sources; nil to count
  ///     it as a whole.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func models(
    matching filter: DigestFilter = DigestFilter(),
    by name: DigestStore.ContextName? = nil,
    limit: Int? = nil
  ) throws -> [DigestStore.ModelCount] {
    try snapshot { connection in
      let rows = try connection.modelCounts(filter, by: name.map(CountColumn.init))
      return limit.map { Array(rows.prefix(max(0, $0))) } ?? rows
    }
  }
}

extension [DigestStore.ModelCount] {
  /// The models without the errors of some of their failures, the most errors first. Digests and rates are
  /// of all errors: a digest may have others, too.
  ///
  /// - Parameter others: the counts of these failures, by the same names.
  package func without(_ others: Self) -> Self {
    func names(_ count: Element) -> [BinaryString] {
      [count.model, count.contextName ?? ""].map(BinaryString.init)
    }
    let left = Dictionary(others.map { (names($0), $0) }) { first, _ in first }
    return map { count in
      guard let other = left[names(count)], other.occurrences > 0 else { return count }
      let occurrences = Swift.max(0, count.occurrences - other.occurrences)
      return DigestStore.ModelCount(
        model: count.model, contextName: count.contextName, occurrences: occurrences,
        digests: count.digests, share: count.share,
        failures: Swift.max(0, count.failures - other.failures),
        novelValues: Swift.max(0, count.novelValues - other.novelValues),
        firstSeen: occurrences > 0 ? count.firstSeen : nil,
        lastSeen: occurrences > 0 ? count.lastSeen : nil, decodes: count.decodes, rate: count.rate)
    }.sorted { first, second in
      first.occurrences == second.occurrences
        ? names(first).lexicographicallyPrecedes(names(second))
        : first.occurrences > second.occurrences
    }
  }
}

extension Engine {
  /// Counts the errors of models as ``DigestReader/models(matching:by:limit:)`` does.
  func modelCounts(
    _ filter: DigestFilter, by part: CountColumn? = nil
  ) throws -> [DigestStore.ModelCount] {
    let window = try widened(filter.window)
    let digests = try digestsByModel(filter, in: window, by: part)
    let allDigests = try digestsOfAllModels(filter, in: window)
    let rates = try decodeRates(filter, by: part)
    // Models that only succeeded have no errors to be chosen.
    let succeeded =
      filter.choosesFailures
      ? [:] : try decodes(filter, in: window.inWholeHours, by: part).filter { $1.decodes > 0 }
    var errors = try errors(filter, in: window, by: part)
    for names in succeeded.keys where errors[names] == nil { errors[names] = ModelErrors() }
    let sorted = errors.sorted { first, second in
      first.value.occurrences == second.value.occurrences
        ? first.key.lexicographicallyPrecedes(second.key)
        : first.value.occurrences > second.value.occurrences
    }
    return sorted.map { names, errors in
      let count = digests[names, default: 0]
      return DigestStore.ModelCount(
        model: names[0].text,
        contextName: names.count == 1 || names[1].text.isEmpty ? nil : names[1].text,
        occurrences: Int(clamping: errors.occurrences), digests: count.map { Int(clamping: $0) },
        share: allDigests > 0 ? count.map { Double($0) / Double(allDigests) } : nil,
        failures: Int(clamping: errors.failures), novelValues: Int(clamping: errors.novelValues),
        firstSeen: errors.firstSeen?.date, lastSeen: errors.lastSeen?.date,
        decodes: rates?.decodes[names].map { Int(clamping: $0) },
        rate: rates?.rate(of: names, digests: count))
    }
  }

  /// Counts the digests of a filter's window and contexts. Those without an error count if the
  /// filter names a kind that is none.
  private func digestsOfAllModels(_ filter: DigestFilter, in window: TimeWindow) throws -> Int64 {
    let all = try GroupedCounts(self, of: .decodes, filter.ofAllModels, in: window).sum()
    let hasOthers = filter.kinds.contains(where: ErrorKinds.others.contains)
    return (hasOthers ? all?.recorded : all?.digests) ?? 0
  }

  /// The errors of models, by the names of the models and their parts.
  ///
  /// A failure that occurs in the window counts with its times of all time.
  private func errors(
    _ filter: DigestFilter, in window: TimeWindow, by part: CountColumn?
  ) throws -> [[BinaryString]: ModelErrors] {
    let counted = try countsWithTimes(filter, in: window, splitsContexts: part != nil)
    let rows = try rows(
      """
      WITH counts AS (
        SELECT r.failure AS failure, \(part?.rawValue ?? "''") AS part,
          sum(r.occurrences) AS occurrences, min(r.first_seen) AS first_seen,
          max(r.last_seen) AS last_seen
        FROM (\(counted)) AS r \(CountColumn.joins(part.map { [$0] } ?? [], "r.context"))
        GROUP BY 1, 2 HAVING sum(r.counted) > 0
      )
      SELECT m.name, c.part, sum(c.occurrences), count(*),
        sum(CASE WHEN f.novel_value IS NOT NULL THEN 1 ELSE 0 END), min(c.first_seen), max(c.last_seen)
      FROM counts AS c
      CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
      WHERE \(filter.errorCondition())
      GROUP BY 1, 2
      """, filter.values()
    ) { row in
      (
        (0..<(part == nil ? 1 : 2)).map { BinaryString(row.text(at: $0) ?? "") },
        ModelErrors(
          occurrences: row.count(at: 2), failures: row.count(at: 3),
          novelValues: row.count(at: 4), firstSeen: row.optionalMoment(at: 5),
          lastSeen: row.optionalMoment(at: 6))
      )
    }
    return Dictionary(rows) { first, _ in first }
  }
}

/// The errors of a model that match a filter.
private struct ModelErrors {
  var occurrences: Int64 = 0
  var failures: Int64 = 0
  var novelValues: Int64 = 0

  /// Of all time, in the releases that the filter chooses; nil without errors.
  var firstSeen: Moment?
  var lastSeen: Moment?
}

extension DigestFilter {
  /// The same filter for all models and failures.
  var ofAllModels: Self {
    var filter = ofAllFailures
    filter.models = []
    return filter
  }

  /// The same filter for all failures of its models.
  var ofAllFailures: Self {
    var filter = self
    (filter.codingPaths, filter.kinds, filter.novelValues, filter.failures) = ([], [], [], [])
    return filter
  }
}

extension DigestStore {
  /// The total counts of all errors that match a filter.
  public struct Totals: Sendable, Hashable, Codable {
    /// The number of digests with at least one of these errors; nil if unknown for some model, see
    /// ``DigestReader/models(matching:by:limit:)``.
    public let digests: Int?
    /// The number of errors.
    public let occurrences: Int
    /// The number of models with errors.
    public let models: Int
    /// The number of distinct failures, including novel values.
    public let failures: Int
    /// The number of distinct novel values, each per model and coding path.
    public let novelValues: Int
    /// When the first of these errors was recorded; nil if there is none.
    public let firstSeen: Date?
    /// When the last of these errors was recorded; nil if there is none.
    public let lastSeen: Date?
  }
}

extension DigestReader {
  /// Counts all errors, the digests with errors, and the distinct models, failures and novel
  /// values.
  ///
  /// The counts are the sums of ``models(matching:by:limit:)``.
  ///
  /// - Parameter filter: the errors to count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func totals(matching filter: DigestFilter = DigestFilter()) throws -> DigestStore.Totals {
    DigestStore.Totals(try models(matching: filter))
  }

  /// Counts only errors, which is faster than ``totals(matching:)``.
  ///
  /// - Parameter filter: the errors to count, to the millisecond.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func occurrences(matching filter: DigestFilter = DigestFilter()) throws -> Int {
    try snapshot { connection in
      let counts = try GroupedCounts(connection, filter, in: connection.widened(filter.window))
      return try Int(clamping: counts.sum()?.occurrences ?? 0)
    }
  }
}

extension DigestStore.Totals {
  /// Adds up the counts of models.
  init(_ models: [DigestStore.ModelCount]) {
    let models = models.filter { $0.failures > 0 }
    self.init(
      digests: models.contains { $0.digests == nil } ? nil : models.sum { $0.digests ?? 0 },
      occurrences: models.sum { $0.occurrences },
      models: models.count,
      failures: models.sum { $0.failures },
      novelValues: models.sum { $0.novelValues },
      firstSeen: models.compactMap(\.firstSeen).min(),
      lastSeen: models.compactMap(\.lastSeen).max()
    )
  }
}

/// A number of errors of one model, kind and release, or of decodes of one model and release.
package struct CountByRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The raw value of an `ErrorDigest.Kind`; nil for decodes.
  package let kind: String?
  /// The release; nil for digests without one.
  package let release: String?
  package let count: Int
}

extension DigestReader {
  /// Counts errors by model, kind and release, and decodes by model and release, in no particular order.
  ///
  /// The counts of decodes add up to those of ``decodeCounts(matching:)``, and have the same window. There
  /// are none if no decode without errors was counted.
  ///
  /// - Parameter filter: paths, kinds and novel values do not limit the decodes.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func countsByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [CountByRelease] {
    try snapshot { connection in
      let errors = try GroupedCounts(
        connection, filter, in: connection.widened(filter.window), by: [.model, .kind, .release]
      ).rows().map {
        CountByRelease(
          model: $0.names[0].text, kind: $0.names[1].text, release: $0[2],
          count: Int(clamping: $0.occurrences))
      }
      guard let window = try connection.decodeWindow(filter) else { return errors }
      let decodes = try GroupedCounts(
        connection, of: .decodes, filter, in: window, by: [.model, .release]
      ).rows().map {
        CountByRelease(
          model: $0.names[0].text, kind: nil, release: $0[1], count: Int(clamping: $0.decodes))
      }
      return errors + decodes
    }
  }
}
