package import DigestStore
import ResilientPlatform

/// The digests that stores have sent to a fleet.
///
/// Some pages at a time are imported into a temporary store, which answers as any file does.
/// So no more than those pages are in memory or on the disk at once.
package final class FleetDigests {
  /// The order of pages.
  enum Order: String {
    /// By store, then in the order of writing.
    case written = "source_id, first_number"

    /// By the time of the last digest, the latest first.
    case latest = "last_recorded_at DESC, source_id, first_number"
  }

  private let fleet: Fleet
  private let sources: [Int64]?

  /// The path of the temporary store.
  private let path: String

  /// The names and counts as of the initialization. Digests are read later.
  package let store: DigestReader
  private let failures: [Int64]

  /// - Parameters:
  ///   - url: the URL of the fleet.
  ///   - source: the names of the stores, as in ``Fleet/store(at:of:)``.
  ///   - path: the path of a temporary store; no file exists there. The caller deletes it, with
  ///     SQLite's other files, if a signal ends the process.
  package init(at url: String, of source: String?, storedAt path: String) throws {
    let fleet = try Fleet(url)
    self.fleet = fleet
    self.path = path
    (store, failures) = try Fleet.storeAndFailures(at: url, of: source)
    sources = try fleet.connection.mappingErrors {
      try fleet.checkVersion()
      return try source.map { try fleet.ids(ofSources: $0) }
    }
  }

  /// How many of the lines that were read are not digests.
  private var unreadable = 0

  /// Returns how many digests are counted, how many of them were sent, and how many of the lines
  /// that were read are not digests.
  package func completeness() throws -> (counted: Int, sent: Int, unreadable: Int) {
    try fleet.connection.mappingErrors {
      let row = try fleet.connection.run(
        """
        SELECT (SELECT \(FleetViews.sum("digests")) FROM digests.source
            WHERE $1::bigint[] IS NULL OR id = ANY ($1)),
          (SELECT \(FleetViews.sum("digests")) FROM digests.digest_page
            WHERE $1::bigint[] IS NULL OR source_id = ANY ($1))
        """, [sourcesValue]
      ).first
      return (Int(row?.integer(0) ?? 0), Int(row?.integer(1) ?? 0), unreadable)
    }
  }

  /// Lists the digests that were recorded last, the latest first.
  package func latest(matching filter: DigestFilter, limit: Int?) throws -> [DigestStore
    .DigestSummary]
  {
    var latest: [DigestStore.DigestSummary] = []
    let limit = limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
    guard limit > 0 else { return [] }
    try forEachStore(matching: filter, in: .latest) { store, next in
      latest += try store.digests(matching: filter)
      latest.sort { ($0.recordedAt, $1.id) > ($1.recordedAt, $0.id) }
      latest = Array(latest.prefix(limit))
      // All remaining digests are older.
      guard let next, latest.count == limit, let last = latest.last else { return true }
      return last.recordedAt < next
    }
    return latest
  }

  /// Calls `body` with stores that together have the digests of a filter, among others, by store
  /// and in the order of writing.
  package func forEachStore(
    matching filter: DigestFilter, _ body: (DigestReader) throws -> Void
  ) throws {
    try forEachStore(matching: filter, in: .written) { store, _ in
      try body(store)
      return true
    }
  }

  /// Calls `body` with a store that has the digests with some ids or beginnings of ids, among
  /// others.
  package func withStore<Value>(
    ofDigests ids: [String], _ body: (DigestReader) throws -> Value
  ) throws -> Value {
    let pages = try fleet.connection.mappingErrors {
      try ids.flatMap { try self.pages(ofDigest: $0) }
    }
    return try withStore(of: pages, body)
  }
}

extension FleetDigests {
  private var sourcesValue: PostgreSQLValue { sources.map { .integers($0) } ?? .text(nil) }

  /// - Parameter body: gets the time of the latest remaining digest in the order ``Order/latest``, and
  ///   returns whether to continue.
  private func forEachStore(
    matching filter: DigestFilter, in order: Order,
    _ body: (DigestReader, Date?) throws -> Bool
  ) throws {
    try forEachPages(matching: filter, in: order) { pages, next in
      try withStore(of: pages) { try body($0, next) }
    }
  }

  private func withStore<Value>(
    of pages: [String], _ body: (DigestReader) throws -> Value
  ) throws -> Value {
    try TemporaryStore.with(pages, at: path) { store, unreadable in
      self.unreadable += unreadable
      return try body(store)
    }
  }

  /// Calls `body` with some pages at a time that have the digests of a filter, among others.
  private func forEachPages(
    matching filter: DigestFilter, in order: Order,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws {
    let wanted = try store.failureNumbers(matching: filter)
      .map { $0.map { failures[Int($0) - 1] } }
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
        ORDER BY \(order.rawValue)
        """,
        [
          sourcesValue, .integer(filter.since?.milliseconds),
          .integer(filter.until?.milliseconds), wanted.map { .integers($0) } ?? .text(nil),
        ])
    }
    // The latest pages are often enough.
    var count = order == .latest ? 2 : 64
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
      count = min(64, count * 4)
    }
    try fleet.connection.mappingErrors { _ = try fleet.connection.run("ROLLBACK") }
  }

  /// Returns the pages that may have a digest with an id, or with the beginning of one.
  private func pages(ofDigest id: String) throws -> [String] {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count > 1, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]) {
      // An id that a store has given: its identity, or the beginning of it, and the number.
      let rows = try fleet.connection.run(
        """
        SELECT p.lines FROM digests.source AS s
        JOIN digests.digest_page AS p ON p.source_id = s.id
        WHERE starts_with(s.identity, $1) AND p.first_number <= $2 AND p.last_number >= $2
          AND ($3::bigint[] IS NULL OR s.id = ANY ($3))
        LIMIT 100
        """, [.text(FleetText.encode(String(parts[0]))), .integer(number), sourcesValue])
      if !rows.isEmpty { return rows.map { $0.text(0) ?? "" } }
    }
    return try fleet.connection.run(
      """
      SELECT p.lines FROM digests.digest_page AS p
      WHERE strpos(p.lines, $1) > 0 AND ($2::bigint[] IS NULL OR p.source_id = ANY ($2))
      LIMIT 100
      """, [.text("{\"id\":\"\(DigestPage.escaped(id))"), sourcesValue]
    ).map { $0.text(0) ?? "" }
  }
}

extension Date {
  /// A moment within the range of a clock, whatever the server says.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: min(max(Double(milliseconds), -1e15), 1e15) / 1_000)
  }

  /// Milliseconds since 1970, within the range of the server.
  var milliseconds: Int64 {
    Int64(min(max((timeIntervalSince1970 * 1_000).rounded(.down), -1e15), 1e15))
  }
}
