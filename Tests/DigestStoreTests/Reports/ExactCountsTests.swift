import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Reports against a recount, over random digests and random windows.
struct ExactCountsTests {
  @Test(arguments: [(UInt64(1), 40), (2, 300)])
  func `every report equals a recount, in every window and under every filter`(
    _ seed: UInt64, _ count: Int
  ) throws {
    let records = RandomRecords.make(count, seed: seed)
    let temporary = try TemporaryStore(holding: records)

    for (since, until) in RandomRecords.windows(seed: seed) {
      for (releases, hasNone) in [
        ([], false), (["4.2"], false), (["4.2", "4.1", "9"], false), (["4.2"], true),
      ] {
        var filter = DigestFilter(hasNoRelease: hasNone, since: since?.date, until: until?.date)
        filter.releases = releases
        try temporary.store.expectRecount(of: records, filter)
      }
    }
    #expect(
      try temporary.store.verify()
        == DigestStore.Verification(
          problems: [], digests: count, occurrences: records.reduce(0) { $0 + $1.occurrences }))
  }

  /// How many digests, so that some, all or none are folded; and how uneven values are.
  @Test(arguments: [(300, 3.0), (700, 1.0)])
  func `a limit takes the first rows of all`(_ count: Int, _ unevenness: Double) throws {
    let temporary = try TemporaryStore()
    var random = SeededGenerator(seed: UInt64(count))
    func entry() -> RecordedError {
      let number = Int(pow(Double.random(in: 0..<1, using: &random), unevenness) * 300)
      // A value may be of several failures, also within a digest, and a failure of no value.
      if number % 7 == 0 { return .mismatch(at: "p\(number)") }
      return .novel(
        "v\(number)", at: "a[].k", expected: "T\(Int.random(in: 0..<3, using: &random))")
    }
    try temporary.store.appendAll(
      (0..<count).map { index in
        var record = DigestRecord.make(
          at: Moment(milliseconds: 1_763_632_800_000 + Int64(index) * 60_000),
          release: "\(index % 3)")
        record.errors = (0..<3).map { _ in entry() }
        return record
      })

    let (values, failures) = (try temporary.store.novelValues(), try temporary.store.failures())
    #expect(values.count > 100)
    for limit in [1, 2, 5, 20, 100, 1_000] {
      #expect(try temporary.store.novelValues(limit: limit) == Array(values.prefix(limit)))
      #expect(try temporary.store.failures(limit: limit) == Array(failures.prefix(limit)))
    }
  }

  @Test(arguments: [2, 10, 99_999_999])
  func `an error that is only counted is one row with its count`(_ count: Int) throws {
    let temporary = try TemporaryStore(
      holding: .make(
        .novel("villa", at: "a[]").counted(count), .novel("yurt", at: "a[]").counted(2)))

    #expect(
      try temporary.query("SELECT coding_path || times FROM occurrences") == [
        "a[]\(count)", "a[]2",
      ])
    #expect(try temporary.store.novelValues().map(\.occurrences) == [count, 2].sorted(by: >))
  }

  @Test func `full digests are folded some at a time, and count the same`() throws {
    let temporary = try TemporaryStore()
    let entries = (0..<1_000).map { RecordedError.novel("villa", at: "items[\($0)].kind") }
    try temporary.store.write { writer in
      for _ in 0..<110 {
        var record = DigestRecord.make()
        record.errors = entries
        try writer.append(record)
      }
    }

    let folded = try temporary.store.write { try $0.fold.run() }
    #expect(1..<110 ~= folded)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [110_000])
    #expect(try temporary.query("SELECT occurrences FROM novel_values") == ["110000"])
  }

  @Test(arguments: [30, 700])
  func `the public views agree with the reports`(_ count: Int) throws {
    let records = RandomRecords.make(count, seed: 5)
    let temporary = try TemporaryStore(holding: records)

    func lines(_ view: String, _ columns: String) throws -> Set<String> {
      Set(try temporary.query("SELECT \(columns) FROM \(view)"))
    }
    #expect(
      try lines(
        "failures",
        "printf('%s|%s|%s %d %d', model, coding_path, ifnull(novel_value, kind), occurrences, digests)"
      )
        == Set(
          try temporary.store.failures().map {
            "\($0.model)|\($0.codingPath)|\($0.novelValue ?? $0.kind.rawValue) \($0.occurrences) \($0.digests)"
          }))
    #expect(
      try lines(
        "novel_values",
        "printf('%s|%s|%s|%s %d %d', model, coding_path, novel_value, value_type, occurrences, "
          + "digests)")
        == Set(
          try temporary.store.novelValues().map { "\($0.key) \($0.occurrences) \($0.digests)" }))
    #expect(
      try temporary.found(in: "occurrences").sorted()
        == records.flatMap { record in
          record.errors.map(\.found.columns)
        }.sorted())
    #expect(
      try temporary.query("SELECT count(DISTINCT digest_id) FROM occurrences") == ["\(count)"])
  }
}
