public import ResilientDecoding

extension DigestStore {
  /// A failure that is not equally frequent in two sets of digests.
  public struct FailureChange: Sendable, Hashable, Codable {
    /// How it changed.
    public let change: Change
    /// The model, module-qualified, as in `App.Listing`.
    public let model: String
    /// The pattern of the coding path.
    public let codingPath: String
    /// The kind of the error; `other` if this version does not know it.
    public let kind: ErrorDigest.Kind
    /// The expected type; nil if the error has none.
    public let expectedType: String?
    /// The unknown raw value, if the failure is a novel value.
    public let novelValue: String?
    /// The type of the raw value; nil without one, or if an imported value has no type.
    public let valueType: String?
    /// The type of a sample of the found value; or what a whole body is instead of JSON.
    public let foundType: ErrorDigest.FoundValue.ValueType?
    /// The number of errors that match the first filter.
    public let occurrencesBefore: Int
    /// The number of errors that match the second filter.
    public let occurrencesAfter: Int
    /// The share of the model's decodes, from 0 to 1, with such an error, as of the first filter;
    /// nil if decodes were not counted.
    public let rateBefore: Double?
    /// The same as of the second filter.
    public let rateAfter: Double?
  }
}

extension DigestReader {
  /// Compares the failures of two filters, such as two weeks or two releases.
  ///
  /// If a model's decodes were counted on both sides, compares the shares of decodes with the
  /// failure. Otherwise compares the counts of errors, which are larger if more was decoded. Omits
  /// failures that are equally frequent. The largest difference comes first, and those that are
  /// ``DigestStore/Change/same`` come last; equal ones are sorted by model,
  /// coding path, novel value, kind and expected type. A difference of shares counts as that many
  /// decodes of the second side. Errors of a release that are counted as `(other releases)` are not
  /// compared; call ``reachedLimits(matching:)`` with each filter to find them.
  ///
  /// - Parameters:
  ///   - before: the errors to compare with.
  ///   - after: the errors to compare.
  ///   - limit: the most rows to return; nil for all.
  ///   - factor: the smallest factor, up or down, that is a change; smaller ones are
  ///     ``DigestStore/Change/same``. Values outside 1 to 1,000,000 are clamped.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func failureChanges(
    from before: DigestFilter,
    to after: DigestFilter,
    limit: Int? = nil,
    minimumFactor factor: Double = 1.001
  ) throws -> [DigestStore.FailureChange] {
    try snapshot { connection in
      try Comparison(connection, from: before, to: after, minimumFactor: factor)
        .rows(connection, limit: limit)
    }.map { row in
      DigestStore.FailureChange(
        change: row.change,
        model: row.model,
        codingPath: row.failure.codingPath,
        kind: ErrorDigest.Kind(stored: row.failure.kind),
        expectedType: row.failure.expectedType,
        novelValue: row.failure.novelValue,
        valueType: row.failure.valueType,
        foundType: row.failure.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init),
        occurrencesBefore: row.before.occurrences,
        occurrencesAfter: row.after.occurrences,
        rateBefore: row.before.rate,
        rateAfter: row.after.rate
      )
    }
  }
}

extension DigestStore {
  /// How a failure changed between two sets of digests.
  public enum Change: String, Sendable, Hashable, CaseIterable, Codable {
    /// Occurs only in the second set.
    case new
    /// Occurs only in the first set.
    case gone
    /// Occurs more often in the second set.
    case grown
    /// Occurs in the second set, but less often.
    case shrunk
    /// Occurs almost as often in both sets.
    case same

    /// - Parameter isSame: whether the factor between the two is too small to be a change.
    /// - Returns: nil if the shares are equal; or the counts, if a share is unknown.
    init?(from before: Comparison.Measure, to after: Comparison.Measure, isSame: Bool) {
      let rates = before.rate.flatMap { before in after.rate.map { (before, $0) } }
      let (before, after) = rates ?? (Double(before.occurrences), Double(after.occurrences))
      guard before != after else { return nil }
      self =
        if before == 0 {
          .new
        } else if after == 0 {
          .gone
        } else if isSame {
          .same
        } else {
          before < after ? .grown : .shrunk
        }
    }
  }
}
