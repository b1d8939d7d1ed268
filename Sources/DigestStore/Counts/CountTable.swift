/// A table of packed counts.
enum CountTable: String, CaseIterable {
  /// Counts failures.
  case failures = "period"

  /// Counts models: all their errors, and the digests that contain at least one.
  case models = "model_period"
}
