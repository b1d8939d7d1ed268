import DigestStore
import ResilientPlatform

extension ClickHouseCounts {
  func selection(_ query: FailureQuery) throws -> FailureSelection {
    let ids = try mostFrequent(query)
    let named = query.grouping.named
    let failures =
      query.limit == nil && query.grouping.isByShard && ids.count > Self.manyIDs
      ? try names(
        "WHERE \(named) GLOBAL IN (SELECT named FROM (\(statement(of: query, groups(of: query)))))")
      : try names(whose: named, in: ids)
    var numbers: [FleetID: Int64] = [:]
    var firstOfValue: [FleetID: Int64] = [:]
    let counted = zip(Int64(1)..., failures).map { number, named in
      numbers[query.grouping.id(named.ids)] = number
      let value = named.ids.value
      let first = value == .none ? nil : firstOfValue[value] ?? number
      if let first { firstOfValue[value] = first }
      return CountCatalog.CountedFailure(
        model: named.model, failure: named.failure, value: first)
    }
    var counts = self
    counts.selection = ClickHouseSelection(query, numbers, conditions)
    return FailureSelection(
      failures: counted, counts: counts,
      all: query.countsAllGroups ? try all(of: query) : nil)
  }

  /// How to read the groups of a query.
  private enum Reading {
    /// Only the latest rows, with exact numbers.
    case exact

    /// Also replaced rows. They change no group and no time, only numbers, which are upper bounds.
    case bounds

    /// The same, with groups by the first half of what names them, which is faster. Where two groups become
    /// one, it has an upper bound of both.
    case boundsByHash
  }

  /// The statement that returns a row for each group of a query: what names it, how often it occurs, or how
  /// much it has changed, and when.
  ///
  /// - Parameter hasMoments: whether to return the times of groups that may have been known.
  private func statement(
    of query: FailureQuery, _ reading: Reading, hasMoments: Bool = false
  ) -> String {
    let grouping = query.grouping
    let (named, groups) =
      switch (reading, query.counted) {
      case (.boundsByHash, _): ("reinterpretAsUInt64(\(grouping.named))", "named")
      case (_, .kinds): ("any(place)", "id")
      default:
        (
          grouping.column == grouping.named ? grouping.named : "any(\(grouping.named))",
          grouping.columns
        )
      }
    let isSelected = isSelected(query.counted, query.scope)
    let table = reading == .exact ? conditions.counts : conditions.countsWithReplaced
    let rows = "\(table) AND \(grouping.condition)"
    if let change = query.change {
      return statement(of: change, "\(named) AS named", isSelected, rows, grouping)
    }
    guard let known = query.known else {
      return """
        SELECT \(named) AS named, sum(occurrences) AS number
          \(hasMoments ? ", min(first_seen) AS first, max(last_seen) AS last" : "")
        FROM \(rows) AND \(isSelected) GROUP BY \(groups) HAVING number > 0
        """
    }
    let isKnown = conditions.isKnown(known)
    return """
      SELECT \(named) AS named, sumIf(occurrences, (\(isSelected)) AS is_selected) AS number,
        max((\(isKnown)) AS is_known) AS was_known, toInt64(0) AS first, toInt64(0) AS last
      FROM \(rows) AND (is_selected OR is_known)
      GROUP BY \(groups) HAVING number > 0 AND was_known = 0
      """
  }

  /// How to read all groups of a query. A comparison needs the numbers, as it leaves out what has not changed.
  private func groups(of query: FailureQuery) -> Reading {
    query.change == nil ? .bounds : .exact
  }

  private func isSelected(
    _ counted: ClickHouseSchema.Counted, _ scope: CountScope
  ) -> String {
    "(\(conditions.isCounted(counted, scope)) AND \(conditions.isMatching(scope.filter)))"
  }

  /// - Parameters:
  ///   - named: the column that names a group.
  ///   - isLater: whether a row is of the later side.
  ///   - rows: the rows to count.
  private func statement(
    of change: FailureQuery.Change, _ named: String, _ isLater: String, _ rows: String,
    _ grouping: FailureQuery.Grouping
  ) -> String {
    let isEarlier = isSelected(.failures, change.earlier)
    var sides = ["is_earlier", "is_later"]
    var sums = """
      sumIf(occurrences, (\(isEarlier)) AS is_earlier) AS earlier,
        sumIf(occurrences, (\(isLater)) AS is_later) AS later
      """
    var decodes = ""
    var difference = "toFloat64(later) - toFloat64(earlier)"
    if let rates = change.rates {
      // A digest with several failures of one value counts once for the value.
      let digests =
        grouping == .novelValue ? "digests - least(digests, shared_digests)" : "digests"
      let rated = [rates.earlier, rates.later].map { isSelected(.failures, $0.scope) }
      sides += ["is_rated_earlier", "is_rated_later"]
      sums += """
        , sumIf(\(digests), (\(rated[0])) AS is_rated_earlier) AS earlier_digests,
        sumIf(\(digests), (\(rated[1])) AS is_rated_later) AS later_digests, any(model) AS of_model
        """
      let decoded = [rates.earlier, rates.later].map { conditions.isCounted($0.scope) }
      decodes = """
        AS counted ANY LEFT JOIN (
          SELECT id AS of_model, sumIf(digests, \(decoded[0])) AS earlier_decodes,
            sumIf(digests, \(decoded[1])) AS later_decodes
          FROM \(conditions.counts) AND counted IN (1, 2)
            AND (\(decoded.joined(separator: " OR "))) GROUP BY id) AS decoded USING of_model
        """
      // The same operations as in the report, so that both agree on the order.
      difference = """
        if(ifNull(earlier_decodes, 0) > 0 AND ifNull(later_decodes, 0) > 0,
          (later_digests / ifNull(later_decodes, 0) - earlier_digests / ifNull(earlier_decodes, 0))
            * ifNull(later_decodes, 0), \(difference))
        """
    }
    return """
      SELECT named, toUInt64(least(greatest(1., abs(difference) * 1000), 9007199254740992.)) AS number,
        toInt64(0) AS first, toInt64(0) AS last
      FROM (SELECT named, \(difference) AS difference FROM (
        SELECT \(named), \(sums) FROM \(rows) AND (\(sides.joined(separator: " OR ")))
        GROUP BY \(grouping.columns)) \(decodes))
      WHERE difference != 0
      """
  }

  /// Returns what names the most frequent groups: as many as the query allows, and some more that are as
  /// frequent as the last of them, or nearly.
  private func mostFrequent(_ query: FailureQuery) throws -> [FleetID] {
    guard let limit = query.limit, limit < Int32.max else {
      return try rows(
        "SELECT named FROM (\(statement(of: query, groups(of: query))))",
        isByShard: query.grouping.isByShard
      ) { try $0.id() }
    }
    guard limit > 0 else { return [] }
    if query.change == nil, query.grouping.isByShard,
      let most = try mostFrequentByBounds(query, limit)
    {
      return most
    }
    let most = try first(limit + Self.more, query, .exact) { try $0.id() }
    guard most.count > limit else { return most.map(\.name) }
    let least = most[limit - 1].number
    guard most.count == limit + Self.more, most.last?.number == least else {
      return most.filter { $0.number >= least }.map(\.name)
    }
    // The server has still more that are as frequent, and sorts them by name.
    let others = most.filter { $0.number > least }.map(\.name)
    return others + (try sorted(query, number: least, limit: limit - others.count))
  }

  /// Selects by the upper bounds of the numbers, and by the exact ones of the groups with the highest bounds.
  ///
  /// - Returns: nil if other groups may be as frequent.
  private func mostFrequentByBounds(_ query: FailureQuery, _ limit: Int) throws -> [FleetID]? {
    guard limit + Self.more <= ClickHouseSelection.fewIDs else { return nil }
    let named = query.grouping.named
    let bounds: [(name: String, number: UInt64)]
    let isFirst: String
    if query.known == nil {
      bounds = try first(limit + Self.more, query, .boundsByHash) {
        String(try $0.integer(UInt64.self))
      }
      isFirst = "reinterpretAsUInt64(\(named))"
    } else {
      // A new group must not become one with a known one.
      bounds = try first(limit + Self.more, query, .bounds) { try $0.id().sql }
      isFirst = named
    }
    guard !bounds.isEmpty else { return [] }
    let counts = conditions.fewCounts(
      "\(isFirst) IN (\(bounds.map(\.name).joined(separator: ", ")))",
      where: isSelected(query.counted, query.scope), with: named == "id" ? [] : [named],
      onlyOccurrences: true)
    let most = try rows(
      """
      SELECT \(named), toUInt64(sum(errors)) AS number FROM \(counts)
      GROUP BY \(named) ORDER BY number DESC
      """
    ) { (id: try $0.id(), number: try $0.integer(UInt64.self)) }
    guard bounds.count == limit + Self.more, let bound = bounds.last?.number else {
      return most.map(\.id)
    }
    guard most.count >= limit, most[limit - 1].number > bound else { return nil }
    return most.filter { $0.number >= most[limit - 1].number }.map(\.id)
  }

  /// Returns what names the first groups, and how often they occur.
  private func first<Name>(
    _ count: Int, _ query: FailureQuery, _ reading: Reading,
    _ name: (inout RowBinaryReader) throws -> Name
  ) throws -> [(name: Name, number: UInt64)] {
    try rows(
      """
      SELECT named, toUInt64(number) FROM (
        \(statement(of: query, reading)) ORDER BY number DESC LIMIT \(count))
      ORDER BY number DESC LIMIT \(count)
      """, isByShard: query.grouping.isByShard
    ) { (name: try name(&$0), number: try $0.integer(UInt64.self)) }
  }

  /// Returns what names the first of equally frequent groups, sorted by name.
  private func sorted(_ query: FailureQuery, number: UInt64, limit: Int) throws -> [FleetID] {
    let named = query.grouping.named
    return try rows(
      """
      SELECT named FROM (
        SELECT \(named) AS named, model, coding_path, kind, expected_type, novel_value, value_type
        FROM \(ClickHouseSchema.failure.latest(in: conditions.database))
        AND \(named) GLOBAL IN (
          SELECT named FROM (\(statement(of: query, .exact))) WHERE number = \(number))
      ) AS equal ANY LEFT JOIN (
        SELECT id AS model, name FROM \(conditions.database).model) AS names USING model
      ORDER BY name, \(query.grouping.order) LIMIT 1 BY named LIMIT \(limit)
      """
    ) { try $0.id() }
  }

  /// How many equally frequent groups more than needed are read, so that the server seldom has to sort them.
  private static let more = 200

  private func all(of query: FailureQuery) throws -> FailureSelection.Groups {
    let all = try rows(
      """
      SELECT count(), min(first), max(last) FROM (
        \(statement(of: query, groups(of: query), hasMoments: true)))
      """, isByShard: query.grouping.isByShard
    ) {
      (
        count: try $0.integer(UInt64.self), first: Date.clamped(milliseconds: try $0.integer()),
        last: Date.clamped(milliseconds: try $0.integer())
      )
    }.first
    guard let all, all.count > 0, query.known == nil else {
      return .init(count: all.map { Int(clamping: $0.count) } ?? 0, moments: nil)
    }
    return .init(count: Int(clamping: all.count), moments: all.first...max(all.first, all.last))
  }
}

extension ClickHouseCounts {
  private struct NamedFailure {
    let ids: NumberedIDs.IDs

    /// The number of the model.
    let model: Int64
    let failure: Failure
  }

  /// Reads the names of failures, whose models must have counts.
  ///
  /// - Parameters:
  ///   - column: a column with the ids of failures, or of their novel values.
  ///   - ids: the ids.
  private func names(whose column: String, in ids: [FleetID]) throws -> [NamedFailure] {
    var failures: [NamedFailure] = []
    var rest = ids[...]
    while !rest.isEmpty {
      let some = rest.prefix(ClickHouseSelection.fewIDs)
      rest = rest.dropFirst(some.count)
      failures += try names("PREWHERE \(column) IN (\(some.sql))")
    }
    return failures
  }

  /// More ids than this are selected again in place of naming them in many statements.
  private static let manyIDs = 10_000

  /// - Parameter condition: a condition on the table `failure`, with its keyword.
  private func names(_ condition: String) throws -> [NamedFailure] {
    var failures: [NamedFailure] = []
    try forEachRow(
      """
      SELECT id, model, coding_path, kind, expected_type, novel_value, value_type, found_type,
        found_value
      FROM \(conditions.database).failure \(condition)
      ORDER BY version DESC LIMIT 1 BY id
      """
    ) { row in
      let (id, model) = (try row.id(), try row.id())
      let failure = Failure(
        codingPath: try row.text(), kind: try row.text(), expectedType: try row.optionalText(),
        novelValue: try row.optionalText(), valueType: try row.optionalText(),
        foundType: try row.optionalText(), foundValue: try row.optionalText())
      guard let number = models[model] else { return }
      let ids = NumberedIDs.IDs(of: failure, inModel: modelNames[Int(number) - 1])
      // Anyone who may insert could write a name under the id of another one.
      guard ids.id == id else { return }
      failures.append(NamedFailure(ids: ids, model: number, failure: failure))
    }
    return failures
  }

  func modelTotals(_ scope: CountScope) throws -> [ModelTotal] {
    let isMatching = conditions.hasNames(scope.filter)
    let hasModel = conditions.hasModel(scope.filter)
    // Without a filter for failures, the counts of models are the sums, and much fewer.
    let sums =
      scope.filter.choosesFailures
      ? nil : try sums(ofModels: "\(conditions.isCounted(.models, scope)) AND \(hasModel)")
    let table = sums == nil ? conditions.counts : conditions.countsWithReplaced
    // Half of the ids tells failures apart in half of the time.
    return try rows(
      """
      SELECT model, sum(number), sum(all_digests), min(first), max(last), sum(failures), sum(values),
        max(is_partial)
      FROM (
        SELECT model, sumIf(occurrences, (\(isMatching)) AS is_matching) AS number,
          sumIf(digests, is_matching) AS all_digests,
          if(number > 0, minIf(first_seen, is_matching), toInt64(\(Int64.max))) AS first,
          maxIf(last_seen, is_matching) AS last, uniqExactIf(reinterpretAsUInt64(id), is_matching) AS failures,
          uniqExactIf(reinterpretAsUInt64(value), is_matching AND value != \(FleetID.none.sql)) AS values,
          max(NOT is_matching) AS is_partial
        FROM \(table) AND \(conditions.isCounted(.failures, scope)) AND \(hasModel) GROUP BY model)
      GROUP BY model HAVING sum(number) > 0
      """, isByShard: true
    ) { row in
      let model = try row.id()
      let count = try row.modelCount()
      let (failures, values) = (try row.integer(UInt64.self), try row.integer(UInt64.self))
      let isPartial = try row.integer(UInt8.self) != 0
      return models[model].map {
        ModelTotal(
          adding: (sums?[model] ?? count).with(id: $0), failures: Int(clamping: failures),
          novelValues: Int(clamping: values), isPartial: isPartial)
      }
    }.compactMap { $0 }
  }

  private func sums(ofModels isCounted: String) throws -> [FleetID: Count] {
    let sums = try rows(
      """
      SELECT id, sum(occurrences), sum(digests), min(first_seen), max(last_seen)
      FROM \(conditions.counts) AND \(isCounted) GROUP BY id
      """
    ) { (try $0.id(), try $0.modelCount()) }
    return Dictionary(sums) { first, _ in first }
  }

  func hasFailures(matchingAny filters: [DigestFilter]) throws -> Bool {
    try !ids(ofFailuresMatchingAny: filters, limit: 1).isEmpty
  }

  /// Returns the ids of at most `limit` failures that match at least one of the filters.
  func ids(ofFailuresMatchingAny filters: [DigestFilter], limit: Int) throws -> [FleetID] {
    try rows(
      """
      SELECT DISTINCT id FROM \(conditions.database).counts
      WHERE \(conditions.isOf(.totals)) AND \(conditions.isChosen)
        AND (\(filters.map(conditions.isMatching).joined(separator: " OR "))) LIMIT \(limit)
      """
    ) { try $0.id() }
  }

  func names(of category: FailureName, limit: Int) throws -> [String] {
    let column = category.rawValue
    return try rows(
      """
      SELECT DISTINCT assumeNotNull(\(column)) FROM \(conditions.database).failure
      WHERE isNotNull(\(column)) AND id GLOBAL IN (SELECT id FROM \(conditions.database).counts
        WHERE \(conditions.isOf(.totals)) AND \(conditions.isChosen))
      LIMIT \(limit)
      """
    ) { try $0.text() }
  }
}

extension RowBinaryReader {
  /// Reads the occurrences, the digests and the first and last moment of a model's errors.
  fileprivate mutating func modelCount() throws -> Count {
    let (occurrences, digests) = (try count(), try count())
    let first = Date.clamped(milliseconds: try integer())
    let last = Date.clamped(milliseconds: try integer())
    return Count(
      id: 0, occurrences: occurrences, digests: digests, sharedDigests: 0, first: first,
      last: max(first, last))
  }
}
