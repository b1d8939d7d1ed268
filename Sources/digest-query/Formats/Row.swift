#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row of a report: it knows its columns, and nothing of how it is printed.
protocol Row {
  static var columns: [String] { get }
  var cells: [Cell] { get }

  /// What a table for people has instead, where that is more or less than a program wants.
  static var tableColumns: [String] { get }
  var tableCells: [Cell] { get }
}

extension Row {
  static var tableColumns: [String] { columns }
  var tableCells: [Cell] { cells }
}

/// One value of a row.
enum Cell: Equatable {
  case text(String?)
  /// A picture of characters, in tables alone.
  case drawing(String)
  /// A count; nil where it is not known.
  case number(Int?)
  /// A share, a factor and the like, told to three decimals; nil where there is none.
  case decimal(Double?)
  case flag(Bool)
  case time(Date)
}

extension Double {
  /// The number with three decimals at most, and none that say nothing.
  var decimal: String {
    let thousandths = (self * 1_000).rounded()
    guard thousandths.magnitude < 1e15 else { return "\(self)" }
    let text = "\(thousandths / 1_000)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
