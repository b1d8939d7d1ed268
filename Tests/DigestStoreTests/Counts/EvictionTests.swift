import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct EvictionTests {
  private typealias Configuration = DigestStore.Configuration

  private static let start = Moment(milliseconds: 1_795_168_800_000)

  private static func moment(_ hours: Double) -> Moment {
    Moment(milliseconds: start.milliseconds + Int64(hours * 3_600_000))
  }

  /// A store whose clock stands at an hour behind the start.
  private func store(
    at hours: Double, maximumAge: Duration? = nil, maximumBytes: Int? = nil
  ) throws -> TemporaryStore {
    let now = Self.moment(hours).date
    return try TemporaryStore(
      Configuration(maximumAge: maximumAge, maximumBytes: maximumBytes, clock: { now }))
  }

  /// Appends a digest of its own value at each hour.
  private func append(_ hours: [Double], to store: DigestStore) throws {
    for hour in hours {
      try store.append(
        .make(at: Self.moment(hour), .novel("at \(hour)"), .mismatch(at: "a", message: "m\(hour)")))
    }
  }

  /// The hours of the digests that there are.
  private func remaining(_ temporary: TemporaryStore) throws -> [Double] {
    try temporary.query("SELECT recorded_at FROM digest ORDER BY id").compactMap {
      Double($0).map { ($0 - Double(Self.start.milliseconds)) / 3_600_000 }
    }
  }

  @Test(
    arguments: [
      // In order, to the millisecond.
      ([0, 1, 2, 2.5, 3, 3.5], [2.5, 3, 3.5]),
      // The clock was ahead at first, and went back.
      ([100, 101, 0, 1, 2, 3, 4], [100, 101, 3, 4]),
      // It went back in the middle of an hour, over and over.
      ([3, 2.6, 2.4, 2.9, 2.1, 2.55, 0, 2.7], [3, 2.6, 2.9, 2.55, 2.7]),
      // An import brings old ones late.
      ([3, 4, 0, 5, 1, 4, 0.5], [3, 4, 5, 4]),
      ([], []),
      ([9], [9]),
    ] as [([Double], [Double])])
  func `all that is older goes and nothing else, in whatever order it came`(
    _ hours: [Double], _ expected: [Double]
  ) throws {
    let temporary = try store(at: 4.5, maximumAge: .seconds(2 * 3_600))
    try append([4.5] + hours, to: temporary.store)
    let before = try (temporary.store.failures(), temporary.store.novelValues())

    let summary = try temporary.store.prune()

    #expect(try remaining(temporary) == [4.5] + expected)
    #expect(summary.digests == hours.count - expected.count)
    #expect(summary.occurrences == 2 * summary.digests)
    #expect(try temporary.store.failures() == before.0)
    #expect(try temporary.store.novelValues() == before.1)
    #expect(try temporary.store.verify().problems == [])
    #expect(try temporary.store.prune().digests == 0)
  }

  @Test func `a prune with limits of its own reports what it deletes itself`() throws {
    let temporary = try store(at: 10, maximumAge: .seconds(3_600))
    try append([0, 1, 9.5, 10], to: temporary.store)
    try temporary.store.write { writer in
      while try writer.foldSome() {}
      while try writer.retention.step(now: Self.moment(10)) {}
    }
    #expect(try remaining(temporary) == [9.5, 10])
    #expect(try temporary.store.prune(maximumAge: .seconds(24 * 3_600)).digests == 0)
  }

  @Test func `digests that expire in the meantime go too, wherever they are`() throws {
    var generator = SeededGenerator(seed: 7)
    let now = Locked(Self.moment(0))
    let temporary = try TemporaryStore(
      Configuration(maximumAge: .seconds(3_600), clock: { now.withLock { $0.date } }))
    var kept: [Double] = []
    for round in 1...40 {
      // A clock that goes on by a quarter of an hour, and jumps.
      let hour = Double(round) / 4
      now.withLock { $0 = Self.moment(hour) }
      let hours =
        [hour]
        + (0..<30).map { _ in hour - Double(Int.random(in: -40...40, using: &generator)) / 10 }
      try append(hours, to: temporary.store)
      _ = try temporary.store.prune()
      kept = (kept + hours).filter { Self.moment($0) >= Self.moment(hour - 1) }
      #expect(
        try remaining(temporary).map { ($0 * 20).rounded() } == kept.map { ($0 * 20).rounded() })
    }
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `losses are counted by the hour of recording`() throws {
    let temporary = try store(at: 10, maximumAge: .seconds(3_600))
    try append([0.1, 0.2, 1.5, 9.5], to: temporary.store)
    _ = try temporary.store.prune()

    #expect(
      try temporary.store.losses().map { "\($0.reason) \($0.hour) \($0.digests) \($0.occurrences)" }
        == ["evicted \(Self.moment(0).date) 2 4", "evicted \(Self.moment(1).date) 1 2"])
  }

  @Test func `errors that were only counted are lost with their digest`() throws {
    let temporary = try store(at: 10, maximumAge: .zero)
    try temporary.store.append(
      .make(at: Self.moment(0), .novel("a"), .novel("b").counted(40), .novel("c").counted(2)))
    try append([10], to: temporary.store)
    #expect(try temporary.store.prune().occurrences == 43)
  }

  @Test func `not a byte is left of deleted digests`() throws {
    let temporary = try store(at: 10, maximumAge: .seconds(3_600))
    try temporary.store.append(.make(at: Self.moment(0), .mismatch(at: "a", message: "first")))
    for number in 0..<3_000 {
      try temporary.store.append(
        .make(at: Self.moment(1), .mismatch(at: "a", message: "s3cr3t \(number)")))
    }
    try append([10], to: temporary.store)
    let before = try #require(try temporary.files(containing: "s3cr3t").first)
    #expect(["", "-wal"].contains(before))
    let summary = try temporary.store.prune()

    #expect(try temporary.files(containing: "s3cr3t") == [])
    #expect(summary.bytes < summary.bytesBefore / 2)
    #expect(try temporary.query("PRAGMA freelist_count") == ["0"])
  }

  /// SQLite writes pages of a transaction early when its cache is full. iOS builds it with a cache
  /// of 128 pages.
  @Test(arguments: [nil, 128])
  func `a file stays below its limit while it is written`(pagesInCache: Int?) throws {
    let limit = 1 << 20
    let temporary = try store(at: 101, maximumBytes: limit)
    let store = temporary.store
    #expect(try store.write { try $0.connection.integer("PRAGMA cache_size") } == -2_048)
    if let pagesInCache {
      try store.write { try $0.connection.execute("PRAGMA cache_size = \(pagesInCache)") }
    }
    var largest = 0
    let records = (0..<15_000).map { number in
      DigestRecord.make(
        at: Self.moment(Double(number) / 150), .novel("v\(number % 150)"),
        .mismatch(at: "items[\(number % 7)].price", message: "no number"))
    }
    for first in stride(from: 0, to: records.count, by: 1_000) {
      for begin in stride(from: first, to: first + 1_000, by: 20) {
        try store.appendAll(Array(records[begin..<begin + 20]))
      }
      _ = try store.prune()
      largest = max(largest, try DigestStore.size(of: temporary.path))
    }

    #expect(largest <= limit)
    #expect(largest > limit / 2)
    let digests = try temporary.query("SELECT count(*) FROM digest").compactMap { Int($0) }
    #expect(digests[0] > 500 && digests[0] < 12_000, "\(digests)")
    let evicted = try store.losses().reduce(0) { $0 + $1.digests }
    #expect(evicted + digests[0] == 15_000)
    let counts = try store.failures().recounts
    #expect(counts == Recount.of(records) { $1.failureKey(in: $0) })
    #expect(try store.verify().problems == [])
  }

  @Test func `when there are no digests left hours go, then days, and never a total`() throws {
    let temporary = try store(at: 24 * 2_000, maximumBytes: 1 << 20)
    let store = temporary.store
    let records = (0..<27_000).map { number in
      let hour = Double(number / 150 * 24 + 3 + number % 2 * 6)
      let key = number % 150 * 7 % 1_000
      return DigestRecord.make(
        at: Self.moment(hour), release: "r\(number / 150 % 3)", .mismatch(at: "key\(key)"))
    }
    try store.appendAll(records)
    try temporary.foldAll()
    let before = try store.failures()
    let models = try store.models()
    _ = try store.prune()

    #expect(try store.failures() == before)
    #expect(try store.models() == models)
    #expect(try temporary.query("SELECT count(*) FROM digest") == ["0"])
    #expect(try temporary.query("SELECT count(*) FROM tally WHERE span = 1") == ["0"])
    #expect(try temporary.query("SELECT count(*) FROM decodes WHERE span = 1") == ["0"])
    #expect(try DigestStore.size(of: temporary.path) <= 1 << 20)
    let undated = try store.losses().filter { $0.reason == .undated }
    let dated = try store.failures(matching: DigestFilter(since: Date(timeIntervalSince1970: 0)))
    #expect(
      undated.reduce(0) { $0 + $1.occurrences } + dated.reduce(0) { $0 + $1.occurrences }
        == records.count)
    // Here a digest has one error, and those of the days that are left are known.
    let modelsOfDays = try store.models(
      matching: DigestFilter(since: Date(timeIntervalSince1970: 0)))
    #expect(
      modelsOfDays.map(\.digests) == [dated.reduce(0) { $0 + $1.occurrences }])
    #expect(try store.verify().problems == [])
  }

  @Test(arguments: [nil, 100 << 20])
  func `a digest from elsewhere is known when it is gone`(maximumBytes: Int?) throws {
    let other = try TemporaryStore()
    for number in 0..<50 { try other.store.append(.make(.novel("v\(number)"))) }
    let text = try other.store.text()
    let temporary = try TemporaryStore(
      Configuration(maximumAge: .zero, maximumBytes: maximumBytes))
    #expect(try temporary.store.importText(text).added == 50)
    try temporary.store.append(.make(at: Moment(Date()), .novel("later")))
    let before = try temporary.store.failures()
    #expect(try temporary.store.prune().digests == 50)

    let again = try temporary.store.importText(text)

    #expect(again.added == 0)
    #expect(again.known == 50)
    #expect(try temporary.store.failures() == before)
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `own digests that are gone are known in an export of before`() throws {
    let temporary = try store(at: 10, maximumAge: .zero)
    try append([0, 1, 2], to: temporary.store)
    let text = try temporary.store.text()
    try append([10], to: temporary.store)
    _ = try temporary.store.prune()

    #expect(try temporary.store.importText(text).known == 3)
    #expect(try temporary.store.failures().reduce(0) { $0 + $1.occurrences } == 8)
  }

  @Test func `two stores that prune one file delete each digest once`() throws {
    let temporary = try store(at: 10, maximumAge: .seconds(3_600))
    let now = Self.moment(10).date
    let other = try DigestStore(
      path: temporary.path,
      configuration: Configuration(maximumAge: .seconds(3_600), clock: { now }))
    for hour in 0..<10 {
      try append([Double(hour)], to: hour % 2 == 0 ? other : temporary.store)
    }
    // One of them may have begun by itself: the losses count what all have deleted.
    let gone = { try other.losses().reduce(0) { $0 + $1.digests } }
    _ = try (temporary.store.prune(), other.prune())
    #expect(try gone() == 8)
    try append([0.5], to: other)
    _ = try temporary.store.prune()
    #expect(try gone() == 9)
  }

  @Test(arguments: [
    (Duration.seconds(-1), Int64(0)), (.milliseconds(1_500), 1_500),
    (.seconds(Int64.max), Moment.latest.milliseconds / 1_000 * 1_000),
  ])
  func `any length of time is a valid age`(_ age: Duration, _ milliseconds: Int64) {
    #expect(age.milliseconds == milliseconds)
  }
}
