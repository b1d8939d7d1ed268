/// A window of time, split into periods that have counts and edges that only digests cover.
package struct TimeWindow: Sendable, Equatable {
  /// The first moment in the window; nil if it has no beginning.
  let since: Moment?

  /// The first moment after the window; nil if it has no end.
  let until: Moment?

  /// Consecutive periods of one length.
  package struct Periods: Equatable, Sendable {
    /// The length of each period in hours; 0 for a single one of all time.
    package let span: Int64

    /// The hours since 1970 from the beginning of the first period to the end of the last.
    package let hours: Range<Int64>
  }

  /// Whether the window contains no moment.
  var isEmpty: Bool {
    guard let until else { return false }
    return (since ?? .earliest) >= until
  }

  /// The range of the window. A missing beginning or end is replaced by the first or last supported
  /// moment.
  var range: Range<Moment> {
    let since = since ?? .earliest
    return since..<max(since, until ?? .end)
  }

  /// Returns the longest periods that are completely in the window.
  ///
  /// - Parameter longest: the length of the longest periods to return, in hours: 1, 24, or nil to
  ///   include all time.
  func periods(longest: Int64? = nil) -> [Periods] {
    if longest == nil, since == nil, until == nil { return [Periods(span: 0, hours: 0..<1)] }
    let hours = wholeHours
    guard longest != 1 else { return hours.isEmpty ? [] : [Periods(span: 1, hours: hours)] }
    let firstDay = hours.lowerBound.roundedUp(to: 24)
    let lastDay = hours.upperBound / 24 * 24
    let parts =
      firstDay < lastDay
      ? [
        Periods(span: 1, hours: hours.lowerBound..<firstDay),
        Periods(span: 24, hours: firstDay..<lastDay),
        Periods(span: 1, hours: lastDay..<hours.upperBound),
      ] : [Periods(span: 1, hours: hours)]
    return parts.filter { !$0.hours.isEmpty }
  }

  /// The parts at both ends of the window that the periods do not cover.
  var edges: [Range<Moment>] {
    guard since != nil || until != nil else { return [] }
    let range = range
    guard !range.isEmpty else { return [] }
    let hours = wholeHours
    guard !hours.isEmpty else { return [range] }
    let ends = [
      range.lowerBound..<Moment(hour: hours.lowerBound),
      Moment(hour: hours.upperBound)..<range.upperBound,
    ]
    return ends.filter { !$0.isEmpty }
  }

  private var wholeHours: Range<Int64> {
    let first = (since ?? .earliest).milliseconds.roundedUp(to: Moment.hour) / Moment.hour
    return first..<max(first, (until ?? .end).hour)
  }
}

extension Moment {
  /// The end of the last supported day.
  fileprivate static let end = Moment(hour: latest.hour.roundedUp(to: 24))

  fileprivate init(hour: Int64) {
    self.init(milliseconds: hour * Self.hour)
  }
}

extension Int64 {
  fileprivate func roundedUp(to step: Int64) -> Int64 {
    (self + step - 1) / step * step
  }
}
