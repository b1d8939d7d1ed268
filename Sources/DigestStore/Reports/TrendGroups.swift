/// The groups of a trend, most frequent first, with their failures, releases or stores.
struct TrendGroups {
  struct Group {
    /// A number that orders groups with equal names.
    let id: Int64
    let names: [String?]
    var occurrences: Int64
  }

  /// The groups to return.
  private(set) var groups: [Group] = []

  /// The first and last moment of any group, returned or not; nil if nothing occurred.
  private(set) var moments: ClosedRange<Int64>?

  /// The table to count from: models, the smaller one, if that is enough.
  let table: CountTable

  private var groupOfCount = DenseMap<Int?>(0)

  /// The groups by the ids of their releases or stores; nil if these do not matter.
  private var groupOfKey: [Int64: Int]?

  init(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    in window: TimeWindow,
    _ grouping: DigestStore.Trend.Grouping,
    limit: Int?
  ) throws {
    table =
      switch grouping {
      case .nothing, .model, .release, .source: snapshot.table(for: filter)
      case .kind, .codingPath, .novelValue: .failures
      }
    switch grouping {
    case .release:
      let releases = try snapshot.connection.rows("SELECT id, name FROM release") {
        (id: $0.integer(at: 0), name: $0.text(at: 1))
      }
      try readGroups(snapshot, filter, in: window, limit: limit, releases)
      return
    case .source:
      let stores = (snapshot.source.storeNames ?? [:]).map { (id: $0.key, name: $0.value) }
      try readGroups(
        snapshot, filter, in: window, limit: limit, stores.sorted { $0.id < $1.id },
        isByStore: true)
      return
    case .nothing, .model, .kind, .codingPath, .novelValue: break
    }
    let sums = try snapshot.sums(filter, in: window, from: table)
    groupOfCount = try DenseMap(nil, upTo: snapshot.last(of: table))
    switch grouping {
    case .novelValue: try readValues(snapshot, sums, limit: limit)
    case .model:
      let nameOfModel = try Self.models(snapshot)
      let models =
        table == .models ? "SELECT id, id FROM model" : "SELECT id, model_id FROM failure"
      try readGroups(snapshot, sums, limit: limit, by: models) {
        $0.integer(at: 1)
      } names: {
        [nameOfModel[$0]]
      }
    case .kind:
      try readGroups(snapshot, sums, limit: limit, by: "SELECT id, kind FROM failure") {
        $0.text(at: 1)
      } names: {
        [$0]
      }
    case .codingPath:
      let nameOfModel = try Self.models(snapshot)
      let paths = "SELECT id, model_id, coding_path FROM failure"
      try readGroups(snapshot, sums, limit: limit, by: paths) {
        Path(model: $0.integer(at: 1), pattern: BinaryString($0.text(at: 2) ?? ""))
      } names: {
        [nameOfModel[$0.model], $0.pattern.text]
      }
    case .nothing, .release, .source:
      var total = Group(id: 0, names: [], occurrences: 0)
      for count in sums.counts {
        groupOfCount.update(count.id) { $0 = 0 }
        add(count, to: &total)
      }
      groups = [total]
    }
    if let all = snapshot.allGroups { moments = all.moments }
  }

  /// The ids of the counts in a group, in ascending order; nil for all.
  var members: [Int64]? {
    groupOfCount.rest == nil ? groupOfCount.numbers { $0 != nil } : nil
  }

  /// The index of the group that includes a count of a release or store; nil if none does.
  func index(of count: Count, _ key: Int64) -> Int? {
    guard let group = groupOfCount[count.id] else { return nil }
    guard let groupOfKey else { return group }
    return groupOfKey[key]
  }

  private struct Path: Hashable {
    let model: Int64
    let pattern: BinaryString
  }

  private static func models(_ snapshot: Snapshot) throws -> [Int64: String] {
    let names = try snapshot.connection.rows("SELECT id, name FROM model") {
      ($0.integer(at: 0), $0.text(at: 1) ?? "")
    }
    return Dictionary(names, uniquingKeysWith: { $1 })
  }

  private mutating func add(_ count: Count, to group: inout Group) {
    group.occurrences = group.occurrences.adding(count: count.occurrences)
    // Clamps to valid times, because the file may have any number.
    let first = min(max(0, count.first), moments?.lowerBound ?? Moment.latest.milliseconds)
    let last = min(count.last, Moment.latest.milliseconds)
    moments = first...max(first, last, moments?.upperBound ?? 0)
  }

  /// Groups counts by a query that returns a row with a key for each id.
  private mutating func readGroups<Key: Hashable>(
    _ snapshot: Snapshot,
    _ sums: CountsByID,
    limit: Int?,
    by query: String,
    key: (borrowing Statement) -> Key,
    names: (Key) -> [String?]
  ) throws {
    var all: [Group] = []
    var groupOfKey: [Key: Int] = [:]
    var failures: [(Int64, group: Int)] = []
    let statement = try Statement(snapshot.connection, query)
    while try statement.step() {
      let failure = statement.integer(at: 0)
      guard let count = sums[failure] else { continue }
      let key = key(statement)
      let group = groupOfKey[key] ?? all.count
      if group == all.count {
        groupOfKey[key] = group
        all.append(Group(id: Int64(group), names: names(key), occurrences: 0))
      }
      add(count, to: &all[group])
      failures.append((failure, group))
    }
    let place = rank(all, limit: limit)
    for (failure, group) in failures { groupOfCount.update(failure) { $0 = place[group] } }
  }

  /// Groups counts by release or store.
  private mutating func readGroups(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    in window: TimeWindow,
    limit: Int?,
    _ names: [(id: Int64, name: String?)],
    isByStore: Bool = false
  ) throws {
    var all = names.map { Group(id: $0.id, names: [$0.name], occurrences: 0) }
    let index = Dictionary(
      zip(names.map(\.id), names.indices), uniquingKeysWith: { first, _ in first })
    let chosen = try snapshot.chosen(filter, from: table)
    if let chosen {
      groupOfCount = try DenseMap(nil, upTo: snapshot.last(of: table))
      for number in chosen { groupOfCount.update(number) { $0 = 0 } }
    }
    try snapshot.forEachCount(
      from: table, in: window, of: snapshot.releases(filter), isByRelease: !isByStore,
      isByStore: isByStore, among: chosen
    ) { count, key in
      guard groupOfCount[count.id] != nil, let index = index[key] else { return }
      add(count, to: &all[index])
    }
    let place = rank(all, limit: limit)
    groupOfKey = index.compactMapValues { place[$0] }
  }

  private mutating func readValues(_ snapshot: Snapshot, _ sums: CountsByID, limit: Int?) throws {
    let values = sums.ofNovelValues(snapshot.values, countsDigests: false)
    var groupOfValue: [Int64: Int] = [:]
    for (count, names) in try snapshot.ranked(
      values, limit: limit, by: FailureDescription.novelValuesPrecede)
    {
      groupOfValue[count.id] = groups.count
      groups.append(
        Group(
          id: count.id,
          names: [
            names.model, names.failure.codingPath, names.failure.novelValue,
            names.failure.valueType,
          ],
          occurrences: count.occurrences))
    }
    var all = Group(id: 0, names: [], occurrences: 0)
    for count in values.counts { add(count, to: &all) }
    for count in sums.counts {
      guard let value = snapshot.values.valueID(of: count.id) else { continue }
      groupOfCount.update(count.id) { $0 = groupOfValue[value] }
    }
  }

  /// Ranks the groups and keeps as many as the limit allows.
  ///
  /// - Returns: the new index of each group; nil for those dropped.
  private mutating func rank(_ all: [Group], limit: Int?) -> [Int?] {
    let ranking = all.indices
      .filter { all[$0].occurrences != 0 }
      .sorted { lhs, rhs in
        let (lhs, rhs) = (all[lhs], all[rhs])
        guard lhs.occurrences == rhs.occurrences else { return lhs.occurrences > rhs.occurrences }
        let order = zip(lhs.names, rhs.names).lazy.map { String.byteOrder($0, $1) }
          .first { $0 != 0 }
        return order.map { $0 < 0 } ?? (lhs.id < rhs.id)
      }
      .prefix(limit.map { max(0, $0) } ?? all.count)
    groups = ranking.map { all[$0] }
    var places = [Int?](repeating: nil, count: all.count)
    for (place, group) in ranking.enumerated() { places[group] = place }
    return places
  }
}
