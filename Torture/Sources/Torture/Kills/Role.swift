/// What a process does until it is killed.
enum Role: String, CaseIterable {
  /// Several threads record digests.
  case write
  /// The same, and the store is opened and closed again and again.
  case reopen
  /// Asks all that a store can be asked.
  case report
  /// Records too, and does away with all digests that are a moment old.
  case evict

  var records: Bool { self != .report }
}
