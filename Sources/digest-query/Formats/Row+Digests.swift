import DigestStore

extension DigestSummary: Row {
  static var columns: [String] {
    ["id", "recorded_at", "release", "model", "errors", "novel_values", "paths"]
  }

  var cells: [Cell] {
    [
      .text(id), .time(recordedAt), .text(release), .text(model), .number(errors),
      .number(novelValues), .number(paths),
    ]
  }

  static var tableColumns: [String] {
    ["id", "recorded_at", "release", "model", "errors", "paths"]
  }

  var tableCells: [Cell] {
    [
      .text(shortID), .time(recordedAt), .text(release), .text(model), .number(errors),
      .text(told),
    ]
  }

  /// The first places, and how many more there are.
  private var told: String? {
    guard !firstPlaces.isEmpty else { return nil }
    let told = firstPlaces.map { place in
      let path = place.codingPath.isEmpty ? "the document" : place.codingPath
      return path + (place.novelValue.map { " \"\($0)\"" } ?? "")
    }
    let more = places - told.count
    return told.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
