import DigestStore

extension NovelValueCount: Row {
  static var columns: [String] {
    [
      "model", "coding_path", "novel_value", "value_type", "occurrences", "digests", "first_seen",
      "last_seen",
    ]
  }

  var cells: [Cell] {
    [
      .text(model), .text(codingPath), .text(novelValue), .text(valueType), .number(occurrences),
      .number(digests), .time(firstSeen), .time(lastSeen),
    ]
  }
}

extension FailureCount: Row {
  static var columns: [String] {
    [
      "model", "coding_path", "kind", "expected_type", "novel_value", "value_type", "occurrences",
      "digests", "first_seen", "last_seen", "found_type", "found_value",
    ]
  }

  var cells: [Cell] {
    [
      .text(model), .text(codingPath), .text(kind), .text(expectedType), .text(novelValue),
      .text(valueType), .number(occurrences), .number(digests), .time(firstSeen), .time(lastSeen),
      .text(foundType), .text(foundValue),
    ]
  }
}

extension Occurrence: Row {
  static var columns: [String] {
    [
      "digest_id", "recorded_at", "release", "model", "coding_path", "kind", "expected_type",
      "novel_value", "value_type", "message", "found_type", "found_value",
    ]
  }

  var cells: [Cell] {
    [
      .text(digestID), .time(recordedAt), .text(release), .text(model), .text(codingPath),
      .text(kind), .text(expectedType), .text(novelValue), .text(valueType), .text(message),
      .text(foundType), .text(foundValue),
    ]
  }
}
