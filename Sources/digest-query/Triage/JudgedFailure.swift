import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A failure of an operation, and the verdict of a document on it.
struct JudgedFailure {
  let judgement: Judgement
  let failure: DigestStore.OperationFailure
}

extension APIContract {
  /// Judges failures. One without an operation follows its operations, if these agree.
  func judged(_ rows: [DigestStore.OperationFailure]) -> [JudgedFailure] {
    let judged = rows.map { JudgedFailure(judgement: judgement(of: $0), failure: $0) }
    let ofOperations = Dictionary(
      grouping: judged.filter { $0.failure.operation != nil && !$0.failure.isOfOtherOperations },
      by: \.failureName)
    return judged.map { row in
      guard row.failure.operation == nil, let others = ofOperations[row.failureName],
        Set(others.map(\.judgement.verdict)).count == 1, others[0].judgement.verdict != .unmapped,
        let operation = others[0].failure.operation
      else { return row }
      var judgement = others[0].judgement
      judgement.reason += "; digests without an operation are judged as those of \(operation)"
      return JudgedFailure(judgement: judgement, failure: row.failure)
    }
  }

  /// Judges a failure. A row that counts several failures over a limit has no verdict.
  func judgement(of row: DigestStore.OperationFailure) -> Judgement {
    let failure = row.failure
    guard let path = failure.path, !failure.isOverflow else {
      return Judgement(
        verdict: .unmapped, place: nil, reason: "this row counts several failures over a limit")
    }
    return judgement(
      of: ContractFailure(
        model: failure.model, operation: row.isOfOtherOperations ? nil : row.operation, path: path,
        kind: failure.kind,
        expectedType: failure.expectedType,
        // Nobody knows the rest of a value that was cut.
        novelValue: failure.isCut ? nil : failure.novelValue, valueType: failure.valueType,
        found: failure.foundType.map {
          ErrorDigest.FoundValue(
            type: $0, text: failure.isCut || failure.hasCutFoundValue ? nil : failure.foundValue)
        }))
  }
}

extension Judgement {
  /// The reason with its remedy.
  var text: String {
    guard let missing else { return reason }
    let option = "--map " + "\(missing.model)=\(missing.schema ?? "SCHEMA")".shellQuoted
    let remedy =
      missing.schema != nil
      ? "choose with" : place == nil ? "name one with" : "name another schema with"
    return "\(reason): \(remedy) \(option)"
  }
}

extension JudgedFailure: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("model") { $0.failure.failure.model },
      .text("operation") { $0.failure.operation },
      .text("coding_path") { $0.failure.failure.codingPath },
      .text("kind") { $0.failure.failure.kind.rawValue },
      .text("expected_type") { $0.failure.failure.expectedType },
      .text("novel_value") { $0.failure.failure.novelValue },
      .text("found_type") { $0.failure.failure.foundType?.rawValue },
      .text("found_value") { $0.failure.failure.foundValue },
      .number("occurrences") { $0.failure.failure.occurrences },
      .time("first_seen") { $0.failure.failure.firstSeen },
      .time("last_seen") { $0.failure.failure.lastSeen },
      .text("releases") { $0.releases },
      .text("pointer") { $0.judgement.place?.text },
      .text("reason") { $0.judgement.text },
    ]
  }

  /// The columns for people: whose bug it is, what it is, how often it occurs, and why.
  static var tableColumns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("operation") { $0.failure.operation }.omittedIfEmpty.dropped(at: 8),
    ] + DigestStore.FailureCount.subject.map { $0.of(\.failure.failure) } + [
      .number("occurrences") { $0.failure.failure.occurrences },
      .time("last_seen") { $0.failure.failure.lastSeen }.dropped(at: 4),
      .text("releases") { $0.releases }.omittedIfEmpty.dropped(at: 2),
      .text("pointer", cut: .middle) { $0.judgement.place?.text }.dropped(at: 3),
      .text("reason") { $0.judgement.text }.dropped(at: 6),
    ]
  }

  private var releases: String? {
    failure.releases.isEmpty ? nil : failure.releases.joined(separator: ", ")
  }
}
