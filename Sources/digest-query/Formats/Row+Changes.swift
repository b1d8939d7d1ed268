import DigestStore

extension NovelValueChange: Row {
  static var columns: [Column<Self>] {
    [
      .text("change") { $0.change.rawValue },
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType },
      .number("before") { $0.occurrencesBefore },
      .number("after") { $0.occurrencesAfter },
      .decimal("factor") { factor(from: $0.occurrencesBefore, to: $0.occurrencesAfter) },
    ]
  }
}

extension FailureChange: Row {
  static var columns: [Column<Self>] {
    [
      .text("change") { $0.change.rawValue },
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind },
      .text("expected_type", cut: .front) { $0.expectedType },
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType },
      .number("before") { $0.occurrencesBefore },
      .number("after") { $0.occurrencesAfter },
      .decimal("factor") { factor(from: $0.occurrencesBefore, to: $0.occurrencesAfter) },
    ]
  }
}

/// How many times as many occurrences there are; nil if there were none before.
private func factor(from before: Int, to after: Int) -> Double? {
  before == 0 ? nil : Double(after) / Double(before)
}
