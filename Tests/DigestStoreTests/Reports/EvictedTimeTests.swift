import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Reports on a store whose oldest digests are gone, and only in the counts.
struct EvictedTimeTests {
  private static let hour = Moment.hour
  private let temporary: TemporaryStore
  private let records: [DigestRecord]

  /// A store of four days in their order, without the digests of the first two and a half.
  init() throws {
    temporary = try TemporaryStore()
    records = RandomRecords.make(800, seed: 21).sorted { $0.recordedAt < $1.recordedAt }
    try temporary.store.appendAll(records)
    try temporary.foldAll()
  }

  private func evict(_ digests: Int, coarseDays: Int64 = 0) throws -> Moment {
    try temporary.execute(
      """
      INSERT INTO loss (hour, reason, digests, occurrences)
        SELECT recorded_at / \(Self.hour), 'evicted', count(*), 0 FROM digest
        WHERE id <= \(digests) GROUP BY 1;
      DELETE FROM digest WHERE id <= \(digests)
      """)
    let firstDay = RandomRecords.start / Self.hour / 24 * 24
    let coarse = coarseDays == 0 ? 0 : firstDay + coarseDays * 24
    try temporary.execute(
      """
      DELETE FROM tally WHERE span = 1 AND start < \(coarse);
      DELETE FROM decodes WHERE span = 1 AND start < \(coarse)
      """)
    return Moment(milliseconds: coarse * Self.hour)
  }

  @Test func `a window that ends in the first hour that is left is counted as it is`() throws {
    let temporary = try TemporaryStore()
    let day = Moment(milliseconds: RandomRecords.start).hour / 24 * 24
    func moment(_ minutes: Int64) -> Moment {
      Moment(milliseconds: day * Self.hour + minutes * 60_000)
    }
    try temporary.store.append(.make(at: moment(-60)), .make(at: moment(10)), .make(at: moment(40)))
    try temporary.foldAll()
    try temporary.execute(
      """
      DELETE FROM digest WHERE id = 1;
      DELETE FROM tally WHERE span = 1 AND start < \(day);
      DELETE FROM decodes WHERE span = 1 AND start < \(day)
      """)

    let filter = DigestFilter(until: moment(30).date)

    #expect(try temporary.store.countedWindow(matching: filter).isExact)
    #expect(try temporary.store.novelValues(matching: filter).map(\.occurrences) == [2])
  }

  @Test(arguments: [(500, 0), (500, 1), (500, 2), (800, 3), (0, 0)] as [(Int, Int64)])
  func `a window in evicted time is counted to the hour or the day, and says so`(
    _ evicted: Int, _ coarseDays: Int64
  ) throws {
    let coarse = try evict(evicted, coarseDays: coarseDays)
    // All of this hour is gone, or may be.
    let lastGone = evicted == 0 ? -1 : records[evicted - 1].recordedAt.hour

    for (since, until) in RandomRecords.windows(seed: 21) {
      let filter = DigestFilter(since: since?.date, until: until?.date)
      let isEmpty = until.map { (since ?? .earliest) >= $0 } == true
      func counted(_ moment: Moment, up: Int64) -> Moment {
        func moved(_ length: Int64) -> Moment {
          let (quotient, rest) = moment.milliseconds.quotientAndRemainder(dividingBy: length)
          return Moment(milliseconds: (quotient + (rest == 0 ? 0 : up)) * length)
        }
        if isEmpty { return moment }
        if moment < coarse { return moved(24 * Self.hour) }
        let hasDigests = records.contains { $0.recordedAt.hour == moment.hour }
        return hasDigests && moment.hour <= lastGone ? moved(Self.hour) : moment
      }
      let from = since.map { counted($0, up: 0) }
      let to = until.map { counted($0, up: 1) }

      let window = try temporary.store.countedWindow(matching: filter)
      #expect(window.since.map { Moment($0) } == from, "\(filter)")
      #expect(window.until.map { Moment($0) } == to, "\(filter)")
      #expect(window.isExact == (from == since && to == until))
      let inWindow = isEmpty ? [] : records.within(from, to)
      #expect(
        try temporary.store.failures(matching: filter).recounts
          == Recount.of(inWindow, seenIn: records) { $1.failureKey(in: $0) }, "\(filter)")
      let days = try temporary.store.trend(
        matching: filter, by: since == .earliest ? .week : .day)
      #expect(
        days.first?.occurrences == inWindow.reduce(0) { $0 + $1.occurrences }, "\(filter)")
    }
  }

  @Test func `a trend by hour begins where there are hours left`() throws {
    let coarse = try evict(500, coarseDays: 1)

    let trend = try #require(temporary.store.trend(by: .hour).first)

    #expect(trend.points.first?.start == coarse.date)
    #expect(
      trend.occurrences == records.within(coarse, nil).reduce(0) { $0 + $1.occurrences })
  }

  @Test func `a trend by minute begins behind the hours of which digests are gone`() throws {
    _ = try evict(500)
    let start = Moment(milliseconds: (records[499].recordedAt.hour + 1) * Self.hour)

    let trend = try #require(temporary.store.trend(by: .minute).first)

    #expect(trend.occurrences == records.within(start, nil).reduce(0) { $0 + $1.occurrences })
    #expect(trend.points.reduce(0) { $0 + ($1.occurrences ?? 0) } == trend.occurrences)
    let window = try temporary.store.countedWindow(matching: DigestFilter(), by: .minute)
    #expect(window.since == start.date)
    #expect(!window.isExact)
    let later = DigestFilter(since: start.date)
    #expect(try temporary.store.countedWindow(matching: later, by: .minute).isExact)
    #expect(try temporary.store.trend(matching: later, by: .minute) == [trend])
  }

  @Test func `minutes of which nothing is left are refused`() throws {
    _ = try evict(800)

    expectError(.invalidInput) { try temporary.store.trend(by: .minute) }
    let nothing = DigestFilter(model: "none")
    #expect(try temporary.store.trend(matching: nothing, by: .minute).map(\.occurrences) == [0])
  }

  @Test(arguments: [(500, 0, DigestStore.Trend.Unit.hour), (500, 2, .day), (0, 0, .minute)])
  func `a suitable unit can resolve the window`(
    _ evicted: Int, _ coarseDays: Int64, _ unit: DigestStore.Trend.Unit
  ) throws {
    _ = try evict(evicted, coarseDays: coarseDays)
    let since = records[330].recordedAt.date
    let filter = DigestFilter(since: since, until: since + 3_600)

    let trend = try #require(temporary.store.trend(matching: filter).first)

    #expect(trend.unit == unit)
    #expect(
      trend.occurrences
        == (try temporary.store.failures(matching: filter).reduce(0) { $0 + $1.occurrences }))
  }
}
