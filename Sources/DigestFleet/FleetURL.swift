/// The URL of a fleet on a server. Its scheme names the engine.
package enum FleetURL {
  /// Whether a text is the URL of a fleet, and not the path of a file.
  package static func isFleet(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") || isClickHouse(text)
  }

  /// Whether making a fleet can grant roles what they need.
  package static func grantsRoles(_ url: String) -> Bool { !isClickHouse(url) }

  private static func isClickHouse(_ text: String) -> Bool { text.hasPrefix("clickhouse://") }

  /// The URL without its password and parameters, for messages.
  package static func display(_ url: String) -> String {
    isClickHouse(url) ? ClickHouseURL.display(url) : PostgreSQLURL.display(url)
  }

  /// Connects to a fleet.
  ///
  /// - Throws: ``DigestStoreError``.
  package static func connect(_ url: String) throws -> Fleet {
    Fleet(try isClickHouse(url) ? ClickHouseEngine(url) : PostgreSQLEngine(url))
  }
}
