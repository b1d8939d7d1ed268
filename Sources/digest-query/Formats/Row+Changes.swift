import DigestStore

extension NovelValueChange: Row {
  static var columns: [String] {
    [
      "change", "model", "coding_path", "novel_value", "value_type", "before", "after", "factor",
    ]
  }

  var cells: [Cell] {
    [
      .text(change.rawValue), .text(model), .text(codingPath), .text(novelValue), .text(valueType),
      .number(occurrencesBefore), .number(occurrencesAfter),
      .factor(from: occurrencesBefore, to: occurrencesAfter),
    ]
  }
}

extension FailureChange: Row {
  static var columns: [String] {
    [
      "change", "model", "coding_path", "kind", "expected_type", "novel_value", "value_type",
      "before", "after", "factor",
    ]
  }

  var cells: [Cell] {
    [
      .text(change.rawValue), .text(model), .text(codingPath), .text(kind), .text(expectedType),
      .text(novelValue), .text(valueType), .number(occurrencesBefore), .number(occurrencesAfter),
      .factor(from: occurrencesBefore, to: occurrencesAfter),
    ]
  }
}

extension Cell {
  /// How many times as many there are; nothing where there were none.
  fileprivate static func factor(from before: Int, to after: Int) -> Cell {
    .decimal(before == 0 ? nil : Double(after) / Double(before))
  }
}
