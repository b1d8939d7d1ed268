import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A row of the live view: its names, how often it occurs and, on a wide terminal, when.
protocol LiveRow: TriagedRow, Sendable, Hashable {
  static var names: [Column<Self>] { get }
  var occurrences: Int { get }
  var lastSeen: Date { get }
}

extension DigestStore.NovelValueCount: LiveRow {
  static var names: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("novel_value") { $0.novelValue },
    ]
  }
}

extension DigestStore.FailureCount: LiveRow {
  static var names: [Column<Self>] {
    [
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("novel_value") { $0.novelValue },
    ]
  }
}

extension LiveRow {
  typealias WithTrend = (row: Self, trend: [Int?])

  /// A table of rows with their trends, each row on one line.
  ///
  /// On a narrow terminal it has no trends, then no times, and then only the last names, which are
  /// the most useful.
  static func table(_ rows: [WithTrend], fitting width: Int) -> [String] {
    let names = names.enumerated().map { index, column in
      column.of(\WithTrend.row).dropped(at: index < self.names.count - 1 ? 3 + index : nil)
    }
    var table = TextTable<WithTrend>(
      names + [
        .number("occurrences") { $0.row.occurrences },
        .time("last_seen") { $0.row.lastSeen }.dropped(at: 2),
        .drawing("trend") { Histogram(width: 20).line($0.trend) }.dropped(at: 1),
      ])
    for row in rows { table.append(row) }
    return table.text(isColored: false, fitting: width).0.split(separator: "\n").map { String($0) }
  }
}
