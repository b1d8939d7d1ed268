/// How a novel value or a failure changed between two sets of digests.
public enum Change: String, Sendable, Hashable, CaseIterable {
  /// Occurs only in the second set.
  case new
  /// Occurs only in the first set.
  case gone
  /// Occurs more often in the second set.
  case grown
  /// Occurs in the second set, but less often.
  case shrunk

  /// - Returns: nil if the counts are equal.
  init?(before: Int, after: Int) {
    guard before != after else { return nil }
    self = before == 0 ? .new : after == 0 ? .gone : before < after ? .grown : .shrunk
  }
}
