import DigestStore

/// One period of one group of a trend.
struct TrendRow {
  let trend: Trend
  let point: Trend.Point

  /// - Parameter group: the columns that identify a group.
  static func columns(_ group: [Column<Trend>]) -> [Column<Self>] {
    [.time("start") { $0.point.start }]
      + group.map { $0.of(\.trend) }
      + [.number("occurrences") { $0.point.occurrences }]
  }
}

extension Trend.Grouping {
  /// The columns that identify a group.
  var columns: [Column<Trend>] {
    switch self {
    case .nothing: []
    case .model: [.text("model", cut: .front) { $0.model }]
    case .kind: [.text("kind") { $0.kind }]
    case .release: [.text("release") { $0.release }]
    case .novelValue:
      [
        .text("model", cut: .front) { $0.model },
        .text("coding_path", cut: .middle) { $0.codingPath },
        .text("novel_value") { $0.novelValue },
        .text("value_type") { $0.valueType },
      ]
    }
  }
}
