public import ResilientPlatform

extension DigestStore {
  /// A model and the counts of its errors.
  public struct ModelCount: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The release, environment or operation, if models are counted by one; nil for digests without
    /// one.
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
    /// When the first error of these failures was recorded, also before the filter's window; nil
    /// without errors.
    public let firstSeen: Date?
    /// When the last error of these failures was recorded, also after the filter's window; nil
    /// without errors.
    public let lastSeen: Date?
    /// The number of decodes of the model, with and without errors; nil if they were not counted,
    /// see ``DigestReader/decodeCounts(matching:)``.
    public let decodes: Int?
    /// The share of ``decodes``, from 0 to 1, with at least one of these errors; nil if unknown.
    public let rate: Double?

    package init(
      model: String, contextName: String? = nil, occurrences: Int, digests: Int? = nil,
      share: Double? = nil, failures: Int, novelValues: Int, firstSeen: Date?, lastSeen: Date?,
      decodes: Int? = nil, rate: Double? = nil
    ) {
      self.model = model
      self.contextName = contextName
      self.occurrences = occurrences
      self.digests = digests
      self.share = share
      self.failures = failures
      self.novelValues = novelValues
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.decodes = decodes
      self.rate = rate
    }
  }
}

extension DigestReader {
  /// Counts the errors of each model and the digests with errors, most errors first.
  ///
  /// The counts are exact under every filter, to the millisecond. Models with equally many errors
  /// are sorted by name.
  ///
  /// The number of digests is nil if the filter excludes some of a model's failures and includes
  /// several. Then it is known only if all digests of the window are still in the file, and there
  /// are at most 10,000.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - name: counts each model by its releases, environments or operations; nil to count it as a
  ///     whole.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func models(
    matching filter: DigestFilter = DigestFilter(),
    by name: DigestStore.ContextName? = nil,
    limit: Int? = nil
  ) throws -> [DigestStore.ModelCount] {
    try snapshot { connection in
      let rows = try connection.modelCounts(filter, by: ModelParts(name)).map(\.count)
      return limit.map { Array(rows.prefix(max(0, $0))) } ?? rows
    }
  }
}

/// The errors of a model that match a filter.
struct ModelErrors {
  let occurrences: Int64
  let failures: Int64
  let novelValues: Int64

  /// Of all time, in the releases that the filter chooses; nil without errors.
  let firstSeen: Moment?
  let lastSeen: Moment?
}

extension Engine {
  /// Counts the errors of models, with their ids, as ``DigestReader/models(matching:by:limit:)`` does.
  func modelCounts(
    _ filter: DigestFilter, by parts: ModelParts = .none
  ) throws -> [(id: Int64, count: DigestStore.ModelCount)] {
    let window = try widened(filter.window)
    let digests = try digestsByModel(filter, in: window, by: parts)
    let allDigests = try digestsOfAllModels(filter, in: window)
    let rates = try decodeRates(filter, by: parts)
    return try models(filter, in: window, by: parts) { part, model, errors in
      let count = DigestStore.ModelCount(
        part, model, errors, digests: digests[part], of: allDigests, rates)
      return (part.model, count)
    }
  }

  /// Counts the digests of a filter's window and contexts. Those without an error count if the
  /// filter names a kind that is none.
  private func digestsOfAllModels(_ filter: DigestFilter, in window: TimeWindow) throws -> Int64? {
    guard filter.kinds.contains(where: ErrorKinds.others.contains) else {
      return try digestsByModel(filter.ofAllModels, in: window).sum
    }
    let rows = DecodeRows(self, filter, in: window)
    return try self.rows(
      "SELECT coalesce(sum(digests), 0) FROM (\(try rows.sql())) AS r", rows.values
    ) {
      $0.count(at: 0)
    }.first
  }

  /// Reads the models with matching errors, the most frequent first, and, if the filter chooses no
  /// failures, those that only succeeded.
  private func models<Row>(
    _ filter: DigestFilter, in window: TimeWindow, by parts: ModelParts,
    _ row: (ModelPart, _ model: String, ModelErrors) throws -> Row
  ) throws -> [Row] {
    let decodes = DecodeRows(self, filter, in: window.inWholeHours, by: parts.splits)
    let succeeded =
      filter.choosesFailures
      ? ""
      : """
      UNION ALL
      SELECT r.model, \(parts.name), 0, 0, 0, NULL, NULL
      FROM (\(try decodes.sql())) AS r \(parts.join("r")) GROUP BY 1, 2 HAVING sum(r.decodes) > 0
      """
    let totals = try Totals(self, filter, splitsContexts: !parts.splits.isEmpty).sql()
    let counted =
      try window.since == nil && window.until == nil
      ? "SELECT failure, context, occurrences, first_seen, last_seen, 1 AS counted FROM (\(totals)) AS t"
      : """
      SELECT failure, context, occurrences, NULL AS first_seen, NULL AS last_seen, 1 AS counted
      FROM (\(Counts(self, filter, in: window, by: parts.splits).sql)) AS c
      UNION ALL
      SELECT failure, context, 0, first_seen, last_seen, 0 FROM (\(totals)) AS t
      """
    return try rows(
      """
      WITH counts AS (
        SELECT r.failure AS failure, \(parts.name) AS part, sum(r.occurrences) AS occurrences,
          min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen
        FROM (\(counted)) AS r \(parts.join("r"))
        GROUP BY 1, 2 HAVING sum(r.counted) > 0
      ),
      errors AS (
        SELECT f.model AS model, c.part AS part, c.occurrences AS occurrences, 1 AS failures,
          CASE WHEN f.novel_value IS NOT NULL THEN 1 ELSE 0 END AS novel_values,
          c.first_seen AS first_seen, c.last_seen AS last_seen
        FROM counts AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
        WHERE \(filter.errorCondition())
        \(succeeded)
      )
      SELECT e.model, e.part, m.name, sum(e.occurrences), sum(e.failures), sum(e.novel_values),
        min(e.first_seen), max(e.last_seen)
      FROM errors AS e CROSS JOIN model AS m ON m.id = e.model
      WHERE \(filter.modelCondition())
      GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3, 2
      """, filter.values()
    ) { statement in
      try row(
        ModelPart(statement), statement.text(at: 2) ?? "",
        ModelErrors(
          occurrences: statement.count(at: 3), failures: statement.count(at: 4),
          novelValues: statement.count(at: 5),
          firstSeen: statement.optionalMoment(at: 6),
          lastSeen: statement.optionalMoment(at: 7)))
    }
  }
}

extension DigestFilter {
  /// The same filter for all models and failures.
  var ofAllModels: Self {
    var filter = self
    (filter.models, filter.codingPaths, filter.kinds, filter.novelValues) = ([], [], [], [])
    return filter
  }
}

extension DigestStore.ModelCount {
  init(
    _ part: ModelPart, _ model: String, _ errors: ModelErrors, digests: Int64?,
    of allDigests: Int64?, _ rates: DecodeRates?
  ) {
    self.init(
      model: model,
      contextName: part.name.text.isEmpty ? nil : part.name.text,
      occurrences: Int(clamping: errors.occurrences),
      digests: digests.map { Int(clamping: $0) },
      share: digests.flatMap { digests in
        allDigests.flatMap { $0 > 0 ? Double(digests) / Double($0) : nil }
      },
      failures: Int(clamping: errors.failures),
      novelValues: Int(clamping: errors.novelValues),
      firstSeen: errors.firstSeen?.date,
      lastSeen: errors.lastSeen?.date,
      decodes: rates?.decodes[part].map { Int(clamping: $0) },
      rate: rates?.rate(of: part)
    )
  }
}
