/// What a model has come to under a filter.
struct ModelTotal {
  /// All its errors, under the number of the model; what it says of digests means nothing.
  private(set) var cell: Count

  /// How many different failures and novel values there were.
  private(set) var failures = 0
  private(set) var novelValues = 0

  /// How many digests had at least one of the errors; nil where that is not known.
  var digests: Int64?

  /// Whether the filter leaves out some of its failures, so that not all of its digests count.
  var isPartial = false

  init(_ model: Int64) {
    cell = .none(of: model)
  }

  /// - Parameter cell: what was counted of all its failures together.
  init(_ cell: Count, failures: Int, novelValues: Int) {
    self.cell = cell
    self.failures = failures
    self.novelValues = novelValues
    digests = cell.digests
  }

  /// Adds one of its failures.
  mutating func add(_ failure: Count, isNewValue: Bool) {
    cell.add(failure)
    failures += 1
    if isNewValue { novelValues += 1 }
    // More than one may be in the same digests.
    digests = failures == 1 ? failure.digests : nil
  }
}
