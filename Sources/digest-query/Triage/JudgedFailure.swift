import APIContract
import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A failure, and the verdict of a document on it in one or more operations.
struct JudgedFailure {
  let judgement: Judgement

  /// The failure in each of these operations, most frequent first.
  fileprivate(set) var parts: [DigestStore.OperationFailure]

  /// The place of the first part among all rows.
  fileprivate let index: Int

  /// The failure, with the counts of the first operation.
  var failure: DigestStore.FailureCount { parts[0].failure }

  var operations: [String] { parts.compactMap(\.operation) }
  var releases: [String] { Set(parts.flatMap(\.releases)).sorted().sortedByAge }
  var occurrences: Int { parts.sum(of: \.failure.occurrences) }
  var digests: Int { parts.sum(of: \.failure.digests) }

  /// The share of the decodes of these operations; nil if they were not counted.
  var rate: Double? {
    let rates = parts.compactMap { part in
      part.failure.rate.map { (rate: $0, decodes: Double(part.decodes ?? 0)) }
    }
    let decodes = rates.reduce(0) { $0 + $1.decodes }
    return decodes > 0 ? rates.reduce(0) { $0 + $1.rate * $1.decodes } / decodes : nil
  }
}

extension APIContract {
  /// Judges failures, most frequent first.
  ///
  /// Operations with the same verdict by the same place of the document share a row. Digests without an
  /// operation are judged as those of the operations, if these agree.
  func judged(_ rows: [DigestStore.OperationFailure]) -> [JudgedFailure] {
    var judged: [JudgedFailure] = []
    var indexes: [FailureKey: [Int]] = [:]
    func add(_ part: DigestStore.OperationFailure, at index: Int, _ judgement: Judgement) {
      let key = part.failure.failureKey
      let same = indexes[key]?.first {
        judged[$0].judgement.verdict == judgement.verdict
          && judged[$0].judgement.place == judgement.place
      }
      if let same {
        judged[same].parts.append(part)
      } else {
        indexes[key, default: []].append(judged.count)
        judged.append(JudgedFailure(judgement: judgement, parts: [part], index: index))
      }
    }
    for (index, row) in rows.enumerated() where row.operation != nil {
      add(row, at: index, judgement(of: row))
    }
    for (index, row) in rows.enumerated() where row.operation == nil {
      let others = (indexes[row.failure.failureKey] ?? []).map { judged[$0] }
        .filter { !$0.parts[0].isOfOtherOperations }
      let verdicts = Set(others.map(\.judgement.verdict))
      let isAgreed = verdicts.count == 1 && verdicts != [.unmapped]
      add(row, at: index, isAgreed ? others[0].judgement : judgement(of: row))
    }
    return judged.map { (row: $0, occurrences: $0.occurrences) }
      .sorted { ($1.occurrences, $0.row.index) < ($0.occurrences, $1.row.index) }.map(\.row)
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

extension JudgedFailure: TriagedRow {
  var failureKey: FailureKey { failure.failureKey }
}

extension [JudgedFailure] {
  /// The number of failures. One with several verdicts has several rows.
  var failures: Int { Set(map(\.failureKey)).count }
}

extension JudgedFailure: OutputRow {
  static var columns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("model") { $0.failure.model },
      .text("operation") { $0.operationList },
      .text("coding_path") { $0.failure.codingPath },
      .text("kind") { $0.failure.kind.rawValue },
      .text("expected_type") { $0.failure.expectedType },
      .text("novel_value") { $0.failure.novelValue },
      .text("found_type") { $0.failure.foundType?.rawValue },
      .text("found_value") { $0.failure.foundValue },
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests },
      .time("first_seen") { $0.parts.map(\.failure.firstSeen).min() },
      .time("last_seen") { $0.lastSeen },
      .text("releases") { $0.releaseList },
      .share("rate") { $0.rate },
      .text("id") { $0.failure.id },
      .text("pointer") { $0.judgement.place?.text },
      .text("reason") { $0.judgement.text },
    ]
  }

  /// The columns for people: whose bug it is, what it is, how often it occurs, and why.
  static var tableColumns: [Column<Self>] {
    [
      .text("verdict") { $0.judgement.verdict.rawValue },
      .text("operation") { $0.operationList }.omittedIfEmpty.dropped(at: 8),
    ] + DigestStore.FailureCount.subject.map { $0.of(\.failure) } + [
      .number("occurrences") { $0.occurrences },
      .share("rate") { $0.rate }.omittedIfEmpty.dropped(at: 7),
      .time("last_seen") { $0.lastSeen }.dropped(at: 4),
      .text("releases") { $0.releaseList }.omittedIfEmpty.dropped(at: 2),
      .text("pointer", cut: .middle) { $0.judgement.place?.text }.dropped(at: 3),
      .text("reason") { $0.judgement.text }.dropped(at: 6),
      .text("id") { $0.failure.id }.dropped(at: 5),
    ]
  }

  var operationList: String? { operations.isEmpty ? nil : operations.joined(separator: ", ") }
  private var releaseList: String? { releases.isEmpty ? nil : releases.joined(separator: ", ") }
  private var lastSeen: Date? { parts.map(\.failure.lastSeen).max() }
}
