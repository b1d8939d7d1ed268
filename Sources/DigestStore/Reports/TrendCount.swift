import ResilientDecoding

/// Counts the errors of each group of a trend in each period.
struct TrendCount {
  private static let maximumPoints = 1_000_000

  private let snapshot: Snapshot
  private let filter: DigestFilter
  private let grouping: DigestStore.Trend.Grouping
  private let unit: DigestStore.Trend.Unit
  private let window: TimeWindow
  private let groups: TrendGroups
  private let hasRates: Bool

  /// The time range of all periods, in milliseconds; empty if there are none.
  private let moments: Range<Int64>

  /// - Parameter unit: nil for the unit that suits the length of the window.
  init(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    by unit: DigestStore.Trend.Unit?,
    _ grouping: DigestStore.Trend.Grouping,
    limit: Int?,
    reaching end: Moment?,
    rates: Bool = false
  ) throws {
    self.grouping = grouping
    if unit == .minute, !snapshot.source.hasDigests {
      throw DigestStoreError(
        .invalidInput, "a fleet has counts of hours, and none of minutes; take hours")
    }
    if grouping == .source, snapshot.source.storeNames == nil {
      throw DigestStoreError(.invalidInput, "only a fleet has sources; group by something else")
    }
    hasRates = rates
    var filter = filter
    if rates {
      try Self.checkRates(filter, by: unit, grouping)
      guard let window = try snapshot.decodeWindow(filter) else {
        throw DigestStoreError(
          .invalidInput, "no decodes without errors were counted, so there are no rates")
      }
      filter = filter.limited(to: window)
    }
    self.filter = filter
    window = try snapshot.window(filter, by: unit)
    let snapshot = try snapshot.selecting(grouping, matching: filter, in: window, limit: limit)
    self.snapshot = snapshot
    groups = try TrendGroups(snapshot, filter, in: window, grouping, limit: limit)
    moments = Self.moments(of: groups, window, end)
    let suiting = try unit ?? Self.unit(suiting: moments, snapshot, filter)
    self.unit = rates && suiting == .minute ? .hour : suiting
    if groups.moments == nil, self.unit == .minute || moments.isEmpty { try checkDetail(limit) }
  }

  func trends() throws -> [DigestStore.Trend] {
    guard !groups.groups.isEmpty else { return [] }
    guard !moments.isEmpty else { return groups.groups.map { trend(of: $0, []) } }
    let numbers = unit.number(of: moments.lowerBound)...unit.number(of: moments.upperBound - 1)
    guard numbers.count <= Self.maximumPoints / groups.groups.count else {
      throw DigestStoreError(
        .invalidInput,
        "a trend has at most \(Self.maximumPoints) points; take longer periods, a shorter window "
          + "or fewer groups")
    }
    var counts = [Int64](repeating: 0, count: groups.groups.count * numbers.count)
    var digests = hasRates ? counts : []
    var decodes = hasRates ? try self.decodes(in: numbers) : []
    try snapshot.forEachCount(
      from: groups.table, in: window, longest: unit.longestSpan, of: snapshot.releases(filter),
      isByRelease: grouping == .release, isByStore: grouping == .source, among: groups.members
    ) { count, key in
      guard let row = groups.index(of: count, key) else { return }
      // A count in a damaged file may have any time.
      let number = unit.number(of: count.first)
      guard numbers.contains(number) else { return }
      let place = row * numbers.count + Int(number - numbers.lowerBound)
      counts[place] = counts[place].adding(count: count.occurrences)
      guard hasRates else { return }
      digests[place] = digests[place].adding(count: count.digests)
      decodes[place] = decodes[place].adding(count: count.digests)
    }
    let unknown = try snapshot.unknownPeriods(in: moments, numberedBy: unit.number)
    let periods = numbers.map { (start: unit.start(of: $0), isKnown: !unknown.contains($0)) }
    return groups.groups.enumerated().map { row, group in
      let points = periods.enumerated().map { column, period in
        let place = row * numbers.count + column
        return DigestStore.Trend.Point(
          start: period.start,
          occurrences: period.isKnown ? Int(counts[place]) : nil,
          digests: period.isKnown && hasRates ? Int(digests[place]) : nil,
          decodes: period.isKnown && hasRates ? Int(decodes[place]) : nil)
      }
      return trend(of: group, points)
    }
  }

  /// The clean decodes of each group in each period.
  private func decodes(in numbers: ClosedRange<Int64>) throws -> [Int64] {
    var decodes = [Int64](repeating: 0, count: groups.groups.count * numbers.count)
    let models = try snapshot.chosen(filter, from: .models).map { Set($0) }
    try snapshot.forEachDecodeCount(
      in: window, of: snapshot.releases(filter), isByRelease: grouping == .release, isByHour: true
    ) { count in
      guard models?.contains(count.model) != false,
        let row = grouping == .nothing
          ? 0 : groups.index(of: .none(of: count.model), count.release)
      else { return }
      let number = unit.number(of: count.hour * Moment.hour)
      guard numbers.contains(number) else { return }
      let place = row * numbers.count + Int(number - numbers.lowerBound)
      decodes[place] = decodes[place].adding(count: count.decodes)
    }
    return decodes
  }

  /// Throws an error where only digests could tell how many of them have errors.
  private static func checkRates(
    _ filter: DigestFilter, by unit: DigestStore.Trend.Unit?, _ grouping: DigestStore.Trend.Grouping
  ) throws {
    let remedy: String
    switch grouping {
    case .kind, .codingPath, .novelValue, .source: remedy = "group by model or release"
    case .nothing, .model, .release:
      if unit == .minute {
        remedy = "decodes are counted by the hour; take hours"
      } else if filter.choosesFailures {
        remedy = "leave the filter for paths, kinds or values out"
      } else {
        return
      }
    }
    throw DigestStoreError(.invalidInput, "such a trend has no rates: \(remedy)")
  }

  /// The window; a missing bound is replaced by that of the errors found.
  private static func moments(
    of groups: TrendGroups,
    _ window: TimeWindow,
    _ end: Moment?
  ) -> Range<Int64> {
    let first = window.since?.milliseconds ?? groups.moments?.lowerBound
    let last = [groups.moments.map { $0.upperBound + 1 }, end?.milliseconds].compactMap { $0 }.max()
    guard let first, let end = window.until?.milliseconds ?? last, first < end else { return 0..<0 }
    return first..<end
  }

  /// The shortest suitable unit that covers the whole window.
  private static func unit(
    suiting moments: Range<Int64>,
    _ snapshot: Snapshot,
    _ filter: DigestFilter
  ) throws -> DigestStore.Trend.Unit {
    let suiting = DigestStore.Trend.Unit(suiting: Double(moments.count) / Double(Moment.hour))
    let window = try snapshot.window(filter)
    return try DigestStore.Trend.Unit.allCases.drop { $0 != suiting }.first {
      try snapshot.window(filter, by: $0).since == window.since
    } ?? suiting
  }

  /// Throws an error if details were deleted, instead of reporting that nothing occurred.
  private func checkDetail(_ limit: Int?) throws {
    let message: String
    switch unit {
    case .minute:
      message = "the digests are gone that could tell minutes; take hours, or a later window"
    case .hour: message = "the counts of these hours are gone; take days, or a later window"
    case .day, .week: return
    }
    // Nothing more is counted in the selection for the requested window, which has no error.
    let all = try TrendGroups(
      snapshot.selecting(grouping, matching: filter, in: snapshot.window(filter), limit: limit),
      filter, in: snapshot.window(filter), grouping, limit: limit)
    guard all.moments != nil else { return }
    throw DigestStoreError(.invalidInput, message)
  }

  private func trend(of group: TrendGroups.Group, _ points: [DigestStore.Trend.Point])
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
      release: name(0, in: .release),
      novelValue: name(2, in: .novelValue),
      valueType: name(3, in: .novelValue),
      source: name(0, in: .source),
      occurrences: Int(group.occurrences),
      points: points
    )
  }
}

extension Snapshot {
  /// Returns a snapshot of the failures that a trend needs.
  fileprivate func selecting(
    _ grouping: DigestStore.Trend.Grouping, matching filter: DigestFilter, in window: TimeWindow,
    limit: Int?
  ) throws -> Snapshot {
    let limit = limit.map { max(0, $0) }
    switch grouping {
    case .novelValue:
      return try selecting(
        .novelValue, matching: filter, in: window, limit: limit, countsAllGroups: true)
    case .codingPath:
      return try selecting(
        .codingPath, matching: filter, in: window, limit: limit, countsAllGroups: true)
    case .kind: return try selecting(.kind, matching: filter, in: window)
    case .nothing, .model, .release, .source:
      return filter.choosesFailures
        ? try selecting(.kind, matching: filter, in: window) : self
    }
  }
}
