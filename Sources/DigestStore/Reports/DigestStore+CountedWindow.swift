#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The window of time that a report can tell apart, where details of the past are gone.
public struct CountedWindow: Sendable, Hashable {
  /// The first moment that is counted; nil for the beginning of time.
  public let since: Date?

  /// The first moment that is not counted any more; nil for the end of time.
  public let until: Date?

  /// Whether it is the window that was asked for, to the millisecond.
  public let isExact: Bool

  /// Whether it is that window in whole hours, for the store is a fleet, which counts by the hour.
  package let isInWholeHours: Bool
}

extension DigestStore {
  /// Tells which window a report with a filter counts: that of the filter wherever it can.
  ///
  /// Of digests that were evicted only tallies are left. An end of the window that lies in the
  /// middle of an hour of theirs moves outwards to the end of that hour, or of the day in UTC where
  /// the tallies of the hours are gone too; then the report counts exactly this larger window.
  ///
  /// A trend by hour begins with the first hour that is left, one by minute behind the last hour of
  /// which digests are gone.
  ///
  /// - Parameters:
  ///   - filter: that of the report.
  ///   - unit: the length of the periods, if the report is a trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  public func countedWindow(
    matching filter: DigestFilter,
    by unit: Trend.Unit? = nil
  ) throws -> CountedWindow {
    try snapshot { snapshot in
      let asked = filter.window
      let counted = try snapshot.window(filter, by: unit)
      return CountedWindow(
        since: counted.since?.date,
        until: counted.until?.date,
        isExact: counted.since == asked.since && counted.until == asked.until,
        isInWholeHours: snapshot.tallies != nil && counted.isInWholeHours(of: asked)
      )
    }
  }
}

extension Snapshot {
  /// The window of a filter, as far as a trend can tell its periods apart.
  ///
  /// It begins no earlier than the tallies of hours, and the digests, are all there.
  func window(_ filter: DigestFilter, by unit: Trend.Unit?) throws -> TimeWindow {
    let window = try window(filter)
    let first: Moment? =
      switch unit {
      case .minute: try firstMomentInDetail(of: window)
      case .hour: Moment(milliseconds: firstFineHour * Moment.hour)
      case .day, .week, nil: nil
      }
    guard let first, window.range.lowerBound < first, !window.isEmpty else { return window }
    return TimeWindow(since: first, until: window.until)
  }
}
