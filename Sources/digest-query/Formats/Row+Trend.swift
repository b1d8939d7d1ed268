import DigestStore
import ResilientDecoding

/// One period of one group of a trend.
struct TrendRow {
  let trend: DigestStore.Trend
  let point: DigestStore.Trend.Point

  /// - Parameters:
  ///   - group: the columns that identify a group.
  ///   - hasRates: whether there are columns for decodes.
  static func columns(_ group: [Column<DigestStore.Trend>], hasRates: Bool = false) -> [Column<
    Self
  >] {
    let rates: [Column<Self>] = [
      .number("digests") { $0.point.digests },
      .number("decodes") { $0.point.decodes },
      .fraction("rate") { $0.point.rate },
    ]
    return [.time("start") { $0.point.start }]
      + group.map { $0.of(\.trend) }
      + [.number("occurrences") { $0.point.occurrences }]
      + (hasRates ? rates : [])
  }
}

extension DigestStore.Trend.Grouping {
  /// The columns that identify a group.
  var columns: [Column<DigestStore.Trend>] {
    switch self {
    case .nothing: []
    case .model: [.text("model", cut: .front) { $0.model }]
    case .kind: [.text("kind") { $0.kind?.rawValue }]
    case .release: [.text("release") { $0.release }]
    case .environment: [.text("environment") { $0.environment }]
    case .operation: [.text("operation") { $0.operation }]
    case .codingPath:
      [
        .text("model", cut: .front) { $0.model },
        .text("coding_path", cut: .middle) { $0.codingPath },
      ]
    case .novelValue:
      [
        .text("model", cut: .front) { $0.model },
        .text("coding_path", cut: .middle) { $0.codingPath },
        .text("novel_value") { $0.novelValue },
        .text("value_type") { $0.valueType }.dropped(at: 1),
      ]
    }
  }
}
