public import ResilientPlatform

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
