import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// The rate and the id of a failure.
struct FailureRateTests {
  private static let filters = [
    DigestFilter(), DigestFilter(release: "4.1"), DigestFilter(release: "4.2"),
    DigestFilter(hasNoRelease: true), DigestFilter(model: "App.User", codingPath: "price"),
  ]

  /// Decodes without errors: one of each model before all digests, and some in their hours.
  private static func cleanDecodes(among records: [DigestRecord]) -> [DigestRecord] {
    let early = Moment(milliseconds: RandomRecords.start - 2 * Moment.hour)
    let first = ["App.Listing", "App.User"].map { DigestRecord.make(at: early, model: $0) }
    let others = records.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    return (first + others).map { record in
      var clean = record
      clean.errors = []
      return clean
    }
  }

  /// A store with digests and decodes, in their order.
  private static func store(_ decodes: [DigestRecord]) throws -> TemporaryStore {
    let temporary = try TemporaryStore(holding: decodes.filter { !$0.errors.isEmpty })
    for decode in decodes where decode.errors.isEmpty {
      temporary.store.countCleanDecode(
        of: decode.model, decode.context, at: decode.recordedAt.date)
    }
    temporary.store.flush()
    return temporary
  }

  /// The records in the whole hours that a window touches.
  private static func inWholeHours(
    _ records: [DigestRecord], _ window: (since: Moment?, until: Moment?)
  ) -> [DigestRecord] {
    let hours = TimeWindow(since: window.since, until: window.until).inWholeHours
    return records.within(hours.since, hours.until)
  }

  /// The rates of failures by a recount.
  private static func rates(_ decodes: [DigestRecord], _ filter: DigestFilter) -> [String: Double] {
    let decodes = decodes.filter(filter.hasContext)
    let ofModels = Dictionary(grouping: decodes, by: \.model).mapValues(\.count)
    return decodes.reduce(into: [:]) { rates, record in
      for key in Set(record.errors.map { $0.failureKey(in: record) }) {
        rates[key, default: 0] += 1 / Double(ofModels[record.model] ?? 0)
      }
    }
  }

  @Test(arguments: [UInt64(71), 72], [false, true])
  func `a rate equals a recount in whole hours, also after digests were evicted`(
    seed: UInt64, isEvicted: Bool
  ) throws {
    let records = RandomRecords.make(300, seed: seed)
    let clean = Self.cleanDecodes(among: records)
    let temporary = try Self.store(records + clean)
    if isEvicted {
      #expect(try temporary.store.prune(maximumAge: .seconds(50 * 3_600)).digests > 0)
    }
    var rated = 0
    for (index, window) in RandomRecords.windows(seed: seed).enumerated() {
      var filter = Self.filters[index % Self.filters.count]
      (filter.since, filter.until) = (window.since?.date, window.until?.date)
      let expected = Self.rates(Self.inWholeHours(records + clean, window), filter)
      for failure in try temporary.store.failures(matching: filter) {
        let rate = try #require(failure.rate)
        #expect(abs(rate - (expected[failure.key] ?? 0)) < 1e-9, "\(failure.key) \(filter)")
        rated += 1
      }
      for part in try temporary.store.failuresByOperation(matching: filter) {
        let decodes = Self.inWholeHours(records + clean, window)
          .filter { $0.context.operation == part.operation ?? "" }
        let expected = Self.rates(decodes, filter)[part.failure.key] ?? 0
        let rate = try #require(part.failure.rate)
        #expect(abs(rate - expected) < 1e-9, "\(part.failure.key) \(filter)")
        #expect(
          part.decodes
            == decodes.filter(filter.hasContext).filter { $0.model == part.failure.model }.count)
      }
    }
    #expect(rated > 50)
  }

  @Test func `the trend of a failure that does not occur has no decodes`() throws {
    let records = RandomRecords.make(20, seed: 74)
    let temporary = try Self.store(records + Self.cleanDecodes(among: records))
    let filter = DigestFilter(
      novelValue: "nowhere", since: Moment(milliseconds: RandomRecords.start).date,
      until: Moment(milliseconds: RandomRecords.start + 50 * Moment.hour).date)
    let trend = try #require(temporary.store.trend(matching: filter, by: .day, rates: true).first)
    #expect(
      !trend.points.isEmpty && trend.points.allSatisfy { $0.decodes == nil && $0.digests == nil })
  }

  @Test func `the trend of a failure has its digests and the decodes of its model`() throws {
    let records = RandomRecords.make(200, seed: 73)
    let temporary = try Self.store(records + Self.cleanDecodes(among: records))
    let hour = RandomRecords.start / Moment.hour
    for var filter in [DigestFilter(), DigestFilter(release: "4.2")] {
      // Without a window the periods begin with the first error.
      filter.since = Moment(milliseconds: (hour - 3) * Moment.hour).date
      filter.until = Moment(milliseconds: (hour + 101) * Moment.hour).date
      let failures = try temporary.store.novelValues(matching: filter)
      #expect(failures.count > 5)
      let trends = try temporary.store.trend(
        matching: filter, by: .hour, groupedBy: .novelValue, rates: true)
      #expect(
        trends.map { "\($0.model ?? "") \($0.codingPath ?? "") \($0.novelValue ?? "")" }.sorted()
          == failures.map { "\($0.model) \($0.codingPath) \($0.novelValue ?? "")" }.sorted())
      for failure in failures {
        var one = filter
        one.models = [failure.model]
        one.codingPaths = [failure.codingPath]
        one.novelValues = [failure.novelValue ?? ""]
        let alone = try #require(
          temporary.store.trend(matching: one, by: .day, rates: true).first)
        let grouped = try #require(
          trends.first {
            $0.model == failure.model && $0.codingPath == failure.codingPath
              && $0.novelValue == failure.novelValue
          })
        for trend in [alone, grouped] {
          let digests = trend.points.reduce(0) { $0 + ($1.digests ?? 0) }
          let decodes = trend.points.reduce(0) { $0 + ($1.decodes ?? 0) }
          #expect(digests == failure.digests)
          #expect(failure.rate == Double(digests) / Double(decodes), "\(failure.key) \(filter)")
        }
      }
    }
    expectError(
      .invalidInput,
      "such a trend has no rates: several failures of a model match; choose one, or group by value"
    ) { try temporary.store.trend(matching: DigestFilter(codingPath: "kind"), rates: true) }
  }

  @Test func `without counted decodes there are no rates`() throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(20, seed: 3))
    let failures = try temporary.store.failures()
    #expect(failures.count > 5)
    #expect(failures.allSatisfy { $0.rate == nil })
  }

  @Test func `an id is the same in every store, and begins the key in the file`() throws {
    let temporary = try TemporaryStore(holding: RandomRecords.make(50, seed: 4))
    let copy = try TemporaryStore()
    _ = try copy.store.importText(temporary.store.text())
    let target = try TemporaryStore()
    _ = try DigestStore.push(storesAt: [temporary.path], to: target.path)
    let keys = try temporary.query("SELECT lower(substr(hex(key), 2, 7)) FROM failure")
    #expect(keys.count > 5)
    for store in [temporary, copy, target] {
      #expect(
        try store.store.failures().map { String($0.id.dropFirst()) }.sorted() == keys.sorted())
    }
  }
}
