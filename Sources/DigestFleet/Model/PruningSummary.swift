package import ResilientPlatform

/// The result of pruning a fleet.
package struct PruningSummary: Sendable, Hashable {
  /// How many digests were deleted. They stay counted.
  package let digests: Int

  /// The beginning of the day (UTC) before which only days are left.
  package let hoursBefore: Date

  /// How many packs were deleted because they cannot be read.
  package var unreadable = 0
}
