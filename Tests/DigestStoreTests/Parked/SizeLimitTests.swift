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
    record.failures = keys.map { .mismatch(at: "items[3].key\($0)") }
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
        _ = try writer.appendNew(Array(records[start..<start + 500]))
      }
      _ = try temporary.store.prune()
      #expect(DigestStore.size(of: temporary.path) <= Self.maximum)
    }

    try expectExactCounts(records, temporary.store)
    #expect(try temporary.store.reachedLimits().map(\.limit) == [.releases])
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
        try writer.append([record])
        return writer.removeDueTasks()
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

  /// Some four megabytes of digests, each with a message of its own.
  private static let large = (0..<18_000).map { number in
    DigestRecord.make(
      at: moment(number), release: "r\(number / 4_500)", .novel("v\(number % 50)"),
      .mismatch(
        at: "items[\(number % 9)].price",
        message: "\(number) " + String(repeating: "is no number ", count: 10)))
  }

  /// Of what share of the file a limit is, and how much of it is used in the end.
  private func expectSize(_ path: String, _ limit: Int) {
    let size = DigestStore.size(of: path)
    #expect(size <= limit && size >= limit / 100 * 85, "\(size) of \(limit)")
  }

  @Test(arguments: [0.97, 0.75, 0.5, 0.3])
  func `a prune to a size deletes no more digests than it has to`(share: Double) throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(clock: { Self.start.date }))
    try temporary.store.appendAll(Self.large)
    _ = try temporary.store.prune()
    let limit = Int(Double(DigestStore.size(of: temporary.path)) * share)
    let losses = try temporary.store.losses()

    let summary = try temporary.store.prune(maximumBytes: limit)

    expectSize(temporary.path, limit)
    #expect(summary.bytes == DigestStore.size(of: temporary.path))
    #expect(summary.hoursBefore == nil)
    #expect(losses == [])
    #expect(Set(try temporary.store.losses().map(\.reason)) == [DigestStore.Loss.Reason.evicted])
    let left = try temporary.query("SELECT count(*) FROM digest").compactMap { Int($0) }
    #expect(left == [Self.large.count - summary.digests])
    #expect(try temporary.store.prune(maximumBytes: limit).digests == 0)
    try expectExactCounts(Self.large, temporary.store)
  }

  @Test(arguments: [1 << 20, 1_500_000, 3_000_000])
  func `a store that records keeps its file between 85 and 100 percent of the limit`(
    limit: Int
  ) throws {
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumBytes: limit, clock: { Self.start.date }))
    let store = temporary.store
    var largest = 0
    for record in Self.large {
      let due = try store.write { writer in
        try writer.append([record])
        return writer.removeDueTasks()
      }
      if due.contains(.checkpoint) { _ = try store.write { try $0.connection.checkpoint() } }
      if due.contains(.fold) { while try store.maintenance.step({ try $0.fold() }) {} }
      if due.contains(.evict) {
        while try store.maintenance.step({ try $0.evict(now: record.recordedAt) }) {}
      }
      largest = max(largest, DigestStore.size(of: temporary.path))
    }
    let summary = try store.prune()

    #expect(largest <= limit)
    #expect(summary.hoursBefore == nil)
    expectSize(temporary.path, limit)
    try expectExactCounts(Self.large, store)
  }

  /// Names that take more than two mebibytes, in digests of forty of them.
  private static let named = (0..<200).map { number in
    record(number % 2, release: "r\(number % 3)", keys: number * 40..<number * 40 + 40)
  }

  @Test func `a prune to less than the names take says how small it can be, and deletes nothing`()
    throws
  {
    let temporary = try TemporaryStore(DigestStore.Configuration(clock: { Self.start.date }))
    try temporary.store.appendAll(Self.named)
    _ = try temporary.store.prune()
    let before = (try temporary.store.lines(), try temporary.store.losses())
    let size = DigestStore.size(of: temporary.path)

    let error = #expect(throws: DigestStoreError.self) {
      try temporary.store.prune(maximumAge: .zero, maximumBytes: 1 << 20)
    }

    let sentence = try #require(error?.description)
    let smallest = try #require(Int(sentence.split(separator: " ").dropLast(2).last ?? ""))
    #expect(
      error?.code == .unreachableSize
        && sentence
          == "\(temporary.path): 1048576 bytes are too few for the names and sums of all time, which "
          + "stay; nothing was deleted; allow \(smallest) or more"
    )
    #expect((try temporary.store.lines(), try temporary.store.losses()) == before)
    #expect(DigestStore.size(of: temporary.path) == size)
    #expect(try temporary.query("PRAGMA freelist_count") == ["0"])

    // As small as it said.
    let summary = try temporary.store.prune(maximumBytes: smallest)
    #expect(summary.bytes <= smallest && summary.bytes > smallest - 8 * 4_096)
    #expect(summary.digests == Self.named.count)
    #expect(
      throws: DigestStoreError.self,
      performing: { try temporary.store.prune(maximumBytes: smallest / 2) })
    try expectExactCounts(Self.named, temporary.store)
  }

  @Test func `where names take more than the limit it holds for everything else`() throws {
    let temporary = try store()
    try temporary.store.appendAll(Self.named)
    _ = try temporary.store.prune()

    #expect(DigestStore.size(of: temporary.path) > Self.maximum)
    let hour = DigestFilter(since: Self.start.date, until: Self.moment(60).date)
    #expect(try temporary.store.countedWindow(matching: hour).isExact)
    #expect(try temporary.store.failures(matching: hour).count == 8_000)
    #expect(try temporary.store.reachedLimits() == [])
    #expect(try temporary.store.losses() == [])
    let names = DigestStore.size(of: temporary.path)

    // More digests find room until a mebibyte is full.
    let later = Self.large.prefix(6_000).map { record in
      var record = record
      record.recordedAt = Self.start
      return record
    }
    try temporary.store.appendAll(later)
    _ = try temporary.store.prune()
    let size = DigestStore.size(of: temporary.path)
    #expect(size > names + Self.maximum / 2 && size <= names + Self.maximum)
    #expect(Set(try temporary.store.losses().map(\.reason)) == [DigestStore.Loss.Reason.evicted])
    try expectExactCounts(Self.named + later, temporary.store)
  }
}
