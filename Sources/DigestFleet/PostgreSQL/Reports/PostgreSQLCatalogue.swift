import DigestStore

/// The names of what a fleet counts, and their ids.
struct PostgreSQLCatalogue {
  private(set) var names = CountCatalog()

  /// The ids in the order of the numbers, which count from 1.
  private(set) var models: [Int64] = []
  private(set) var failures: [Int64] = []

  /// The numbers and ids of the chosen stores; empty if the report is about all stores.
  private var numbersOfSources: [CountTable: [Int64: [(number: Int64, id: Int64)]]] = [:]

  /// Reads the names of everything that has counts.
  ///
  /// - Parameter sources: the ids of the chosen stores; nil for all.
  init(_ connection: PostgreSQLConnection, of sources: [Int64]?) throws {
    for table in [CountTable.failures, .models] {
      numbersOfSources[table] = try sources.map {
        try IDMap.pairs(of: $0, table, on: connection)
      }
    }
    let sources = sources.map { PostgreSQLValue.integers($0) } ?? .text(nil)
    names.firstHour =
      try connection.run(
        """
        SELECT greatest(f.first_hour, (SELECT max(s.coarse_before) FROM digests.source AS s
          WHERE $1::bigint[] IS NULL OR s.id = ANY ($1)))
        FROM digests.fleet AS f
        """, [sources]
      ).first?.integer(0) ?? 0
    try readModels(connection)
    try readFailures(connection)
    try readReleases(connection, sources)
    try readLosses(connection, sources)
  }

  /// The ids that the chosen stores use; NULL for all stores.
  private func ids(_ table: CountTable) -> PostgreSQLValue {
    guard let numbers = numbersOfSources[table] else { return .text(nil) }
    return .integers(Set(numbers.values.joined().map(\.id)))
  }

  private mutating func readModels(_ connection: PostgreSQLConnection) throws {
    let rows = try connection.run(
      """
      SELECT m.id, m.name FROM digests.model AS m
      WHERE $1::bigint[] IS NULL OR m.id = ANY ($1)
      ORDER BY m.id
      """, [ids(.models)])
    models = rows.map { $0.integer(0) }
    names.models = rows.map { FleetText.decode($0.text(1) ?? "") }
  }

  /// Leaves out failures whose first counts have not arrived yet.
  private mutating func readFailures(_ connection: PostgreSQLConnection) throws {
    let numbers = IDMap(positionsOf: models)
    let rows = try connection.run(
      """
      SELECT f.id, f.model_id, f.coding_path, f.kind, f.expected_type, f.novel_value, f.value_type,
        f.found_type, f.found_value, f.value_identity
      FROM digests.failure AS f
      WHERE EXISTS (SELECT 1 FROM digests.failure_tally AS t WHERE t.failure_id = f.id)
        AND ($1::bigint[] IS NULL OR f.id = ANY ($1))
      ORDER BY f.id
      """, [ids(.failures)])
    failures = rows.map { $0.integer(0) }
    var firstOfValue: [[UInt8]: Int64] = [:]
    names.failures = zip(Int64(1)..., rows).map { number, row in
      func text(_ column: Int) -> String? { row.text(column).map(FleetText.decode) }
      let value = row.withBytes(9) { Array($0) }
      let first = value.map { firstOfValue[$0] ?? number }
      if let value { firstOfValue[value] = first }
      return CountCatalog.CountedFailure(
        model: numbers[row.integer(1)],
        failure: Failure(
          codingPath: text(2) ?? "", kind: text(3) ?? "", expectedType: text(4),
          novelValue: text(5), valueType: text(6), foundType: text(7), foundValue: text(8)),
        value: first
      )
    }
  }

  private mutating func readReleases(
    _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
  ) throws {
    let rows = try connection.run(
      """
      SELECT r.id, r.name FROM digests.release AS r
      WHERE r.id <> 0 AND ($1::bigint[] IS NULL OR r.id IN (
        SELECT p.release_id FROM digests.pack AS p WHERE p.source_id = ANY ($1)))
      """, [sources])
    for row in rows { names.releases[row.integer(0)] = FleetText.decode(row.text(1) ?? "") }
  }

  /// Whether the counts by day are complete, because all dropped counts had been sent before. The
  /// condition uses the primary key, as most rows are hours.
  private func hasAllDays(_ connection: PostgreSQLConnection) throws -> Bool {
    guard numbersOfSources.isEmpty else { return false }
    return try connection.run(
      """
      SELECT (sum(occurrences) FILTER (WHERE span = 0)
        IS NOT DISTINCT FROM sum(occurrences) FILTER (WHERE span = 24))::int
      FROM digests.model_tally WHERE span IN (0, 24)
      """
    ).first?.integer(0) == 1
  }

  private mutating func readLosses(
    _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
  ) throws {
    names.losses = try connection.run(
      """
      SELECT reason, hour, \(FleetViews.sum("digests")), \(FleetViews.sum("occurrences")), min(note)
      FROM digests.loss
      WHERE ($1::bigint[] IS NULL OR source_id = ANY ($1)) AND (reason <> $2 OR $3::int <> 0)
      GROUP BY reason, hour ORDER BY reason, hour
      """,
      [
        sources, .text(DigestStore.Loss.Reason.undated.rawValue),
        .integer(try hasAllDays(connection) ? 0 : 1),
      ]
    ).map { row in
      CountCatalog.Loss(
        reason: FleetText.decode(row.text(0) ?? ""), hour: row.integer(1),
        digests: row.integer(2), occurrences: row.integer(3),
        note: row.text(4).map(FleetText.decode))
    }
  }
}

extension PostgreSQLCatalogue {
  /// The numbers of the report by the numbers of each chosen store, for failures and models.
  var numbers: [CountTable: [Int64: IDMap]] {
    let numberOfID = [
      CountTable.failures: IDMap(positionsOf: failures),
      .models: IDMap(positionsOf: models),
    ]
    var numbers: [CountTable: [Int64: IDMap]] = [:]
    for (table, sources) in numbersOfSources {
      guard let numberOfID = numberOfID[table] else { continue }
      numbers[table] = sources.mapValues { pairs in
        IDMap(pairs.map { ($0.number, numberOfID[$0.id]) })
      }
    }
    return numbers
  }
}
