import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The counts of all stores of a fleet by the ids of the fleet: of failures in packs, which are added up
/// here, of models in rows.
struct FleetCounts: CountSource, Sendable {
  let connection: Locked<PostgreSQLConnection>

  /// Before this hour, only counts by day are complete.
  let firstHour: Int64

  func forEachCount(
    _ query: CountQuery,
    _ body: (Count, Int64) throws -> Void
  ) throws {
    switch query.table {
    case .failures: try forEachFailure(query, body)
    case .models: try forEachModel(query, body)
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
        try body(
          DecodeCount(
            model: row.integer(0), release: row.integer(1), hour: row.integer(2),
            decodes: row.integer(3)))
      }
    }
  }

  /// Calls `body` with the counts of packs.
  private func forEachFailure(
    _ query: CountQuery, _ body: (Count, Int64) throws -> Void
  ) throws {
    try connection.forEachPack(
      """
      SELECT start, release_id, cells, source_id FROM digests.growth
      WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
      """, values(query), remedy: "digest-query prune removes them"
    ) { row in
      let key = PackedCounts.Key(
        subject: .failures, span: query.span, start: row.integer(0), release: nil)
      let release = row.integer(1)
      try row.forEachCount(2, of: key, from: row.integer(3), among: query.ids) {
        try body($0, release)
      }
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
