/// The periods of an overview, and the statements that count errors in them.
struct OverviewPeriods {
  /// The most periods that a viewer can tell apart, even on a phone.
  private static let maximumPeriods: Int64 = 90

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

  /// - Parameter moments: the time range of the periods, in milliseconds.
  init(_ connection: any Engine, _ filter: DigestFilter, in moments: Range<Int64>) throws {
    self.connection = connection
    self.filter = filter
    self.moments = moments
    window = try connection.widened(filter.window)
    let (unit, unitsPerPeriod) = try Self.length(of: moments, connection, filter)
    (self.unit, self.unitsPerPeriod) = (unit, unitsPerPeriod)
    func number(_ moment: Int64) -> Int64 { unit.number(of: moment) / unitsPerPeriod }
    periods =
      moments.isEmpty ? 0..<0 : number(moments.lowerBound)..<number(moments.upperBound - 1) + 1
    let unknown = try connection.unknownPeriods(in: moments, number)
    isKnown = periods.map { !unknown.contains($0) }
  }

  /// The unit of the periods, and the number of units per period: the shortest that covers the
  /// window in at most ``maximumPeriods`` periods.
  private static func length(
    of moments: Range<Int64>, _ connection: any Engine, _ filter: DigestFilter
  ) throws -> (DigestStore.Trend.Unit, Int64) {
    func count(_ unit: DigestStore.Trend.Unit) -> Int64 {
      unit.number(of: moments.upperBound - 1) - unit.number(of: moments.lowerBound) + 1
    }
    guard !moments.isEmpty else { return (.day, 1) }
    let range = filter.limited(
      to: TimeWindow(
        since: Moment(milliseconds: moments.lowerBound),
        until: Moment(milliseconds: moments.upperBound)))
    for unit in [DigestStore.Trend.Unit.minute, .hour, .day] where count(unit) <= maximumPeriods {
      let begin = try connection.window(range, by: unit).range.lowerBound.milliseconds
      if begin <= moments.lowerBound { return (unit, 1) }
    }
    return (.week, max(1, (count(.week) + maximumPeriods - 1) / maximumPeriods))
  }

  /// Counts the errors of some failures per period, by the ids of the failures.
  func occurrences(ofFailures ids: [Int64]) throws -> [Int64: [Int]] {
    guard !ids.isEmpty else { return [:] }
    let list = ids.map(String.init).joined(separator: ",")
    return try occurrences(by: .failure, where: "failure IN (\(list))") { Int64($0.text) ?? 0 }
  }

  /// Counts the errors of all models per period, by the names of the models.
  func occurrencesOfModels() throws -> [String: [Int]] {
    try occurrences(by: .model, where: "true", \.text)
  }

  /// Counts the errors of some failures per period and by columns. The period is nil for counts
  /// outside of all periods.
  func counts(
    ofFailures ids: [Int64], by columns: [CountColumn]
  ) throws -> [(period: Int?, count: GroupedCounts.GroupedCount)] {
    guard !ids.isEmpty else { return [] }
    let list = ids.map(String.init).joined(separator: ",")
    let rows = try GroupedCounts(
      connection, filter, in: window, by: columns, per: unit.split, where: "failure IN (\(list))"
    ).rows()
    return rows.map { (period(of: $0.start), $0) }
  }

  /// The releases that were first decoded in a period after the first one, and that period.
  func releases() throws -> [String: Int] {
    guard !periods.isEmpty, unit != .minute, let rated = try connection.decodeWindow(filter)
    else { return [:] }
    let rows = try GroupedCounts(
      connection, of: .decodes, filter, in: rated, by: [.release], per: unit.split
    ).rows()
    let starts = Dictionary(grouping: rows.filter { $0.decodes > 0 && $0[0] != nil }) {
      $0.names[0].text
    }
    return starts.compactMapValues { $0.map(\.start).min().flatMap(period) }.filter { $0.value > 0 }
  }

  /// The index of the period that contains a moment; nil if none does.
  private func period(of moment: Int64) -> Int? {
    let number = unit.number(of: moment) / unitsPerPeriod
    return periods.contains(number) ? Int(number - periods.lowerBound) : nil
  }

  private func occurrences<Key>(
    by column: CountColumn, where condition: String, _ key: (BinaryString) -> Key
  ) throws -> [Key: [Int]] {
    guard !periods.isEmpty else { return [:] }
    var counts: [Key: [Int]] = [:]
    let rows = try GroupedCounts(
      connection, filter, in: window, by: [column], per: unit.split, where: condition
    ).rows()
    for row in rows {
      guard let period = period(of: row.start) else { continue }
      let name = key(row.names[0])
      let sum = counts[name]?[period] ?? 0
      counts[name, default: Array(repeating: 0, count: periods.count)][period] =
        sum.adding(count: Int(clamping: row.occurrences))
    }
    return counts
  }

  /// A row's counts, and nil where a period lacks some.
  func known(_ counts: [Int]?) -> [Int?] {
    zip(counts ?? Array(repeating: 0, count: periods.count), isKnown).map { $1 ? $0 : nil }
  }

  /// The periods with the number of all errors.
  func trend(_ rows: [[Int]]) -> DigestStore.OverviewTrend {
    let sums = rows.reduce(into: Array(repeating: 0, count: periods.count)) { sums, row in
      for (period, count) in row.enumerated() { sums[period] = sums[period].adding(count: count) }
    }
    return DigestStore.OverviewTrend(
      unit: unit,
      unitsPerPeriod: Int(unitsPerPeriod),
      starts: periods.map { unit.start(of: $0 * unitsPerPeriod) },
      occurrences: known(sums), partial: partial
    )
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
