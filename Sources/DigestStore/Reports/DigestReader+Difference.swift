/// A novel value that occurs more or less often in one set of digests than in another.
public struct NovelValueChange: Sendable, Hashable {
  /// How it changed.
  public let change: Change
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value, as text.
  public let novelValue: String
  /// The type of the raw value; nil only for imported values without a type.
  public let valueType: String?
  /// The number of errors that match the first filter.
  public let occurrencesBefore: Int
  /// The number of errors that match the second filter.
  public let occurrencesAfter: Int
}

/// A failure that occurs more or less often in one set of digests than in another.
public struct FailureChange: Sendable, Hashable {
  /// How it changed.
  public let change: Change
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value of an `ErrorDigest.Kind`.
  public let kind: String
  /// The expected type; nil if the error has none.
  public let expectedType: String?
  /// The unknown raw value, if the failure is a novel value.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// The number of errors that match the first filter.
  public let occurrencesBefore: Int
  /// The number of errors that match the second filter.
  public let occurrencesAfter: Int
}

extension DigestReader {
  /// Compares the novel values of two filters, such as two weeks or two releases.
  ///
  /// Omits values that occur equally often. Sorts by the difference, largest first, then by model,
  /// coding path and value. Counts are not normalized: use windows of the same length, or read the
  /// counts as shares. Errors of a release that are counted as `(other releases)` are not compared;
  /// call ``limitsHit(matching:)`` with each filter to find them.
  ///
  /// - Parameters:
  ///   - before: the errors to compare with.
  ///   - after: the errors to compare.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func novelValueChanges(
    from before: DigestFilter,
    to after: DigestFilter,
    limit: Int? = nil
  ) throws -> [NovelValueChange] {
    try snapshot { snapshot in
      try snapshot.changes(
        from: snapshot.sums(before).ofNovelValues(snapshot.values, countsDigests: false),
        to: snapshot.sums(after).ofNovelValues(snapshot.values, countsDigests: false),
        limit: limit, by: FailureDescription.novelValuesPrecede)
    }.map { change, names, before, after in
      NovelValueChange(
        change: change,
        model: names.model,
        codingPath: names.failure.codingPath,
        novelValue: names.failure.novelValue ?? "",
        valueType: names.failure.valueType,
        occurrencesBefore: before,
        occurrencesAfter: after
      )
    }
  }

  /// Compares the failures of two filters, as ``novelValueChanges(from:to:limit:)`` does novel
  /// values.
  ///
  /// - Parameters:
  ///   - before: the errors to compare with.
  ///   - after: the errors to compare.
  ///   - limit: the most rows to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func failureChanges(
    from before: DigestFilter,
    to after: DigestFilter,
    limit: Int? = nil
  ) throws -> [FailureChange] {
    try snapshot { snapshot in
      try snapshot.changes(
        from: snapshot.sums(before), to: snapshot.sums(after), limit: limit,
        by: FailureDescription.failuresPrecede)
    }.map { change, names, before, after in
      FailureChange(
        change: change,
        model: names.model,
        codingPath: names.failure.codingPath,
        kind: names.failure.kind,
        expectedType: names.failure.expectedType,
        novelValue: names.failure.novelValue,
        valueType: names.failure.valueType,
        occurrencesBefore: before,
        occurrencesAfter: after
      )
    }
  }
}

extension Snapshot {
  fileprivate typealias Row = (change: Change, names: FailureDescription, before: Int, after: Int)

  fileprivate func changes(
    from old: CountsByID,
    to new: CountsByID,
    limit: Int?,
    by precedes: (FailureDescription, FailureDescription) -> Bool
  ) throws -> [Row] {
    func occurrences(_ sums: CountsByID, of failure: Int64) -> Int64 {
      sums[failure]?.occurrences ?? 0
    }
    // Stores each difference as a count, so that the usual ranking finds the largest ones.
    var differences = CountsByID(upTo: values.last)
    for failure in Set(old.counts.map(\.id)).union(new.counts.map(\.id)) {
      let difference = occurrences(new, of: failure) &- occurrences(old, of: failure)
      guard difference != 0 else { continue }
      var count = Count.none(of: failure)
      count.occurrences = Int64(clamping: difference.magnitude)
      count.digests = 1
      differences.add(count)
    }
    return try ranked(differences, limit: limit, by: precedes).compactMap { count, names in
      let before = Int(clamping: occurrences(old, of: count.id))
      let after = Int(clamping: occurrences(new, of: count.id))
      return Change(before: before, after: after).map { ($0, names, before, after) }
    }
  }
}

/// How a novel value or a failure changed between two sets of digests.
public enum Change: String, Sendable, Hashable, CaseIterable {
  /// Occurs only in the second set.
  case new
  /// Occurs only in the first set.
  case gone
  /// Occurs more often in the second set.
  case grown
  /// Occurs in the second set, but less often.
  case shrunk

  /// - Returns: nil if the counts are equal.
  init?(before: Int, after: Int) {
    guard before != after else { return nil }
    self = before == 0 ? .new : after == 0 ? .gone : before < after ? .grown : .shrunk
  }
}
