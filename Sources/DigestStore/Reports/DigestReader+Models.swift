public import ResilientPlatform

extension DigestStore {
  /// A model and the counts of its errors.
  public struct ModelCount: Sendable, Hashable, Codable {
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The number of errors.
    public let occurrences: Int
    /// The number of digests with at least one of these errors; nil if unknown, see
    /// ``DigestReader/models(matching:limit:)``.
    public let digests: Int?
    /// ``digests`` as a share, from 0 to 1, of the digests of all models that match the filter's
    /// window and release.
    public let share: Double?
    /// The number of distinct failures, including novel values.
    public let failures: Int
    /// The number of distinct novel values.
    public let novelValues: Int
    /// When the first of these errors was recorded.
    public let firstSeen: Date
    /// When the last of these errors was recorded.
    public let lastSeen: Date
    /// The number of decodes of the model, with and without errors; nil if they were not counted,
    /// see ``DigestReader/decodeCounts(matching:)``.
    public let decodes: Int?
    /// The share of ``decodes``, from 0 to 1, with at least one of these errors; nil if unknown.
    public let rate: Double?

    /// Creates a value, for example for a test or a preview.
    public init(
      model: String, occurrences: Int, digests: Int? = nil, share: Double? = nil, failures: Int,
      novelValues: Int, firstSeen: Date, lastSeen: Date, decodes: Int? = nil, rate: Double? = nil
    ) {
      self.model = model
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
  /// are at most some 20,000.
  ///
  /// If digests were evicted, ``countedWindow(matching:by:)`` returns the window that is counted.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func models(
    matching filter: DigestFilter = DigestFilter(),
    limit: Int? = nil
  ) throws -> [DigestStore.ModelCount] {
    try snapshot { snapshot in
      let (totals, allDigests) = try snapshot.modelTotals(filter)
      let rates = try snapshot.modelRates(filter)
      return try snapshot.ranked(totals, of: allDigests, rates, limit: limit).map(\.count)
    }
  }
}

extension Snapshot {
  /// Adds names to the counts of models, and ranks them.
  ///
  /// - Parameters:
  ///   - allDigests: the number of digests of all models.
  ///   - rates: the decodes of the models.
  func ranked(
    _ totals: [ModelTotal],
    of allDigests: Int64,
    _ rates: ModelRates?,
    limit: Int?
  ) throws -> [(id: Int64, count: DigestStore.ModelCount)] {
    let names = try Dictionary(
      connection.rows("SELECT id, name FROM model") { ($0.integer(at: 0), $0.text(at: 1) ?? "") },
      uniquingKeysWith: { $1 })
    let counts = totals.map { total in
      (
        id: total.count.id,
        count: DigestStore.ModelCount(total, names[total.count.id] ?? "", of: allDigests, rates)
      )
    }.sorted { lhs, rhs in
      lhs.count.occurrences == rhs.count.occurrences
        ? lhs.count.model.byteOrder(to: rhs.count.model) < 0
        : lhs.count.occurrences > rhs.count.occurrences
    }
    return limit.map { Array(counts.prefix(max(0, $0))) } ?? counts
  }
}

extension DigestStore.ModelCount {
  fileprivate init(
    _ total: ModelTotal, _ name: String, of allDigests: Int64, _ rates: ModelRates?
  ) {
    let digests = total.digests.map { Int($0) }
    self.init(
      model: name,
      occurrences: Int(total.count.occurrences),
      digests: digests,
      share: digests.flatMap { digests in
        allDigests > 0 ? Double(digests) / Double(allDigests) : nil
      },
      failures: total.failures,
      novelValues: total.novelValues,
      firstSeen: Moment(milliseconds: total.count.first).date,
      lastSeen: Moment(milliseconds: total.count.last).date,
      decodes: rates?.decodes[total.count.id].map { Int($0) },
      rate: rates?.rate(ofModel: total.count.id)
    )
  }
}
