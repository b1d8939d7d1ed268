import APIContract
import DigestStore
import ResilientDecoding

extension Spec {
  /// The rows for a service. Those of `--fail-on` are errors.
  ///
  /// - Parameter all: all rows, including hidden ones. A verdict with hidden rows alone is no rule of
  ///   the run: nothing says whether it passed.
  func findings(
    _ rows: ArraySlice<JudgedFailure>, of all: [JudgedFailure], _ contract: APIContract,
    _ decisions: Triage?
  ) -> Findings {
    let shown = Set(rows.map(\.judgement.verdict))
    let hidden = Set(all.map(\.judgement.verdict)).subtracting(shown)
    let lines = contract.lines(of: Set(rows.compactMap(\.judgement.place)))
    let folder = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .map { $0 + "/" }.joined()
    return Findings(
      command: "spec",
      rules: Verdict.allCases.filter { !hidden.contains($0) }.map {
        ($0.rawValue, $0.meaning.sentence)
      },
      findings: rows.map { row in
        let (verdict, failure) = (row.judgement.verdict, row.failure.failure)
        let state = decisions.map { $0.state(of: row.failureName) }
        let suppression = decisions?.suppression(of: row.failureName)
        let isForInformation = verdict == .unmapped || suppression != nil
        let value = failure.novelValue ?? failure.foundValue ?? failure.foundType?.rawValue
        let texts = [
          row.failure.operation, failure.codingPath, failure.kind.rawValue,
          value.map { "\"\($0)\"" },
        ]
        return Finding(
          rule: verdict.rawValue,
          subject: (failure.model, texts.compactMap(\.self).joined(separator: " ")),
          level: isFailing(row, decisions) ? .error : isForInformation ? .note : .warning,
          message: "\(row.judgement.text) (\(failure.occurrences.counting("occurrence"))"
            + "\(state.map { ", \($0.rawValue)" } ?? ""))",
          // Not another found value, a sample that changes.
          identity: [
            failure.model, row.failure.operation, failure.codingPath, failure.kind.rawValue,
            failure.expectedType, failure.novelValue, failure.valueType,
          ] + (failure.body.map { [$0.rawValue] } ?? []),
          suppression: suppression,
          location: row.judgement.place.map {
            ($0.file.isEmpty ? document : folder + $0.file, lines[$0], $0.pointer)
          })
      }, file: document)
  }
}

extension String {
  /// The words as a sentence.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
