package import ResilientPlatform

/// A store that pushes to a fleet, and what has arrived of it.
package struct FleetSource: Sendable, Hashable {
  /// The name to list it by.
  package let name: String

  /// 32 hexadecimal digits that no other store has.
  package let identity: String
  package let occurrences: Int
  package let digests: Int

  /// When the last digest that has arrived was recorded; nil if none has.
  package let lastRecordedAt: Date?

  /// When it last pushed.
  package let lastPushedAt: Date

  /// The seconds since its last push, by the server's clock.
  package let lag: Double

  /// The role that owns it and pushes it.
  package let role: String
}
