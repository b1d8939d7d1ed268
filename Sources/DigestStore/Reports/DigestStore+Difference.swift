/// A novel value that occurs more or less often in one set of digests than in another.
public struct NovelValueChange: Sendable, Hashable {
  /// What became of it.
  public let change: Change
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value, as text.
  public let novelValue: String
  /// The type of the raw value; nil only for what was imported without one.
  public let valueType: String?
  /// How many errors the first filter lets through.
  public let occurrencesBefore: Int
  /// How many errors the second filter lets through.
  public let occurrencesAfter: Int
}

/// A failure that occurs more or less often in one set of digests than in another.
public struct FailureChange: Sendable, Hashable {
  /// What became of it.
  public let change: Change
  /// The model, module-qualified, as in `App.Listing`.
  public let model: String
  /// The pattern of the coding path.
  public let codingPath: String
  /// The raw value of an `ErrorDigest.Kind`.
  public let kind: String
  /// The type that was expected; nil where the error does not say.
  public let expectedType: String?
  /// The raw value that is unknown, if that is what went wrong.
  public let novelValue: String?
  /// The type of the raw value.
  public let valueType: String?
  /// How many errors the first filter lets through.
  public let occurrencesBefore: Int
  /// How many errors the second filter lets through.
  public let occurrencesAfter: Int
}

extension DigestStore {
  /// Compares the novel values of two filters, such as two weeks or two releases.
  ///
  /// What occurs equally often is left out. The greatest difference comes first, then the order is
  /// that of model, coding path and value. Counts are compared as they are: give the filters windows
  /// of the same length, or read them as shares. What of a release is counted as `(other releases)`
  /// is not compared: ``limitsHit(matching:)`` with each of the filters tells of it.
  ///
  /// - Parameters:
  ///   - before: which errors are compared with.
  ///   - after: which errors are compared.
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
        codingPath: names.codingPath,
        novelValue: names.novelValue ?? "",
        valueType: names.valueType,
        occurrencesBefore: before,
        occurrencesAfter: after
      )
    }
  }

  /// Compares the failures of two filters, as ``novelValueChanges(from:to:limit:)`` does novel values.
  ///
  /// - Parameters:
  ///   - before: which errors are compared with.
  ///   - after: which errors are compared.
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
        codingPath: names.codingPath,
        kind: names.kind,
        expectedType: names.expectedType,
        novelValue: names.novelValue,
        valueType: names.valueType,
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
    // A cell whose occurrences are the difference: the greatest ones are looked for as usual.
    var differences = CountsByID(upTo: values.last)
    for failure in Set(old.cells.map(\.failure)).union(new.cells.map(\.failure)) {
      let difference = occurrences(new, of: failure) &- occurrences(old, of: failure)
      guard difference != 0 else { continue }
      var cell = Count.none(of: failure)
      cell.occurrences = Int64(clamping: difference.magnitude)
      cell.digests = 1
      differences.add(cell)
    }
    return try ranked(differences, limit: limit, by: precedes).compactMap { cell, names in
      let before = Int(clamping: occurrences(old, of: cell.failure))
      let after = Int(clamping: occurrences(new, of: cell.failure))
      return Change(before: before, after: after).map { ($0, names, before, after) }
    }
  }
}
