import APIContract
import DigestStore
import ResilientPlatform

/// The failures for which a document would have to be changed.
struct DocumentChange {
  private var occurrences = 0
  private var first: Date
  private var last: Date
  private var operations: [String] = []
  private var releases: [String] = []

  /// The changes are in the order in which their failures are printed.
  let order: Int

  /// The failures in words.
  var description: String {
    let days = first.day == last.day ? "on \(first.day)" : "from \(first.day) to \(last.day)"
    let names = [("operations", operations), ("releases", releases)].filter { !$1.isEmpty }
    return
      (["\(occurrences.counting("occurrence")) \(days)"]
      + names.map { "\($0): \($1.list())" }).joined(separator: "; ")
  }

  fileprivate init(_ failure: DigestStore.OperationFailure, order: Int) {
    first = failure.failure.firstSeen
    last = failure.failure.lastSeen
    self.order = order
    add(failure)
  }

  fileprivate mutating func add(_ failure: DigestStore.OperationFailure) {
    occurrences += failure.failure.occurrences
    first = min(first, failure.failure.firstSeen)
    last = max(last, failure.failure.lastSeen)
    if let operation = failure.operation, !operations.contains(operation) {
      operations.append(operation)
    }
    releases += failure.releases.filter { !releases.contains($0) }
  }
}

extension JudgedFailure {
  /// Adds the failure to the changes that would allow it.
  func add(to changes: inout [Amendment: DocumentChange]) {
    for amendment in judgement.amendments {
      if changes[amendment] == nil {
        changes[amendment] = DocumentChange(failure, order: changes.count)
      } else {
        changes[amendment]?.add(failure)
      }
    }
  }
}
