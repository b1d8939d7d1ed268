import Foundation
import Testing

@testable import DigestStore

struct NewTests {
  @Test func `new is what a recount finds in the window and not before it`() throws {
    let temporary = try TemporaryStore()
    // Values that appear one after the other.
    var records = RandomRecords.make(700, seed: 3)
    for index in records.indices {
      records[index].errors.append(.novel("value \(index * 40 / 700)", at: "new.kind"))
    }
    try temporary.store.appendAll(records)

    for (since, until) in RandomRecords.windows(seed: 3) {
      let filter = DigestFilter(since: since?.date, until: until?.date)
      let known = Recount.of(since.map { records.within(nil, $0) } ?? []) {
        $1.failureKey(in: $0)
      }
      func new(_ record: DigestRecord, _ error: RecordedError) -> String? {
        let key = error.failureKey(in: record)
        return known[key] == nil ? key : nil
      }
      let within = records.within(since, until)
      let failures = try temporary.store.newFailures(matching: filter)
      #expect(failures.recounts == Recount.of(within, seenIn: records, by: new), "\(filter)")
      #expect(failures.firstReleases == Recount.firstReleases(within, by: new), "\(filter)")
    }
  }

  @Test(arguments: [
    ("4.10.0", ["ten"]), ("4.9.0", ["nine"]), ("4.9", []), ("4.8.0", ["all"]), ("5", []),
    ("nightly", ["unversioned"]), ("unheard of", []),
  ])
  func `new in a release is what no older release has`(
    _ release: String, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore(
      holding: .make(release: nil, .novel("ever")),
      .make(release: "4.10.0", .novel("all"), .novel("ten"), .novel("ever"), .novel("unversioned")),
      .make(release: "4.9.0", .novel("all"), .novel("nine"), .novel("unversioned")),
      .make(release: "nightly", .novel("unversioned")),
      .make(release: "4.8.0", .novel("all"), .novel("unversioned")))

    #expect(
      try temporary.store.newFailures(matching: DigestFilter(release: release)).map(\.novelValue)
        == expected)
  }

  @Test func `without a window or a release everything is new`() throws {
    let temporary = try TemporaryStore(holding: .make(.novel("villa"), .mismatch(at: "price")))

    #expect(try temporary.store.newFailures(matching: DigestFilter()) == temporary.store.failures())
    #expect(try temporary.store.newFailures(matching: DigestFilter(), limit: 1).count == 1)
  }
}
