import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A failure of an operation, and the verdict of a document on it.
struct JudgedFailure {
  let judgement: Judgement
  let failure: DigestStore.OperationFailure
}

extension JudgedFailure: Row {
  static var columns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("model", cut: .front) { $0.failure.failure.model },
      .text("operation") { $0.failure.operation }.omittedIfEmpty.dropped(at: 8),
      .text("coding_path", cut: .middle) { $0.failure.failure.codingPath },
      .text("kind") { $0.failure.failure.kind.rawValue }.dropped(at: 7),
      .text("expected_type", cut: .front) { $0.failure.failure.expectedType }.dropped(at: 3),
      .text("novel_value") { $0.failure.failure.novelValue }.omittedIfEmpty,
      .text("found_type") { $0.failure.failure.foundType?.rawValue }.dropped(at: 4),
      .text("found_value") { $0.failure.failure.foundValue }.dropped(at: 9),
      .number("occurrences") { $0.failure.failure.occurrences },
      .time("first_seen") { $0.failure.failure.firstSeen }.dropped(at: 1),
      .time("last_seen") { $0.failure.failure.lastSeen }.dropped(at: 6),
      .text("releases") { failure in
        failure.failure.releases.isEmpty
          ? nil : failure.failure.releases.joined(separator: ", ")
      }.omittedIfEmpty.dropped(at: 2),
      .text("pointer", cut: .middle) { $0.judgement.place?.text }.dropped(at: 5),
      .text("reason") { $0.judgement.text }.dropped(at: 10),
    ]
  }
}

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
