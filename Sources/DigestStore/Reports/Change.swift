/// What became of a novel value or a failure from one set of digests to another.
public enum Change: String, Sendable, Hashable, CaseIterable {
  /// It occurs in the second one only.
  case new
  /// It occurs in the first one only.
  case gone
  /// It occurs more often in the second one.
  case grown
  /// It occurs less often in the second one, but does.
  case shrunk

  /// - Returns: nil where nothing changed.
  init?(before: Int, after: Int) {
    guard before != after else { return nil }
    self = before == 0 ? .new : after == 0 ? .gone : before < after ? .grown : .shrunk
  }
}
