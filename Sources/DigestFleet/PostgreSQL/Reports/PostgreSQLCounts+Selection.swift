import DigestStore
import ResilientPlatform

extension PostgreSQLCounts {
  /// Adds up the packs by the ids of failures, without names; the server sorts equally frequent failures by
  /// their names, and sends the names of those that the report shows.
  func selection(_ query: FailureQuery) throws -> FailureSelection {
    let groups = try FailureGroups(query, connection, arrayLimit: arrayLimit)
    let ranking = try ranking(query, groups)
    let selected = try mostFrequent(query, ranking)
    let (ids, failures) = try names(of: selected, query.grouping)
    // Where failures are counted each for itself, no others are in their groups.
    let isOfEach = query.grouping == .failure || query.grouping == .novelValue
    let numbers = IDMap(positionsOf: ids)
    var copy = self
    copy.selection = Selection(
      numbers: isOfEach ? numbers : groups.numbers(ofGroups: numbers),
      ids: isOfEach && ids.count <= Self.fewIDs ? ids.sorted() : nil)
    return FailureSelection(
      failures: failures, counts: copy, all: query.countsAllGroups ? ranking.all : nil)
  }

  /// The most failures that are looked up in packs one by one.
  private static let fewIDs = 1_000

  /// How often each group occurs, or how much it has changed, by the id of a failure of it.
  private struct Ranking {
    var numbers: DenseMap<Int64>
    var moments: ClosedRange<Int64>?

    /// Leaves out groups that occurred before.
    var known: DenseMap<Bool>

    init(arrayLimit: Int64) {
      numbers = DenseMap(0, arrayLimit: arrayLimit)
      known = DenseMap(false, arrayLimit: arrayLimit)
    }

    var all: FailureSelection.Groups {
      let count = numbers.values { $0 > 0 }.count
      return .init(count: count, moments: count > 0 ? moments : nil)
    }

    /// The number of the least frequent group that a limit selects; nil if it selects all.
    func leastOfMostFrequent(_ limit: Int) -> Int64? {
      var numbers = numbers.values { $0 > 0 }
      guard limit < numbers.count else { return nil }
      numbers.sort(by: >)
      return numbers[limit - 1]
    }

    mutating func add(_ count: Count, to group: Int64) {
      guard !known[group] else { return }
      numbers.update(group) { $0 = $0.adding(count: count.occurrences) }
      let (first, last) = (count.first, max(count.first, count.last))
      moments =
        min(moments?.lowerBound ?? first, first)...max(moments?.upperBound ?? last, last)
    }
  }

  private func ranking(_ query: FailureQuery, _ groups: FailureGroups) throws -> Ranking {
    var ranking = Ranking(arrayLimit: arrayLimit)
    if let known = query.known {
      try forEachFailureCount(in: .allTime, isByRelease: !known.releases.isEmpty) {
        count, release in
        guard let (group, _) = groups.group(ofFailure: count.id) else { return }
        if known.before.map({ count.first < $0 }) == true || known.releases.contains(release) {
          ranking.known.update(group) { $0 = true }
        }
      }
    }
    if let change = query.change {
      ranking.numbers = try changes(query.scope, change, groups)
    } else {
      try forEachFailureCount(in: query.scope) { count, _ in
        guard let (group, sides) = groups.group(ofFailure: count.id), sides.contains(.later)
        else { return }
        ranking.add(count, to: group)
      }
    }
    return ranking
  }

  /// The most frequent groups, as many as the query allows, by the id of a failure of each.
  private func mostFrequent(_ query: FailureQuery, _ ranking: Ranking) throws -> [Int64] {
    let limit = query.limit ?? .max
    guard limit > 0 else { return [] }
    guard let least = ranking.leastOfMostFrequent(limit) else {
      return ranking.numbers.numbers { $0 > 0 }
    }
    let first = ranking.numbers.numbers { $0 > least }
    let equal = ranking.numbers.numbers { $0 == least }
    guard first.count + equal.count > limit else { return first + equal }
    return first
      + (try connection.run(
        """
        SELECT f.id FROM digests.failure AS f JOIN digests.model AS m ON m.id = f.model_id
        WHERE f.id = ANY ($1::bigint[]) ORDER BY \(Self.order(query.grouping)) LIMIT $2
        """, [.integers(equal), .integer(Int64(limit - first.count))]
      ).map { $0.integer(0) })
  }

  /// Reads the names of failures, or of all failures with the same novel values.
  private func names(
    of selected: [Int64], _ grouping: FailureQuery.Grouping
  ) throws -> (ids: [Int64], failures: [CountCatalog.CountedFailure]) {
    let rows = try connection.run(
      """
      SELECT f.id, f.model_id, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
        f.found_type, f.found_value, f.value_identity
      FROM digests.failure AS f
      WHERE \(grouping == .novelValue
        ? "f.value_identity IN (SELECT value_identity FROM digests.failure WHERE id = ANY ($1::bigint[]))"
        : "f.id = ANY ($1::bigint[])")
      ORDER BY f.id
      """, [.integers(selected)])
    var firstOfValue: [[UInt8]: Int64] = [:]
    let failures = zip(Int64(1)..., rows).map { number, row in
      func text(_ column: Int) -> String? { row.text(column).map(FleetText.decode) }
      let value = row.withBytes(9) { Array($0) }
      let first = value.map { firstOfValue[$0] ?? number }
      if let value { firstOfValue[value] = first }
      return CountCatalog.CountedFailure(
        model: numberOfModel[row.integer(1)],
        failure: Failure(
          codingPath: text(2) ?? "", kind: text(3) ?? "", expectedType: text(4),
          novelValue: text(5), valueType: text(6), foundType: text(7), foundValue: text(8)),
        value: first)
    }
    return (rows.map { $0.integer(0) }, failures)
  }
}

extension PostgreSQLCounts {
  /// The errors and digests of a group on both sides of a comparison.
  private struct Sides {
    var occurrences: (earlier: Int64, later: Int64) = (0, 0)
    var digests: (earlier: Int64, later: Int64) = (0, 0)
    /// The number in the report.
    var model: Int64 = 0
  }

  private func changes(
    _ scope: CountScope, _ change: FailureQuery.Change, _ groups: FailureGroups
  ) throws -> DenseMap<Int64> {
    var sides = DenseMap(Sides(), arrayLimit: arrayLimit)
    func add(
      _ scope: CountScope, _ side: FailureGroups.Sides, _ add: (Count, inout Sides) -> Void
    ) throws {
      try forEachFailureCount(in: scope) { count, _ in
        guard let (group, of) = groups.group(ofFailure: count.id), of.contains(side)
        else { return }
        sides.update(group) { add(count, &$0) }
      }
    }
    try add(change.earlier, .earlier) {
      $1.occurrences.earlier = $1.occurrences.earlier.adding(count: $0.occurrences)
    }
    try add(scope, .later) {
      $1.occurrences.later = $1.occurrences.later.adding(count: $0.occurrences)
    }
    if let rates = change.rates {
      // A digest with several failures of one value counts once for the value.
      let isOfValues = groups.grouping == .novelValue
      func digests(_ count: Count) -> Int64 {
        count.digests - (isOfValues ? min(count.digests, count.sharedDigests) : 0)
      }
      try add(rates.earlier.scope, .earlier) {
        $1.digests.earlier = $1.digests.earlier.adding(count: digests($0))
      }
      try add(rates.later.scope, .later) {
        $1.digests.later = $1.digests.later.adding(count: digests($0))
      }
      try connection.forEachFailure(
        "SELECT id, model_id AS first, 0::bigint AS second FROM digests.failure",
        PostgreSQLConditions()
      ) { failure, model, _ in
        guard let (group, _) = groups.group(ofFailure: failure) else { return }
        sides.update(group) { $0.model = numberOfModel[model] }
      }
    }
    var numbers = DenseMap<Int64>(0, arrayLimit: arrayLimit)
    for group in sides.numbers(where: { $0.occurrences != (0, 0) || $0.digests != (0, 0) }) {
      let side = sides[group]
      let number = FailureQuery.Change.weight(
        occurrences: side.occurrences, digests: side.digests,
        decodes: change.rates.map {
          ($0.earlier.decodes[side.model] ?? 0, $0.later.decodes[side.model] ?? 0)
        })
      numbers.update(group) { $0 = number }
    }
    return numbers
  }

  func modelTotals(_ scope: CountScope) throws -> [ModelTotal] {
    var conditions = PostgreSQLConditions()
    var ofModels = DigestFilter()
    ofModels.models = scope.filter.models
    let hasModel = conditions.isMatching(ofModels)
    let isMatching = conditions.isMatching(scope.filter)
    var failures = DenseMap(FailureOfModel(), arrayLimit: arrayLimit)
    // `first` is the id of the model, negated if the failure does not match.
    try connection.forEachFailure(
      """
      SELECT f.id, f.model_id * CASE WHEN \(isMatching) THEN 1 ELSE -1 END AS first,
        CASE WHEN f.value_identity IS NULL THEN 0
          ELSE min(f.id) OVER (PARTITION BY f.value_identity) END AS second
      FROM digests.failure AS f JOIN digests.model AS m ON m.id = f.model_id
      WHERE \(hasModel)
      """, conditions
    ) { id, model, firstOfValue in
      failures.update(id) {
        $0 = FailureOfModel(
          model: Int32(clamping: numberOfModel[Int64(clamping: model.magnitude)]),
          isMatching: model > 0,
          firstOfValue: firstOfValue)
      }
    }
    var totals: [Int64: Total] = [:]
    var seen = DenseMap(false, arrayLimit: arrayLimit)
    var seenValues = DenseMap(false, arrayLimit: arrayLimit)
    try forEachFailureCount(in: scope) { count, _ in
      let failure = failures[count.id]
      let model = Int64(failure.model)
      guard model > 0 else { return }
      guard failure.isMatching else {
        totals[model, default: Total(model)].isPartial = true
        return
      }
      let isNew = !seen[count.id]
      if isNew { seen.update(count.id) { $0 = true } }
      let value = failure.firstOfValue
      let isNewValue = value > 0 && !seenValues[value]
      if isNewValue { seenValues.update(value) { $0 = true } }
      totals[model, default: Total(model)].add(count, isNew: isNew, isNewValue: isNewValue)
    }
    return totals.values.filter { $0.failures > 0 }.map(\.total)
  }

  /// The fields of a failure that the totals of models need. Small, because a fleet may have millions of
  /// failures.
  private struct FailureOfModel {
    /// The number of the model in the report; 0 for a failure that is not counted.
    var model: Int32 = 0
    var isMatching = false

    /// The id of the first failure with the same novel value; 0 for none.
    var firstOfValue: Int64 = 0
  }

  private struct Total {
    var count: Count
    var failures = 0
    var novelValues = 0
    var isPartial = false

    init(_ model: Int64) {
      count = Count(
        id: model, occurrences: 0, digests: 0, sharedDigests: 0, first: .max, last: .min)
    }

    mutating func add(_ other: Count, isNew: Bool, isNewValue: Bool) {
      count.occurrences = count.occurrences.adding(count: other.occurrences)
      count.digests = count.digests.adding(count: other.digests)
      count.first = min(count.first, other.first)
      count.last = max(count.last, other.last)
      if isNew { failures += 1 }
      if isNewValue { novelValues += 1 }
    }

    var total: ModelTotal {
      ModelTotal(
        adding: count, failures: failures, novelValues: novelValues, isPartial: isPartial)
    }
  }
}

extension PostgreSQLCounts {
  /// The columns that sort equally frequent groups, by their bytes.
  private static func order(_ grouping: FailureQuery.Grouping) -> String {
    let columns =
      switch grouping {
      case .failure:
        ["f.coding_path", "f.novel_value", "f.kind", "f.expected_type", "f.value_type"]
      case .novelValue: ["f.coding_path", "f.novel_value", "f.value_type"]
      case .codingPath: ["f.coding_path"]
      case .kind: ["f.kind"]
      }
    return (["m.name"] + columns).map { "\($0) COLLATE \"C\" NULLS FIRST" }
      .joined(separator: ", ")
  }
}
