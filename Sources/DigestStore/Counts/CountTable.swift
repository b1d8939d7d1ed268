/// A table of packed tallies, by what its cells count.
enum CountTable: String, CaseIterable {
  /// Failures.
  case failures = "period"

  /// Models: all their errors, and the digests that have at least one.
  case models = "model_period"
}
