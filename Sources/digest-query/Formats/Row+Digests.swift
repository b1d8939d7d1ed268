import DigestStore
import ResilientDecoding

extension DigestStore.Occurrence: Row {
  static var columns: [Column<Self>] {
    [
      .text("digest_id") { $0.digestID },
      .time("recorded_at") { $0.recordedAt },
      .text("release") { $0.release },
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("expected_type", cut: .front) { $0.expectedType },
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType },
      .text("found_type") { $0.foundType?.rawValue },
      .text("found_value") { $0.foundValue },
      .number("times") { $0.times },
      .text("environment") { $0.environment },
      .text("operation") { $0.operation },
    ]
  }
}

extension DigestStore.DigestSummary: Row {
  static var columns: [Column<Self>] {
    [
      .text("id") { $0.id },
      .time("recorded_at") { $0.recordedAt },
      .text("release") { $0.release },
      .text("model", cut: .front) { $0.model },
      .number("entries") { $0.errors },
      .number("novel_values") { $0.novelValues },
      .number("paths") { $0.paths },
    ]
  }

  static var tableColumns: [Column<Self>] {
    [
      .text("id") { $0.shortID },
      .time("recorded_at") { $0.recordedAt },
      .text("release") { $0.release }.dropped(at: 1),
      .text("model", cut: .front) { $0.model },
      .number("entries") { $0.errors },
      .text("paths") { $0.pathList },
    ]
  }

  /// The first places, and how many more there are.
  private var pathList: String? {
    guard !firstPlaces.isEmpty else { return nil }
    let list = firstPlaces.map { place in
      let path = place.codingPath.isEmpty ? "the document" : place.codingPath
      return path + (place.novelValue.map { " \"\($0)\"" } ?? "")
    }
    let more = places - list.count
    return list.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
