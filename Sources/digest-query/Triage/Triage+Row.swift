import ResilientDecoding

extension Triage.Entry: Row {
  static var columns: [Column<Self>] {
    [
      .number("line") { $0.line },
      .text("decision") { $0.decision.state.rawValue },
      .text("model", cut: .front) { $0.decision.model }.omittedIfEmpty,
      .text("path", cut: .middle) { $0.decision.path }.omittedIfEmpty,
      .text("kind") { $0.decision.kind?.rawValue }.omittedIfEmpty.dropped(at: 3),
      .text("value") { $0.decision.value }.omittedIfEmpty,
      .text("until") { $0.decision.until?.text }.omittedIfEmpty,
      .number("failures") { $0.matches },
      .number("regressed") { $0.regressed },
      .text("remark") { $0.remark }.omittedIfEmpty.dropped(at: 5),
      .text("reason") { $0.decision.reason }.dropped(at: 4),
      .text("by") { $0.decision.by }.omittedIfEmpty.dropped(at: 2),
      .time("at") { $0.decision.at }.dropped(at: 1),
    ]
  }
}
