public import ResilientPlatform

extension DigestReader {
  /// Counts errors by minute, hour, day or week.
  ///
  /// The periods cover the filter's window. Where the window has no bound, they begin with the
  /// first error or end with the last. They skip errors before 2 June 2014, when Swift was
  /// published: a clock that shows an earlier time wasn't set. ``DigestStore/Trend/occurrences``
  /// includes these errors. A window without a beginning has at most 5,000 periods. The counts are
  /// exact to the millisecond, even in periods that are partly in the window. If counts of hours
  /// were deleted, a trend by hour begins with the first hour that has counts. If digests were
  /// evicted, a trend by minute begins after them: see ``countedWindow(matching:by:)``. If counts of
  /// days were deleted too, a period has no count: see ``DigestStore/Trend/Point/occurrences``.
  ///
  /// - Parameters:
  ///   - filter: the errors to count.
  ///   - unit: the length of the periods. Nil for minutes up to 3 hours, hours up to 3 days, days
  ///     up to 26 weeks, and weeks beyond that; or a longer unit, if needed to cover the whole
  ///     window.
  ///   - grouping: the property to count by. Groups are sorted by count, highest first, then by
  ///     their texts.
  ///   - limit: the most groups to return; nil for all.
  ///   - end: a time that the periods include if the window has no upper bound.
  ///   - rates: whether to count digests and decodes too. The window is then that of
  ///     ``decodeCounts(matching:)``. Not possible by minute, by kind or by novel value, nor with a
  ///     filter for coding paths, kinds or novel values.
  /// - Throws: ``DigestStoreError`` when the file cannot be read. With code `invalidInput` when
  ///   there would be more than 5,000 periods and the filter has no ``DigestFilter/since``, or more
  ///   than a million points, when the counts of all requested minutes or hours were deleted, or
  ///   when there are no rates.
  public func trend(
    matching filter: DigestFilter = DigestFilter(),
    by unit: DigestStore.Trend.Unit? = nil,
    groupedBy grouping: DigestStore.Trend.Grouping = .nothing,
    limit: Int? = nil,
    reaching end: Date? = nil,
    rates: Bool = false
  ) throws -> [DigestStore.Trend] {
    try snapshot { connection in
      try TrendCount(
        connection, filter, by: unit, grouping, limit: limit, reaching: end.map { Moment($0) },
        rates: rates
      ).trends()
    }
  }

  /// Counts the errors before the periods of a trend, by clocks that weren't set.
  ///
  /// - Parameter filter: the filter of the trend.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func occurrencesBeforeTrend(matching filter: DigestFilter) throws -> Int {
    guard filter.window.beginsWithRightClock else { return 0 }
    let earlier = TimeWindow(since: nil, until: .firstOfSwift)
    return try occurrences(matching: filter.limited(to: earlier))
  }
}
