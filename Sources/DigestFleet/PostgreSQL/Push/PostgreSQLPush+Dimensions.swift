import DigestStore

extension PostgreSQLPush {
  /// How many names one statement enters. Names may be long.
  private static let page = 1_000

  /// Enters the store's new models, failures and releases.
  func enterNames() throws {
    var numbers: [(number: Int64, id: Int64)] = []
    for models in counts.models.pages(of: Self.page) { numbers += try enter(models) }
    try enter(numbers, .models)
    numbers = []
    for failures in counts.failures.pages(of: Self.page) { numbers += try enter(failures) }
    try enter(numbers, .failures)
    for names in releaseNames.pages(of: Self.page) {
      try enterReleases(names)
    }
  }

  /// The releases to send, and those that the store has merged.
  var releaseNames: [String] {
    Set(counts.packs.compactMap(\.key.release))
      .union(counts.releases.values.lazy.map(BinaryString.init)).map(\.text)
  }

  /// Enters the fleet's ids of new numbers of the store.
  private func enter(_ numbers: [(number: Int64, id: Int64)], _ table: CountTable) throws {
    guard !numbers.isEmpty else { return }
    try withRevision { try IDMap.insert(numbers, of: source.id, table, on: connection) }
  }

  private func enter(
    _ models: ArraySlice<StoreCounts.Model>
  ) throws -> [(number: Int64, id: Int64)] {
    let ids = try ids(
      "enter_models($1)", [.texts(models.lazy.map { FleetText.encode($0.name) })], models.count)
    return Array(zip(models.lazy.map(\.number), ids)).map { ($0, $1) }
  }

  private func enter(
    _ failures: ArraySlice<StoreCounts.NumberedFailure>
  ) throws -> [(number: Int64, id: Int64)] {
    let models = try ids(of: .models)
    func texts(_ text: @escaping (StoreCounts.NumberedFailure) -> String?) -> PostgreSQLValue {
      .texts(failures.lazy.map { text($0).map(FleetText.encode) })
    }
    let ids = try ids(
      "enter_failures($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      [
        .integers(failures.map { models[$0.model] }), texts(\.failure.codingPath),
        texts(\.failure.kind),
        texts(\.failure.expectedType), texts(\.failure.novelValue), texts(\.failure.valueType),
        texts(\.pathFormat),
        texts(\.message), texts(\.failure.foundType), texts(\.failure.foundValue),
      ], failures.count)
    return Array(zip(failures.lazy.map(\.number), ids)).map { ($0, $1) }
  }

  private func enterReleases(_ names: ArraySlice<String>) throws {
    let ids = try ids(
      "enter_releases($1)", [.texts(names.lazy.map(FleetText.encode))], names.count)
    for (name, id) in zip(names, ids) { releases[BinaryString(name)] = id }
  }

  /// Enters names unless the fleet has them, and returns their ids in the order of the names.
  private func ids(
    _ function: String, _ values: [PostgreSQLValue], _ count: Int
  ) throws -> [Int64] {
    let rows = try connection.repeating {
      try connection.run("SELECT * FROM digests.\(function)", values)
    }
    guard rows.count == count else {
      throw FleetError(
        .failed, "\(connection.name): names that were entered are not there; run it again")
    }
    return rows.map { $0.integer(0) }
  }

  /// Reads the ids of those releases that the fleet has.
  func readReleases(_ names: ArraySlice<String>) throws {
    let rows = try connection.run(
      """
      SELECT r.name, r.id FROM unnest($1::text[]) AS t (name)
      JOIN digests.release AS r ON r.identity = sha256(convert_to(t.name, 'UTF8'))
      """, [.texts(names.lazy.map(FleetText.encode))])
    for row in rows { releases[BinaryString(FleetText.decode(row.text(0) ?? ""))] = row.integer(1) }
  }
}

extension RandomAccessCollection where Index == Int {
  fileprivate func pages(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
