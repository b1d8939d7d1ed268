/// Counts the errors in each period of a window: in total, and for some failures and models.
struct OverviewTrendCount {
  /// The most periods that a viewer can tell apart, even on a phone.
  private static let maximumPeriods: Int64 = 90

  private let unit: DigestStore.Trend.Unit
  private let unitsPerPeriod: Int64

  /// The numbers of the periods; empty if there is nothing to count.
  private let periods: Range<Int64>

  /// Whether each period has all its counts.
  private let isKnown: [Bool]

  private var failures: Rows
  private var models: Rows

  /// - Parameters:
  ///   - moments: the time range of the periods, in milliseconds.
  ///   - table: `.models` to count only models; then `modelOfFailure` has each as its own model.
  ///   - modelOfFailure: the failures to count, with their models.
  ///   - failures: the failures to count separately.
  ///   - models: the models to count separately.
  init(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    in moments: Range<Int64>,
    from table: CountTable = .failures,
    of modelOfFailure: [Int64: Int64],
    failures: [Int64] = [],
    models: [Int64]
  ) throws {
    let (unit, unitsPerPeriod) = try Self.length(of: moments, snapshot, filter)
    (self.unit, self.unitsPerPeriod) = (unit, unitsPerPeriod)
    let first = unit.number(of: moments.lowerBound) / unitsPerPeriod
    let last = unit.number(of: moments.upperBound - 1) / unitsPerPeriod
    periods = moments.isEmpty ? 0..<0 : first..<last + 1
    let unknown = try snapshot.unknownPeriods(in: moments) {
      unit.number(of: $0) / unitsPerPeriod
    }
    isKnown = periods.map { !unknown.contains($0) }
    self.failures = Rows(failures, count: periods.count, upTo: snapshot.values.last)
    self.models = Rows(models, count: periods.count, upTo: snapshot.values.last)
    for (failure, model) in modelOfFailure {
      self.failures.assign(failure, to: failure)
      self.models.assign(failure, to: model)
    }
    if !periods.isEmpty { try count(snapshot, filter, from: table) }
  }

  /// The unit of the periods, and the number of units per period: the shortest that covers the
  /// window in at most ``maximumPeriods`` periods.
  private static func length(
    of moments: Range<Int64>,
    _ snapshot: Snapshot,
    _ filter: DigestFilter
  ) throws -> (DigestStore.Trend.Unit, Int64) {
    func count(_ unit: DigestStore.Trend.Unit) -> Int64 {
      unit.number(of: moments.upperBound - 1) - unit.number(of: moments.lowerBound) + 1
    }
    for unit in [DigestStore.Trend.Unit.minute, .hour, .day] where count(unit) <= maximumPeriods {
      let begin = try snapshot.window(filter, by: unit).range.lowerBound.milliseconds
      if begin <= moments.lowerBound { return (unit, 1) }
    }
    return (.week, max(1, (count(.week) + maximumPeriods - 1) / maximumPeriods))
  }

  private mutating func count(
    _ snapshot: Snapshot, _ filter: DigestFilter, from table: CountTable
  ) throws {
    try snapshot.forEachCount(
      from: table, in: snapshot.window(filter), longest: unit.longestSpan,
      of: snapshot.releases(filter), isByRelease: false
    ) { count, _ in
      guard let model = models[count.id], let failure = failures[count.id] else { return }
      // A count in a damaged file may have any time.
      let number = unit.number(of: count.first) / unitsPerPeriod
      guard periods.contains(number) else { return }
      let period = Int(number - periods.lowerBound)
      models.add(count.occurrences, to: model, period)
      if failure > 0 { failures.add(count.occurrences, to: failure, period) }
    }
  }
}

extension OverviewTrendCount {
  /// The periods with the number of all errors.
  var trend: DigestStore.OverviewTrend {
    DigestStore.OverviewTrend(
      unit: unit,
      unitsPerPeriod: Int(unitsPerPeriod),
      starts: periods.map { unit.start(of: $0 * unitsPerPeriod) },
      occurrences: known(models.sum(of: models.all))
    )
  }

  /// The number of errors of some separately counted failures, per period.
  func occurrences(ofFailures ids: [Int64]) -> [Int?] {
    known(failures.sum(of: ids.compactMap(failures.row(of:))))
  }

  /// The number of errors of a separately counted model, per period.
  func occurrences(ofModel id: Int64) -> [Int?] {
    known(models.sum(of: [id].compactMap(models.row(of:))))
  }

  private func known(_ counts: [Int]) -> [Int?] { zip(counts, isKnown).map { $1 ? $0 : nil } }
}

extension OverviewTrendCount {
  /// The counts per period: a row for each separate failure or model, after one row for all others.
  private struct Rows {
    private var occurrences: [Int]
    private let periods: Int
    private let rows: [Int64: Int]
    private var rowOfFailure: DenseMap<Int?>

    init(_ ids: [Int64], count periods: Int, upTo lastFailure: Int64) {
      self.periods = periods
      rows = Dictionary(zip(ids, 1...), uniquingKeysWith: { first, _ in first })
      occurrences = Array(repeating: 0, count: (ids.count + 1) * periods)
      rowOfFailure = DenseMap(nil, upTo: lastFailure)
    }

    mutating func assign(_ failure: Int64, to id: Int64) {
      rowOfFailure.update(failure) { $0 = rows[id] ?? 0 }
    }

    mutating func add(_ count: Int64, to row: Int, _ period: Int) {
      let place = row * periods + period
      occurrences[place] = occurrences[place].adding(count: Int(clamping: count))
    }

    /// The row of a failure; nil if the failure is not counted.
    subscript(failure: Int64) -> Int? { rowOfFailure[failure] }

    func row(of id: Int64) -> Int? { rows[id] }

    var all: [Int] { [0] + rows.values }

    func sum(of rows: [Int]) -> [Int] {
      rows.reduce(into: Array(repeating: 0, count: periods)) { sums, row in
        for period in sums.indices {
          sums[period] = sums[period].adding(count: occurrences[row * periods + period])
        }
      }
    }
  }
}
