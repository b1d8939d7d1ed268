/// Metrics to print as one table.
struct Suite {
  let title: String

  /// The text above the table.
  let caption: String

  /// The rows; some depend on the numbers of occurrences.
  let metrics: (Options) -> [Metric]
}
