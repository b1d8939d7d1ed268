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

    /// - Parameter isSame: whether the factor between the two numbers, which differ, is too small to be
    ///   a change.
    init(from before: Double, to after: Double, isSame: Bool) {
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

/// The statement of a comparison of two filters.
struct Comparison {
  /// One side: its counts, and those among the counted decodes.
  private struct Side {
    let filter: DigestFilter
    let name: String
    let counts: Counts

    /// Nil if decodes were not counted.
    let rated: Counts?

    /// A query with the columns `model, decodes`.
    let decodes: String

    init(_ connection: any Engine, _ filter: DigestFilter, name: String) throws {
      self.filter = filter
      self.name = name
      counts = try Counts(connection, filter, in: connection.widened(filter.window), name: name)
      let models = filter.ofAllFailures
      let rates = try connection.decodeRates(models)
      rated = try rates.map { try Counts(connection, filter, in: $0.window, name: name) }
      decodes =
        try rates.map {
          """
          SELECT model, sum(decodes) AS decodes
          FROM (\(try Counts(connection, of: .decodes, models, in: $0.window, name: name).sql)) AS d GROUP BY 1
          """
        } ?? "SELECT 0 AS model, 0 AS decodes WHERE false"
    }

    /// The rows of this side, with zeros for the other one.
    func rows(_ columns: (_ occurrences: String, _ digests: String) -> String) -> [String] {
      ["SELECT failure, \(columns("occurrences", "0")) FROM (\(counts.sql)) AS c"]
        + (rated.map { ["SELECT failure, \(columns("0", "digests")) FROM (\($0.sql)) AS c"] } ?? [])
    }

    /// A number of `failure AS f`, or 0 where its occurrences do not count on this side.
    func counted(_ number: String) -> String {
      filter.kinds.isEmpty
        ? "CASE WHEN \(ErrorKinds.condition("f.kind")) THEN \(number) ELSE 0 END" : number
    }
  }

  private let before: Side
  private let after: Side

  /// The smallest factor by which a failure grows or shrinks, as SQL has it.
  private let minimumFactor: Double

  /// - Parameter minimumFactor: the smallest factor by which a failure grows or shrinks, from 1 to
  ///   a million.
  init(
    _ connection: any Engine, from before: DigestFilter, to after: DigestFilter,
    minimumFactor: Double
  ) throws {
    // Allows for rounding: in floating point, 0.1 * 3 is more than 0.3.
    self.minimumFactor =
      max(1, min(minimumFactor.isNaN ? 1 : minimumFactor, 1_000_000)) * (1 - 1e-12)
    self.before = try Side(connection, before, name: "before")
    self.after = try Side(connection, after, name: "after")
  }

  /// Shares are compared where both sides have decodes of the model, and the failure occurred where these were
  /// counted, otherwise the numbers of errors. A difference of shares counts as that many decodes of the second side.
  private func sql(_ limit: String) -> String {
    let sides =
      before.rows { "\($0) AS before, 0 AS after, \($1) AS digests_before, 0 AS digests_after" }
      + after.rows { "0, \($0), 0, \($1)" }
    return """
      WITH sums AS (
        SELECT failure, sum(before) AS before, sum(after) AS after,
          sum(digests_before) AS digests_before, sum(digests_after) AS digests_after
        FROM (\(sides.joined(separator: "\nUNION ALL\n"))) AS sides GROUP BY 1
      ),
      decodes_before AS (\(before.decodes)),
      decodes_after AS (\(after.decodes)),
      chosen AS (
        SELECT f.id AS id, m.name AS model,
          \(before.counted("s.before")) AS before, \(after.counted("s.after")) AS after,
          CASE WHEN s.digests_before > 0 OR s.before = 0 THEN
            \(before.counted("CAST(s.digests_before AS double precision)")) / CAST(nullif(b.decodes, 0) AS double precision)
            END AS rate_before,
          CASE WHEN s.digests_after > 0 OR s.after = 0 THEN
            \(after.counted("CAST(s.digests_after AS double precision)")) / CAST(nullif(a.decodes, 0) AS double precision)
            END AS rate_after,
          a.decodes AS decodes
        FROM sums AS s CROSS JOIN failure AS f ON f.id = s.failure
        CROSS JOIN model AS m ON m.id = f.model
        LEFT JOIN decodes_before AS b ON b.model = f.model
        LEFT JOIN decodes_after AS a ON a.model = f.model
      ),
      differing AS (
        SELECT id, model, before, after, rate_before, rate_after,
          abs(coalesce(
            (rate_after - rate_before) * decodes, CAST(after - before AS double precision)))
            AS difference,
          CASE WHEN rate_before IS NULL OR rate_after IS NULL
            THEN \(isSame("CAST(before AS double precision)", "CAST(after AS double precision)"))
            ELSE \(isSame("rate_before", "rate_after")) END AS is_same
        FROM chosen WHERE before > 0 OR after > 0
      )
      SELECT \(StoredFailure.columns), c.model, c.before, c.after, c.rate_before, c.rate_after, \
      c.is_same
      FROM differing AS c CROSS JOIN failure AS f ON f.id = c.id
      WHERE c.difference > 0
      ORDER BY c.is_same, c.difference DESC, c.model, \(StoredFailure.order)
      \(limit)
      """
  }

  /// Whether the factor between two numbers is too small: 1 or 0.
  private func isSame(_ before: String, _ after: String) -> String {
    """
    CASE WHEN \(before) > 0 AND \(after) > 0 AND \(before) < \(after) * \(minimumFactor)
      AND \(after) < \(before) * \(minimumFactor) THEN 1 ELSE 0 END
    """
  }

  func rows(_ connection: any Engine, limit: Int?) throws -> [DigestStore.FailureChange] {
    let values = before.counts.values.merging(after.counts.values) { first, _ in first }
      .merging(DigestFilter().values(limit: limit)) { first, _ in first }
    return try connection.rows(sql(DigestFilter.limit(limit)), values) { row in
      let failure = StoredFailure(row)
      let next = StoredFailure.columnCount
      let before = Int(clamping: row.count(at: next + 1))
      let after = Int(clamping: row.count(at: next + 2))
      let (rateBefore, rateAfter) = (row.real(at: next + 3), row.real(at: next + 4))
      let rates = rateBefore.flatMap { before in rateAfter.map { (before, $0) } }
      let (from, to) = rates ?? (Double(before), Double(after))
      return DigestStore.FailureChange(
        change: DigestStore.Change(from: from, to: to, isSame: row.integer(at: next + 5) == 1),
        model: row.text(at: next) ?? "",
        codingPath: failure.codingPath,
        kind: ErrorDigest.Kind(stored: failure.kind),
        expectedType: failure.expectedType,
        novelValue: failure.novelValue,
        valueType: failure.valueType,
        foundType: failure.foundType.flatMap(ErrorDigest.FoundValue.ValueType.init),
        occurrencesBefore: before,
        occurrencesAfter: after,
        rateBefore: rateBefore,
        rateAfter: rateAfter)
    }
  }
}
