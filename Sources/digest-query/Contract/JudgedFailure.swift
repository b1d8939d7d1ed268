import APIContract
import DigestStore
import ResilientDecoding

/// A failure of an operation, and the verdict of a document on it.
struct JudgedFailure {
  let judgement: Judgement
  let failure: DigestStore.OperationFailure
}

extension APIContract {
  /// Judges failures.
  func judged(_ rows: [DigestStore.OperationFailure]) -> [JudgedFailure] {
    rows.map { JudgedFailure(judgement: judgement(of: $0), failure: $0) }
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
