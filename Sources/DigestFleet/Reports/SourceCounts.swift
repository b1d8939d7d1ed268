import DigestStore
import ResilientDecoding

/// The counts of some stores of a fleet, from the packs that they have sent.
final class SourceCounts: CountSource, Sendable {
  private let connection: Locked<PostgreSQLConnection>

  /// The ids of the chosen stores.
  private let sources: [Int64]

  /// For each table and store, the numbers of the report by the numbers of the store.
  private let numbers: [CountTable: [Int64: IDMap]]

  init(
    _ connection: sending PostgreSQLConnection, _ sources: [Int64],
    numbers: [CountTable: [Int64: IDMap]]
  ) {
    self.connection = Locked(connection)
    self.sources = sources
    self.numbers = numbers
  }

  func forEachCount(
    _ query: CountQuery,
    _ body: (Count, Int64) throws -> Void
  ) throws {
    let numbers = numbers[query.table] ?? [:]
    for row in try packs(query) {
      guard let numbers = numbers[row.integer(0)] else { continue }
      let key = PackedCounts.Key(
        table: query.table, span: query.span, start: row.integer(1), release: nil)
      let release = row.integer(2)
      try connection.forEachCount(
        in: row, 3, of: key, from: row.integer(0), remedy: "leave that store out of --source"
      ) { count in
        let number = numbers[count.id]
        if number > 0 { try body(count.with(id: number), release) }
      }
    }
  }

  private func packs(_ query: CountQuery) throws -> PostgreSQLRows {
    try connection.run(
      """
      SELECT source_id, start, release_id, cells
      FROM digests.pack
      WHERE source_id = ANY ($1::bigint[]) AND counted = $2 AND span = $3
        AND start >= $4 AND start < $5 AND ($6::bigint[] IS NULL OR release_id = ANY ($6))
      """,
      [
        .integers(sources), .integer(query.table.rawValue), .integer(query.span),
        .integer(query.hours.lowerBound), .integer(query.hours.upperBound),
        query.releases.map { .integers($0) } ?? .text(nil),
      ])
  }
}
