import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Reports against a recount, over random digests and random windows.
struct ExactCountsTests {
  private static let hour = Moment.hour
  private static let start = Int64(1_763_600_000_000)

  /// Digests of some days, in the order of writing: the clock jumps, also backwards.
  private static func records(_ count: Int, seed: UInt64) -> [DigestRecord] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let moment = Moment(milliseconds: start + .random(in: 0..<100 * hour, using: &random))
      // Often on the edge of an hour or of a day, where mistakes are.
      let edge = moment.milliseconds / hour * hour - .random(in: 0...1, using: &random)
      var record = DigestRecord.make(
        at: Bool.random(using: &random) ? moment : Moment(milliseconds: edge),
        model: ["App.Listing", "App.User"].randomElement(using: &random)!,
        release: ["4.1", "4.2", nil].randomElement(using: &random)!,
        omissions: [])
      record.entries = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        failure(&random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 {
        var omitted = failure(&random)
        omitted.path = omitted.path.generalized
        record.omissions = [(omitted, .random(in: 1...50, using: &random))]
      }
      return record
    }
  }

  private static func failure(_ random: inout SeededGenerator) -> FailureRecord {
    var failure = failureWithoutFound(&random)
    failure.found = [nil, .null, .string("villa"), .string("12"), .number("12"), .array]
      .randomElement(using: &random)!
    return failure
  }

  private static func failureWithoutFound(_ random: inout SeededGenerator) -> FailureRecord {
    let index = Int.random(in: 0..<5, using: &random)
    if Bool.random(using: &random) {
      return .mismatch(at: ["items[\(index)].id", "price"].randomElement(using: &random)!)
    }
    // The same value where two types are expected: two failures, one novel value.
    return .novel(
      ["villa", "yurt", ""].randomElement(using: &random)!,
      at: ["items[\(index)].kind", "kind"].randomElement(using: &random)!,
      expected: ["App.Kind", "App.OldKind", nil].randomElement(using: &random)!)
  }

  private static func windows(seed: UInt64) -> [(since: Moment?, until: Moment?)] {
    var random = SeededGenerator(seed: seed)
    func moment() -> Moment {
      let hours = Int64.random(in: -2..<104, using: &random)
      let offset = [0, 0, 1, -1, Int64.random(in: 0..<hour, using: &random)]
        .randomElement(using: &random)!
      return Moment(milliseconds: (start / hour + hours) * hour + offset)
    }
    let fixed: [(Moment?, Moment?)] = [
      (nil, nil), (.earliest, .latest), (.earliest, .earliest),
      (Moment(milliseconds: start / hour * hour), nil),
      (nil, Moment(milliseconds: start / hour * hour)),
    ]
    return fixed
      + (0..<60).map { _ in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: (moment(), nil)
        case 1: (nil, moment())
        default: (moment(), moment())
        }
      }
  }

  @Test(arguments: [(UInt64(1), 40), (2, 900), (3, 2_600), (4, 4_321)])
  func `every report equals a recount, in every window and under every filter`(
    _ seed: UInt64, _ count: Int
  ) throws {
    let temporary = try TemporaryStore()
    let records = Self.records(count, seed: seed)
    try temporary.store.write { writer in
      for record in records { try writer.append(record) }
    }
    let store = temporary.store

    for (since, until) in Self.windows(seed: seed) {
      let filter = DigestFilter(since: since?.date, until: until?.date)
      let inWindow = records.filter {
        (since ?? .earliest) <= $0.recordedAt && until.map($0.recordedAt.isBefore) != false
      }
      try expect(store, filter, toCount: inWindow)
      var released = filter
      released.release = "4.2"
      try expect(store, released, toCount: inWindow.filter { $0.release == "4.2" })
    }
    #expect(
      try store.verify()
        == Verification(
          problems: [], digests: count, occurrences: records.reduce(0) { $0 + $1.occurrences }))
  }

  @Test(arguments: [1, 9, 10, 11, 99, 100, 101, 12_345])
  func `an omission has as many rows as it counts`(_ count: Int) throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(omissions: [(.novel("villa", at: "a[]"), count), (.novel("yurt", at: "a[]"), 2)]))

    #expect(try temporary.query("SELECT count(*) FROM occurrences") == ["\(count + 2)"])
    #expect(try temporary.store.novelValues().map(\.occurrences) == [count, 2].sorted(by: >))
  }

  @Test func `an omission of millions keeps no row waiting`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(omissions: [(.novel("villa", at: "a[]"), 99_999_999)]))

    #expect(try temporary.query("SELECT coding_path FROM occurrences LIMIT 2") == ["a[]", "a[]"])
  }

  @Test func `full digests are folded some at a time, and count the same`() throws {
    let temporary = try TemporaryStore()
    let entries = (0..<1_000).map { FailureRecord.novel("villa", at: "items[\($0)].kind") }
    try temporary.store.write { writer in
      for _ in 0..<1_010 {
        var record = DigestRecord.make()
        record.entries = entries
        try writer.append(record)
      }
    }

    let folded = try temporary.query("SELECT folded_through FROM store").compactMap { Int($0) }
    #expect(folded.allSatisfy { 0 < $0 && $0 < 500 })
    #expect(try temporary.store.novelValues().map(\.occurrences) == [1_010_000])
    #expect(try temporary.query("SELECT occurrences FROM novel_values") == ["1010000"])
  }

  private func expect(
    _ store: DigestStore, _ filter: DigestFilter, toCount records: [DigestRecord]
  ) throws {
    let values = try store.novelValues(matching: filter)
    #expect(
      Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.recount) })
        == Recount.of(records) { $1.novelValueKey(in: $0) }, "\(filter)")
    let failures = try store.failures(matching: filter)
    #expect(
      Dictionary(uniqueKeysWithValues: failures.map { ($0.key, $0.recount) })
        == Recount.of(records) { $1.failureKey(in: $0) }, "\(filter)")
  }

  @Test(arguments: [30, 1_700])
  func `the public views say what the reports say`(_ count: Int) throws {
    let temporary = try TemporaryStore()
    let records = Self.records(count, seed: 5)
    try temporary.store.write { writer in
      for record in records { try writer.append(record) }
    }

    func lines(_ view: String, _ columns: String) throws -> Set<String> {
      Set(try temporary.query("SELECT \(columns) FROM \(view)"))
    }
    let key = "ifnull(expected_type, '-'), ifnull(novel_value, '-'), ifnull(value_type, '-')"
    #expect(
      try lines(
        "failures",
        "printf('%s|%s|%s|%s|%s|%s %d %d', model, coding_path, kind, \(key), occurrences, digests)")
        == Set(
          try temporary.store.failures().map { "\($0.key) \($0.occurrences) \($0.digests)" }))
    let samples = Recount.samples(records)
    let found = "ifnull(found_type, '-'), ifnull(found_value, '-')"
    #expect(
      try lines(
        "failures",
        "printf('%s|%s|%s|%s|%s|%s %s|%s', model, coding_path, kind, \(key), \(found))")
        == Set(samples.map { "\($0) \($1)" }))
    #expect(
      Dictionary(
        uniqueKeysWithValues: try temporary.store.failures().map { ($0.key, $0.sample) })
        == samples)
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
          record.entries.map(\.found.columns)
            + record.omissions.flatMap {
              Array(repeating: $0.failure.found.columns, count: $0.count)
            }
        }.sorted())
    #expect(
      try temporary.query("SELECT count(DISTINCT digest_id) FROM occurrences") == ["\(count)"])
  }
}

extension Moment {
  fileprivate func isBefore(_ other: Moment) -> Bool { self < other }
}
