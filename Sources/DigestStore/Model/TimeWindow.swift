/// A window of time, taken apart into what tallies can answer and what only digests can.
struct TimeWindow {
  /// The first moment in it, if it has a beginning.
  let since: Moment?

  /// The first moment behind it, if it has an end.
  let until: Moment?

  /// Periods of one length that follow each other.
  struct Periods: Equatable {
    /// The length of each in hours; 0 for one that is all time.
    let span: Int64

    /// The hours since 1970 that they begin at and end before.
    let hours: Range<Int64>
  }

  /// Whether nothing can lie in it.
  var isEmpty: Bool {
    guard let until else { return false }
    return (since ?? .earliest) >= until
  }

  /// All of it, from the first moment that there is to the last where it has no such end.
  var range: Range<Moment> {
    let since = since ?? .earliest
    return since..<max(since, until ?? .end)
  }

  /// The longest periods that lie in the window as a whole.
  ///
  /// - Parameter longest: the length of the longest ones that are wanted, in hours: 1, 24, or nil
  ///   for all time too.
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

  /// What the periods leave out at the ends of the window.
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
  /// The end of the last day that there is.
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
