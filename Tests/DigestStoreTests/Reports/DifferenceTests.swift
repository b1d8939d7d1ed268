import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct DifferenceTests {
  @Test func `a difference lists new, gone, grown and shrunk rows, the largest first`() throws {
    let temporary = try TemporaryStore()
    func digest(_ release: String, _ values: [(String, Int)]) -> DigestRecord {
      var record = DigestRecord.make(release: release)
      record.errors = values.flatMap { Array(repeating: .novel($0, at: "kind"), count: $1) }
      return record
    }
    try temporary.store.append(
      digest("1", [("gone", 3), ("grown", 1), ("shrunk", 7), ("same", 5)]),
      digest("2", [("new", 3), ("grown", 6), ("shrunk", 1), ("same", 5)]))

    let changes = try temporary.store.failureChanges(
      from: DigestFilter(novelValue: "*", release: "1"),
      to: DigestFilter(novelValue: "*", release: "2"))

    #expect(
      changes.map {
        "\($0.novelValue ?? "") \($0.change) \($0.occurrencesBefore) \($0.occurrencesAfter)"
      } == ["shrunk shrunk 7 1", "grown grown 1 6", "gone gone 3 0", "new new 0 3"])
    #expect(
      try temporary.store.failureChanges(
        from: DigestFilter(release: "1"), to: DigestFilter(release: "2"), limit: 3
      ).map(\.novelValue) == ["shrunk", "grown", "gone"])
  }

  @Test(arguments: [
    (Double.nan, ["grown"]), (-.infinity, ["grown"]), (0, ["grown"]), (1, ["grown"]),
    (2, ["grown"]), (2.5, ["same"]), (1e300, ["same"]), (.infinity, ["same"]),
  ])
  func `any factor is answered`(factor: Double, changes: [String]) throws {
    let temporary = try TemporaryStore()
    for (release, count) in [("1", 2), ("2", 4)] {
      var record = DigestRecord.make(release: release)
      record.errors = Array(repeating: .novel("villa", at: "kind"), count: count)
      try temporary.store.append(record)
    }
    #expect(
      try temporary.store.failureChanges(
        from: DigestFilter(release: "1"), to: DigestFilter(release: "2"), minimumFactor: factor
      ).map(\.change.rawValue) == changes)
  }

  @Test func `a difference of two windows equals that of two recounts`() throws {
    let records = RandomRecords.make(1_900, seed: 8)
    let temporary = try TemporaryStore(holding: records)
    let windows = RandomRecords.windows(seed: 8)

    // Each window has a filter of its own.
    let filters = FilteredCountsTests.filters + [DigestFilter(model: "App.L*")]
    for (index, (first, second)) in zip(windows, windows.dropFirst()).enumerated() {
      var (before, after) = (filters[index % 17], filters[(index + 5) % 17])
      (before.since, before.until) = (first.since?.date, first.until?.date)
      (after.since, after.until) = (second.since?.date, second.until?.date)
      let changes = try temporary.store.failureChanges(from: before, to: after)

      func recount(_ filter: DigestFilter) -> [String: Recount] {
        Recount.of(records.filter { filter.matches($0) }) {
          filter.matches($0, $1) ? $1.failureKey(in: $0) : nil
        }
      }
      let (old, new) = (recount(before), recount(after))
      var expected: [String: [Int]] = [:]
      for key in Set(old.keys).union(new.keys) {
        let counts = [old[key]?.occurrences ?? 0, new[key]?.occurrences ?? 0]
        if counts[0] != counts[1] { expected[key] = counts }
      }
      #expect(
        Dictionary(
          uniqueKeysWithValues: changes.map {
            ($0.key, [$0.occurrencesBefore, $0.occurrencesAfter])
          }) == expected, "\(before), \(after)")
    }
  }

  @Test func `a failure from before decodes were counted is compared by counts`() throws {
    let temporary = try TemporaryStore()
    let start = RandomRecords.start
    func moment(_ hour: Int64, _ minute: Int64 = 0) -> Moment {
      Moment(milliseconds: start + hour * Moment.hour + minute * 60_000)
    }
    for minute in Int64(0)..<3 {
      try temporary.store.append(
        .make(at: moment(1, minute), .novel("gone")), .make(at: moment(1, minute), .novel("both")),
        .make(at: moment(9, minute), .novel("both")))
    }
    for hour in [Int64(4), 9] {
      temporary.store.countCleanDecode(
        of: "App.Listing", DigestContext(), at: moment(hour).date)
    }
    temporary.store.flush()
    let changes = try temporary.store.failureChanges(
      from: DigestFilter(since: moment(0).date, until: moment(6).date),
      to: DigestFilter(since: moment(6).date, until: moment(12).date))
    #expect(changes.map(\.novelValue) == ["gone"])
    #expect(changes.map(\.change) == [.gone])
    #expect(changes.map(\.rateBefore) == [nil])
  }
}
