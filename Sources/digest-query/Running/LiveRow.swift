import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A failure in the live view, and the number of its errors in each period.
typealias LiveRow = (row: DigestStore.FailureCount, trend: [Int?])

extension [LiveRow] {
  /// A table of rows with their trends, each row on one line.
  ///
  /// On a narrow terminal it has no trends, then no times, and then only the last names, which are
  /// the most useful.
  func table(isOfNovelValues: Bool, fitting width: Int) -> [String] {
    let all: [Column<DigestStore.FailureCount>] = [
      .text("model", cut: .front) { $0.model },
      .text("coding_path", cut: .middle) { $0.codingPath },
      .text("kind") { $0.kind.rawValue },
      .text("novel_value") { $0.novelValue },
    ]
    let names = all.filter { !isOfNovelValues || $0.name != "kind" }
    let columns = names.enumerated().map { index, column in
      column.of(\LiveRow.row).dropped(at: index < names.count - 1 ? 3 + index : nil)
    }
    var table = TextTable<LiveRow>(
      columns + [
        .number("occurrences") { $0.row.occurrences },
        .time("last_seen") { $0.row.lastSeen }.dropped(at: 2),
        .drawing("trend") { Histogram(width: 20).line($0.trend) }.dropped(at: 1),
      ])
    for row in self { table.append(row) }
    return table.text(isColored: false, fitting: width).0.split(separator: "\n").map { String($0) }
  }
}
