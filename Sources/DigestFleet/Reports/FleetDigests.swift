package import DigestStore
import ResilientPlatform

/// The digests that stores have sent to a fleet.
///
/// Some pages at a time are imported into a temporary store, which answers as any file does.
/// So no more than those pages are in memory or on the disk at once.
package final class FleetDigests {
  private let pages: any DigestPages

  /// The path of the temporary store.
  private let path: String

  /// The names and counts as of the initialization. Digests are read later.
  package let store: DigestReader

  /// How many of the lines that were read are not digests.
  private var unreadable = 0

  /// - Parameters:
  ///   - pages: the pages of digests.
  ///   - store: the names and counts of the fleet.
  ///   - path: the path of a temporary store; no file exists there. The caller deletes it, with
  ///     SQLite's other files, if a signal ends the process.
  init(_ pages: any DigestPages, of store: DigestReader, storedAt path: String) {
    self.pages = pages
    self.store = store
    self.path = path
  }

  /// Returns how many digests are counted, how many of them were sent, and how many of the lines
  /// that were read are not digests.
  package func completeness() throws -> (counted: Int, sent: Int, unreadable: Int) {
    let (counted, sent) = try pages.completeness()
    return (counted, sent, unreadable)
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
    try withStore(of: ids.flatMap { try pages(ofDigest: $0) }, body)
  }
}

extension FleetDigests {
  /// - Parameter body: gets the time of the latest remaining digest in the order
  ///   ``DigestPageOrder/latest``, and returns whether to continue.
  private func forEachStore(
    matching filter: DigestFilter, in order: DigestPageOrder,
    _ body: (DigestReader, Date?) throws -> Bool
  ) throws {
    try pages.forEachPages(matching: filter, in: order) { pages, next in
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

  /// Returns the pages that may have a digest with an id, or with the beginning of one.
  private func pages(ofDigest id: String) throws -> [String] {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count > 1, 4...32 ~= parts[0].utf8.count, let number = Int64(parts[1]) {
      // An id that a store has given: its identity, or the beginning of it, and the number.
      let found = try pages.pages(ofDigest: number, inStoresFrom: String(parts[0]))
      if !found.isEmpty { return found }
    }
    return try pages.pages(containing: "{\"id\":\"\(DigestPage.escaped(id))")
  }
}
