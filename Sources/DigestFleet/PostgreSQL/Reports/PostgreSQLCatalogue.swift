import DigestStore

/// The names of the models and releases that a fleet counts, and their ids.
struct PostgreSQLCatalogue {
  private(set) var names = CountCatalog()

  /// The ids of the models in the order of the numbers, which count from 1.
  private(set) var models: [Int64] = []

  /// The largest id of a failure.
  private(set) var lastFailure: Int64 = 0

  /// Reads the names of what has counts, but not those of failures.
  ///
  /// - Parameter sources: the ids of the chosen stores; nil for all.
  init(_ connection: PostgreSQLConnection, of sources: [Int64]?) throws {
    let sources = sources.map { PostgreSQLValue.integers($0) } ?? .text(nil)
    let row =
      try connection.run(
        """
        SELECT greatest(f.first_hour, (SELECT max(s.coarse_before) FROM digests.source AS s
          WHERE $1::bigint[] IS NULL OR s.id = ANY ($1))), (SELECT max(id) FROM digests.failure)
        FROM digests.fleet AS f
        """, [sources]
      ).first
    names.firstHour = row?.integer(0) ?? 0
    lastFailure = row?.integer(1) ?? 0
    try readModels(connection, sources)
    try readReleases(connection, sources)
    try readLosses(connection, sources)
  }

  private mutating func readModels(
    _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
  ) throws {
    let rows = try connection.run(
      """
      SELECT m.id, m.name FROM digests.model AS m
      WHERE $1::bigint[] IS NULL OR m.id IN (
        SELECT unnest(n.ids) FROM digests.source_numbers AS n
        WHERE n.counted = 1 AND n.source_id = ANY ($1))
      ORDER BY m.id
      """, [sources])
    models = rows.map { $0.integer(0) }
    names.models = rows.map { FleetText.decode($0.text(1) ?? "") }
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
  private func hasAllDays(
    _ connection: PostgreSQLConnection, _ sources: PostgreSQLValue
  ) throws -> Bool {
    guard sources.text == nil else { return false }
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
        .integer(try hasAllDays(connection, sources) ? 0 : 1),
      ]
    ).map { row in
      CountCatalog.Loss(
        reason: FleetText.decode(row.text(0) ?? ""), hour: row.integer(1),
        digests: row.integer(2), occurrences: row.integer(3),
        note: row.text(4).map(FleetText.decode))
    }
  }
}
