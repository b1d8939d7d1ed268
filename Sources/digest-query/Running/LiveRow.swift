import DigestStore
import ResilientDecoding
import ResilientPlatform

/// A row of the live view: its names, how often it occurs and, on a wide terminal, when.
protocol LiveRow: Sendable, Hashable {
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
  /// Times and trends are omitted before a name is cut. If not even all names fit, the last ones
  /// are the most useful.
  static func table(_ rows: [WithTrend], fitting width: Int) -> [String] {
    let names = names.map { $0.of(\WithTrend.row) }
    let time = Column<WithTrend>.time("last_seen") { $0.row.lastSeen }
    let trend = Column<WithTrend>.drawing("trend") { Histogram(width: 20).line($0.trend) }
    for details in [[time, trend], [time]] {
      let (lines, isCut) = table(rows, names, details, fitting: width)
      if !isCut, lines.count == rows.count + 1 { return lines }
    }
    var lines: [String] = []
    for first in names.indices {
      lines = table(rows, names[first...], [], fitting: width).lines
      if lines.count == rows.count + 1 { break }
    }
    return lines
  }

  private static func table(
    _ rows: [WithTrend],
    _ names: some Sequence<Column<WithTrend>>,
    _ details: [Column<WithTrend>],
    fitting width: Int
  ) -> (lines: [String], isCut: Bool) {
    let count = Column<WithTrend>.number("occurrences") { $0.row.occurrences }
    var table = TextTable(names + [count] + details)
    for row in rows { table.append(row) }
    let (text, isCut) = table.text(isColored: false, fitting: width)
    return (text.split(separator: "\n").map { String($0) }, isCut)
  }
}
