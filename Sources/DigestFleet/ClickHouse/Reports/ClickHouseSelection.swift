import DigestStore

/// The failures of a report, in groups that are counted together.
struct ClickHouseSelection: Sendable {
  /// The rows of the table `counts` that are added up for each group.
  let counted: ClickHouseSchema.Counted

  /// The columns by which a group is counted.
  let columns: [String]

  /// The numbers in the report by the ids of the groups.
  let numbers: [FleetID: Int64]

  /// Two conditions that hold for all counts of the failures, and may hold for a few others.
  let isSelected: String
  let isMatching: String

  init(
    _ query: FailureQuery, _ numbers: [FleetID: Int64], _ conditions: ClickHouseConditions
  ) {
    counted = query.counted
    columns = counted == .kinds ? ["id"] : query.grouping.countedColumns
    self.numbers = numbers
    isSelected =
      columns.count == 1 && numbers.count <= Self.fewIDs
      ? "\(columns[0]) IN (\(numbers.keys.sql))" : "1"
    // All kinds of a novel value are counted, to tell how many digests have it.
    isMatching =
      query.grouping == .novelValue || query.change != nil
      ? "1" : conditions.isMatching(query.scope.filter)
  }

  /// The most ids that a statement names, which must not become too long.
  static let fewIDs = 1_000

  /// Whether the counts are those of few failures, each for itself.
  var isOfFew: Bool { columns == ["id"] && numbers.count <= Self.fewIDs }

  /// An SQL expression for the id of a group, made of ``columns``.
  var id: String {
    columns.count == 1
      ? columns[0]
      : "toFixedString(concat(substring(model, 1, 8), reinterpretAsString(kind)), 16)"
  }

  /// A condition on the ids of few groups.
  func isAmong(_ numbers: [Int64]?) -> String {
    guard let numbers, numbers.count <= Self.fewIDs else { return isSelected }
    let wanted = Set(numbers)
    let ids = self.numbers.filter { wanted.contains($0.value) }.map(\.key)
    return "id IN (\(ids.sql))"
  }
}

extension FailureQuery {
  /// The rows of the table `counts` to add up for each group: the few rows of kinds, unless a filter
  /// selects only some of their failures.
  var counted: ClickHouseSchema.Counted {
    grouping == .kind && known == nil && change == nil
      && scope.filter.codingPaths.isEmpty && scope.filter.novelValues.isEmpty
      ? .kinds : .failures
  }
}

extension FailureQuery.Grouping {
  /// The column with the id of a group; that of a kind has the model besides.
  var column: String {
    switch self {
    case .failure: "id"
    case .novelValue: "value"
    case .codingPath: "place"
    case .kind: "kind"
    }
  }

  /// The columns by which the selected failures are counted.
  fileprivate var countedColumns: [String] {
    switch self {
    case .failure, .novelValue: ["id"]
    case .codingPath: ["place"]
    case .kind: ["model", "kind"]
    }
  }

  /// The column of the table `failure` that finds the names of a group: its own or that of any failure.
  var named: String { self == .novelValue ? "value" : "id" }

  /// The columns of a group.
  var columns: String { self == .kind ? "model, kind" : column }

  /// Whether all failures of a group are on one shard.
  var isByShard: Bool { self == .failure || self == .novelValue }

  /// Whether a failure belongs to a group.
  var condition: String { self == .novelValue ? "value != \(FleetID.none.sql)" : "1" }

  /// The id under which the counts of a failure are selected.
  func id(_ ids: NumberedIDs.IDs) -> FleetID {
    switch self {
    case .failure, .novelValue: ids.id
    case .codingPath: ids.place
    case .kind: FleetID(ids.model.low, ids.kind)
    }
  }

  /// The columns, and functions of them, that sort equally frequent groups after the model.
  var order: String {
    switch self {
    case .failure:
      "coding_path, isNotNull(novel_value), novel_value, kind, isNotNull(expected_type), "
        + "expected_type, isNotNull(value_type), value_type"
    case .novelValue: "coding_path, novel_value, isNotNull(value_type), value_type"
    case .codingPath: "coding_path"
    case .kind: "kind"
    }
  }
}

extension Collection<FleetID> {
  /// A list of literals that is never empty.
  var sql: String {
    isEmpty ? FleetID.none.sql : map(\.sql).joined(separator: ", ")
  }
}
