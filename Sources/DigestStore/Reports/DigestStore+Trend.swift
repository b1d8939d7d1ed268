extension DigestStore {
  /// Counts errors by hour, day or week.
  ///
  /// The periods reach from the beginning of the filter's window to its end, or from the first of
  /// the errors to the last where the window has no such end. The counts are exact to the
  /// millisecond, also in periods that are partly in the window. Where the tallies of hours are gone
  /// (see ``countedWindow(matching:)``), a trend by hour begins with the first hour that is left.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - unit: how long the periods are.
  ///   - grouping: what is counted apart; the most frequent group comes first, then the order is
  ///     that of its texts.
  ///   - limit: the most groups to return; nil for all.
  /// - Throws: ``DigestStoreError`` when the file cannot be read, or with code `invalidInput` when
  ///   there would be more than a million points.
  public func trend(
    matching filter: DigestFilter = DigestFilter(),
    by unit: Trend.Unit,
    groupedBy grouping: Trend.Grouping = .nothing,
    limit: Int? = nil
  ) throws -> [Trend] {
    try snapshot { snapshot in
      var count = try TrendCount(snapshot, filter, unit, grouping)
      return try count.trends(limit: limit)
    }
  }
}

/// Counts for a trend: what the groups are, then what each has in each period.
private struct TrendCount {
  private static let maximumPoints = 1_000_000

  private struct Group {
    /// The number of a model, a release or a value's first failure; 0 for all, and for kinds.
    let id: Int64
    let names: [String?]
    var occurrences: Int64 = 0
  }

  private let snapshot: Snapshot
  private let window: TimeWindow
  private let releases: Snapshot.Releases
  private let unit: Trend.Unit
  private let grouping: Trend.Grouping
  private var groups: [Group] = []

  /// The group of each failure that the filter lets through, and of each release.
  private var groupOfFailure: [Int64: Int] = [:]
  private var groupOfRelease: [Int64: Int] = [:]

  init(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    _ unit: Trend.Unit,
    _ grouping: Trend.Grouping
  ) throws {
    self.snapshot = snapshot
    self.unit = unit
    self.grouping = grouping
    releases = try snapshot.releases(filter)
    var window = try snapshot.window(filter)
    let firstFine = Moment(milliseconds: snapshot.firstFineHour * Moment.hour)
    if unit == .hour, snapshot.firstFineHour > 0, window.since.map({ $0 < firstFine }) != false {
      window = TimeWindow(since: firstFine, until: window.until)
    }
    self.window = window
    try readGroups(filter)
  }

  private mutating func readGroups(_ filter: DigestFilter) throws {
    let (key, names, condition): (String, [String], String) =
      switch grouping {
      case .nothing, .release: ("0", [], "true")
      case .model: ("m.id", ["m.name"], "true")
      case .kind: ("f.kind", ["f.kind"], "true")
      case .novelValue:
        (
          "f.value_id", ["m.name", "f.coding_path", "f.novel_value", "f.value_type"],
          "f.value_id IS NOT NULL"
        )
      }
    var groupOfKey: [SQLiteValue: Int] = [:]
    let statement = try Statement(
      snapshot.connection,
      """
      SELECT \((["f.id", key] + names).joined(separator: ", "))
      FROM model AS m JOIN failure AS f ON f.model_id = m.id
      WHERE \(condition) AND \(filter.failureCondition)
      """
    )
    try statement.bind(named: filter.values)
    if grouping == .nothing { groups = [Group(id: 0, names: [])] }
    while try statement.step() {
      let failure = statement.integer(at: 0)
      guard grouping != .nothing, grouping != .release else {
        groupOfFailure[failure] = 0
        continue
      }
      let key = statement.value(at: 1)
      if groupOfKey[key] == nil {
        groupOfKey[key] = groups.count
        let texts = names.indices.map { statement.text(at: Int32($0 + 2)) }
        groups.append(Group(id: failure, names: texts))
      }
      groupOfFailure[failure] = groupOfKey[key]
    }
    guard grouping == .release else { return }
    for (id, name) in try snapshot.connection.rows(
      "SELECT id, name FROM release", [:], { ($0.integer(at: 0), $0.text(at: 1)) })
    {
      groupOfRelease[id] = groups.count
      groups.append(Group(id: id, names: [name]))
    }
  }

  private func group(_ cell: Cell, _ release: Int64) -> Int? {
    guard let group = groupOfFailure[cell.failure] else { return nil }
    return grouping == .release ? groupOfRelease[release] : group
  }

  mutating func trends(limit: Int?) throws -> [Trend] {
    var first = Int64.max
    var last = Int64.min
    var totals = groups.map(\.occurrences)
    try snapshot.forEachCell(in: window, of: releases) { cell, release in
      guard let group = group(cell, release) else { return }
      totals[group] &+= cell.occurrences
      first = min(first, cell.first)
      last = max(last, cell.last)
    }
    for group in groups.indices { groups[group].occurrences = totals[group] }
    if let since = window.since { first = since.milliseconds }
    if let until = window.until { last = until.milliseconds - 1 }
    let ranking = ranking(limit: limit)
    guard !ranking.isEmpty else { return [] }
    guard first <= last else { return ranking.map { trend(of: groups[$0], []) } }
    let numbers =
      unit.number(ofHour: first / Moment.hour)...unit.number(ofHour: last / Moment.hour)
    guard numbers.count <= Self.maximumPoints / ranking.count else {
      throw DigestStoreError(
        .invalidInput,
        "a trend has at most \(Self.maximumPoints) points; take longer periods, a shorter window "
          + "or fewer groups")
    }
    var counts = [Int64](repeating: 0, count: ranking.count * numbers.count)
    let rank = Dictionary(uniqueKeysWithValues: zip(ranking, ranking.indices))
    try snapshot.forEachCell(in: window, longest: unit.longestSpan, of: releases) { cell, release in
      guard let row = group(cell, release).flatMap({ rank[$0] }) else { return }
      // A tally of a damaged file may say anything.
      let number = unit.number(ofHour: cell.first / Moment.hour)
      guard numbers.contains(number) else { return }
      counts[row * numbers.count + Int(number - numbers.lowerBound)] &+= cell.occurrences
    }
    return ranking.enumerated().map { row, group in
      let points = numbers.enumerated().map { column, number in
        Trend.Point(
          start: unit.start(of: number), occurrences: Int(counts[row * numbers.count + column]))
      }
      return trend(of: groups[group], points)
    }
  }

  /// The groups that are returned, in their order; of nothing apart the one, whatever it has.
  private func ranking(limit: Int?) -> [Int] {
    let ranking = groups.indices
      .filter { grouping == .nothing || groups[$0].occurrences > 0 }
      .sorted { lhs, rhs in
        let (lhs, rhs) = (groups[lhs], groups[rhs])
        guard lhs.occurrences == rhs.occurrences else { return lhs.occurrences > rhs.occurrences }
        for (text, other) in zip(lhs.names, rhs.names) {
          let order = String.byteOrder(text, other)
          if order != 0 { return order < 0 }
        }
        return lhs.id < rhs.id
      }
    return limit.map { Array(ranking.prefix(max(0, $0))) } ?? ranking
  }

  private func trend(of group: Group, _ points: [Trend.Point]) -> Trend {
    Trend(
      model: grouping == .model || grouping == .novelValue ? group.names[0] : nil,
      codingPath: grouping == .novelValue ? group.names[1] : nil,
      kind: grouping == .kind ? group.names[0] : nil,
      release: grouping == .release ? group.names[0] : nil,
      novelValue: grouping == .novelValue ? group.names[2] : nil,
      valueType: grouping == .novelValue ? group.names[3] : nil,
      occurrences: Int(group.occurrences),
      points: points
    )
  }
}
