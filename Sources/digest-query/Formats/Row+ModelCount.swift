import DigestStore

extension ModelCount: Row {
  static var columns: [String] { columns(share: "share") }

  var cells: [Cell] { cells(share: share) }

  static var tableColumns: [String] { columns(share: "share_%") }

  /// Tenths of a percent are enough.
  var tableCells: [Cell] { cells(share: share.map { ($0 * 1_000).rounded() / 10 }) }

  private static func columns(share: String) -> [String] {
    [
      "model", "occurrences", "digests", share, "failures", "novel_values", "first_seen",
      "last_seen",
    ]
  }

  private func cells(share: Double?) -> [Cell] {
    [
      .text(model), .number(occurrences), .number(digests), .decimal(share),
      .number(failures), .number(novelValues), .time(firstSeen), .time(lastSeen),
    ]
  }
}
