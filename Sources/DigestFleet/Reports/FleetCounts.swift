import DigestStore
import ResilientDecoding

/// The counts of all stores of a fleet: of failures in packs, which are added up here, of models in rows.
final class FleetCounts: CountSource {
  private let connection: Locked<PostgreSQLConnection>

  /// The fleet's ids in the order of the numbers, which count from 1, and the numbers of the ids.
  private let ids: [PackedCounts.Table: [Int64]]
  private let numbers: [PackedCounts.Table: IDMap]

  init(_ connection: sending PostgreSQLConnection, failures: [Int64], models: [Int64]) {
    self.connection = Locked(connection)
    ids = [.failures: failures, .models: models]
    numbers = ids.mapValues { IDMap(positionsOf: $0) }
  }

  func forEachCount(
    _ question: CountQuery,
    _ body: (StoreCount, Int64) throws -> Void
  ) throws {
    guard let numbers = numbers[question.table] else { return }
    func add(_ count: StoreCount, _ release: Int64) throws {
      let number = numbers[count.number]
      if number > 0 { try body(count.numbered(number), release) }
    }
    switch question.table {
    case .failures: try forEachFailure(question, add)
    case .models: try forEachModel(question, add)
    }
  }

}

extension FleetCounts {
  /// Calls `body` with the counts of packs.
  private func forEachFailure(
    _ question: CountQuery, _ body: (StoreCount, Int64) throws -> Void
  ) throws {
    let rows = try connection.run(
      """
      SELECT start, release_id, cells, source_id FROM digests.growth
      WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
      """, values(question))
    let wanted = wantedFailures(question)
    for row in rows {
      let key = PackedCounts.Key(
        table: .failures, span: question.span, start: row.integer(0), release: nil)
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
  private func wantedFailures(_ question: CountQuery) -> [Int64]? {
    let ids = ids[.failures] ?? []
    return question.numbers.flatMap { numbers in
      numbers.count < ids.count / 4 ? numbers.map { ids[Int($0) - 1] } : nil
    }
  }

  /// Calls `body` with the counts of rows, which the server adds up as far as the question allows.
  private func forEachModel(
    _ question: CountQuery, _ body: (StoreCount, Int64) throws -> Void
  ) throws {
    let groups =
      ["model_id"] + (question.isByRelease ? ["release_id"] : [])
      + (question.isByPeriod ? ["start"] : [])
    let rows = try connection.run(
      """
      SELECT model_id, \(question.isByRelease ? "release_id" : "0"),
        \(FleetViews.sum("occurrences")), \(FleetViews.sum("digests")), min(first_seen),
        max(last_seen)
      FROM digests.model_tally
      WHERE span = $1 AND start >= $2 AND start < $3 AND ($4::bigint[] IS NULL OR release_id = ANY ($4))
      GROUP BY \(groups.joined(separator: ", "))
      """, values(question))
    for row in rows {
      let count = StoreCount(
        number: row.integer(0), occurrences: row.integer(2), digests: row.integer(3),
        sharedDigests: 0, first: row.integer(4), last: max(row.integer(4), row.integer(5)))
      try body(count, row.integer(1))
    }
  }

  private func values(_ question: CountQuery) -> [PostgreSQLValue] {
    [
      .integer(question.span), .integer(question.hours.lowerBound),
      .integer(question.hours.upperBound), question.releases.map { .integers($0) } ?? .text(nil),
    ]
  }
}
