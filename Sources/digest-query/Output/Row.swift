#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row of a report: it knows its columns, and nothing of how it is printed.
protocol Row {
  static var columns: [String] { get }
  var cells: [Cell] { get }
}

/// One value of a row.
enum Cell: Equatable {
  case text(String?)
  case number(Int)
  case time(Date)
}

extension Date {
  /// The time in ISO 8601, UTC, exact to the millisecond.
  var iso8601: String {
    // The style cuts where it should round: half a millisecond more, and it is right.
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return addingTimeInterval(0.000_5).formatted(style)
  }
}
