import ResilientDecoding
import ResilientPlatform

/// Counts the errors of each group of a trend in each period.
struct TrendCount {
  typealias Group = GroupedCounts.GroupedCount

  private static let maximumPoints = 1_000_000

  /// The most periods of a trend without a requested beginning: by day 13 years, by hour seven
  /// months. Nobody reads more of them, and a store of years has half a million minutes in one.
  private static let maximumPeriods = 5_000

  private let connection: any Engine
  private let filter: DigestFilter
  private let grouping: DigestStore.Trend.Grouping
  private let unit: DigestStore.Trend.Unit
  private let window: TimeWindow
  private let groups: [Group]
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
      try Self.checkRates(by: unit, grouping)
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
    let found = try Self.groups(connection, filter, grouping, in: window, limit: limit)
    // The whole has a trend even if nothing occurred.
    groups = found.isEmpty && grouping == .nothing ? [Group()] : found
    let seen =
      found.isEmpty || window.since != nil && window.until != nil
      ? nil : try connection.errorMoments(filter, in: window)
    moments = Self.moments(of: seen, window, end)
    let suiting = try unit ?? Self.unit(suiting: moments, connection, filter)
    self.unit = rates && suiting == .minute ? .hour : suiting
    if found.isEmpty, self.unit == .minute || self.unit == .hour {
      try checkDetail()
    }
  }

  /// The groups with errors, the most frequent first, then by name.
  private static func groups(
    _ connection: any Engine, _ filter: DigestFilter, _ grouping: DigestStore.Trend.Grouping,
    in window: TimeWindow, limit: Int?
  ) throws -> [Group] {
    let groups = try GroupedCounts(
      connection, filter.counted(by: grouping), in: window, by: grouping.columns
    ).rows().filter { $0.occurrences > 0 }.sorted { first, second in
      first.occurrences == second.occurrences
        ? first.names.lexicographicallyPrecedes(second.names)
        : first.occurrences > second.occurrences
    }
    return Array(groups.prefix(max(0, limit ?? .max)))
  }

  func trends(at now: Date) throws -> [DigestStore.Trend] {
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
    var counts = Array(repeating: Group(), count: groups.count * numbers.count)
    let indices = Dictionary(zip(groups.map(\.names), groups.indices)) { first, _ in first }
    let columns = grouping.columns
    var failures: [FailuresByModel] = Array(repeating: [:], count: groups.count)
    for row in try GroupedCounts(
      connection, filter.counted(by: grouping, groups), in: window,
      by: columns + (ratesFailures ? [.model, .failure] : []), per: unit.split
    ).rows() {
      let number = unit.number(of: row.start)
      let (names, failure) = (row.names.prefix(columns.count), row.names.dropFirst(columns.count))
      guard let group = indices[Array(names)], numbers.contains(number) else { continue }
      counts[group * numbers.count + Int(number - numbers.lowerBound)].add(row)
      if let model = failure.first, let id = failure.last {
        failures[group][model, default: []].insert(id)
      }
    }
    // The counts of several failures do not say how many digests have more than one of them.
    let hasDigests = failures.map { hasRates && $0.values.allSatisfy { $0.count == 1 } }
    if ratesFailures {
      guard hasDigests.contains(true) else {
        throw Self.noRates("several failures of a model match; choose one, or group by value")
      }
      try addDecodes(of: failures, to: &counts, in: numbers)
    }
    let unknown = try connection.unknownPeriods(in: moments, unit.number)
    let whole = wholeTime(before: now)
    return groups.enumerated().map { row, group in
      // Of which model a failure would be is unknown if it does not occur.
      let hasDecodes = hasRates && (!ratesFailures || !failures[row].isEmpty)
      let points = numbers.enumerated().map { column, number in
        let count = unknown.contains(number) ? nil : counts[row * numbers.count + column]
        let (start, end) = (unit.start(of: number), unit.start(of: number + 1))
        return DigestStore.Trend.Point(
          start: start,
          occurrences: count.map { Int(clamping: $0.occurrences) },
          digests: hasDigests[row] && hasDecodes ? count.map { Int(clamping: $0.digests) } : nil,
          decodes: hasDecodes ? count.map { Int(clamping: $0.decodes) } : nil,
          isPartial: start < whole.lowerBound || end > whole.upperBound)
      }
      return trend(of: group, points)
    }
  }

  /// The time in which all errors are counted: the window, up to now.
  private func wholeTime(before now: Date) -> Range<Date> {
    let start = window.since?.date ?? .distantPast
    return start..<max(start, min(window.until?.date ?? now, now))
  }

  /// Whether digests are counted by failure, because counts of models do not tell failures apart.
  private var ratesFailures: Bool {
    hasRates && (filter.choosesFailures || grouping.columns.contains(where: \.isOfFailure))
  }

  /// The failures of a group, by the names of their models.
  private typealias FailuresByModel = [BinaryString: Set<BinaryString>]

  /// Adds the decodes of their models to groups of failures.
  private func addDecodes(
    of failures: [FailuresByModel], to counts: inout [Group], in numbers: ClosedRange<Int64>
  ) throws {
    let contexts = grouping.columns.filter(\.isOfContext)
    let models = zip(groups, failures).enumerated().flatMap { index, group in
      let rest = contexts.isEmpty ? [] : group.0.names
      return group.1.keys.map { (names: [$0] + rest, group: index) }
    }
    let groupsOfNames = Dictionary(grouping: models, by: \.names)
    for row in try GroupedCounts(
      connection, of: .decodes, filter, in: window, by: [.model] + contexts, per: unit.split
    ).rows() {
      let number = unit.number(of: row.start)
      guard numbers.contains(number) else { continue }
      for (_, group) in groupsOfNames[row.names] ?? [] {
        let place = group * numbers.count + Int(number - numbers.lowerBound)
        counts[place].decodes = counts[place].decodes.adding(count: row.decodes)
      }
    }
  }

  /// Throws an error where decodes are not counted.
  private static func checkRates(
    by unit: DigestStore.Trend.Unit?, _ grouping: DigestStore.Trend.Grouping
  ) throws {
    if grouping == .kind { throw noRates("group by model, path, value or a part of the context") }
    if unit == .minute { throw noRates("decodes are counted by the hour; take hours") }
  }

  private static func noRates(_ remedy: String) -> DigestStoreError {
    DigestStoreError(.invalidInput, "such a trend has no rates: \(remedy)")
  }

  /// The window; a missing bound is replaced by that of the errors found.
  ///
  /// - Parameters:
  ///   - end: a time that a window without an end includes.
  ///   - latest: the latest end of such a window.
  static func moments(
    of seen: ClosedRange<Int64>?, _ window: TimeWindow, _ end: Moment?, atMost latest: Moment? = nil
  ) -> Range<Int64> {
    let first = window.since?.milliseconds ?? seen?.lowerBound
    let last = [seen.map { $0.upperBound + 1 }, end?.milliseconds].compactMap { $0 }.max().map {
      min($0, latest?.milliseconds ?? .max)
    }
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
  private func checkDetail() throws {
    let all = try connection.widened(filter.window)
    guard all.since != window.since || all.until != window.until,
      try !Self.groups(connection, filter, grouping, in: all, limit: 1).isEmpty
    else { return }
    throw DigestStoreError(
      .invalidInput,
      unit == .minute
        ? "the digests of this window were deleted, so it cannot be counted by minute; count by hour, or choose a later window"
        : "the hourly counts of this window were deleted; count by day, or choose a later window")
  }

  private func trend(of group: Group, _ points: [DigestStore.Trend.Point]) -> DigestStore.Trend {
    func name(_ column: CountColumn) -> String? {
      grouping.columns.firstIndex(of: column).map { group.names[$0].text }
    }
    func optional(_ column: CountColumn) -> String? {
      name(column).flatMap { $0.isEmpty ? nil : $0 }
    }
    return DigestStore.Trend(
      unit: unit,
      model: name(.model),
      codingPath: name(.codingPath),
      kind: name(.kind).map(ErrorDigest.Kind.init(stored:)),
      release: optional(.release),
      environment: optional(.environment),
      operation: optional(.operation),
      source: optional(.source),
      novelValue: name(.novelValue),
      valueType: optional(.valueType),
      occurrences: Int(clamping: group.occurrences),
      points: points
    )
  }
}

extension DigestStore.Trend.Grouping {
  /// The columns that identify a group.
  fileprivate var columns: [CountColumn] {
    switch self {
    case .nothing: []
    case .model: [.model]
    case .kind: [.kind]
    case .release: [.release]
    case .environment: [.environment]
    case .operation: [.operation]
    case .source: [.source]
    case .codingPath: [.model, .codingPath]
    // A value without a type differs from one of an empty type.
    case .novelValue: [.model, .codingPath, .novelValue, .valueType, .failure]
    }
  }
}

extension DigestFilter {
  /// The filter for what is counted by a grouping: novel values alone, or any error.
  ///
  /// - Parameter groups: the only groups to count. It depends on their names whether others are counted,
  ///   too.
  fileprivate func counted(
    by grouping: DigestStore.Trend.Grouping, _ groups: [TrendCount.Group] = []
  ) -> Self {
    var filter = grouping == .novelValue ? ofNovelValues : self
    // Each name is a parameter.
    guard !groups.isEmpty, groups.count <= 500 else { return filter }
    for (index, column) in grouping.columns.enumerated() {
      let names = Set(groups.map { $0.names[index] }).map(\.text).sorted()
      // U+FFFD may stand for bytes that are no UTF-8, which no filter matches.
      guard !names.contains(where: { $0.hasWildcards || $0.contains("\u{FFFD}") }) else { continue }
      switch column {
      case .model: filter.models = names
      case .codingPath: filter.codingPaths = names
      case .novelValue: filter.novelValues = names
      default: break
      }
    }
    return filter
  }
}

extension Engine {
  /// The times of the first and the last error of all time; nil without errors.
  ///
  /// If the window has no beginning, skips errors before ``Moment/firstOfSwift``, and returns the
  /// start of the hour of the first one after it.
  func errorMoments(_ filter: DigestFilter, in window: TimeWindow) throws -> ClosedRange<Int64>? {
    let moments = try rows(
      """
      SELECT min(t.first_seen), max(t.last_seen) FROM (\(TotalRows(self, filter).sql())) AS t
      CROSS JOIN failure AS f ON f.id = t.failure CROSS JOIN model AS m ON m.id = f.model
      WHERE \(filter.errorCondition())
      """, filter.values()
    ) { ($0.optionalMoment(at: 0), $0.moment(at: 1)) }
    guard let (found, last) = moments.first, var first = found else { return nil }
    if window.beginsWithRightClock, first < .firstOfSwift {
      guard let right = try firstError(filter, since: .firstOfSwift, window) else { return nil }
      first = right
    }
    return first.milliseconds...max(first, last).milliseconds
  }

  /// The start of the first hour with an error since a moment; of its day, if its hours were
  /// deleted.
  private func firstError(
    _ filter: DigestFilter, since moment: Moment, _ window: TimeWindow
  ) throws -> Moment? {
    func first(_ split: Counts.Split, _ window: TimeWindow) throws -> Moment? {
      let counts = try GroupedCounts(self, filter, in: window, per: split)
      return try firstRow(
        "SELECT min(c.start) \(counts.clauses) AND c.occurrences > 0", filter.values()
      ) { $0.optionalMoment(at: 0) } ?? nil
    }
    let days = TimeWindow(since: moment, until: window.until)
    guard let day = try first(.day, days) else { return nil }
    let end = Moment(milliseconds: day.milliseconds + Counts.Split.day.length)
    let hours = TimeWindow(since: day, until: window.until.map { min($0, end) } ?? end)
    return try first(.hour, hours) ?? day
  }
}

extension TimeWindow {
  /// Whether the periods of the window begin no earlier than ``Moment/firstOfSwift``, because no
  /// beginning was requested and the window ends later.
  var beginsWithRightClock: Bool { since == nil && .firstOfSwift < until ?? .latest }
}
