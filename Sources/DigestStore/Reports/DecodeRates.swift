import ResilientDecoding

/// The decodes of each model in a window, and those that a filter matches.
struct DecodeRates {
  /// The counted window: whole hours, from the first hour with a counted decode on.
  let window: TimeWindow

  /// The number of decodes with and without errors.
  let decodes: [ModelPart: Int64]

  /// The number of decodes with a matching error.
  let digests: ModelDigests

  /// The share of a model's decodes with a matching error; nil if it is unknown.
  func rate(of part: ModelPart) -> Double? {
    guard let decodes = decodes[part], decodes > 0, let digests = digests[part] else {
      return nil
    }
    return Double(digests) / Double(decodes)
  }

  /// The sums over all models.
  var counts: DigestStore.DecodeCounts {
    DigestStore.DecodeCounts(
      decodes: Int(clamping: decodes.values.sum(of: { $0 })),
      digests: digests.sum.map { Int(clamping: $0) },
      since: window.since?.date, until: window.until?.date)
  }
}

/// The number of digests with a matching error, by their model.
struct ModelDigests {
  let counts: [ModelPart: Int64]

  /// The models whose number is unknown.
  var unknown: Set<ModelPart> = []

  /// The number of a model; nil if it is unknown.
  subscript(part: ModelPart) -> Int64? { unknown.contains(part) ? nil : counts[part] ?? 0 }

  /// The sum over all models; nil if the number of one is unknown.
  var sum: Int64? { unknown.isEmpty ? counts.values.sum(of: { $0 }) : nil }
}

/// The failures of a model in a window that match a filter.
private struct MatchingFailures {
  let part: ModelPart
  let count: Int64
  let areAll: Bool

  /// The sum of their digests.
  let digests: Int64

  /// Whether several of the model's failures match, and not all.
  var isPartial: Bool { count > 1 && !areAll }
}

/// The most digests that a report reads one by one. That takes some ten milliseconds.
private let maximumDigests: Int64 = 10_000

extension Engine {
  /// Counts the decodes of the models that a filter matches, and those with a matching error.
  ///
  /// - Returns: nil if the store did not count clean decodes then.
  func decodeRates(
    _ filter: DigestFilter, by parts: ModelParts = .none
  ) throws -> DecodeRates? {
    guard let window = try decodeWindow(filter) else { return nil }
    let rows = DecodeRows(self, filter, in: window, by: parts.splits)
    return try DecodeRates(
      window: window,
      decodes: sumsByModel(
        "SELECT model, context, decodes AS count FROM (\(try rows.sql())) AS r", filter, by: parts),
      digests: digestsByModel(filter, in: window, by: parts))
  }

  /// The window of a filter, in whole hours, without a time before the first clean decode that has
  /// digests: how many decodes there were besides them is unknown.
  ///
  /// - Returns: nil if there are none.
  func decodeWindow(_ filter: DigestFilter) throws -> TimeWindow? {
    guard let start = try firstDecode() else { return nil }
    let window = try widened(filter.window.inWholeHours)
    guard !window.isEmpty, window.range.lowerBound < start else {
      return window.isEmpty ? nil : window
    }
    let earlier = TimeWindow(since: window.since, until: min(window.range.upperBound, start))
    let rows = DecodeRows(self, DigestFilter(), in: earlier)
    // Failed decodes of deleted days belong to a window of all time.
    let undated =
      window.since == nil && window.until == nil
      ? "UNION ALL SELECT failed FROM decodes WHERE span = 24 AND context = 0 AND start = -1" : ""
    let digests = try self.rows(
      "SELECT coalesce(sum(failed), 0) FROM (SELECT failed FROM (\(try rows.sql())) AS r \(undated)) AS f"
    ) { $0.count(at: 0) }
    guard digests != [0] || window.range.upperBound <= start else { return window }
    let rest = TimeWindow(since: start, until: window.until)
    return rest.isEmpty ? nil : rest
  }

  /// The start of the first hour with a decode without errors; 1970 if its day was deleted.
  private func firstDecode() throws -> Moment? {
    // A crafted file may have any start.
    let last = Moment.latest.hour
    func first(_ span: Int64, in starts: ClosedRange<Int64>) throws -> Moment? {
      try firstRow(
        """
        SELECT min(start) FROM decodes
        WHERE context = 0 AND decodes > digests AND span = \(span)
          AND start BETWEEN \(starts.lowerBound) AND \(starts.upperBound)
        """
      ) { $0.optionalMoment(at: 0, inPeriodsOf: span * Moment.hour) } ?? nil
    }
    guard let day = try first(24, in: -1...last / 24) else { return try first(1, in: 0...last) }
    return try first(1, in: day.hour...day.hour + 23) ?? day
  }

  /// Counts the digests with a matching error by their model.
  ///
  /// A filter for paths, values or several kinds may match several failures of a model, and not
  /// all. Then digests are counted one by one, if there are few and all are still in the file.
  func digestsByModel(
    _ filter: DigestFilter, in window: TimeWindow, by parts: ModelParts = .none
  ) throws -> ModelDigests {
    let rows = DecodeRows(self, filter, in: window, by: parts.splits)
    let failed = "SELECT model, context, failed AS count FROM (\(try rows.sql())) AS r"
    if !filter.choosesFailures {
      return try ModelDigests(counts: sumsByModel(failed, filter, by: parts))
    }
    if filter.codingPaths.isEmpty, filter.novelValues.isEmpty, filter.kinds.count == 1 {
      return try ModelDigests(
        counts: sumsByModel(
          """
          SELECT f.model AS model, f.context AS context, f.digests AS count
          FROM (\(try rows.sqlByKind())) AS f WHERE f.kind = :kind
          """, filter, by: parts))
    }
    let matches = try matchingFailures(filter, in: window, by: parts)
    if matches.contains(where: \.isPartial),
      let counts = try readDigests(filter, in: window, by: parts)
    {
      return ModelDigests(counts: counts)
    }
    let all = try matches.contains(where: \.areAll) ? sumsByModel(failed, filter, by: parts) : [:]
    return ModelDigests(
      counts: Dictionary(
        matches.map { ($0.part, $0.areAll ? all[$0.part] ?? 0 : $0.digests) }
      ) { first, _ in first },
      unknown: Set(matches.filter(\.isPartial).map(\.part)))
  }

  private func matchingFailures(
    _ filter: DigestFilter, in window: TimeWindow, by parts: ModelParts
  ) throws -> [MatchingFailures] {
    var others = filter.ofAllModels
    others.models = filter.models
    // With such a kind, digests without an error match, too.
    let hasOthers = filter.kinds.contains(where: ErrorKinds.others.contains)
    let counts = try Counts(self, others, in: window, by: parts.splits)
    return try rows(
      """
      WITH counts AS MATERIALIZED (
        SELECT c.failure AS failure, \(parts.name) AS part, sum(c.digests) AS digests
        FROM (\(counts.sql)) AS c \(parts.join("c")) GROUP BY 1, 2
      )
      SELECT model, part, sum(matches),
        sum(CASE WHEN matches = 0 AND is_error = 1 THEN 1 ELSE 0 END), sum(matches * digests)
      FROM (
        SELECT f.model AS model, c.part AS part, c.digests AS digests,
          CASE WHEN \(filter.errorCondition()) THEN 1 ELSE 0 END AS matches,
          CASE WHEN \(ErrorKinds.condition("f.kind")) THEN 1 ELSE 0 END AS is_error
        FROM counts AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
        WHERE \(filter.modelCondition())
      ) AS failures
      GROUP BY 1, 2 HAVING sum(matches) > 0
      """, filter.values()
    ) {
      MatchingFailures(
        part: ModelPart($0), count: $0.count(at: 2),
        areAll: $0.count(at: 3) == 0 && !hasOthers, digests: $0.count(at: 4))
    }
  }

  /// Counts the digests with a matching error one by one.
  ///
  /// - Returns: nil if they are too many, or some were deleted.
  private func readDigests(
    _ filter: DigestFilter, in window: TimeWindow, by parts: ModelParts
  ) throws -> [ModelPart: Int64]? {
    let rows = DecodeRows(self, filter, in: window)
    let digests =
      "\(SingleDigests.times(window.range)) AND \(filter.contextsOfDigests("d.context"))"
    let counted =
      try self.rows("SELECT coalesce(sum(digests), 0) FROM (\(try rows.sql())) AS r", rows.values) {
        $0.count(at: 0)
      }.first ?? 0
    guard counted <= maximumDigests,
      try self.rows(
        "SELECT count(*) FROM digest AS d WHERE \(digests)", rows.values,
        {
          $0.count(at: 0)
        }
      ).first == counted
    else { return nil }
    return try sumsByModel(
      """
      SELECT f.model AS model, o.context AS context, count(DISTINCT o.id) AS count
      FROM (\(occurrences(where: digests))) AS o
      CROSS JOIN failure AS f ON f.id = o.failure CROSS JOIN model AS m ON m.id = f.model
      WHERE \(filter.errorCondition())
      GROUP BY 1, 2
      """, filter, by: parts)
  }

  /// Adds up the column `count` of a query by its columns `model` and `context`, for the models of a
  /// filter.
  private func sumsByModel(
    _ query: String, _ filter: DigestFilter, by parts: ModelParts
  ) throws -> [ModelPart: Int64] {
    var values = filter.values()
    values[":kind"] = SQLValue(filter.kinds.first?.rawValue)
    let sums = try rows(
      """
      SELECT q.model, \(parts.name), sum(q.count)
      FROM (\(query)) AS q CROSS JOIN model AS m ON m.id = q.model \(parts.join("q"))
      WHERE \(filter.modelCondition()) GROUP BY 1, 2
      """, values
    ) { (ModelPart($0), $0.count(at: 2)) }
    return Dictionary(sums) { first, _ in first }
  }
}
