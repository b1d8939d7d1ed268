/// The total count of a model under a filter.
package struct ModelTotal: Sendable {
  /// All errors, with the model's id. Its digest counts are meaningless.
  private(set) var count: Count

  /// The number of distinct failures and novel values.
  private(set) var failures = 0
  private(set) var novelValues = 0

  /// The number of digests that contain at least one of the errors; nil if unknown.
  var digests: Int64?

  /// Whether the filter excludes some of the model's failures, so that not all its digests count.
  var isPartial = false

  init(_ model: Int64) {
    count = .none(of: model)
  }

  /// - Parameter count: the count of all the model's failures together.
  init(_ count: Count, failures: Int, novelValues: Int) {
    self.count = count
    self.failures = failures
    self.novelValues = novelValues
    digests = count.digests
  }

  /// - Parameters:
  ///   - count: the counts of the model's failures, added up.
  ///   - failures: how many these are, and `novelValues` how many novel values they have.
  ///   - isPartial: whether the model has other failures, which the filter excludes.
  package init(adding count: Count, failures: Int, novelValues: Int, isPartial: Bool) {
    self.count = count
    self.failures = failures
    self.novelValues = novelValues
    self.isPartial = isPartial
    digests = failures == 1 ? count.digests : nil
  }

  /// Adds the count of one of the model's failures.
  mutating func add(_ failure: Count, isNewValue: Bool) {
    count.add(failure)
    failures += 1
    if isNewValue { novelValues += 1 }
    // Several failures can be in the same digest, so their digests cannot be added up.
    digests = failures == 1 ? failure.digests : nil
  }
}
