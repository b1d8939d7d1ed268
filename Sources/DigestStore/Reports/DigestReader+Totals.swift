public import ResilientPlatform

extension DigestStore {
  /// The total counts of all errors that match a filter.
  public struct Totals: Sendable, Hashable, Codable {
    /// The number of digests with at least one of these errors; nil if unknown for some model, see
    /// ``DigestReader/models(matching:limit:)``.
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

    /// Creates a value, for example for a test or a preview.
    public init(
      digests: Int? = nil, occurrences: Int, models: Int, failures: Int, novelValues: Int,
      firstSeen: Date? = nil, lastSeen: Date? = nil
    ) {
      self.digests = digests
      self.occurrences = occurrences
      self.models = models
      self.failures = failures
      self.novelValues = novelValues
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
    }
  }
}

extension DigestReader {
  /// Counts all errors, the digests with errors, and the distinct models, failures and novel
  /// values.
  ///
  /// The counts are the sums of ``models(matching:limit:)``.
  ///
  /// - Parameter filter: the errors to count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func totals(matching filter: DigestFilter = DigestFilter()) throws -> DigestStore.Totals {
    try snapshot { try DigestStore.Totals($0.modelTotals(filter).models) }
  }

  /// Counts only errors, which is faster than ``totals(matching:)``.
  ///
  /// - Parameter filter: the errors to count, to the millisecond.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func occurrences(matching filter: DigestFilter = DigestFilter()) throws -> Int {
    try snapshot { snapshot in
      let table = snapshot.table(for: filter)
      let snapshot =
        table == .failures ? try snapshot.selecting(.kind, matching: filter) : snapshot
      return Int(try snapshot.sums(filter, from: table).occurrences)
    }
  }
}

extension DigestStore.Totals {
  init(_ models: [ModelTotal]) {
    // Every digest belongs to one model.
    let digests = models.reduce(Int64?(0)) { sum, total in
      sum.flatMap { sum in total.digests.map { sum.adding(count: $0) } }
    }
    self.init(
      digests: digests.map { Int($0) },
      occurrences: Int(clamping: models.sum(of: \.count.occurrences)),
      models: models.count,
      failures: models.sum(of: \.failures),
      novelValues: models.sum(of: \.novelValues),
      firstSeen: models.map(\.count.first).min().map { Moment(milliseconds: $0).date },
      lastSeen: models.map(\.count.last).max().map { Moment(milliseconds: $0).date }
    )
  }
}
