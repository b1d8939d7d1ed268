/// The periods of an overview, and the statements that count errors in them.
struct OverviewPeriods {
  /// The most periods that a viewer can tell apart, even on a phone.
  static let maximumPeriods: Int64 = 90

  private let connection: any Engine
  private let filter: DigestFilter
  private let window: TimeWindow
  private let unit: DigestStore.Trend.Unit
  private let unitsPerPeriod: Int64

  /// The numbers of the periods; empty if there is nothing to count.
  private let periods: Range<Int64>

  /// Whether each period has all its counts.
  private let isKnown: [Bool]

  /// The time range of the periods, in milliseconds.
  private let moments: Range<Int64>

  /// - Parameters:
  ///   - moments: the time range of the periods, in milliseconds.
  ///   - most: the most periods.
  init(
    _ connection: any Engine, _ filter: DigestFilter, in moments: Range<Int64>,
    atMost most: Int64 = maximumPeriods
  ) throws {
    self.connection = connection
    self.filter = filter
    self.moments = moments
    window = try connection.widened(filter.window)
    let (unit, unitsPerPeriod) = try Self.length(of: moments, connection, filter, atMost: most)
    (self.unit, self.unitsPerPeriod) = (unit, unitsPerPeriod)
    func number(_ moment: Int64) -> Int64 { unit.number(of: moment) / unitsPerPeriod }
    periods =
      moments.isEmpty ? 0..<0 : number(moments.lowerBound)..<number(moments.upperBound - 1) + 1
    let unknown = try connection.unknownPeriods(in: moments, number)
    isKnown = periods.map { !unknown.contains($0) }
  }

  /// The unit of the periods, and the number of units per period: the shortest that covers the
  /// window in at most so many periods.
  private static func length(
    of moments: Range<Int64>, _ connection: any Engine, _ filter: DigestFilter, atMost most: Int64
  ) throws -> (DigestStore.Trend.Unit, Int64) {
    func count(_ unit: DigestStore.Trend.Unit) -> Int64 {
      unit.number(of: moments.upperBound - 1) - unit.number(of: moments.lowerBound) + 1
    }
    guard !moments.isEmpty else { return (.day, 1) }
    let range = filter.limited(
      to: TimeWindow(
        since: Moment(milliseconds: moments.lowerBound),
        until: Moment(milliseconds: moments.upperBound)))
    for unit in [DigestStore.Trend.Unit.minute, .hour, .day] where count(unit) <= most {
      let begin = try connection.window(range, by: unit).range.lowerBound.milliseconds
      if begin <= moments.lowerBound { return (unit, 1) }
    }
    return (.week, max(1, (count(.week) + most - 1) / most))
  }

  /// Counts the errors of some failures per period, by the ids of the failures.
  func occurrences(ofFailures ids: [Int64]) throws -> [Int64: [Int]] {
    let none = Array(repeating: 0, count: periods.count)
    var occurrences: [Int64: [Int]] = [:]
    for (period, count) in try counts(ofFailures: ids, by: [.failure]) {
      guard let period else { continue }
      let sum = occurrences[count.failure]?[period] ?? 0
      occurrences[count.failure, default: none][period] = sum.adding(
        count: Int(clamping: count.occurrences))
    }
    return occurrences
  }

  /// Counts the errors of some failures per period and by columns. The period is nil for counts
  /// outside of all periods.
  ///
  /// - Parameter limit: the most counts; nil for all.
  func counts(
    ofFailures ids: [Int64], by columns: [CountColumn], limit: Int? = nil
  ) throws -> [(period: Int?, count: GroupedCounts.GroupedCount)] {
    guard !ids.isEmpty, !periods.isEmpty else { return [] }
    var filter = filter
    filter.failures = ids
    return try GroupedCounts(connection, filter, in: window, by: columns, per: unit.split)
      .rows(limit: limit).map { (period(of: $0.start), $0) }
  }

  /// The releases that were first decoded in a period after the first one, and that period.
  func releases() throws -> [String: Int] {
    guard !periods.isEmpty, unit != .minute, let rated = try connection.decodeWindow(filter)
    else { return [:] }
    func decoded(_ window: TimeWindow, per split: Counts.Split? = nil) throws -> [GroupedCounts
      .GroupedCount]
    {
      try GroupedCounts(connection, of: .decodes, filter, in: window, by: [.release], per: split)
        .rows().filter { $0.decodes > 0 && $0[0] != nil }
    }
    let past = TimeWindow(since: nil, until: Moment(milliseconds: moments.lowerBound))
    let old = Set(try decoded(connection.widened(past)).map(\.names))
    let new = try decoded(rated, per: unit.split).filter { !old.contains($0.names) }
    let starts = Dictionary(grouping: new) { $0.names[0].text }
    return starts.compactMapValues { $0.map(\.start).min().flatMap(period) }.filter { $0.value > 0 }
  }

  /// The index of the period that contains a moment; nil if none does.
  private func period(of moment: Int64) -> Int? {
    let number = unit.number(of: moment) / unitsPerPeriod
    return periods.contains(number) ? Int(number - periods.lowerBound) : nil
  }

  /// A row's counts, and nil where a period lacks some.
  func known(_ counts: [Int]?) -> [Int?] {
    zip(counts ?? Array(repeating: 0, count: periods.count), isKnown).map { $1 ? $0 : nil }
  }

  /// The periods with the number of all errors.
  ///
  /// - Parameter ids: the failures whose errors do not count.
  func trend(without ids: [Int64] = []) throws -> DigestStore.OverviewTrend {
    var sums = Array(repeating: 0, count: periods.count)
    for row in try GroupedCounts(connection, filter, in: window, per: unit.split).rows() {
      guard let period = period(of: row.start) else { continue }
      sums[period] = sums[period].adding(count: Int(clamping: row.occurrences))
    }
    for course in try occurrences(ofFailures: ids).values {
      for (period, count) in course.enumerated() { sums[period] -= min(count, sums[period]) }
    }
    return DigestStore.OverviewTrend(
      unit: unit, unitsPerPeriod: Int(unitsPerPeriod),
      starts: periods.map { unit.start(of: $0 * unitsPerPeriod) }, occurrences: known(sums),
      partial: partial, releases: try releases())
  }

  /// The first and the last period, if the window begins or ends within them. A window
  /// without a beginning starts with the first error, so its first period counts as whole.
  private var partial: Set<Int> {
    guard !periods.isEmpty else { return [] }
    func start(_ number: Int64) -> Int64 {
      Moment(unit.start(of: number * unitsPerPeriod)).milliseconds
    }
    var partial: Set<Int> = []
    if filter.since != nil, start(periods.lowerBound) < moments.lowerBound { partial.insert(0) }
    if start(periods.upperBound) > moments.upperBound { partial.insert(periods.count - 1) }
    return partial
  }
}
