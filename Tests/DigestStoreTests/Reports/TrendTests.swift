import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct TrendTests {
  /// The points of each group, by a recount.
  private static func recount(
    _ records: [DigestRecord],
    _ unit: DigestStore.Trend.Unit,
    by key: (DigestRecord, RecordedError) -> String?
  ) -> [String: [Date: Int]] {
    let calendar = Self.calendar
    return records.reduce(into: [:]) { counts, record in
      let component: Calendar.Component =
        switch unit {
        case .minute: .minute
        case .hour: .hour
        case .day: .day
        case .week: .weekOfYear
        }
      let start = calendar.dateInterval(of: component, for: record.recordedAt.date)?.start
      for error in record.errors {
        guard let key = key(record, error), let start else { continue }
        counts[key, default: [:]][start, default: 0] += error.times
      }
    }
  }

  /// Names that Swift takes for equal, or that C cuts.
  @Test(arguments: [["caf\u{e9}", "cafe\u{301}", "caf"], ["1\u{0}a", "1", "1\u{0}b"]])
  func `a trend tells names apart by their bytes`(names: [String]) throws {
    let temporary = try TemporaryStore()
    for (index, name) in names.enumerated() {
      for _ in 0...index {
        try temporary.store.append(
          .make(model: name, release: name, operation: name, .novel("villa")))
      }
    }
    try temporary.foldAll()
    for grouping in [DigestStore.Trend.Grouping.model, .release, .operation] {
      let trends = try temporary.store.trend(by: .day, groupedBy: grouping)
      #expect(trends.count == 3)
      for trend in trends { #expect(trend.points.compactMap(\.occurrences) == [trend.occurrences]) }
    }
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func key(
    _ grouping: DigestStore.Trend.Grouping, _ record: DigestRecord, _ failure: RecordedError
  ) -> String? {
    switch grouping {
    case .nothing: "all"
    case .model: record.model
    case .kind: failure.kind.rawValue
    case .release: record.release ?? "-"
    case .environment: record.context.environment
    case .operation: record.context.operation
    case .source: "own"
    case .codingPath: "\(record.model)|\(failure.path.pattern)"
    case .novelValue: failure.novelValue == nil ? nil : failure.failureKey(in: record)
    }
  }

  private static func key(_ grouping: DigestStore.Trend.Grouping, _ trend: DigestStore.Trend)
    -> String?
  {
    switch grouping {
    case .nothing: "all"
    case .model: trend.model
    case .kind: trend.kind?.rawValue
    case .release: trend.release ?? "-"
    case .environment: trend.environment ?? ""
    case .operation: trend.operation ?? ""
    case .source: trend.source.map { _ in "own" }
    case .codingPath: "\(trend.model ?? "")|\(trend.codingPath ?? "")"
    case .novelValue:
      "\(trend.model ?? "")|\(trend.codingPath ?? "")|\(trend.novelValue ?? "")|\(trend.valueType ?? "-")"
    }
  }

  private static let filters = [
    DigestFilter(), DigestFilter(model: "App.U*"), DigestFilter(release: "4.2"),
    DigestFilter(environment: "staging", operation: "GET /l*"), DigestFilter(codingPath: "price"),
    DigestFilter(model: "App.User", kind: .typeMismatch), DigestFilter(novelValue: "yurt"),
  ]

  @Test(arguments: DigestStore.Trend.Grouping.allCases)
  func `a trend equals a recount in every window and under every filter`(
    _ grouping: DigestStore.Trend.Grouping
  ) throws {
    let records = RandomRecords.make(800, seed: 11)
    let temporary = try TemporaryStore(holding: records)

    for (index, (since, until)) in RandomRecords.windows(seed: 11).enumerated() {
      // From 1970 on there are too many hours.
      let isLong = since == .earliest
      var unit = isLong ? .week : DigestStore.Trend.Unit.allCases[index % 4]
      // A trend of that many minutes needs a beginning.
      if since == nil, unit == .minute { unit = .hour }
      var filter = Self.filters[index % Self.filters.count]
      (filter.since, filter.until) = (since?.date, until?.date)
      let trends = try temporary.store.trend(
        matching: filter, by: unit, groupedBy: grouping, limit: isLong ? 1 : nil)

      let expected = Self.recount(records.filter { filter.matches($0) }, unit) {
        filter.matches($0, $1) ? Self.key(grouping, $0, $1) : nil
      }
      for trend in trends {
        let key = try #require(Self.key(grouping, trend))
        let counted = Dictionary(
          try trend.points.map { ($0.start, try #require($0.occurrences)) }, uniquingKeysWith: +)
        #expect(counted.count == trend.points.count)
        #expect(counted.filter { $0.value > 0 } == expected[key] ?? [:], "\(filter)")
        #expect(trend.occurrences == trend.points.reduce(0) { $0 + ($1.occurrences ?? 0) })
        #expect(trend.unit == unit)
      }
      if !isLong, grouping != .nothing { #expect(trends.count == expected.count) }
    }
  }

  @Test(arguments: [
    (DigestStore.Trend.Unit.hour, 3_600.0, 49), (.day, 86_400, 3), (.week, 7 * 86_400, 1),
  ])
  func `a trend has all periods of its window, also the empty ones`(
    _ unit: DigestStore.Trend.Unit, _ length: Double, _ count: Int
  ) throws {
    let temporary = try TemporaryStore()
    // A Tuesday.
    let start = try #require(ISO8601.milliseconds(ofTime: "2026-11-17T10:20:00Z"))
    try temporary.store.append(.make(at: Moment(milliseconds: start)))
    let since = Moment(milliseconds: start - 60_000).date

    let trend = try #require(
      temporary.store.trend(
        matching: DigestFilter(since: since, until: since + 48 * 3_600), by: unit
      ).first)

    #expect(trend.points.count == count)
    #expect(trend.points.map(\.occurrences) == [1] + Array(repeating: 0, count: count - 1))
    #expect(
      zip(trend.points, trend.points.dropFirst()).allSatisfy { $1.start == $0.start + length })
    let first = ["hour": "2026-11-17T10:00:00Z", "day": "2026-11-17T00:00:00Z"]
    #expect(
      Moment(try #require(trend.points.first).start).milliseconds
        == ISO8601.milliseconds(ofTime: first[unit.rawValue] ?? "2026-11-16T00:00:00Z"))
  }

  @Test func `minutes are counted by digests that are folded and that are not`() throws {
    let temporary = try TemporaryStore()
    let start = try #require(ISO8601.milliseconds(ofTime: "2026-11-17T10:20:00Z"))
    let offsets: [Int64] = [0, 59_999, 60_000, 180_000]
    try temporary.store.appendAll(
      offsets.prefix(3).map { .make(at: Moment(milliseconds: start + $0)) })
    try temporary.foldAll()
    try temporary.store.append(.make(at: Moment(milliseconds: start + offsets[3])))

    let trend = try #require(temporary.store.trend(by: .minute).first)

    #expect(trend.points.map(\.occurrences) == [2, 1, 0, 1])
    #expect(
      trend.points.map { Moment($0.start).milliseconds } == (0..<4).map { start + $0 * 60_000 })
    // The rest of the hour is not in the window, but its digests are in the file.
    let filter = DigestFilter(since: Moment(milliseconds: start + 30_000).date)
    #expect(
      try temporary.store.trend(matching: filter, by: .minute).first?.points.map(\.occurrences)
        == [1, 1, 0, 1])
  }

  private static let hour = Moment.hour
  private static let week = 7 * 24 * hour

  private static let lengths: [(Int64, DigestStore.Trend.Unit)] = [
    (1, .minute), (3 * hour, .minute), (3 * hour + 1, .hour), (72 * hour, .hour),
    (72 * hour + 1, .day), (26 * week, .day), (26 * week + 1, .week),
  ]

  @Test(arguments: lengths)
  func `a unit suits the window, or the errors in it`(
    _ length: Int64, _ unit: DigestStore.Trend.Unit
  ) throws {
    let temporary = try TemporaryStore()
    let start = RandomRecords.start
    let (first, end) = (Moment(milliseconds: start), Moment(milliseconds: start + length))
    try temporary.store.append(
      .make(at: first), .make(at: Moment(milliseconds: start + length - 1)),
      .make(at: Moment(milliseconds: start + 400 * 24 * Self.hour)))
    let since = DigestFilter(since: first.date)

    var filter = DigestFilter(until: end.date)
    #expect(try temporary.store.trend(matching: filter).map(\.unit) == [unit])
    filter.since = first.date
    #expect(try temporary.store.trend(matching: filter).map(\.unit) == [unit])
    #expect(try temporary.store.trend(matching: since).map(\.unit) == [.week])
  }

  @Test func `a window without an end reaches as far as is asked, and one with an end no further`()
    throws
  {
    let temporary = try TemporaryStore()
    let start = Moment(milliseconds: RandomRecords.start / Self.hour * Self.hour)
    try temporary.store.append(.make(at: start))
    func points(_ until: Date?, reaching end: Date?) throws -> [Int?]? {
      try temporary.store.trend(
        matching: DigestFilter(since: start.date, until: until), by: .hour, reaching: end
      ).first?.points.map(\.occurrences)
    }

    #expect(try points(nil, reaching: nil) == [1])
    #expect(try points(nil, reaching: start.date + 3_600) == [1])
    #expect(try points(nil, reaching: start.date + 3_601) == [1, 0])
    #expect(try points(nil, reaching: start.date - 3_600) == [1])
    #expect(try points(start.date + 7_200, reaching: start.date + 36_000) == [1, 0])
    #expect(
      try temporary.store.trend(
        matching: DigestFilter(model: "none", since: start.date), reaching: start.date + 120
      ).first?.points.map(\.occurrences) == [0, 0])
  }

  private static let parts: [(since: String?, until: String?, [Bool])] = [
    (nil, nil, [false, false, false]),
    ("2026-11-18T00:00:00.000Z", "2026-11-21T00:00:00.000Z", [false, false, false]),
    ("2026-11-18T00:00:00.001Z", "2026-11-21T00:00:00.000Z", [true, false, false]),
    ("2026-11-18T00:00:00.000Z", "2026-11-20T23:59:59.999Z", [false, false, true]),
    ("2026-11-18T09:00:00.000Z", "2026-11-18T10:30:00.000Z", [true]),
    // A day of the future hasn't ended.
    ("2999-11-18T00:00:00.000Z", "2999-11-20T00:00:00.000Z", [true, true]),
  ]

  @Test(arguments: parts)
  func `a period is partial if the window cuts it, or it hasn't ended`(
    _ since: String?, _ until: String?, _ expected: [Bool]
  ) throws {
    let times = ["2026-11-18T10:00:00.000Z", "2026-11-20T10:00:00.000Z"]
    let temporary = try TemporaryStore(
      holding: times.map { .make(at: try Self.moment($0)) })
    let filter = DigestFilter(
      since: try since.map { try Self.moment($0).date },
      until: try until.map { try Self.moment($0).date })

    let trend = try temporary.store.trend(matching: filter, by: .day)

    #expect(trend.first?.points.map(\.isPartial) == expected)
  }

  @Test func `an empty store has a trend without points, and no groups`() throws {
    let temporary = try TemporaryStore()

    #expect(try temporary.store.trend(by: .day).map(\.points) == [[]])
    #expect(try temporary.store.trend(by: .day, groupedBy: .model) == [])
  }

  /// Thursday to Wednesday: of Saturday and Sunday only the sum of all time is left.
  private func undatedStore() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let start = try #require(ISO8601.milliseconds(ofTime: "2026-11-19T10:20:00Z"))
    try temporary.store.appendAll(
      (0..<7).map {
        .make(at: Moment(milliseconds: start + $0 * 24 * Self.hour), release: "r\($0 % 2)")
      })
    let hours = [2, 3].map { (start / Self.hour + $0 * 24) / 24 * 24 }
    let end = hours[1] + 24
    let days = "start IN (\(hours[0] / 24), \(hours[1] / 24))"
    try temporary.foldAll()
    try temporary.execute(
      """
      DELETE FROM tally WHERE span = 1 AND start < \(end) OR span = 24 AND \(days);
      DELETE FROM decodes WHERE span = 1 AND start < \(end) OR span = 24 AND \(days);
      DELETE FROM digest;
      INSERT INTO loss (reason, hour, digests, occurrences) 
        VALUES ('undated', \(hours[0]), 0, 1), ('undated', \(hours[1]), 0, 1)
      """)
    return temporary
  }

  private static let undated: [(DigestFilter, DigestStore.Trend.Unit, [Int?])] = [
    (DigestFilter(), .day, [1, 1, nil, nil, 1, 1, 1]),
    (DigestFilter(), .week, [nil, 3]),
    (DigestFilter(model: "App.*"), .day, [1, 1, nil, nil, 1, 1, 1]),
    (DigestFilter(release: "r0"), .day, [1, 0, nil, nil, 1, 0, 1]),
    (day(19, 21), .day, [1, 1]), (day(19, 21), .week, [2]), (day(21, 23), .day, [nil, nil]),
    (day(21, 23), .week, [nil]), (day(22, 25), .day, [nil, 1, 1]), (day(22, 25), .week, [nil, 2]),
    (day(23, 26), .day, [1, 1, 1]), (day(16, 20), .day, [0, 0, 0, 1]),
  ]

  private static func day(_ since: Int, _ until: Int) -> DigestFilter {
    func date(_ day: Int) -> Date? {
      ISO8601.milliseconds(ofDay: "2026-11-\(day)").map { Moment(milliseconds: $0).date }
    }
    return DigestFilter(since: date(since), until: date(until))
  }

  @Test(arguments: undated)
  func `a period of which counts were dropped has none, and is not zero`(
    _ filter: DigestFilter, _ unit: DigestStore.Trend.Unit, _ expected: [Int?]
  ) throws {
    let temporary = try undatedStore()
    let store = temporary.store

    let trend = try #require(store.trend(matching: filter, by: unit).first)

    #expect(trend.points.map(\.occurrences) == expected)
    for grouping in DigestStore.Trend.Grouping.allCases where grouping != .nothing {
      for trend in try store.trend(matching: filter, by: unit, groupedBy: grouping) {
        #expect(trend.points.map { $0.occurrences == nil } == expected.map { $0 == nil })
      }
    }
  }

  @Test func `an overview has no count either where counts were dropped`() throws {
    let temporary = try undatedStore()
    let overview = try temporary.store.overview(limit: 5)

    #expect(overview.trend.unit == .day)
    #expect(overview.trend.occurrences == [1, 1, nil, nil, 1, 1, 1])
    #expect(overview.failures.map(\.row.course) == [[1, 1, nil, nil, 1, 1, 1]])
    #expect(overview.totals.occurrences == 7)
  }

  @Test func `a window without hours is refused, and one with hours in part says which are left`()
    throws
  {
    let temporary = try undatedStore()
    let store = temporary.store
    func hours(_ filter: DigestFilter) throws -> [Int?]? {
      try store.trend(matching: filter, by: .hour).first?.points.map(\.occurrences)
    }

    expectError(
      .invalidInput,
      "the hourly counts of this window were deleted; count by day, or choose a later window"
    ) { try hours(Self.day(19, 21)) }
    #expect(try hours(Self.day(19, 24))?.count == 24)
    #expect(try hours(Self.day(19, 24))?.compactMap(\.self).reduce(0, +) == 1)
    #expect(try hours(DigestFilter(model: "none", since: Self.day(23, 24).since)) == [])
  }

  private static func moment(_ text: String) throws -> Moment {
    Moment(milliseconds: try #require(ISO8601.milliseconds(ofTime: text)))
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00.000Z", true), ("1980-01-06T00:10:00.000Z", true),
      ("2001-01-01T00:00:00.000Z", true), ("2014-06-01T23:59:59.999Z", true),
      ("2014-06-02T00:00:00.000Z", false), ("2026-11-20T09:00:00.000Z", false),
    ], [nil, .hour, .day, .week] as [DigestStore.Trend.Unit?])
  func `a trend skips errors that a clock dates before Swift, and counts them in its sum`(
    first: (time: String, isSkipped: Bool), unit: DigestStore.Trend.Unit?
  ) throws {
    let temporary = try TemporaryStore()
    let right = try Self.moment("2026-11-20T10:20:00.000Z")
    let old = try Self.moment(first.time)
    try temporary.store.append(.make(at: old), .make(at: right), .make(at: right))
    try temporary.foldAll()
    func trend(_ filter: DigestFilter = DigestFilter()) throws -> DigestStore.Trend {
      try #require(try temporary.store.trend(matching: filter, by: unit).first)
    }
    // Hours from 2014 to 2026 are too many.
    guard first.isSkipped || unit != .hour || first.time.hasPrefix("2026") else {
      #expect(throws: DigestStoreError.self) { try trend() }
      return
    }

    let all = try trend()

    #expect(all.occurrences == 3)
    #expect(all.points.compactMap(\.occurrences).reduce(0, +) == (first.isSkipped ? 2 : 3))
    // The minutes of an hour are counted together.
    let length = all.unit == .minute ? .hour : all.unit
    func period(_ moment: Moment) -> Int64 { length.number(of: moment.milliseconds) }
    let start = Moment(try #require(all.points.first).start)
    #expect(period(start) == period(first.isSkipped ? right : old))
    #expect(
      try temporary.store.occurrencesBeforeTrend(matching: DigestFilter())
        == (first.isSkipped ? 1 : 0))
    // A window with a beginning, or one that ends before Swift, has them.
    let since = DigestFilter(since: old.date, until: old.date.addingTimeInterval(0.001))
    #expect(try trend(since).points.map(\.occurrences) == [1])
    let until = DigestFilter(until: old.date.addingTimeInterval(60))
    if first.isSkipped, first.time < "2014" {
      #expect(try trend(until).points.map(\.occurrences) == [1])
    }
    // The periods of an overview begin there, too.
    let overview = try temporary.store.overview(limit: 1)
    #expect(overview.totals.occurrences == 3)
    #expect(
      overview.trend.occurrences.compactMap(\.self).reduce(0, +) == (first.isSkipped ? 2 : 3))
  }

  @Test func `a trend of errors from clocks that weren't set alone has no points`() throws {
    let temporary = try TemporaryStore(holding: .make(at: .earliest))
    let trends = try temporary.store.trend(by: .hour, reaching: Date())
    #expect(trends.map(\.occurrences) == [1])
    #expect(trends.map(\.points) == [[]])
  }

  @Test(arguments: [4_999, 5_000] as [Int64], [.minute, .hour] as [DigestStore.Trend.Unit])
  func `a trend of more than 5,000 periods needs a beginning`(
    later: Int64, unit: DigestStore.Trend.Unit
  ) throws {
    let length: Int64 = unit == .minute ? 60_000 : Moment.hour
    let temporary = try TemporaryStore()
    let start = try Self.moment("2026-01-01T00:00:00.000Z")
    try temporary.store.append(
      .make(at: start), .make(at: Moment(milliseconds: start.milliseconds + later * length)))

    let trend = Result { try temporary.store.trend(by: unit) }

    if later < 5_000 {
      #expect(try trend.get().map(\.points.count) == [5_000])
    } else {
      expectError(
        .invalidInput,
        "a trend of all time has at most 5000 periods, and this one would have 5001; "
          + "begin it with since (--since), or take longer periods"
      ) { try trend.get() }
    }
    let filter = DigestFilter(since: start.date)
    #expect(
      try temporary.store.trend(matching: filter, by: unit).map(\.points.count) == [Int(later) + 1])
  }

  @Test func `a trend that would have millions of points is refused`() throws {
    let temporary = try TemporaryStore(holding: .make(at: .earliest), .make(at: .latest))

    let filter = DigestFilter(since: Moment.earliest.date)
    expectError(.invalidInput) {
      try temporary.store.trend(matching: filter, by: .hour)
    }
    #expect(try temporary.store.trend(matching: filter, by: .week).first?.occurrences == 2)
  }

  @Test(arguments: DigestStore.Trend.Grouping.allCases)
  func `a failure with a huge number isn't a reason to stop`(_ grouping: DigestStore.Trend.Grouping)
    throws
  {
    let temporary = try TemporaryStore(holding: .make(), .make())
    try temporary.execute(
      """
      INSERT INTO failure (id, key, model, coding_path, kind)
      SELECT 1 << 53, zeroblob(16), model, 'id', kind FROM failure;
      """)

    let trends = try temporary.store.trend(by: .day, groupedBy: grouping)

    #expect(trends.map(\.occurrences) == [2])
  }

  @Test func `a path is a group of each model, and equal counts are in the order of both`() throws {
    let temporary = try TemporaryStore()
    // Composed and decomposed.
    let paths = [
      ("B", "a[1]"), ("B", "a[2]"), ("B", "b"), ("A", "b"), ("A", "\u{E9}"), ("A", "e\u{301}"),
    ]
    for (model, path) in paths {
      try temporary.store.append(.make(model: model, .mismatch(at: path)))
    }

    let trends = try temporary.store.trend(by: .day, groupedBy: .codingPath)

    let groups = trends.map {
      BinaryString("\($0.model ?? "") \($0.codingPath ?? "") \($0.occurrences)")
    }
    #expect(
      groups
        == ["B a[] 2", "A b 1", "A e\u{301} 1", "A \u{E9} 1", "B b 1"].map(BinaryString.init))
    #expect(
      try temporary.store.trend(by: .day, groupedBy: .codingPath, limit: 2)
        == Array(trends.prefix(2)))
  }
}
