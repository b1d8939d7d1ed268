import DigestStore
import ResilientPlatform

/// The pages of digests in a ClickHouse database.
final class ClickHouseDigestPages: DigestPages {
  private let fleet: ClickHouseFleet
  private let counts: ClickHouseCounts
  private var isChosen: String { counts.conditions.isChosen }

  init(_ fleet: ClickHouseFleet, _ counts: ClickHouseCounts) {
    self.fleet = fleet
    self.counts = counts
  }

  private var connection: ClickHouseConnection { fleet.connection }
  private var table: String { ClickHouseSchema.digestPage.latest(in: fleet.database) }

  func completeness() throws -> (counted: Int, sent: Int) {
    try connection.mappingErrors {
      let counted = try fleet.totals(where: isChosen).values.reduce(0) {
        $0 + min($1.digests, ClickHouseSchema.maximumCount - $0)
      }
      let sent = try connection.rows(
        "SELECT sum(digests) FROM \(table) AND \(isChosen)"
      ) { try $0.count() }
      return (Int(counted), Int(sent.first ?? 0))
    }
  }

  func forEachPages(
    matching filter: DigestFilter, in order: DigestPageOrder,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws {
    var conditions = [isChosen]
    if let since = filter.since { conditions.append("last_recorded_at >= \(since.milliseconds)") }
    if let until = filter.until { conditions.append("first_recorded_at < \(until.milliseconds)") }
    if filter.choosesFailures || !filter.models.isEmpty {
      let few = ClickHouseSelection.fewIDs
      let failures = try counts.ids(ofFailuresMatchingAny: [filter], limit: few + 1)
      // Too many would make the statement too long; then the temporary store filters alone.
      if failures.count <= few { conditions.append("hasAny(failures, [\(failures.sql)])") }
    }
    switch order {
    case .latest: _ = try forEachPages(where: conditions, in: order, body)
    case .written:
      for source in try sources(where: conditions) {
        let isOfSource = conditions + ["source = \(source)"]
        guard try forEachPages(where: isOfSource, in: order, body) else { break }
      }
    }
  }

  /// The stores that have sent pages, the one that was pushed first first.
  private func sources(where conditions: [String]) throws -> [UInt64] {
    try connection.mappingErrors {
      try connection.rows(
        """
        SELECT id FROM \(ClickHouseSchema.source.latest(in: fleet.database))
          AND id GLOBAL IN (SELECT DISTINCT source FROM \(fleet.database).digest_page
            WHERE \(conditions.joined(separator: " AND ")))
        ORDER BY first_pushed_at, identity
        """
      ) { try $0.integer(UInt64.self) }
    }
  }

  /// - Returns: whether `body` has not ended the reading.
  private func forEachPages(
    where conditions: [String], in order: DigestPageOrder,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws -> Bool {
    var count = order.firstPages
    var rest: [Page] = []
    var last: Page?
    while true {
      let position = last.map { ["(\($0.position(in: order)))"] } ?? []
      rest += try read(
        where: conditions + position, in: order, limit: count + 1 - rest.count)
      last = rest.last ?? last
      let next = rest.count > count ? rest.removeLast() : nil
      if !rest.isEmpty {
        let moment = next.map { Date(milliseconds: $0.moment) }
        guard try body(rest.map(\.lines), moment) else { return false }
      }
      rest = next.map { [$0] } ?? []
      if rest.isEmpty { return true }
      count = min(DigestPageOrder.mostPages, count * 4)
    }
  }

  private struct Page {
    let source: UInt64
    let firstNumber: Int64
    let moment: Int64
    let lines: String

    /// A condition that is true for the pages after this one.
    func position(in order: DigestPageOrder) -> String {
      let next =
        "(source > \(source) OR (source = \(source) AND first_number > \(firstNumber)))"
      return switch order {
      case .written: next
      case .latest: "last_recorded_at < \(moment) OR (last_recorded_at = \(moment) AND \(next))"
      }
    }
  }

  private func read(
    where conditions: [String], in order: DigestPageOrder, limit: Int
  ) throws -> [Page] {
    try connection.mappingErrors {
      try connection.rows(
        """
        SELECT source, first_number, last_recorded_at, lines FROM \(table)
        AND \(conditions.joined(separator: " AND "))
        ORDER BY \(order == .latest ? "last_recorded_at DESC, " : "")source, first_number
        LIMIT \(limit)
        """
      ) {
        Page(
          source: try $0.integer(), firstNumber: try $0.integer(), moment: try $0.integer(),
          lines: try $0.text())
      }
    }
  }

  func pages(ofDigest number: Int64, inStoresFrom prefix: String) throws -> [String] {
    try lines(
      """
      source GLOBAL IN (SELECT id FROM \(ClickHouseSchema.source.latest(in: fleet.database))
        AND substring(identity, 1, \(prefix.utf8.count)) = \(prefix.sqlLiteral))
        AND first_number <= \(number) AND last_number >= \(number)
      """)
  }

  func pages(containing text: String) throws -> [String] {
    try lines("position(lines, \(text.sqlLiteral)) > 0")
  }

  private func lines(_ condition: String) throws -> [String] {
    try connection.mappingErrors {
      try connection.rows(
        "SELECT lines FROM \(table) AND \(condition) AND \(isChosen) LIMIT 100"
      ) { try $0.text() }
    }
  }
}
