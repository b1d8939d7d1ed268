import DigestStore
import ResilientDecoding
import ResilientPlatform

/// The counts of some stores of a fleet by the ids of the fleet, from the packs that they have sent.
struct SourceCounts: CountSource, Sendable {
  private let connection: Locked<PostgreSQLConnection>

  /// The ids of the chosen stores, and their names.
  private let sources: [Int64]
  let storeNames: [Int64: String]?

  /// For each table and store, the ids of the fleet by the numbers of the store.
  private let ids: [CountTable: [Int64: IDMap]]

  /// Before this hour, only counts by day are complete.
  private let firstHour: Int64

  init(
    _ connection: Locked<PostgreSQLConnection>, _ sources: [Int64: String],
    ids: [CountTable: [Int64: IDMap]], firstHour: Int64
  ) {
    self.connection = connection
    self.firstHour = firstHour
    self.sources = sources.keys.sorted()
    storeNames = sources
    self.ids = ids
  }

  func forEachCount(
    _ query: CountQuery,
    _ body: (Count, Int64) throws -> Void
  ) throws {
    let ids = ids[query.table] ?? [:]
    let subject: PackedCounts.Subject = query.table == .failures ? .failures : .models
    try forEachPack(subject, query.span, query.hours, releases: query.releases) { row in
      guard let ids = ids[row.integer(0)] else { return }
      let key = PackedCounts.Key(
        subject: subject, span: query.span, start: row.integer(1), release: nil)
      let release = row.integer(query.isByStore ? 0 : 2)
      try row.forEachCount(3, of: key, from: row.integer(0)) { count in
        let id = ids[count.id]
        if id > 0 { try body(count.with(id: id), release) }
      }
    }
  }

  func firstDecodeHour() throws -> Int64? {
    try connection.run(
      """
      SELECT CASE WHEN d.start < $1 THEN d.start ELSE coalesce((SELECT min(h.start)
        FROM digests.pack AS h
        WHERE h.source_id = ANY ($2::bigint[]) AND h.counted = 2 AND h.span = 1
          AND h.start >= d.start AND h.start < d.start + 24), d.start) END
      FROM (SELECT min(start) AS start FROM digests.pack
        WHERE source_id = ANY ($2::bigint[]) AND counted = 2 AND span = 24) AS d
      WHERE d.start IS NOT NULL
      """, [.integer(firstHour), .integers(sources)]
    ).first?.integer(0)
  }

  func forEachDecodeCount(_ query: DecodeQuery, _ body: (DecodeCount) throws -> Void) throws {
    for periods in query.periods(firstHour: firstHour) {
      try forEachPack(.decodes, periods.span, periods.hours, releases: query.releases) { row in
        guard let ids = ids[.models]?[row.integer(0)] else { return }
        let hour = row.integer(1)
        let key = PackedCounts.Key(subject: .decodes, span: periods.span, start: hour, release: nil)
        let release = row.integer(2)
        try row.forEachCount(3, of: key, from: row.integer(0)) { count in
          let model = ids[count.id]
          guard model > 0 else { return }
          try body(
            DecodeCount(model: model, release: release, hour: hour, decodes: count.digests))
        }
      }
    }
  }

  private func forEachPack(
    _ subject: PackedCounts.Subject, _ span: Int64, _ hours: Range<Int64>, releases: [Int64]?,
    _ body: (PostgreSQLRow) throws -> Void
  ) throws {
    try connection.forEachPack(
      """
      SELECT source_id, start, release_id, cells
      FROM digests.pack
      WHERE source_id = ANY ($1::bigint[]) AND counted = $2 AND span = $3
        AND start >= $4 AND start < $5 AND ($6::bigint[] IS NULL OR release_id = ANY ($6))
      """,
      [
        .integers(sources), .integer(subject.rawValue), .integer(span),
        .integer(hours.lowerBound), .integer(hours.upperBound),
        releases.map { .integers($0) } ?? .text(nil),
      ], remedy: "leave that store out of --source", body)
  }
}
