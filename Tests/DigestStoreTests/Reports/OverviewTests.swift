import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct OverviewTests {
  private static let filters = [
    DigestFilter(), DigestFilter(model: "App.Listing"), DigestFilter(codingPath: "items*"),
    DigestFilter(kind: .typeMismatch), DigestFilter(novelValue: "v*"),
    DigestFilter(hasNoRelease: true), DigestFilter(release: "4.2"), DigestFilter(model: "Nobody"),
    DigestFilter(model: "App.U*", release: "4.1"),
    DigestFilter(kind: .unknownNovelValue, release: "4.2"),
  ]

  @Test(arguments: [5, 10_000])
  func `an overview says what each report says, in every window and under every filter`(
    _ limit: Int
  ) throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(700, seed: 17))
    let store = temporary.store

    var compared = 0
    for (index, (since, until)) in RandomRecords.windows(seed: 17).enumerated() {
      var filter = Self.filters[index % Self.filters.count]
      (filter.since, filter.until) = (since?.date, until?.date)
      let overview = try store.overview(matching: filter, limit: limit)

      func expect<Row: Equatable>(_ rows: [Row], _ total: Int, of all: [Row]) {
        #expect(rows == Array(all.prefix(limit)), "\(filter)")
        #expect(total == all.count, "\(filter)")
      }
      let new = try store.newFailures(matching: filter.narrowed(to: overview.novelty))
      expect(overview.newFailureRows, overview.newFailures, of: new)
      let failures = try store.failures(matching: filter)
      #expect(
        overview.failures.rows.dropFirst(overview.newRowCount)
          .elementsEqual(failures.prefix(limit).filter { !new.contains($0) }), "\(filter)")
      #expect(overview.failures.total == failures.count, "\(filter)")
      try expect(overview.models.rows, overview.models.total, of: store.models(matching: filter))
      #expect(try overview.totals == store.totals(matching: filter), "\(filter)")
      if try expectTrends(of: overview, in: store, filter) { compared += 1 }
    }
    #expect(compared > 0)
  }

  @Test(arguments: [1, 5, 10_000])
  func `hidden failures are neither rows nor counted as failures`(_ limit: Int) throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(700, seed: 18))
    let store = temporary.store
    for filter in Self.filters {
      let all = try store.failures(matching: filter)
      let hidden = all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
      let overview = try store.overview(matching: filter, limit: limit, hiding: hidden)
      let new = try store.newFailures(matching: filter.narrowed(to: overview.novelty))
        .filter { !hidden.contains($0) }
      #expect(overview.newFailures == new.count, "\(filter)")
      #expect(overview.newFailureRows == Array(new.prefix(limit)), "\(filter)")
      #expect(overview.failures.total == all.count - hidden.count, "\(filter)")
      #expect(
        overview.failures.rows.dropFirst(overview.newRowCount).elementsEqual(
          all.filter { !hidden.contains($0) }.prefix(limit).filter { !new.contains($0) }),
        "\(filter)")
    }
  }

  /// Compares the periods with those of the trends.
  ///
  /// - Returns: whether there are such trends.
  private func expectTrends(
    of overview: DigestStore.Overview, in store: DigestStore, _ filter: DigestFilter
  ) throws -> Bool {
    let trend = overview.trend
    #expect(
      trend.occurrences.reduce(0) { $0 + ($1 ?? 0) } == overview.totals.occurrences, "\(filter)")
    #expect(
      overview.failures.rows.map(\.occurrences)
        == overview.failures.trends.map { $0.reduce(0) { $0 + ($1 ?? 0) } }, "\(filter)")
    guard trend.unitsPerPeriod == 1 else { return false }
    let report = try #require(store.trend(matching: filter, by: trend.unit).first)
    #expect(trend.starts == report.points.map(\.start), "\(filter)")
    #expect(trend.occurrences == report.points.map(\.occurrences), "\(filter)")
    let values = try store.trend(matching: filter, by: trend.unit, groupedBy: .novelValue)
    for (row, periods) in zip(overview.failures.rows, overview.failures.trends) {
      guard let value = row.novelValue else { continue }
      let trend = try #require(
        values.first {
          ($0.model, $0.codingPath, $0.novelValue, $0.valueType)
            == (row.model, row.codingPath, value, row.valueType)
        })
      #expect(trend.points.map(\.occurrences) == periods, "\(filter)")
    }
    let models = try store.trend(matching: filter, by: trend.unit, groupedBy: .model)
    #expect(
      overview.models.trends
        == models.prefix(overview.models.rows.count).map { $0.points.map(\.occurrences) },
      "\(filter)")
    return true
  }

  @Test(arguments: [
    // 90 hours and days and one minute more, ten years, and all the time that there is.
    (1, DigestStore.Trend.Unit.minute, 1, 1), (90, .minute, 1, 90), (91, .hour, 1, 2),
    (5_400, .hour, 1, 90),
    (5_401, .day, 1, 4), (129_600, .day, 1, 90), (129_601, .week, 1, 14),
    (5_256_000, .week, 6, 88), (4_200_006_240, .week, 4_630, 91),
  ])
  func `periods are so long that there are not many`(
    _ minutes: Int64, _ unit: DigestStore.Trend.Unit, _ unitsPerPeriod: Int, _ count: Int
  ) throws {
    let temporary = try TemporaryStore()
    // A Thursday, 5 June 2014: a clock can be right.
    let start: Int64 = 1_401_926_400_000
    try temporary.store.append(
      .make(at: Moment(milliseconds: start)),
      .make(at: Moment(milliseconds: start + minutes * 60_000 - 1)))

    let trend = try temporary.store.overview(limit: 1).trend

    #expect(trend.unit == unit)
    #expect(trend.unitsPerPeriod == unitsPerPeriod)
    #expect(trend.starts.count == count)
    #expect(trend.occurrences.reduce(0) { $0 + ($1 ?? 0) } == 2)
    #expect(trend.occurrences.last == (count == 1 ? 2 : 1))
  }

  @Test func `where digests are gone there are no minutes, and where hours are no hours`() throws {
    let temporary = try TemporaryStore()
    let start = Moment(milliseconds: 1_763_600_400_000)
    try temporary.store.append(
      .make(at: start), .make(at: Moment(milliseconds: start.milliseconds + 60_000)))
    try temporary.foldAll()
    #expect(try temporary.store.overview(limit: 1).trend.unit == .minute)

    try temporary.execute("DELETE FROM digest WHERE id = 1")
    let byHour = try temporary.store.overview(limit: 1).trend
    #expect(byHour.unit == .hour && byHour.occurrences == [2])

    try temporary.execute("DELETE FROM tally WHERE span = 1; DELETE FROM decodes WHERE span = 1")
    let byDay = try temporary.store.overview(limit: 1).trend
    #expect(byDay.unit == .day && byDay.occurrences == [2])
  }

  @Test func `an empty store has nothing to say, and a window without errors has zeros`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let nothing = try store.overview(limit: 5)
    #expect(try nothing.totals == store.totals())
    #expect(nothing.trend.starts.isEmpty && nothing.trend.occurrences.isEmpty)
    #expect(nothing.novelty == .everything)
    #expect(nothing.failures.rows.isEmpty && nothing.failures.total == 0)

    let day = Date(timeIntervalSince1970: 1_763_596_800)
    let window = DigestFilter(since: day, until: day + 86_400)
    #expect(
      try store.overview(matching: window, limit: 5).trend.occurrences
        == Array(repeating: .some(0), count: 24))
  }

  /// The 20th of November 2025, a Thursday.
  private static let day = Moment(milliseconds: 1_763_596_800_000)

  private static func day(_ days: Int64, _ milliseconds: Int64 = 0) -> Moment {
    Moment(milliseconds: day.milliseconds + days * 24 * Moment.hour + milliseconds)
  }

  /// The values that are new, and since when; a day is counted from the 20th of November.
  @Test(
    arguments: [
      // In a long time, those of the last seven days.
      (DigestFilter(), nil, day(-6), ["-6 0", "0 0", "0 5"]),
      // In a shorter window, what it has brought.
      (DigestFilter(since: day(0).date), nil, day(0), ["0 0", "0 5"]),
      // A window without an end may reach to now.
      (DigestFilter(), day(9, 1), day(3), []),
    ] as [(DigestFilter, Moment?, Moment, [String])])
  func `values of the last days are new`(
    filter: DigestFilter, end: Moment?, start: Moment, new: [String]
  ) throws {
    let temporary = try TemporaryStore()
    for (days, milliseconds) in [(-7, 0), (-6, -1), (-6, 0), (0, 0), (0, 5)] as [(Int64, Int64)] {
      let value = RecordedError.novel("\(days) \(milliseconds)")
      // One of these values is met again.
      try temporary.store.append(.make(at: Self.day(days, milliseconds), value, .novel("-7 0")))
    }

    let overview = try temporary.store.overview(matching: filter, limit: 9, reaching: end?.date)

    #expect(overview.novelty == .since(start.date))
    #expect(overview.newFailureRows.map(\.novelValue) == new)
    if let end { #expect(overview.trend.starts.last == Self.day(9).date && end > Self.day(9)) }
  }

  @Test(arguments: [
    (["4.9.0", "4.10.0"], DigestStore.Overview.Novelty.releases(["4.10.0"]), ["last"]),
    (["4.10.0", "4.9.0"], .releases(["4.10.0"]), ["first"]),
    ([nil, "4.9.0"], .releases(["4.9.0"]), ["last"]),
    (["nightly", "4.9.0"], .releases(["4.9.0"]), ["last"]),
    (["4.9.0", "4.9.0"], .everything, ["both", "first", "last"]),
    (["nightly", "weekly"], .releases(["weekly"]), ["last"]),
    ([nil, nil], .everything, ["both", "first", "last"]),
  ])
  func `in a young store, values of the newest release are new`(
    _ releases: [String?], _ novelty: DigestStore.Overview.Novelty, _ values: [String]
  ) throws {
    let temporary = try TemporaryStore(
      holding: .make(at: Self.day(-1), release: releases[0], .novel("both"), .novel("first")),
      .make(at: Self.day(0), release: releases[1], .novel("both"), .novel("last")))
    let store = temporary.store

    let overview = try store.overview(limit: 9)

    #expect(overview.novelty == novelty)
    #expect(overview.newFailureRows.map { $0.novelValue ?? "" } == values)
  }

  @Test func `with a release new is what that one has brought`() throws {
    let temporary = try TemporaryStore(
      holding: .make(at: Self.day(-90), release: "1", .novel("both")),
      .make(at: Self.day(0), release: "2", .novel("both"), .novel("second")),
      .make(at: Self.day(0), release: "3", .novel("third")))
    let store = temporary.store

    let overview = try store.overview(matching: DigestFilter(release: "2"), limit: 9)

    #expect(overview.novelty == .releases(["2"]))
    #expect(overview.newFailureRows.map(\.novelValue) == ["second"])
  }
}

extension DigestStore.Overview {
  fileprivate var newFailureRows: [DigestStore.FailureCount] {
    Array(failures.rows.prefix(newRowCount))
  }
}

extension DigestFilter {
  /// The filter for which everything that is new in one sense is what it finds new.
  fileprivate func narrowed(to novelty: DigestStore.Overview.Novelty) -> Self {
    var filter = self
    switch novelty {
    case .since(let date): filter.since = date
    case .releases(let releases): filter.releases = releases
    case .everything: break
    }
    return filter
  }
}
