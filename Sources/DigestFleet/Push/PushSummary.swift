/// What a push has sent.
package struct PushSummary: Sendable {
  /// By what the fleet knows the store: the name of the machine, or the one that was given.
  package let source: String

  /// How many counts were new or have grown, of a failure or a model in a period and release.
  package var tallies = 0

  /// How many failures the fleet did not know of this store.
  package var failures = 0

  /// How many digests were sent themselves, how many the store had evicted before, and how many
  /// cannot be read; nil where none were to be sent.
  package var sentDigests: (sent: Int, missed: Int, unreadable: Int)?

  /// How many errors and digests of the store the fleet has counted, all in all.
  package var occurrences = 0
  package var digests = 0
}
