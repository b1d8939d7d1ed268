import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row of what is shown live: what it is and how often, and on a wide terminal when.
protocol LiveRow: Sendable, Hashable {
  static var names: [String] { get }
  var texts: [String?] { get }
  var occurrences: Int { get }
  var lastSeen: Date { get }
}

extension NovelValueCount: LiveRow {
  static var names: [String] { ["model", "coding_path", "novel_value"] }
  var texts: [String?] { [model, codingPath, novelValue] }
}

extension FailureCount: LiveRow {
  static var names: [String] { ["model", "coding_path", "kind", "novel_value"] }
  var texts: [String?] { [model, codingPath, kind, novelValue] }
}

extension LiveRow {
  /// A table of rows, each with its course and on a line of its own.
  ///
  /// Names are not cut to have room for times and courses; and where there is no room for all
  /// names, the last ones say most.
  static func table(_ rows: [(row: Self, course: [Int?])], fitting width: Int) -> [String] {
    for hasCourse in [true, false] {
      let (lines, isCut) = table(rows, hasTime: true, hasCourse: hasCourse, fitting: width)
      if !isCut, lines.count == rows.count + 1 { return lines }
    }
    var lines: [String] = []
    for first in names.indices {
      lines = table(rows, names: first..., fitting: width).lines
      if lines.count == rows.count + 1 { break }
    }
    return lines
  }

  private static func table(
    _ rows: [(row: Self, course: [Int?])],
    names range: PartialRangeFrom<Int> = 0...,
    hasTime: Bool = false,
    hasCourse: Bool = false,
    fitting width: Int
  ) -> (lines: [String], isCut: Bool) {
    let further = (hasTime ? ["last_seen"] : []) + (hasCourse ? ["course"] : [])
    var table = TextTable(columns: names[range] + ["occurrences"] + further)
    for (row, course) in rows {
      var cells: [Cell] = row.texts[range].map { .text($0) }
      cells.append(.number(row.occurrences))
      if hasTime { cells.append(.time(row.lastSeen)) }
      if hasCourse { cells.append(.drawing(Histogram(width: 20).line(course))) }
      table.append(cells)
    }
    let (text, isCut) = table.text(isColored: false, fitting: width)
    return (text.split(separator: "\n").map { String($0) }, isCut)
  }
}
