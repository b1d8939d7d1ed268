#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DigestStore {
  /// Counts errors by minute, hour, day or week.
  ///
  /// The periods reach from the beginning of the filter's window to its end, or from the first of
  /// the errors to the last where the window has no such end. The counts are exact to the
  /// millisecond, also in periods that are partly in the window. Where the tallies of hours are gone
  /// a trend by hour begins with the first hour that is left, and where digests are gone one by
  /// minute behind them: see ``countedWindow(matching:by:)``. Where the tallies of days are gone too
  /// a period has no count: see ``Trend/Point/occurrences``.
  ///
  /// - Parameters:
  ///   - filter: which errors count.
  ///   - unit: how long the periods are; nil for minutes up to 3 hours, hours up to 3 days, days up
  ///     to 26 weeks, and weeks beyond that, as far as all of the window can be told so.
  ///   - grouping: what is counted apart; the most frequent group comes first, then the order is
  ///     that of its texts.
  ///   - limit: the most groups to return; nil for all.
  ///   - end: a moment up to which the periods reach at least, if the window has no end.
  /// - Throws: ``DigestStoreError`` when the file cannot be read; with code `invalidInput` when there
  ///   would be more than a million points, and when minutes or hours are wanted that are all gone.
  public func trend(
    matching filter: DigestFilter = DigestFilter(),
    by unit: Trend.Unit? = nil,
    groupedBy grouping: Trend.Grouping = .nothing,
    limit: Int? = nil,
    reaching end: Date? = nil
  ) throws -> [Trend] {
    try snapshot { snapshot in
      try TrendCount(
        snapshot, filter, by: unit, grouping, limit: limit, reaching: end.map { Moment($0) }
      ).trends()
    }
  }
}
