/// The result of a push.
package struct PushSummary: Sendable {
  /// The name of the store in the fleet.
  package let source: String

  /// How many counts were new or have grown. A count is that of a failure or a model in a period and
  /// release.
  package var counts = 0

  /// How many failures of this store were new to the fleet.
  package var failures = 0

  /// How many digests were sent themselves, were evicted before that, and cannot be read; nil if the push
  /// sent counts only.
  package var sentDigests: (sent: Int, missed: Int, unreadable: Int)?

  /// How many errors and digests of the store the fleet counts in all.
  package var occurrences = 0
  package var digests = 0
}
