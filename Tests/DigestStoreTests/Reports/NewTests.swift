import Foundation
import Testing

@testable import DigestStore

struct NewTests {
  @Test(arguments: [700])
  func `new is what a recount finds in the window and not before it`(_ count: Int) throws {
    let temporary = try TemporaryStore()
    // Values that appear one after the other.
    var records = RandomRecords.make(count, seed: 3)
    for index in records.indices {
      records[index].entries.append(.novel("value \(index * 40 / count)", at: "new.kind"))
    }
    try temporary.store.appendAll(records)

    for (since, until) in RandomRecords.windows(seed: 3) {
      let filter = DigestFilter(since: since?.date, until: until?.date)
      let before = since.map { records.within(nil, $0) } ?? []
      let within = records.within(since, until)

      let known = Recount.of(before) { $1.novelValueKey(in: $0) }
      let expected = Recount.of(within, seenIn: records) { $1.novelValueKey(in: $0) }
        .filter { known[$0.key] == nil }
      let values = try temporary.store.newFailures(matching: filter.ofNovelValues)
      #expect(
        values.recounts == expected,
        "\(filter)")

      #expect(
        values.firstReleases
          == Recount.firstReleases(within) { $1.novelValueKey(in: $0) }.filter {
            known[$0.key] == nil
          }, "\(filter)")

      let knownFailures = Recount.of(before) { $1.failureKey(in: $0) }
      let failures = try temporary.store.newFailures(matching: filter)
      #expect(
        failures.recounts
          == Recount.of(within, seenIn: records) { $1.failureKey(in: $0) }.filter {
            knownFailures[$0.key] == nil
          },
        "\(filter)")
      #expect(
        failures.firstReleases
          == Recount.firstReleases(within) { $1.failureKey(in: $0) }.filter {
            knownFailures[$0.key] == nil
          }, "\(filter)")
    }
  }

  @Test(arguments: [
    ("4.10.0", ["ten"]), ("4.9.0", ["nine"]), ("4.9", []), ("4.8.0", ["all"]), ("5", []),
    ("nightly", ["unversioned"]), ("unheard of", []),
  ])
  func `new in a release is what no older release has`(
    _ release: String, _ expected: [String]
  ) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(release: nil, .novel("ever")),
      .make(release: "4.10.0", .novel("all"), .novel("ten"), .novel("ever"), .novel("unversioned")),
      .make(release: "4.9.0", .novel("all"), .novel("nine"), .novel("unversioned")),
      .make(release: "nightly", .novel("unversioned")),
      .make(release: "4.8.0", .novel("all"), .novel("unversioned")))

    let filter = DigestFilter(release: release)

    #expect(
      try temporary.store.newFailures(matching: filter.ofNovelValues).map(\.novelValue) == expected)
    #expect(try temporary.store.newFailures(matching: filter).map(\.novelValue) == expected)
  }

  @Test func `without a window or a release everything is new`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(.make(.novel("villa"), .mismatch(at: "price")))

    let everything = DigestFilter()

    #expect(
      try temporary.store.newFailures(matching: everything.ofNovelValues)
        == temporary.store.novelValues())
    #expect(try temporary.store.newFailures(matching: everything) == temporary.store.failures())
    #expect(try temporary.store.newFailures(matching: everything, limit: 1).count == 1)
  }
}
