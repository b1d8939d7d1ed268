/// Counts how errors spread over the periods of a window: all of them, and of some failures and
/// models apart.
struct CourseCount {
  /// As many periods as an eye tells apart, also on a phone.
  private static let maximumPeriods: Int64 = 90

  private let unit: Trend.Unit
  private let unitsPerPeriod: Int64

  /// The numbers of the periods; none where there is nothing to count.
  private let periods: Range<Int64>

  /// Which of them have all their counts.
  private let isKnown: [Bool]

  private var failures: Rows
  private var models: Rows

  /// - Parameters:
  ///   - moments: the first moment of the periods, and the first one behind them.
  ///   - modelOfFailure: the failures that count, with their models.
  ///   - failures: those that are counted apart.
  ///   - models: those that are counted apart.
  init(
    _ snapshot: Snapshot,
    _ filter: DigestFilter,
    in moments: Range<Int64>,
    of modelOfFailure: [Int64: Int64],
    failures: [Int64],
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
    if !periods.isEmpty { try count(snapshot, filter) }
  }

  /// How long the periods are, so that there are not many: so many of a unit, the shortest that tells
  /// all of the window.
  private static func length(
    of moments: Range<Int64>,
    _ snapshot: Snapshot,
    _ filter: DigestFilter
  ) throws -> (Trend.Unit, Int64) {
    func count(_ unit: Trend.Unit) -> Int64 {
      unit.number(of: moments.upperBound - 1) - unit.number(of: moments.lowerBound) + 1
    }
    for unit in [Trend.Unit.minute, .hour, .day] where count(unit) <= maximumPeriods {
      let begin = try snapshot.window(filter, by: unit).range.lowerBound.milliseconds
      if begin <= moments.lowerBound { return (unit, 1) }
    }
    return (.week, max(1, (count(.week) + maximumPeriods - 1) / maximumPeriods))
  }

  private mutating func count(_ snapshot: Snapshot, _ filter: DigestFilter) throws {
    try snapshot.forEachCell(
      in: snapshot.window(filter), longest: unit.longestSpan, of: snapshot.releases(filter)
    ) { cell, _ in
      guard let model = models[cell.failure], let failure = failures[cell.failure] else { return }
      // A tally of a damaged file may say anything.
      let number = unit.number(of: cell.first) / unitsPerPeriod
      guard periods.contains(number) else { return }
      let period = Int(number - periods.lowerBound)
      models.add(cell.occurrences, to: model, period)
      if failure > 0 { failures.add(cell.occurrences, to: failure, period) }
    }
  }
}

extension CourseCount {
  /// The periods, with all errors.
  var course: Overview.Course {
    Overview.Course(
      unit: unit,
      unitsPerPeriod: Int(unitsPerPeriod),
      starts: periods.map { unit.start(of: $0 * unitsPerPeriod) },
      occurrences: known(models.sum(of: models.all))
    )
  }

  /// How many errors of failures that are counted apart each period has.
  func occurrences(ofFailures ids: [Int64]) -> [Int?] {
    known(failures.sum(of: ids.compactMap(failures.row(of:))))
  }

  /// How many errors of a model that is counted apart each period has.
  func occurrences(ofModel id: Int64) -> [Int?] {
    known(models.sum(of: [id].compactMap(models.row(of:))))
  }

  private func known(_ counts: [Int]) -> [Int?] { zip(counts, isKnown).map { $1 ? $0 : nil } }
}

extension CourseCount {
  /// The periods of what is counted apart, a row each, behind one row for all others.
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

    /// The row of a failure; nil where it does not count.
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
