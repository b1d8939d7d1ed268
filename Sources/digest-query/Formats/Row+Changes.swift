import DigestStore
import ResilientDecoding

extension DigestStore.FailureChange: Row {
  static var columns: [Column<Self>] {
    columns(.fraction("rate_before") { $0.rateBefore }, .fraction("rate_after") { $0.rateAfter })
  }

  static var tableColumns: [Column<Self>] {
    columns(
      .decimal("rate_before_%") { $0.rateBefore.map { $0 * 100 } },
      .decimal("rate_after_%") { $0.rateAfter.map { $0 * 100 } })
  }

  private static func columns(_ rates: Column<Self>...) -> [Column<Self>] {
    [
      .text("change") { $0.change.rawValue },
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("expected_type", cut: .front) { $0.expectedType }.dropped(at: 2),
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType }.dropped(at: 1),
      .text("found_type") { $0.foundType?.rawValue }.dropped(at: 5),
      .number("before") { $0.occurrencesBefore },
      .number("after") { $0.occurrencesAfter },
      .decimal("factor") {
        factor(from: Double($0.occurrencesBefore), to: Double($0.occurrencesAfter))
      }.dropped(at: 4),
    ]
      + (rates + [.decimal("rate_factor") { factor(from: $0.rateBefore, to: $0.rateAfter) }])
      .map { $0.omittedIfEmpty.dropped(at: 3) }
  }
}

/// How many times as many there are; nil if there were none before, or if either is unknown.
private func factor(from before: Double?, to after: Double?) -> Double? {
  guard let before, let after, before > 0 else { return nil }
  return after / before
}

extension DigestStore.KeyRename: Row {
  private static var counts: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model },
      .text("old_path", cut: .middle) { $0.oldPath },
      .text("new_path", cut: .middle) { $0.newPath },
      .number("digests") { $0.digests },
      .time("first_seen") { $0.firstSeen }.dropped(at: 1),
      .time("last_seen") { $0.lastSeen }.dropped(at: 2),
      .text("first_release") { $0.firstRelease }.dropped(at: 3),
      .number("old_digests") { $0.oldDigests }.dropped(at: 4),
      .number("new_digests") { $0.newDigests }.dropped(at: 5),
    ]
  }

  static var columns: [Column<Self>] { counts + [.fraction("share") { $0.share }] }
  static var tableColumns: [Column<Self>] { counts + [.decimal("share_%") { $0.share * 100 }] }
}
