import DigestStore
import ResilientPlatform

/// The pages of digests in a PostgreSQL database.
final class PostgreSQLDigestPages: DigestPages {
  private let fleet: PostgreSQLFleet
  private let sources: PostgreSQLValue

  /// The fleet's ids of failures, by their numbers, which count from 1.
  private let failures: [Int64]

  /// - Parameter source: the names of the stores, as in ``PostgreSQLFleet/store(at:of:)``.
  init(_ fleet: PostgreSQLFleet, of source: String?, failures: [Int64]) throws {
    self.fleet = fleet
    self.failures = failures
    sources = try fleet.connection.mappingErrors {
      try fleet.checkVersion()
      return try source.map { .integers(try fleet.ids(ofSources: $0)) } ?? .text(nil)
    }
  }

  func completeness() throws -> (counted: Int, sent: Int) {
    try fleet.connection.mappingErrors {
      let row = try fleet.connection.run(
        """
        SELECT (SELECT \(FleetViews.sum("digests")) FROM digests.source
            WHERE $1::bigint[] IS NULL OR id = ANY ($1)),
          (SELECT \(FleetViews.sum("digests")) FROM digests.digest_page
            WHERE $1::bigint[] IS NULL OR source_id = ANY ($1))
        """, [sources]
      ).first
      return (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0))
    }
  }

  func forEachPages(
    matching filter: DigestFilter, ofFailures failures: [Int64]?, in order: DigestPageOrder,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws {
    let wanted = failures.map { numbers in
      PostgreSQLValue.integers(numbers.map { self.failures[Int($0) - 1] })
    }
    try fleet.connection.mappingErrors {
      try fleet.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try fleet.connection.run(
        """
        DECLARE pages NO SCROLL CURSOR FOR
        SELECT last_recorded_at, lines FROM digests.digest_page
        WHERE ($1::bigint[] IS NULL OR source_id = ANY ($1))
          AND ($2::bigint IS NULL OR last_recorded_at >= $2)
          AND ($3::bigint IS NULL OR first_recorded_at < $3)
          AND ($4::bigint[] IS NULL OR failures && $4)
        ORDER BY \(order == .latest ? "last_recorded_at DESC, " : "")source_id, first_number
        """,
        [
          sources, .integer(filter.since?.milliseconds), .integer(filter.until?.milliseconds),
          wanted ?? .text(nil),
        ])
    }
    var count = order.firstPages
    var pages: [PostgreSQLRow] = []
    while true {
      pages += try fleet.connection.mappingErrors {
        Array(try fleet.connection.run("FETCH \(count + 1 - pages.count) FROM pages"))
      }
      let next = pages.count > count ? pages.removeLast() : nil
      if !pages.isEmpty {
        let moment = next.map { Date(milliseconds: $0.integer(0)) }
        let lines = pages.map { $0.text(1) ?? "" }
        guard try body(lines, moment) else { break }
      }
      pages = next.map { [$0] } ?? []
      if pages.isEmpty { break }
      count = min(DigestPageOrder.mostPages, count * 4)
    }
    try fleet.connection.mappingErrors { _ = try fleet.connection.run("ROLLBACK") }
  }

  func pages(ofDigest number: Int64, inStoresFrom prefix: String) throws -> [String] {
    try lines(
      """
      SELECT p.lines FROM digests.source AS s
      JOIN digests.digest_page AS p ON p.source_id = s.id
      WHERE starts_with(s.identity, $1) AND p.first_number <= $2 AND p.last_number >= $2
        AND ($3::bigint[] IS NULL OR s.id = ANY ($3))
      LIMIT 100
      """, [.text(FleetText.encode(prefix)), .integer(number), sources])
  }

  func pages(containing text: String) throws -> [String] {
    try lines(
      """
      SELECT p.lines FROM digests.digest_page AS p
      WHERE strpos(p.lines, $1) > 0 AND ($2::bigint[] IS NULL OR p.source_id = ANY ($2))
      LIMIT 100
      """, [.text(text), sources])
  }

  private func lines(_ sql: String, _ values: [PostgreSQLValue]) throws -> [String] {
    try fleet.connection.mappingErrors {
      try fleet.connection.run(sql, values).map { $0.text(0) ?? "" }
    }
  }
}
