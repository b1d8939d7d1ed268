import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Whether a file stays below its limit, whatever it is made of.
struct SizeLimitTests {
  private static let maximum = 1 << 20
  private static let start = Moment(milliseconds: 1_795_168_800_000)

  private static func moment(_ minutes: Int) -> Moment {
    Moment(milliseconds: start.milliseconds + Int64(minutes) * 60_000)
  }

  /// A store that may be a mebibyte large, and whose clock stands at the start.
  private func store() throws -> TemporaryStore {
    try TemporaryStore(
      DigestStore.Configuration(maximumBytes: Self.maximum, clock: { Self.start.date }))
  }

  private static func record(
    _ minutes: Int, release: String, keys: some Sequence<Int>
  ) -> DigestRecord {
    var record = DigestRecord.make(at: moment(minutes), release: release)
    record.entries = keys.map { .mismatch(at: "items[3].key\($0)") }
    return record
  }

  private func expectExactCounts(_ records: [DigestRecord], _ store: DigestStore) throws {
    let counts = try Dictionary(
      uniqueKeysWithValues: store.failures().map { ($0.key, $0.recount) })
    #expect(counts == Recount.of(records) { $1.failureKey(in: $0) })
    #expect(try store.verify().problems == [])
  }

  @Test(arguments: [24 * 60, 0])
  func `counts of many releases are counted together before the file is too large`(
    minutesApart: Int
  ) throws {
    let temporary = try store()
    let records = (0..<600).flatMap { release in
      (0..<10).map { part in
        Self.record(
          (release - 599) * minutesApart, release: "r\(release)",
          keys: part * 20..<part * 20 + 20)
      }
    }
    for start in stride(from: 0, to: records.count, by: 500) {
      try temporary.store.write { writer in
        _ = try writer.appendNew(records[start..<start + 500].map { ($0, nil) })
      }
      _ = try temporary.store.prune()
      #expect(DigestStore.size(of: temporary.path) <= Self.maximum)
    }

    try expectExactCounts(records, temporary.store)
    #expect(try temporary.store.limitsHit().map(\.limit) == [.releases])
    let last = DigestFilter(release: "r599")
    #expect(try temporary.store.failures(matching: last).count == 200)
  }

  /// Digests of so many errors, at intervals of so many minutes, each release with so many of them
  /// in a row; 0 for 300 releases in turn.
  @Test(arguments: [(1_000, 50, 7, 0), (1_000, 50, 1, 0), (6_000, 5, 7, 0), (2_000, 20, 30, 2)])
  func `a file stays below its limit at each step while many releases send`(
    _ digests: Int, _ errors: Int, _ minutes: Int, _ digestsOfRelease: Int
  ) throws {
    let temporary = try store()
    let store = temporary.store
    var largest = 0
    func step(_ now: Moment, _ body: @Sendable (Writer) throws -> Bool) throws -> Bool {
      defer { largest = max(largest, DigestStore.size(of: temporary.path)) }
      return try store.maintenance.step(body)
    }
    let records = (0..<digests).map { number in
      let release = digestsOfRelease == 0 ? number % 300 : number / digestsOfRelease
      return Self.record(
        number * minutes, release: "r\(release)",
        keys: (0..<errors).map { (number * 7 + $0) % 50 })
    }
    for record in records {
      let due = try store.write { writer in
        try writer.append([(record, nil)])
        return writer.takeDue()
      }
      // What the store's thread does then, all of it before the next digest comes.
      let now = record.recordedAt
      if due.contains(.checkpoint) { _ = try store.write { try $0.connection.checkpoint() } }
      if due.contains(.fold) { while try step(now, { try $0.fold() }) {} }
      if due.contains(.evict) { while try step(now, { try $0.evict(now: now) }) {} }
      largest = max(largest, DigestStore.size(of: temporary.path))
    }

    #expect(largest <= Self.maximum)
    #expect(largest > Self.maximum / 2)
    try expectExactCounts(records, store)
  }

  @Test func `where it is the names that are too many, today stays as it is`() throws {
    let temporary = try store()
    let records = (0..<200).map { number in
      Self.record(number % 2, release: "r\(number % 3)", keys: number * 40..<number * 40 + 40)
    }
    try temporary.store.appendAll(records)
    _ = try temporary.store.prune()

    #expect(DigestStore.size(of: temporary.path) > Self.maximum)
    let hour = DigestFilter(since: Self.start.date, until: Self.moment(60).date)
    #expect(try temporary.store.countedWindow(matching: hour).isExact)
    #expect(try temporary.store.failures(matching: hour).count == 8_000)
    #expect(try temporary.store.limitsHit() == [])
    #expect(try temporary.query("SELECT count(*) FROM digest") == ["0"])
    try expectExactCounts(records, temporary.store)
  }
}
