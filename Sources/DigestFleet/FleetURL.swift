/// The URL of a fleet on a server. Its scheme names the engine.
package enum FleetURL {
  /// Whether a text is the URL of a fleet, and not the path of a file.
  package static func isFleet(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// The URL without its password and parameters, for messages.
  package static func display(_ url: String) -> String { PostgreSQLURL.display(url) }
}
