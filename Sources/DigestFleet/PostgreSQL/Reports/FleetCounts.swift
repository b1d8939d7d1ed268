import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The counts of all stores of a fleet: of failures in packs, which are added up here, of models in
/// rows.
final class FleetCounts: CountSource, Sendable {
  private let connection: Locked<PostgreSQLConnection>

  /// The fleet's ids in the order of the numbers, which count from 1, and the numbers of the ids.
  private let ids: [CountTable: [Int64]]
  private let numbers: [CountTable: IDMap]

  /// Before this hour, only counts by day are complete.
  private let firstHour: Int64

  init(
    _ connection: sending PostgreSQLConnection, failures: [Int64], models: [Int64],
    firstHour: Int64
  ) {
    self.connection = Locked(connection)
    self.firstHour = firstHour
    ids = [.failures: failures, .models: models]
    numbers = ids.mapValues { IDMap(positionsOf: $0) }
  }

  func forEachCount(
    _ query: CountQuery,
    _ body: (Count, Int64) throws -> Void
  ) throws {
    guard let numbers = numbers[query.table] else { return }
    func add(_ count: Count, _ release: Int64) throws {
      let number = numbers[count.id]
      if number > 0 { try body(count.with(id: number), release) }
    }
    switch query.table {
    case .failures: try forEachFailure(query, add)
    case .models: try forEachModel(query, add)
    }
  }
}

extension FleetCounts {
  func firstDecodeHour() throws -> Int64? {
    try connection.run(
      """
      SELECT CASE WHEN d.start < $1 THEN d.start ELSE coalesce((SELECT min(h.start)
        FROM digests.decode_tally AS h
        WHERE h.span = 1 AND h.start >= d.start AND h.start < d.start + 24), d.start) END
      FROM (SELECT min(start) AS start FROM digests.decode_tally WHERE span = 24) AS d
      WHERE d.start IS NOT NULL
      """, [.integer(firstHour)]
    ).first?.integer(0)
  }

  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws {
    let groups =
      ["model_id"] + (query.isByRelease ? ["release_id"] : []) + (query.isByHour ? ["start"] : [])
    for periods in query.periods(firstHour: firstHour) {
      let rows = try connection.run(
        """
        SELECT model_id, \(query.isByRelease ? "release_id" : "0"),
          \(query.isByHour ? "start" : "0"), \(FleetViews.sum("decodes"))
        FROM digests.decode_tally
        WHERE span = $1 AND start >= $2 AND start < $3
          AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
        GROUP BY \(groups.joined(separator: ", "))
        """,
        [
          .integer(periods.span), .integer(periods.hours.lowerBound),
          .integer(periods.hours.upperBound), query.releases.map { .integers($0) } ?? .text(nil),
        ])
      for row in rows {
        guard let model = numbers[.models]?[row.integer(0)], model > 0 else { continue }
        try body(
          DecodeCount(
            model: model, release: row.integer(1), hour: row.integer(2), decodes: row.integer(3)))
      }
    }
  }

  /// Calls `body` with the counts of packs.
  private func forEachFailure(
    _ query: CountQuery, _ body: (Count, Int64) throws -> Void
  ) throws {
    let rows = try connection.run(
      """
      SELECT start, release_id, cells, source_id FROM digests.growth
      WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
      """, values(query))
    let wanted = wantedFailures(query)
    for row in rows {
      let key = PackedCounts.Key(
        subject: .failures, span: query.span, start: row.integer(0), release: nil)
      let release = row.integer(1)
      try connection.forEachCount(
        in: row, 2, of: key, from: row.integer(3), among: wanted,
        remedy: "digest-query prune removes them"
      ) {
        try body($0, release)
      }
    }
  }

  /// The ids of the failures to read, if looking for each is faster than reading all; else nil.
  private func wantedFailures(_ query: CountQuery) -> [Int64]? {
    let ids = ids[.failures] ?? []
    return query.ids.flatMap { numbers in
      numbers.count < ids.count / 4 ? numbers.map { ids[Int($0) - 1] } : nil
    }
  }

  /// Calls `body` with the counts of rows, which the server adds up as far as the query allows.
  private func forEachModel(
    _ query: CountQuery, _ body: (Count, Int64) throws -> Void
  ) throws {
    let groups =
      ["model_id"] + (query.isByRelease ? ["release_id"] : [])
      + (query.isByPeriod ? ["start"] : [])
    let rows = try connection.run(
      """
      SELECT model_id, \(query.isByRelease ? "release_id" : "0"),
        \(FleetViews.sum("occurrences")), \(FleetViews.sum("digests")), min(first_seen),
        max(last_seen)
      FROM digests.model_tally
      WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
      GROUP BY \(groups.joined(separator: ", "))
      """, values(query))
    for row in rows {
      let count = Count(
        id: row.integer(0), occurrences: row.integer(2), digests: row.integer(3),
        sharedDigests: 0, first: row.integer(4), last: max(row.integer(4), row.integer(5)))
      try body(count, row.integer(1))
    }
  }

  private func values(_ query: CountQuery) -> [PostgreSQLValue] {
    [
      .integer(query.span), .integer(query.hours.lowerBound),
      .integer(query.hours.upperBound), query.releases.map { .integers($0) } ?? .text(nil),
    ]
  }
}
