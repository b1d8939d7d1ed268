import DigestStore
import ResilientPlatform

/// The pages of digests in a PostgreSQL database.
final class PostgreSQLDigestPages: DigestPages {
  private let fleet: PostgreSQLFleet
  private let sources: PostgreSQLValue

  /// - Parameter source: the names of the stores, as in ``PostgreSQLFleet/store(at:of:)``.
  init(_ fleet: PostgreSQLFleet, of source: String?) throws {
    self.fleet = fleet
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
    matching filter: DigestFilter, in order: DigestPageOrder,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws {
    var conditions = PostgreSQLConditions()
    let chosen = conditions.add(sources)
    let since = conditions.add(.integer(filter.since?.milliseconds))
    let until = conditions.add(.integer(filter.until?.milliseconds))
    var hasFailures = "true"
    if filter.choosesFailures || !filter.models.isEmpty {
      hasFailures = """
        failures && ARRAY(SELECT f.id FROM digests.failure AS f
          JOIN digests.model AS m ON m.id = f.model_id WHERE \(conditions.isMatching(filter)))
        """
    }
    try fleet.connection.mappingErrors {
      try fleet.connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      try fleet.connection.run(
        """
        DECLARE pages NO SCROLL CURSOR FOR
        SELECT last_recorded_at, lines FROM digests.digest_page
        WHERE (\(chosen)::bigint[] IS NULL OR source_id = ANY (\(chosen)))
          AND (\(since)::bigint IS NULL OR last_recorded_at >= \(since))
          AND (\(until)::bigint IS NULL OR first_recorded_at < \(until))
          AND \(hasFailures)
        ORDER BY \(order == .latest ? "last_recorded_at DESC, " : "")source_id, first_number
        """, conditions.values)
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
