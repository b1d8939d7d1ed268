import ResilientDecoding
import ResilientPlatform

/// Counts the errors of each group of a trend in each period.
struct TrendCount {
  private static let maximumPoints = 1_000_000

  /// The most periods of a trend without a requested beginning: by day 13 years, by hour seven
  /// months. Nobody reads more of them, and a store of years has half a million minutes in one.
  private static let maximumPeriods = 5_000

  private let connection: any Engine
  private let filter: DigestFilter
  private let grouping: DigestStore.Trend.Grouping
  private let unit: DigestStore.Trend.Unit
  private let window: TimeWindow
  private let groups: [TrendGroup]
  private let hasRates: Bool
  private let hasBeginning: Bool

  /// The time range of all periods, in milliseconds; empty if there are none.
  private let moments: Range<Int64>

  /// - Parameter unit: nil for the unit that suits the length of the window.
  init(
    _ connection: any Engine, _ filter: DigestFilter, by unit: DigestStore.Trend.Unit?,
    _ grouping: DigestStore.Trend.Grouping, limit: Int?, reaching end: Moment?, rates: Bool
  ) throws {
    self.connection = connection
    self.grouping = grouping
    hasRates = rates
    let hasBeginning = filter.since != nil
    self.hasBeginning = hasBeginning
    var filter = filter
    if rates {
      try Self.checkRates(filter, by: unit, grouping)
      guard let window = try connection.decodeWindow(filter) else {
        throw DigestStoreError(
          .invalidInput, "no decodes without errors were counted, so there are no rates")
      }
      let since = window.since.flatMap { hasBeginning || $0 >= .firstOfSwift ? $0 : nil }
      filter = filter.limited(to: TimeWindow(since: since, until: window.until))
    }
    self.filter = filter
    let window = try connection.window(filter, by: unit)
    self.window = window
    let rows = TrendRows(filter, grouping)
    let found = try rows.groups(connection, in: window, limit: limit)
    // The whole has a trend even if nothing occurred.
    groups =
      found.isEmpty && grouping == .nothing
      ? [TrendGroup(key: "", names: [], occurrences: 0)] : found
    let seen =
      found.isEmpty || window.since != nil && window.until != nil
      ? nil : try rows.moments(connection, in: window)
    moments = Self.moments(of: seen, window, end)
    let suiting = try unit ?? Self.unit(suiting: moments, connection, filter)
    self.unit = rates && suiting == .minute ? .hour : suiting
    if found.isEmpty, self.unit == .minute || self.unit == .hour {
      try checkDetail(rows)
    }
  }

  func trends() throws -> [DigestStore.Trend] {
    guard !groups.isEmpty else { return [] }
    guard !moments.isEmpty else { return groups.map { trend(of: $0, []) } }
    let numbers = unit.number(of: moments.lowerBound)...unit.number(of: moments.upperBound - 1)
    guard hasBeginning || numbers.count <= Self.maximumPeriods else {
      throw DigestStoreError(
        .invalidInput,
        "a trend of all time has at most \(Self.maximumPeriods) periods, and this one would have "
          + "\(numbers.count); begin it with since (--since), or take longer periods")
    }
    guard numbers.count <= Self.maximumPoints / groups.count else {
      throw DigestStoreError(
        .invalidInput,
        "a trend has at most \(Self.maximumPoints) points; take longer periods, a shorter window "
          + "or fewer groups")
    }
    var counts = Array(repeating: TrendCounts(), count: groups.count * numbers.count)
    let indices = Dictionary(zip(groups.map { BinaryString($0.key) }, groups.indices)) {
      first, _ in first
    }
    try TrendRows(filter, grouping).forEachPoint(
      connection, in: window, by: unit, of: groups.map(\.key)
    ) { key, start, count in
      let number = unit.number(of: start)
      guard let row = indices[BinaryString(key)], numbers.contains(number) else { return }
      counts[row * numbers.count + Int(number - numbers.lowerBound)].add(count)
    }
    let unknown = try unknownPeriods()
    return groups.enumerated().map { row, group in
      let points = numbers.enumerated().map { column, number in
        let count = unknown.contains(number) ? nil : counts[row * numbers.count + column]
        return DigestStore.Trend.Point(
          start: unit.start(of: number),
          occurrences: count.map { Int(clamping: $0.occurrences) },
          digests: hasRates ? count.map { Int(clamping: $0.digests) } : nil,
          decodes: hasRates ? count.map { Int(clamping: $0.decodes) } : nil)
      }
      return trend(of: group, points)
    }
  }

  /// The numbers of the periods that lack the counts of a day.
  private func unknownPeriods() throws -> Set<Int64> {
    Set(
      try connection.deletedDays(in: moments).flatMap { day in
        (0..<24).map { unit.number(of: (day * 24 + $0) * Moment.hour) }
      })
  }

  /// Throws an error where only digests could tell how many of them have errors.
  private static func checkRates(
    _ filter: DigestFilter, by unit: DigestStore.Trend.Unit?, _ grouping: DigestStore.Trend.Grouping
  ) throws {
    let remedy: String
    switch grouping {
    case .kind, .codingPath, .novelValue:
      remedy = "group by model, release, environment or operation"
    case .nothing, .model, .release, .environment, .operation:
      if unit == .minute {
        remedy = "decodes are counted by the hour; take hours"
      } else if filter.choosesFailures {
        remedy = "remove the filters for paths, kinds and values"
      } else {
        return
      }
    }
    throw DigestStoreError(.invalidInput, "such a trend has no rates: \(remedy)")
  }

  /// The window; a missing bound is replaced by that of the errors found.
  private static func moments(
    of seen: ClosedRange<Int64>?, _ window: TimeWindow, _ end: Moment?
  ) -> Range<Int64> {
    let first = window.since?.milliseconds ?? seen?.lowerBound
    let last = [seen.map { $0.upperBound + 1 }, end?.milliseconds].compactMap { $0 }.max()
    guard let first, let end = window.until?.milliseconds ?? last, first < end else { return 0..<0 }
    return first..<end
  }

  /// The shortest suitable unit that covers the whole window.
  private static func unit(
    suiting moments: Range<Int64>, _ connection: any Engine, _ filter: DigestFilter
  ) throws -> DigestStore.Trend.Unit {
    let suiting = DigestStore.Trend.Unit(suiting: Double(moments.count) / Double(Moment.hour))
    let window = try connection.widened(filter.window)
    return try DigestStore.Trend.Unit.allCases.drop { $0 != suiting }.first {
      try connection.window(filter, by: $0).since == window.since
    } ?? suiting
  }

  /// Throws an error if details were deleted, instead of reporting that nothing occurred.
  private func checkDetail(_ rows: TrendRows) throws {
    let all = try connection.widened(filter.window)
    guard all.since != window.since || all.until != window.until,
      try !rows.groups(connection, in: all, limit: 1).isEmpty
    else { return }
    throw DigestStoreError(
      .invalidInput,
      unit == .minute
        ? "the digests of this window were deleted, so it cannot be counted by minute; count by hour, or choose a later window"
        : "the hourly counts of this window were deleted; count by day, or choose a later window")
  }

  private func trend(of group: TrendGroup, _ points: [DigestStore.Trend.Point])
    -> DigestStore.Trend
  {
    func name(_ index: Int, in groupings: DigestStore.Trend.Grouping...) -> String? {
      groupings.contains(grouping) ? group.names[index] : nil
    }
    return DigestStore.Trend(
      unit: unit,
      model: name(0, in: .model, .codingPath, .novelValue),
      codingPath: name(1, in: .codingPath, .novelValue),
      kind: name(0, in: .kind).map(ErrorDigest.Kind.init(stored:)),
      release: name(0, in: .release).flatMap { $0.isEmpty ? nil : $0 },
      environment: name(0, in: .environment).flatMap { $0.isEmpty ? nil : $0 },
      operation: name(0, in: .operation).flatMap { $0.isEmpty ? nil : $0 },
      novelValue: name(2, in: .novelValue),
      valueType: name(3, in: .novelValue),
      occurrences: Int(clamping: group.occurrences),
      points: points
    )
  }
}

extension DigestFilter {
  /// The same filter with another window.
  func limited(to window: TimeWindow) -> Self {
    var filter = self
    (filter.since, filter.until) = (window.since?.date, window.until?.date)
    return filter
  }
}
