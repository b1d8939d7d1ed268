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

  /// For the failures that may be counted, in this order: the id of a failure of the group, and the sides.
  /// Nil if every failure is a group of its own and on all sides.
  private let ids: [Int64]?
  private let groups: IDMap
  private let sides: IDMap

  init(_ query: FailureQuery, _ connection: Locked<PostgreSQLConnection>) throws {
    let grouping = query.grouping
    self.grouping = grouping
    let filters = [query.scope.filter] + (query.change.map { [$0.earlier.filter] } ?? [])
    let isOfAll = filters.allSatisfy { $0.models.isEmpty && !$0.choosesFailures }
    guard grouping != .failure || !isOfAll else {
      ids = nil
      (groups, sides) = (IDMap([]), IDMap([]))
      return
    }
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
    let row = try connection.run(
      """
      SELECT array_agg(t.id), array_agg(t.first), array_agg(t.sides) FROM (
        SELECT f.id, min(f.id) OVER (PARTITION BY \(partition)) AS first,
          (\(isOn.count == 2 ? "\(isOn[0]) + 2 * \(isOn[1])" : isOn[0]))::bigint AS sides
        FROM digests.failure AS f JOIN digests.model AS m ON m.id = f.model_id
        WHERE (\(isAny.joined(separator: " OR ")))
          \(grouping == .novelValue ? "AND f.value_identity IS NOT NULL" : "")
          AND \(conditions.add(.text(nil)))::bigint IS NULL) AS t
      """, conditions.values
    ).first
    let ids = row?.integers(0) ?? []
    self.ids = ids
    groups = IDMap(Array(zip(ids, row?.integers(1) ?? [])))
    sides = IDMap(Array(zip(ids, row?.integers(2) ?? [])))
  }

  /// The group of a failure, and the sides that it is on; nil if it is not counted.
  func group(ofFailure id: Int64) -> (group: Int64, sides: Sides)? {
    guard ids != nil else { return (id, [.later, .earlier]) }
    let group = groups[id]
    return group > 0 ? (group, Sides(rawValue: sides[id])) : nil
  }

  /// The numbers of a report by the ids of all failures in its groups.
  ///
  /// - Parameter numbers: the numbers by the ids of the groups.
  func numbers(ofGroups numbers: IDMap) -> IDMap {
    IDMap(
      (ids ?? []).lazy.filter { Sides(rawValue: sides[$0]).contains(.later) }.map {
        ($0, numbers[groups[$0]])
      })
  }
}
