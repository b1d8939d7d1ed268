import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What tells the groups of a trend apart, as columns.
enum TrendKey {
  protocol Columns {
    static var columns: [String] { get }
    static func cells(of trend: Trend) -> [Cell]
  }

  enum All: Columns {
    static let columns: [String] = []
    static func cells(of trend: Trend) -> [Cell] { [] }
  }

  enum Model: Columns {
    static let columns = ["model"]
    static func cells(of trend: Trend) -> [Cell] { [.text(trend.model)] }
  }

  enum Kind: Columns {
    static let columns = ["kind"]
    static func cells(of trend: Trend) -> [Cell] { [.text(trend.kind)] }
  }

  enum Release: Columns {
    static let columns = ["release"]
    static func cells(of trend: Trend) -> [Cell] { [.text(trend.release)] }
  }

  enum NovelValue: Columns {
    static let columns = ["model", "coding_path", "novel_value", "value_type"]
    static func cells(of trend: Trend) -> [Cell] {
      [
        .text(trend.model), .text(trend.codingPath), .text(trend.novelValue),
        .text(trend.valueType),
      ]
    }
  }
}

/// One period of one group.
struct TrendRow<Key: TrendKey.Columns>: Row {
  static var columns: [String] { ["start"] + Key.columns + ["occurrences"] }

  let cells: [Cell]

  /// Hands over the periods of each group, one group after the other.
  static func forEach(of trends: [Trend], _ body: (Self) throws -> Void) rethrows {
    for trend in trends {
      let key = Key.cells(of: trend)
      for point in trend.points {
        try body(Self(cells: [.time(point.start)] + key + [.number(point.occurrences)]))
      }
    }
  }
}
