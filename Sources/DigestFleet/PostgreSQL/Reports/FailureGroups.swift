import DigestStore
import ResilientPlatform

/// The groups in which a report counts failures, by the ids of the fleet.
struct FailureGroups {
  /// The sides of a comparison whose filters select a failure. A report that is no comparison has only the
  /// later one.
  struct Sides: OptionSet {
    let rawValue: Int64
    static let later = Sides(rawValue: 1)
    static let earlier = Sides(rawValue: 2)
  }

  let grouping: FailureQuery.Grouping

  /// Maps the id of each failure that may be counted to its group and sides: the id of one failure of the group,
  /// shifted left by two bits, and the raw value of ``Sides`` in the lowest two bits. Nil if each failure is its
  /// own group, on all sides.
  private var groups: DenseMap<Int64>?

  /// - Parameter arrayLimit: see ``PostgreSQLCounts/arrayLimit``.
  init(
    _ query: FailureQuery, _ connection: Locked<PostgreSQLConnection>, arrayLimit: Int64
  ) throws {
    let grouping = query.grouping
    self.grouping = grouping
    let filters = [query.scope.filter] + (query.change.map { [$0.earlier.filter] } ?? [])
    let isOfAll = filters.allSatisfy { $0.models.isEmpty && !$0.choosesFailures }
    guard grouping != .failure || !isOfAll else { return }
    var conditions = PostgreSQLConditions()
    // All kinds of a novel value are looked at, as any of them can have been known.
    let isAny = filters.map {
      grouping == .novelValue ? conditions.hasPlace($0) : conditions.isMatching($0)
    }
    let isOn = filters.map { "coalesce(\(conditions.isMatching($0)), false)::int" }
    let partition =
      switch grouping {
      case .failure: "f.id"
      case .novelValue: "f.value_identity"
      case .codingPath: "f.model_id, f.coding_path"
      case .kind: "f.model_id, f.kind"
      }
    var groups = DenseMap<Int64>(0, arrayLimit: arrayLimit)
    try connection.forEachFailure(
      """
      SELECT f.id, min(f.id) OVER (PARTITION BY \(partition)) AS first,
        (\(isOn.count == 2 ? "\(isOn[0]) + 2 * \(isOn[1])" : isOn[0]))::bigint AS second
      FROM digests.failure AS f JOIN digests.model AS m ON m.id = f.model_id
      WHERE (\(isAny.joined(separator: " OR ")))
        \(grouping == .novelValue ? "AND f.value_identity IS NOT NULL" : "")
      """, conditions
    ) { id, group, sides in
      guard 1...(.max >> 2) ~= group else { return }
      groups.update(id) { $0 = group << 2 | sides }
    }
    self.groups = groups
  }

  /// The group of a failure, and the sides that it is on; nil if it is not counted.
  func group(ofFailure id: Int64) -> (group: Int64, sides: Sides)? {
    guard let groups else { return (id, [.later, .earlier]) }
    let group = groups[id]
    return group > 0 ? (group >> 2, Sides(rawValue: group & 3)) : nil
  }

  /// The numbers of a report by the ids of all failures in its groups.
  ///
  /// - Parameter numbers: the numbers by the ids of the groups.
  func numbers(ofGroups numbers: IDMap) -> IDMap {
    IDMap(
      (groups?.numbers { $0 > 0 } ?? []).lazy.compactMap { id in
        guard let (group, sides) = group(ofFailure: id), sides.contains(.later) else { return nil }
        return (id, numbers[group])
      })
  }
}

extension Locked where Value == PostgreSQLConnection {
  /// Calls `body` for each failure that a query selects, in no particular order. The columns `id`, `first` and
  /// `second` must be `bigint` without NULL.
  func forEachFailure(
    _ query: String, _ conditions: PostgreSQLConditions,
    _ body: (_ id: Int64, _ first: Int64, _ second: Int64) -> Void
  ) throws {
    try forEachRow(
      """
      SELECT array_agg(t.id), array_agg(t.first), array_agg(t.second) FROM (\(query)) AS t
      GROUP BY t.id / 10000
      """, conditions.values
    ) { row in
      for (id, (first, second)) in zip(row.integers(0), zip(row.integers(1), row.integers(2))) {
        body(id, first, second)
      }
    }
  }
}
