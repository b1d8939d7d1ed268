import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// The sections of failures, and when a failure grows or is over.
struct SummaryTests {
  private static let hour = RandomRecords.start / Moment.hour + 10

  private static func moment(_ hours: Double) -> Moment {
    Moment(milliseconds: hour * Moment.hour + Int64(hours * Double(Moment.hour)))
  }

  /// A window of hours, counted from a fixed one.
  private static func window(_ hours: Range<Double>) -> Range<Date> {
    moment(hours.lowerBound).date..<moment(hours.upperBound).date
  }

  /// Records digests and decodes without errors at hours. The errors are at most one each minute.
  private static func store(
    _ errors: [(hours: [Double], value: String)], decodes: [Double: Int] = [:]
  ) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(
      errors.flatMap { hours, value in
        hours.map { .make(at: moment($0), .novel(value, at: "kind")) }
      })
    for (hour, count) in decodes {
      for _ in 0..<count {
        temporary.store.countCleanDecode(
          of: "App.Listing", DigestContext(), at: moment(hour).date)
      }
    }
    temporary.store.flush()
    return temporary
  }

  /// Deletes the digests and hours before an hour, as in making room. Days stay.
  private static func deleteHours(_ temporary: TemporaryStore, before hour: Double) throws {
    try temporary.foldAll()
    let end = moment(hour)
    try temporary.execute(
      """
      DELETE FROM digest WHERE recorded_at < \(end.milliseconds);
      DELETE FROM tally WHERE span = 1 AND start < \(end.hour);
      DELETE FROM decodes WHERE span = 1 AND start < \(end.hour)
      """)
  }

  private static func key(_ name: String, _ kind: ErrorDigest.Kind) -> RecordedError {
    RecordedError(
      path: ErrorDigest.Path(name) ?? ErrorDigest.Path(), kind: kind, expectedType: nil,
      message: nil)
  }

  /// So many times in the minutes of an hour.
  private static func times(_ count: Int, in hour: Double) -> [Double] {
    (0..<count).map { hour + Double($0) / Double(count) }
  }

  @Test(arguments: [
    // Digests and decodes before, then now.
    (5, 100, 30, 100, true), (5, 100, 7, 100, false), (20, 100, 30, 100, false),
    (0, 100, 10, 100, true), (0, 100, 5, 100, false), (0, 40, 10, 5_110, false),
    (1, 40, 300, 5_110, false), (10, 1_000, 36, 1_000, true), (10, 1_000, 30, 1_000, false),
    (10, 1_000, 30, 3_000, false),
    // One of a thousandth of the decodes.
    (1, 36_000, 1, 750, false), (100, 100, 100, 100, false), (0, 0, 30, 100, true),
    (30, 100, 0, 100, false),
  ])
  func `a failure grows if its share is half as large again, and not by chance`(
    before: Int, decodesBefore: Int, now: Int, decodes: Int, isGrowing: Bool
  ) {
    func count(_ digests: Int, _ decodes: Int) -> WindowCounts.Count {
      WindowCounts.Count(
        occurrences: digests, digests: digests,
        rate: decodes > 0
          ? FailureRate(digests: Int64(digests), decodes: Int64(decodes)) : nil)
    }
    let (now, before) = (count(now, decodes), count(before, decodesBefore))
    #expect(now.isGrowing(from: before, byRates: true) == isGrowing)
    // Where others were decoded, its model was not.
    var others = before
    others.hasDecodes = true
    #expect(now.isGrowing(from: others, byRates: true) == (isGrowing && decodesBefore > 0))
  }

  @Test(
    arguments: [
      // Of 109 decodes since it began, 9 more have it. That the next 130 do not has a chance of (109/239)^9.
      (times(10, in: -2), [-3: 1, -2: 99, 1: 130], .over),
      (times(10, in: -2), [-3: 1, -2: 99, 1: 120], DigestStore.SummarySection?.none),
      // A single one says little, however early it came.
      ([-2], [-9: 1, -2: 1, 1: 5_000], nil), ([-3], [-3: 1, 1: 5_000], nil),
      // A new one, too.
      (times(10, in: 0), [0: 90, 1: 120], .new),
      // Nothing was decoded since.
      (times(10, in: -2), [-3: 1, -2: 99], nil),
      // Where decodes aren't counted, ten digests that don't come.
      (times(10, in: -2), [:], .over), (times(9, in: -2), [:], nil),
      // A failure of 1,000 digests before decodes were counted, and of two of 200 since.
      (times(1_000, in: -4) + times(2, in: -2), [-2: 198, 1: 120], nil),
      // After the window.
      (times(10, in: -2) + [30], [-3: 1, -2: 99, 1: 120], nil),
      (times(10, in: -2) + [30], [:], nil),
    ] as [([Double], [Double: Int], DigestStore.SummarySection?)])
  func `a failure is over if chance does not explain that it does not come`(
    hours: [Double], decodes: [Double: Int], section: DigestStore.SummarySection?
  ) throws {
    let temporary = try Self.store([(hours, "villa")], decodes: decodes)
    let summary = try temporary.store.summary(of: Self.window(0..<4))
    #expect(summary.failures.map(\.section) == [section].compactMap(\.self))
    #expect(summary.overCount == (section == nil ? 0 : 1))
  }

  @Test(arguments: [(100, true), (30, false)])
  func `where hours were deleted, days say what is over`(decodes: Int, isOver: Bool) throws {
    let temporary = try Self.store(
      [(Self.times(20, in: -30), "villa"), ([-6], "villa")],
      decodes: [-50: 1, -30: 100, -6: 10, 40: decodes])
    // Of the day on which the failure began, no hours are left.
    try Self.deleteHours(temporary, before: Double(-(Self.hour % 24)))
    #expect(
      try temporary.store.snapshot { connection in
        let filter = DigestFilter(since: Self.moment(-68).date, until: Self.moment(60).date)
        let row = try #require(FailureQuery(connection, filter).read().first)
        let rate = try WindowCounts(connection, filter).count(ofFailure: row.id, "App.Listing").rate
        return try Silence(connection, filter).isOver(row.failure, rate)
      } == isOver)
  }

  @Test func `a day whose hours were deleted is in one of the windows`() throws {
    let day = Double(24 - Self.hour % 24)
    let temporary = try Self.store([
      (Self.times(3, in: day + 1) + Self.times(4, in: day + 13) + Self.times(2, in: day - 5), "a")
    ])
    let window = Self.window(day + 12..<day + 36)
    func counts() throws -> [Int] {
      try temporary.store.summary(of: window).failures.flatMap {
        [$0.occurrencesBefore ?? -1, $0.failure.occurrences]
      }
    }
    #expect(try counts() == [5, 4])
    try Self.deleteHours(temporary, before: day + 24)
    #expect(try counts() == [2, 7])
  }

  @Test(
    arguments: [
      // The first hours whose days were deleted, and what is left of the two windows.
      ([], [DigestStore.SummarySection.ongoing, .over], [20, 15], true),
      ([0], [.ongoing], [nil], true), ([24], [], [], false), ([0, 24], [], [], false),
    ] as [([Double], [DigestStore.SummarySection], [Int?], Bool)])
  func `counts of deleted days are unknown, and nothing grows or is over by them`(
    days: [Double], sections: [DigestStore.SummarySection], before: [Int?], hasAllCounts: Bool
  ) throws {
    let midnight = Double(-(Self.hour % 24))
    let temporary = try Self.store([
      (Self.times(20, in: midnight + 9) + Self.times(20, in: midnight + 33), "a"),
      (Self.times(15, in: midnight + 9), "b"),
    ])
    try Self.deleteHours(temporary, before: midnight + 72)
    for day in days {
      let start = Self.moment(midnight + day).hour
      try temporary.execute(
        """
        DELETE FROM tally WHERE span = 24 AND start = \(start / 24);
        DELETE FROM decodes WHERE span = 24 AND start = \(start / 24);
        INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(start), 0, 35)
        """)
    }
    let summary = try temporary.store.summary(of: Self.window(midnight + 24..<midnight + 48))
    #expect(summary.failures.map(\.section) == sections)
    #expect(summary.failures.map(\.occurrencesBefore) == before)
    #expect(summary.hasAllCounts == hasAllCounts)
  }

  @Test func `a failure from before decodes were counted has no rate`() throws {
    let temporary = try Self.store(
      [(Self.times(3, in: -5), "old"), ([-5, -2], "both"), ([-2], "late")], decodes: [-2: 8])
    for filter in [DigestFilter(), DigestFilter(since: Self.moment(-6).date)] {
      let rates = try temporary.store.failures(matching: filter).map { ($0.novelValue, $0.rate) }
      #expect(Dictionary(uniqueKeysWithValues: rates) == ["old": nil, "both": 0.1, "late": 0.1])
      #expect(
        try temporary.store.lateStartOfRates(matching: filter) == Self.moment(-2).date)
    }
    #expect(
      try temporary.store.lateStartOfRates(
        matching: DigestFilter(since: Self.moment(-2).date)) == nil)
  }

  @Test func `a clock that was not set makes no failure old, and no decode counted`() throws {
    let temporary = try Self.store(
      [(Self.times(3, in: 1), "fresh"), (Self.times(3, in: 1) + [-300], "old"), ([-5], "early")],
      decodes: [1: 7])
    try temporary.store.append(
      .make(at: .earliest, .novel("fresh", at: "kind"), .novel("old", at: "kind")))
    temporary.store.countCleanDecode(of: "App.Listing", DigestContext(), at: Moment.earliest.date)
    temporary.store.flush()
    let window = Self.window(0..<4)
    for isFolded in [false, true] {
      if isFolded { try temporary.foldAll() }
      let summary = try temporary.store.summary(of: window)
      #expect(
        summary.failures.map { "\($0.section) \($0.failure.novelValue ?? "")" }
          == ["new fresh", "ongoing old"])
      #expect(summary.decodesBefore == nil)
      #expect(summary.oldest == .firstOfSwift)
      let new = try temporary.store.newFailures(
        matching: DigestFilter(since: window.lowerBound, until: window.upperBound))
      #expect(new.map(\.novelValue) == ["fresh"])
    }
  }

  @Test func `a new failure has its share since it began`() throws {
    let temporary = try Self.store(
      [(Self.times(5, in: 3), "a"), ([-2] + Self.times(4, in: 3), "b"), ([-9, 3], "c")],
      decodes: [-8: 1, 0: 80, 3: 10])
    let failures = try temporary.store.summary(of: Self.window(0..<4)).failures
    #expect(
      Dictionary(
        uniqueKeysWithValues: failures.map { ($0.failure.novelValue, $0.rateSinceItBegan) })
        == ["a": 0.25, "b": 5 / 101, "c": nil])
    #expect(failures.compactMap(\.failure.rate).max() == 5.0 / 100)
  }

  @Test func `a missing key that was resolved and occurs again has regressed`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(
      [-2.0, 1].flatMap { hour in
        Self.times(5, in: hour).map { .make(at: Self.moment($0), Self.key("kind", .missingKey)) }
      })
    let window = Self.window(0..<4)
    #expect(try temporary.store.summary(of: window).failures.isEmpty)
    let summary = try temporary.store.summary(of: window, regressed: { _ in true })
    #expect(summary.failures.map(\.section) == [.regressed])
    #expect(summary.notices == [:])
    let overview = try temporary.store.overview(limit: 5, regressed: { _ in true })
    #expect((overview.failureCount, overview.noticeCount) == (1, 1))
  }

  @Test func `the most frequent failures that are over come first`() throws {
    let names = ["a", "b", "c", "d"]
    let temporary = try Self.store(
      zip(names, 10...).map { (Self.times($1, in: -2), $0) } + [(Self.times(50, in: -2), "z")])
    let summary = try temporary.store.summary(of: Self.window(0..<4), limit: 2)
    #expect(summary.failures.map(\.failure.novelValue) == ["z", "d"])
    #expect(summary.totals == [.over: 5])
  }

  @Test func `operations of a growing failure are ordered by growth`() throws {
    let temporary = try TemporaryStore()
    for (operation, hour, count) in [("A", -2.0, 50), ("A", 1, 50), ("B", 1, 45)] {
      try temporary.store.appendAll(
        Self.times(count, in: hour).map { .make(at: Self.moment($0), operation: operation) })
    }
    let summary = try temporary.store.summary(of: Self.window(0..<4))
    #expect(summary.failures.map(\.section) == [.growing])
    #expect(summary.failures.map(\.operations) == [["B", "A"]])
  }

  @Test func `a rename explains what is missing, not what came in its place`() throws {
    let temporary = try TemporaryStore()
    for minute in 0..<10 {
      let moment = Self.moment(Double(minute) / 60)
      try temporary.store.append(
        .make(at: moment, Self.key("kind", .missingKey), Self.key("type", .unknownKey)),
        .make(at: moment, .novel("villa", at: "kind")))
    }
    let summary = try temporary.store.summary(of: Self.window(0..<4))
    #expect(
      Dictionary(
        uniqueKeysWithValues: summary.failures.map { ($0.failure.kind, $0.renamedTo) })
        == [.missingKey: "type", .unknownNovelValue: nil])
  }

  @Test func `of two keys that came as often, neither is the new name`() throws {
    let temporary = try TemporaryStore()
    let keys = [("x", ErrorDigest.Kind.missingKey), ("y", .unknownKey), ("q", .unknownKey)]
    try temporary.store.appendAll(
      (0..<10).map { minute in
        var record = DigestRecord.make(at: Self.moment(Double(minute) / 60))
        record.errors = keys.map(Self.key)
        return record
      })
    let summary = try temporary.store.summary(of: Self.window(0..<4))
    #expect(summary.failures.map(\.failure.codingPath) == ["x"])
    #expect(summary.failures.map(\.renamedTo) == [nil])
  }

  @Test func `missing keys that somebody decided on are not notices`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.appendAll(
      (0..<10).map {
        .make(
          at: Self.moment(Double($0) / 60), Self.key("kind", .missingKey),
          Self.key("a", .missingKey))
      })
    let summary = try temporary.store.summary(of: Self.window(0..<4)) { $0.codingPath == "kind" }
    #expect(summary.failures.map(\.failure.codingPath) == ["a"])
    #expect(summary.notices == [:])
    #expect(summary.decided.map(\.codingPath) == ["kind"])
  }

  /// By the definitions, with plain loops.
  @Test(arguments: [UInt64(91), 92, 93])
  func `numbers and new failures equal a recount in any window`(seed: UInt64) throws {
    let records = RandomRecords.make(400, seed: seed)
    let temporary = try TemporaryStore(holding: records)
    var listed = 0
    for (since, until) in RandomRecords.windows(seed: seed) {
      guard let since, let until, since > .earliest, since < until else { continue }
      for filter in [DigestFilter(), DigestFilter(release: "4.1"), DigestFilter(model: "App.User")]
      {
        let summary = try temporary.store.summary(
          of: since.date..<until.date, matching: filter)
        let end = Moment(milliseconds: since.milliseconds / Moment.hour * Moment.hour)
        let length = until.milliseconds - since.milliseconds
        let hours = (length + Moment.hour - 1) / Moment.hour
        let begin = Moment(
          milliseconds: end.milliseconds - (hours <= 2 ? length : hours * Moment.hour))
        func counts(_ records: [DigestRecord]) -> [String: Int] {
          records.filter(filter.matches).reduce(into: [:]) { counts, record in
            for error in record.errors {
              counts[error.failureKey(in: record), default: 0] += error.times
            }
          }
        }
        let now = counts(records.within(since, until))
        let before = counts(records.within(begin, end))
        let known = Set(
          records.within(nil, since).flatMap { record in
            record.errors.map { $0.failureKey(in: record) }
          })
        for row in summary.failures {
          let key = row.failure.key
          #expect(row.failure.occurrences == now[key] ?? 0, "\(key) \(filter)")
          #expect(row.occurrencesBefore == before[key] ?? 0, "\(key) \(filter)")
          #expect((row.section == .new) == (now[key] != nil && !known.contains(key)))
          listed += 1
        }
        #expect(Set(summary.failures.map(\.failure.key)).isSuperset(of: now.keys), "\(filter)")
      }
    }
    #expect(listed > 30)
  }
}
