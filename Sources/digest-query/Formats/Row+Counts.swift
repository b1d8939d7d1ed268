import DigestStore
import ResilientDecoding

extension DigestStore.FailureCount: Row {
  static var columns: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("expected_type", cut: .front) { $0.expectedType }.dropped(at: 5),
      .text("novel_value") { $0.novelValue },
      .text("value_type") { $0.valueType }.dropped(at: 1),
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 3),
      .time("first_seen") { $0.firstSeen }.dropped(at: 4),
      .time("last_seen") { $0.lastSeen }.dropped(at: 8),
      .text("found_type") { $0.foundType?.rawValue }.dropped(at: 2),
      .text("found_value") { $0.foundValue }.dropped(at: 7),
      .text("first_release") { $0.firstRelease }.omittedIfEmpty.dropped(at: 6),
    ]
  }
}

extension DigestStore.Source: Row {
  static var columns: [Column<Self>] {
    [
      .text("source") { $0.identity },
      .text("whole") { "\($0.isWhole)" }.dropped(at: 3),
      .number("occurrences") { $0.occurrences },
      .number("recorded_digests") { $0.digests }.dropped(at: 1),
      .number("decodes") { $0.decodes }.dropped(at: 2),
      .time("last_seen") { $0.lastSeen },
    ]
  }
}

extension DigestStore.ModelCount: Row {
  static var columns: [Column<Self>] {
    columns(.decimal("share") { $0.share }, .fraction("rate") { $0.rate })
  }

  /// People read shares in percent, and a share of all digests in tenths of it.
  static var tableColumns: [Column<Self>] {
    columns(
      .decimal("share_%") { $0.share.map { ($0 * 1_000).rounded() / 10 } },
      .decimal("rate_%") { $0.rate.map { $0 * 100 } })
  }

  private static func columns(_ share: Column<Self>, _ rate: Column<Self>) -> [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model },
      .number("occurrences") { $0.occurrences },
      .number("digests") { $0.digests }.dropped(at: 6),
      share.dropped(at: 2),
      .number("failures") { $0.failures }.dropped(at: 4),
      .number("novel_values") { $0.novelValues }.dropped(at: 5),
      .time("first_seen") { $0.firstSeen }.dropped(at: 1),
      .time("last_seen") { $0.lastSeen }.dropped(at: 3),
      .number("decodes") { $0.decodes }.omittedIfEmpty,
      rate.omittedIfEmpty,
    ]
  }
}
