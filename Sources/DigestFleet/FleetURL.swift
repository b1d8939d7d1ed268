package import DigestStore

/// The URL of a fleet. Its scheme names the engine.
package enum FleetURL {
  /// Whether a text is the URL of a fleet, and not the path of a file.
  package static func isFleet(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") || isClickHouse(text)
  }

  private static func isClickHouse(_ url: String) -> Bool { url.hasPrefix("clickhouse://") }

  /// The URL without its password and parameters, for messages.
  package static func display(_ url: String) -> String {
    isClickHouse(url) ? ClickHouseURL.display(url) : PostgreSQLURL.display(url)
  }

  /// Connects to the fleet at a URL.
  ///
  /// - Throws: ``FleetError`` if that fails, or if this build does not have the engine.
  package static func open(_ url: String) throws -> any Fleet {
    try isClickHouse(url) ? ClickHouseFleet(url) : PostgreSQLFleet(url)
  }

  /// Opens the counts of several stores as one store: every report on counts answers as if the stores were
  /// one file.
  ///
  /// - Parameters:
  ///   - url: the URL of the fleet.
  ///   - source: the names of the stores, as in ``Fleet/sources(named:)``; nil for all stores.
  /// - Throws: ``FleetError`` if the server cannot answer, or has no such store.
  package static func store(at url: String, of source: String?) throws -> DigestReader {
    try isClickHouse(url)
      ? ClickHouseFleet.store(at: url, of: source) : PostgreSQLFleet.store(at: url, of: source)
  }

  /// Opens the digests that stores have sent.
  ///
  /// - Parameters:
  ///   - url: the URL of the fleet.
  ///   - source: the names of the stores, as in ``Fleet/sources(named:)``; nil for all stores.
  ///   - path: the path of a temporary store; no file exists there. The caller deletes it, with SQLite's
  ///     other files, if a signal ends the process.
  package static func digests(
    at url: String, of source: String?, storedAt path: String
  ) throws -> FleetDigests {
    if isClickHouse(url) {
      let (store, pages) = try ClickHouseFleet.storeAndPages(at: url, of: source)
      return FleetDigests(pages, of: store, storedAt: path)
    }
    let fleet = try PostgreSQLFleet(url)
    let store = try PostgreSQLFleet.store(at: url, of: source)
    let pages = try PostgreSQLDigestPages(fleet, of: source)
    return FleetDigests(pages, of: store, storedAt: path)
  }
}
