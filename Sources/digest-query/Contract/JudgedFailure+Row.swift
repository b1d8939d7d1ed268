import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

extension JudgedFailure: Row {
  static var columns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("model", cut: .front) { $0.failure.failure.model }.dropped(at: 11),
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
