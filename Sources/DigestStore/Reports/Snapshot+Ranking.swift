extension Snapshot {
  /// Ranks failures, and reads the names of only the most frequent ones.
  ///
  /// - Parameters:
  ///   - limit: the most rows to return; nil for all.
  ///   - precedes: sorts equally frequent failures.
  func ranked(
    _ sums: CountsByID,
    limit: Int?,
    by precedes: (FailureDescription, FailureDescription) -> Bool
  ) throws -> [(count: Count, names: FailureDescription)] {
    let counts = sums.counts
    let limit = limit.flatMap { $0 < 0 ? nil : $0 } ?? counts.count
    guard limit > 0 else { return [] }
    let least = Self.least(of: counts.map(\.occurrences), limit: limit)
    let rows = try named(counts.filter { $0.occurrences >= least })
    // Sorts indices by keys, because rows are expensive to move and to copy.
    let keys = rows.map { (occurrences: $0.count.occurrences, place: $0.names.place) }
    let order = rows.indices.sorted { lhs, rhs in
      let (occurrences, others) = (keys[lhs].occurrences, keys[rhs].occurrences)
      guard occurrences == others else { return occurrences > others }
      let order = keys[lhs].place.order(to: keys[rhs].place)
      return order == 0 ? precedes(rows[lhs].names, rows[rhs].names) : order < 0
    }
    return order.prefix(limit).map { rows[$0] }
  }

  /// The largest limit for which one pass over all counts is faster than sorting them.
  static let fewRows = 100

  /// The number of occurrences that a failure needs to be among the most frequent.
  static func least(of occurrences: [Int64], limit: Int) -> Int64 {
    guard limit < occurrences.count else { return .min }
    // For a small limit, one pass skips every count that is not among the highest so far.
    guard limit <= fewRows else { return occurrences.sorted(by: >)[limit - 1] }
    var most: [Int64] = []
    for number in occurrences where most.count < limit || number > most[limit - 1] {
      if most.count == limit { most.removeLast() }
      let place = most.firstIndex { $0 < number } ?? most.count
      most.insert(number, at: place)
    }
    return most[limit - 1]
  }

  /// Adds names to counts, and omits counts without a name in the file.
  func named(_ counts: [Count]) throws -> [(count: Count, names: FailureDescription)] {
    guard !counts.isEmpty else { return [] }
    let models = try Dictionary(
      connection.rows("SELECT id, name FROM model") { ($0.integer(at: 0), $0.text(at: 1) ?? "") },
      uniquingKeysWith: { $1 })
    // Reads the whole table if most of it is needed, otherwise row by row.
    let isWhole = Int64(counts.count) > values.last / 4
    let statement = try Statement(
      connection,
      """
      SELECT \(Failure.columns), f.id, f.model_id
      FROM failure AS f
      WHERE \(isWhole ? "true" : "f.id = ?")
      """
    )
    func names() -> FailureDescription? {
      let id = statement.integer(at: Failure.columnCount + 1)
      guard let model = models[id] else { return nil }
      return FailureDescription(model: model, modelID: id, failure: Failure(statement))
    }
    var rows: [(count: Count, names: FailureDescription)] = []
    if isWhole {
      let wanted = Dictionary(counts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      while try statement.step() {
        guard let count = wanted[statement.integer(at: Failure.columnCount)], let names = names()
        else { continue }
        rows.append((count, names))
      }
    } else {
      for count in counts {
        try statement.bind(count.id, at: 1)
        if try statement.step(), let names = names() { rows.append((count, names)) }
        statement.reset()
      }
    }
    return rows
  }
}
