import DigestStore

/// A row about one failure.
protocol TriagedRow {
  var failureKey: FailureKey { get }
  var occurrences: Int { get }
}

extension DigestStore.FailureCount: TriagedRow {}

extension DigestStore.FailureChange: TriagedRow {
  var occurrences: Int { occurrencesBefore.adding(count: occurrencesAfter) }
}
