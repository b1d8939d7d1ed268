public import ResilientDecoding

extension DigestStore {
  /// A novel value that occurs more or less often in one set of digests than in another.
  public struct NovelValueChange: Sendable, Hashable, Codable {
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
    /// The share of the model's decodes, from 0 to 1, with such an error, as of the first filter;
    /// nil if decodes were not counted.
    public let rateBefore: Double?
    /// The same as of the second filter.
    public let rateAfter: Double?

    /// Creates a value, for example for a test or a preview.
    public init(
      change: Change, model: String, codingPath: String, novelValue: String,
      valueType: String? = nil, occurrencesBefore: Int, occurrencesAfter: Int,
      rateBefore: Double? = nil, rateAfter: Double? = nil
    ) {
      self.change = change
      self.model = model
      self.codingPath = codingPath
      self.novelValue = novelValue
      self.valueType = valueType
      self.occurrencesBefore = occurrencesBefore
      self.occurrencesAfter = occurrencesAfter
      self.rateBefore = rateBefore
      self.rateAfter = rateAfter
    }
  }
}

extension DigestStore {
  /// A failure that occurs more or less often in one set of digests than in another.
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
    /// The type of the raw value.
    public let valueType: String?
    /// The number of errors that match the first filter.
    public let occurrencesBefore: Int
    /// The number of errors that match the second filter.
    public let occurrencesAfter: Int
    /// The share of the model's decodes, from 0 to 1, with such an error, as of the first filter;
    /// nil if decodes were not counted.
    public let rateBefore: Double?
    /// The same as of the second filter.
    public let rateAfter: Double?

    /// Creates a value, for example for a test or a preview.
    public init(
      change: Change, model: String, codingPath: String, kind: ErrorDigest.Kind,
      expectedType: String? = nil, novelValue: String? = nil, valueType: String? = nil,
      occurrencesBefore: Int, occurrencesAfter: Int, rateBefore: Double? = nil,
      rateAfter: Double? = nil
    ) {
      self.change = change
      self.model = model
      self.codingPath = codingPath
      self.kind = kind
      self.expectedType = expectedType
      self.novelValue = novelValue
      self.valueType = valueType
      self.occurrencesBefore = occurrencesBefore
      self.occurrencesAfter = occurrencesAfter
      self.rateBefore = rateBefore
      self.rateAfter = rateAfter
    }
  }
}

extension DigestReader {
  /// Compares the novel values of two filters, such as two weeks or two releases.
  ///
  /// If a model's decodes were counted on both sides, compares the shares of decodes with the
  /// value. Otherwise compares the counts of errors, which are larger if more was decoded. Omits
  /// values that are equally frequent. Sorts by the difference, largest first, then by model,
  /// coding path and value; a difference of shares counts as that many decodes of the second side.
  /// Errors of a release that are counted as `(other releases)` are not compared; call
  /// ``reachedLimits(matching:)`` with each filter to find them.
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
  ) throws -> [DigestStore.NovelValueChange] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selectingChanges(
        ofNovelValues: true, from: before, to: after, limit: limit)
      return try snapshot.changes(
        from: snapshot.side(before, ofNovelValues: true),
        to: snapshot.side(after, ofNovelValues: true),
        limit: limit, by: FailureDescription.novelValuesPrecede)
    }.map { change, names, before, after in
      DigestStore.NovelValueChange(
        change: change,
        model: names.model,
        codingPath: names.failure.codingPath,
        novelValue: names.failure.novelValue ?? "",
        valueType: names.failure.valueType,
        occurrencesBefore: before.occurrences,
        occurrencesAfter: after.occurrences,
        rateBefore: before.rate,
        rateAfter: after.rate
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
  ) throws -> [DigestStore.FailureChange] {
    try snapshot { snapshot in
      let snapshot = try snapshot.selectingChanges(from: before, to: after, limit: limit)
      return try snapshot.changes(
        from: snapshot.side(before), to: snapshot.side(after), limit: limit,
        by: FailureDescription.failuresPrecede)
    }.map { change, names, before, after in
      DigestStore.FailureChange(
        change: change,
        model: names.model,
        codingPath: names.failure.codingPath,
        kind: ErrorDigest.Kind(stored: names.failure.kind),
        expectedType: names.failure.expectedType,
        novelValue: names.failure.novelValue,
        valueType: names.failure.valueType,
        occurrencesBefore: before.occurrences,
        occurrencesAfter: after.occurrences,
        rateBefore: before.rate,
        rateAfter: after.rate
      )
    }
  }
}

/// One side of a comparison.
private struct Side {
  /// The errors that match the filter.
  let sums: CountsByID

  /// The digests with such errors, among the counted decodes; and the decodes of each model. Nil if
  /// decodes were not counted.
  let rated: (sums: CountsByID, decodes: [Int64: Int64])?

  /// The number of decodes of a model; nil if there are none, or if they were not counted.
  func decodes(ofModel model: Int64) -> Int64? {
    rated?.decodes[model].flatMap { $0 > 0 ? $0 : nil }
  }

  func ratedDigests(_ failure: Int64) -> Int64 { rated?.sums[failure]?.digests ?? 0 }

  func measure(_ failure: Int64, ofModel model: Int64) -> Measure {
    Measure(
      occurrences: Int(clamping: sums[failure]?.occurrences ?? 0),
      rate: decodes(ofModel: model).map { Double(ratedDigests(failure)) / Double($0) })
  }

  /// How often a failure occurs.
  struct Measure {
    let occurrences: Int
    let rate: Double?
  }
}

extension Snapshot {
  fileprivate typealias Row = (
    change: DigestStore.Change, names: FailureDescription, before: Side.Measure, after: Side.Measure
  )

  fileprivate func side(_ filter: DigestFilter, ofNovelValues isOfValues: Bool = false) throws
    -> Side
  {
    func sums(_ filter: DigestFilter, countsDigests: Bool) throws -> CountsByID {
      let sums = try self.sums(filter)
      return isOfValues ? sums.ofNovelValues(values, countsDigests: countsDigests) : sums
    }
    let all = try sums(filter, countsDigests: false)
    guard let rates = try rates(filter, ofNovelValues: isOfValues)
    else { return Side(sums: all, rated: nil) }
    return Side(
      sums: all,
      rated: (try sums(filter.limited(to: rates.window), countsDigests: true), rates.decodes))
  }

  private func rates(_ filter: DigestFilter, ofNovelValues isOfValues: Bool) throws -> ModelRates? {
    // The digests of a value are not the sums of those of some of its kinds.
    !isOfValues || filter.kinds.isEmpty ? try modelRates(filter.ofModelsOnly) : nil
  }

  /// Returns a snapshot of the failures that a comparison needs.
  fileprivate func selectingChanges(
    ofNovelValues isOfValues: Bool = false, from before: DigestFilter, to after: DigestFilter,
    limit: Int?
  ) throws -> Snapshot {
    guard let server else { return self }
    func ratedSide(_ filter: DigestFilter) throws -> FailureQuery.Rates.Side? {
      try rates(filter, ofNovelValues: isOfValues).map {
        FailureQuery.Rates.Side(scope: try scope(filter, in: $0.window), decodes: $0.decodes)
      }
    }
    var shares: FailureQuery.Rates?
    if let earlier = try ratedSide(before), let later = try ratedSide(after) {
      shares = FailureQuery.Rates(earlier: earlier, later: later)
    }
    var query = FailureQuery(
      grouping: isOfValues ? .novelValue : .failure, scope: try scope(after))
    query.limit = limit.flatMap { $0 < 0 ? nil : $0 }
    query.change = FailureQuery.Change(earlier: try scope(before), rates: shares)
    return try selecting(query, from: server)
  }

  fileprivate func changes(
    from old: Side,
    to new: Side,
    limit: Int?,
    by precedes: (FailureDescription, FailureDescription) -> Bool
  ) throws -> [Row] {
    let models = try modelsOfFailures(isNeeded: old.rated != nil && new.rated != nil)
    // Stores each difference as a count, so that the usual ranking finds the largest ones.
    var differences = CountsByID(upTo: values.last)
    for failure in Set(old.sums.counts.map(\.id)).union(new.sums.counts.map(\.id)) {
      let model = models[failure] ?? 0
      var count = Count.none(of: failure)
      count.occurrences = FailureQuery.Change.weight(
        occurrences: (
          old.sums[failure]?.occurrences ?? 0, new.sums[failure]?.occurrences ?? 0
        ),
        digests: (old.ratedDigests(failure), new.ratedDigests(failure)),
        decodes: old.decodes(ofModel: model).flatMap { before in
          new.decodes(ofModel: model).map { (before, $0) }
        })
      guard count.occurrences > 0 else { continue }
      count.digests = 1
      differences.add(count)
    }
    return try ranked(differences, limit: limit, by: precedes).compactMap { count, names in
      let before = old.measure(count.id, ofModel: names.modelID)
      let after = new.measure(count.id, ofModel: names.modelID)
      return DigestStore.Change(from: before, to: after).map { ($0, names, before, after) }
    }
  }

  /// The ids of the models by the ids of their failures.
  private func modelsOfFailures(isNeeded: Bool) throws -> [Int64: Int64] {
    guard isNeeded else { return [:] }
    let rows = try connection.rows("SELECT id, model_id FROM failure") {
      ($0.integer(at: 0), $0.integer(at: 1))
    }
    return Dictionary(rows) { first, _ in first }
  }
}

extension DigestStore {
  /// How a novel value or a failure changed between two sets of digests.
  public enum Change: String, Sendable, Hashable, CaseIterable, Codable {
    /// Occurs only in the second set.
    case new
    /// Occurs only in the first set.
    case gone
    /// Occurs more often in the second set.
    case grown
    /// Occurs in the second set, but less often.
    case shrunk

    /// - Returns: nil if the shares are equal; or the counts, if a share is unknown.
    fileprivate init?(from before: Side.Measure, to after: Side.Measure) {
      func change<Number: BinaryFloatingPoint>(_ before: Number, _ after: Number) -> Self? {
        guard before != after else { return nil }
        return before == 0 ? .new : after == 0 ? .gone : before < after ? .grown : .shrunk
      }
      let rates = before.rate.flatMap { before in after.rate.map { (before, $0) } }
      let change =
        rates.map { change($0, $1) }
        ?? change(Double(before.occurrences), Double(after.occurrences))
      guard let change else { return nil }
      self = change
    }
  }
}
