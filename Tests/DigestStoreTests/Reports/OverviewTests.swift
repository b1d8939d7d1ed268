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

  @Test(arguments: [2, 10_000])
  func `an overview says what each report says, in every window and under every filter`(
    _ limit: Int
  ) throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(700, seed: 17))
    let store = temporary.store
    for (index, (since, until)) in RandomRecords.windows(seed: 17).enumerated() {
      var filter = Self.filters[index % Self.filters.count]
      (filter.since, filter.until) = (since?.date, until?.date)
      let overview = try store.overview(matching: filter, limit: limit)
      let models = try store.models(matching: filter)
      #expect(overview.models == Array(models.prefix(limit)), "\(filter)")
      #expect(overview.modelCount == models.count, "\(filter)")
      #expect(try overview.totals == store.totals(matching: filter), "\(filter)")

      let failures = try store.failures(matching: filter)
      let listed = overview.failures.map(\.row).filter {
        $0.section != .vanished && $0.failure.occurrences > 0
      }
      #expect(Set(listed.map(\.failure)).isSubset(of: failures), "\(filter)")
      if limit > 10 { #expect(listed.count == failures.count, "\(filter)") }
      let sections = Dictionary(grouping: listed, by: \.section)
      #expect(sections.values.allSatisfy { $0.count <= limit }, "\(filter)")
      for rows in sections.values {
        let positions = rows.compactMap { failures.firstIndex(of: $0.failure) }
        #expect(positions == positions.sorted(), "\(filter)")
      }
      try expectTrends(of: overview, in: store, filter)
      try expectParts(of: overview, in: store, filter)
    }
  }

  /// Compares the periods with those of the trends.
  private func expectTrends(
    of overview: DigestStore.Overview, in store: DigestStore, _ filter: DigestFilter
  ) throws {
    let trend = overview.trend
    #expect(
      trend.occurrences.reduce(0) { $0 + ($1 ?? 0) } == overview.totals.occurrences, "\(filter)")
    let rows = overview.failures.map(\.row)
    #expect(
      rows.map(\.failure.occurrences) == rows.map { $0.course.reduce(0) { $0 + ($1 ?? 0) } },
      "\(filter)")
    guard trend.unitsPerPeriod == 1 else { return }
    let report = try #require(store.trend(matching: filter, by: trend.unit).first)
    guard report.occurrences > 0 else { return }
    #expect(trend.starts == report.points.map(\.start), "\(filter)")
    #expect(trend.occurrences == report.points.map(\.occurrences), "\(filter)")
  }

  /// Compares the counts by context with those of models.
  private func expectParts(
    of overview: DigestStore.Overview, in store: DigestStore, _ filter: DigestFilter
  ) throws {
    for failure in overview.failures {
      let (count, parts) = (failure.row.failure, failure.parts)
      #expect(parts.reduce(0) { $0 + $1.occurrences } == count.occurrences, "\(filter)")
      #expect(
        parts.allSatisfy { $0.course.values.reduce(0, +) == $0.occurrences }, "\(filter)")
    }
    for failure in overview.failures.prefix(1) {
      var one = filter
      one.failures = try store.snapshot { connection in
        try FailureQuery(connection, filter.ofAllKinds).read()
          .filter { $0.failure == failure.row.failure }.map(\.id)
      }
      guard !one.failures.isEmpty else { continue }
      let models = try store.models(matching: one.ofAllKinds, by: .release)
      let releases = Dictionary(grouping: failure.parts) { overview.contexts[$0.context].release }
      #expect(
        Dictionary(models.map { ($0.contextName, $0.occurrences) }) { $0 + $1 }
          == releases.mapValues { $0.reduce(0) { $0 + $1.occurrences } }, "\(filter)")
    }
  }

  @Test func `decided failures are neither rows nor counted`() throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(300, seed: 18))
    let all = try temporary.store.overview(limit: 10_000)
    let isDecided: @Sendable (DigestStore.FailureCount) -> Bool = { $0.kind == .typeMismatch }
    let overview = try temporary.store.overview(limit: 10_000, leavingOut: isDecided)
    #expect(
      overview.failures.map(\.row.failure)
        == all.failures.map(\.row.failure).filter { !isDecided($0) })
    #expect(overview.failureCount == overview.failures.count)
    #expect(all.failureCount == all.failures.count)
    let decided = all.failures.map(\.row.failure).filter(isDecided).sum(of: \.occurrences)
    #expect(overview.totals.occurrences == all.totals.occurrences - decided)
    #expect(
      overview.trend.occurrences.sum { $0 ?? 0 } == all.trend.occurrences.sum { $0 ?? 0 } - decided)
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

  @Test func `parts have the errors of deleted days, which no period has`() throws {
    let day = Int64(24) * Moment.hour
    let start = RandomRecords.start / day * day
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(at: Moment(milliseconds: start), release: "4.1"),
      .make(at: Moment(milliseconds: start + 3 * day), release: "4.2"))
    try temporary.foldAll()
    // As in making room: the sums of a deleted day are of no day.
    let old = "start < \((start + day) / day)"
    try temporary.execute(
      """
      DELETE FROM digest WHERE id = 1;
      DELETE FROM tally WHERE span = 1 AND start < \((start + day) / Moment.hour);
      DELETE FROM decodes WHERE span = 1 AND start < \((start + day) / Moment.hour);
      DELETE FROM tally WHERE span = 24 AND \(old);
      UPDATE decodes SET start = -1 WHERE span = 24 AND \(old);
      INSERT INTO loss (hour, reason, digests, occurrences)
        VALUES (\(start / Moment.hour), 'undated', 1, 1)
      """)
    let failure = try #require(temporary.store.overview(limit: 5).failures.first)
    #expect(failure.row.failure.occurrences == 2)
    #expect(failure.parts.map(\.occurrences) == [1, 1])
    #expect(failure.parts.map(\.course.count).sorted() == [0, 1])
  }

  @Test func `a release is first decoded where no earlier decode has it`() throws {
    let temporary = try TemporaryStore()
    func moment(_ hour: Int64) -> Moment {
      Moment(milliseconds: RandomRecords.start / Moment.hour * Moment.hour + hour * Moment.hour)
    }
    for (hour, release) in [(0, "3.9"), (20, "4.1"), (24, "3.9"), (25, "4.2")] {
      temporary.store.countCleanDecode(
        of: "App.Listing", DigestContext(release: release), at: moment(Int64(hour)).date)
    }
    temporary.store.flush()
    try temporary.store.append(.make(at: moment(21), release: "4.1"))
    let window = DigestFilter(since: moment(20).date, until: moment(30).date)
    let trend = try temporary.store.overview(matching: window, limit: 5).trend
    #expect(trend.unit == .hour && trend.releases == ["4.2": 5])
  }

  @Test func `an empty store has nothing to say, and a window without errors has zeros`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let nothing = try store.overview(limit: 5)
    #expect(try nothing.totals == store.totals())
    #expect(nothing.trend.starts.isEmpty && nothing.trend.occurrences.isEmpty)
    #expect(nothing.failures.isEmpty && nothing.failureCount == 0)

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

  /// The sections by the last seven days, of a window without a beginning.
  @Test func `what came in the last week is new, and what is absent for long is over`() throws {
    let temporary = try TemporaryStore()
    for (value, days) in [
      ("new", [0, -1]), ("ongoing", [-10, 0]), ("older", [-40, -1]), ("once", [-30]),
      ("over", Array(-70 ... -50)), ("short", Array(-40 ... -32)),
      ("rare", [-70, -60, -50, -40, -30, -20]),
    ] as [(String, [Int64])] {
      for day in days { try temporary.store.append(.make(at: Self.day(day), .novel(value))) }
    }
    func sections() throws -> [String] {
      try temporary.store.overview(limit: 9).failures.map {
        "\($0.row.section) \($0.row.failure.novelValue ?? "")"
      }
    }
    let expected = [
      "new new", "ongoing rare", "ongoing older", "ongoing ongoing", "ongoing once", "over over",
      "over short",
    ]
    #expect(try sections() == expected)
    #expect(try temporary.store.overview(limit: 9).summary.window.lowerBound == Self.day(-6).date)
    // Equal numbers of decodes each day give the same sections.
    for day in -70...0 where day < -45 || day > -42 {
      temporary.store.countCleanDecode(
        of: "App.Listing", DigestContext(), at: Self.day(Int64(day)).date)
    }
    temporary.store.flush()
    #expect(try sections() == expected)
  }

  @Test func `a failure whose model is not decoded any more is not over`() throws {
    let temporary = try TemporaryStore()
    for day in -70 ... -50 {
      let moment = Self.day(Int64(day))
      temporary.store.countCleanDecode(of: "App.Listing", DigestContext(), at: moment.date)
      try temporary.store.append(.make(at: moment))
    }
    temporary.store.countCleanDecode(of: "App.User", DigestContext(), at: Self.day(0).date)
    temporary.store.flush()
    #expect(try temporary.store.overview(limit: 9).failures.map(\.row.section) == [.ongoing])
  }

  @Test func `periods in which a window begins or ends are not whole`() throws {
    let temporary = try TemporaryStore(holding: .make(at: Self.day(0)), .make(at: Self.day(3)))
    func partial(_ since: Moment?, _ until: Moment?) throws -> [Int] {
      let filter = DigestFilter(since: since?.date, until: until?.date)
      return try temporary.store.overview(matching: filter, limit: 1).trend.partial.sorted()
    }
    #expect(try partial(Self.day(-1), Self.day(5)) == [])
    #expect(try partial(Self.day(-1, 1), Self.day(5)) == [0])
    #expect(try partial(Self.day(-1), Self.day(5, 1)) == [6])
    // It begins with the first error, and ends with the last one.
    #expect(try partial(nil, nil) == [72])
  }
}
