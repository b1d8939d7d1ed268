import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct DecodeCountsTests {
  private let clock = Locked(date("10:00:00"))

  /// A time of a day, as in `10:59:59`.
  private static func date(_ text: String) -> Date {
    Moment(milliseconds: ISO8601.milliseconds(ofTime: "2026-11-20T\(text)Z") ?? 0).date
  }

  private func temporary(
    _ change: (inout DigestStore.Configuration) -> Void = { _ in }
  ) throws -> TemporaryStore {
    var configuration = DigestStore.Configuration()
    configuration.clock = { [clock] in clock.withLock { $0 } }
    change(&configuration)
    return try TemporaryStore(configuration)
  }

  /// Decodes so many payloads without errors, and so many with one.
  private func decode(
    clean: Int = 0, bad: Int = 0, release: String? = nil, into store: DigestStore
  ) throws {
    for (data, count) in [(Listing.sound, clean), (Listing.drifted, bad)] {
      for _ in 0..<count {
        try store.decodeListing(data, release: release)
      }
    }
  }

  /// The view `decodes_by_hour`, as in `10 4.2 7`: the hour, the release and the decodes.
  private func view(_ temporary: TemporaryStore) throws -> [String] {
    try temporary.query(
      """
      SELECT ifnull(substr(start, 12, 2), '-') || ' ' || ifnull(release, '-') || ' ' || decodes
      FROM decodes_by_hour ORDER BY start, release
      """)
  }

  @Test func `each decode is counted once, by release and hour, in every state of the file`() throws
  {
    let temporary = try temporary()
    try decode(clean: 3, bad: 2, into: temporary.store)
    clock.withLock { $0 = Self.date("10:59:59") }
    try decode(clean: 1, release: "4.2", into: temporary.store)
    clock.withLock { $0 = Self.date("11:00:00") }
    try decode(clean: 2, bad: 1, release: "4.2", into: temporary.store)
    temporary.store.flush()

    let expected = ["10 - 5", "10 4.2 1", "11 4.2 3"]
    #expect(try view(temporary) == expected)
    try temporary.foldAll()
    #expect(try view(temporary) == expected)
    #expect(try temporary.store.verify().isSound)
    let counts = try temporary.store.decodeCounts()
    #expect(counts == DigestStore.DecodeCounts(decodes: 9, digests: 3, since: nil, until: nil))
    #expect(counts?.rate == 1.0 / 3)
  }

  @Test func `clean decodes are written with the next digest, and with flush, suspend and close`()
    throws
  {
    let temporary = try temporary()
    try decode(clean: 2, into: temporary.store)
    #expect(try view(temporary) == [])
    try decode(bad: 1, into: temporary.store)
    #expect(try view(temporary) == ["10 - 3"])
    try decode(clean: 1, into: temporary.store)
    temporary.store.flush()
    #expect(try view(temporary) == ["10 - 4"])
    try decode(clean: 1, into: temporary.store)
    temporary.store.suspend()
    #expect(try view(temporary) == ["10 - 5"])
    try decode(clean: 1, into: temporary.store)
    temporary.store.resume()
    try decode(clean: 1, into: temporary.store)
    try temporary.store.close()
    #expect(try view(temporary) == ["10 - 7"])
  }

  @Test func `recordErrors and a flushed reporter count decodes too, and record counts a digest`()
    throws
  {
    let temporary = try temporary()
    let store = temporary.store
    _ = store.recordErrors(of: Listing.self) { 1 }
    let reporter = PersistentErrorReporter(store: store, model: Listing.self, release: "4.2")
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    for data in [Listing.sound, Listing.drifted] {
      _ = try decoder.decode(Listing.self, from: data)
      reporter.flushReportedErrors()
    }
    store.flush()
    #expect(try view(temporary) == ["10 - 1", "10 4.2 2"])
  }

  @Test func `a decode all of whose errors are redacted counts as clean`() throws {
    let temporary = try temporary { $0.redact = { _ in nil } }
    try decode(clean: 1, bad: 2, into: temporary.store)
    temporary.store.flush()
    #expect(try view(temporary) == ["10 - 3"])
    try temporary.foldAll()
    #expect(try view(temporary) == ["10 - 3"])
    #expect(try temporary.store.decodeCounts()?.rate == 0)
  }

  @Test func `a store that counts no decodes has no rates`() throws {
    let temporary = try temporary { $0.countsDecodes = false }
    try decode(clean: 5, bad: 1, into: temporary.store)
    temporary.store.flush()
    #expect(try temporary.store.decodeCounts() == nil)
    #expect(try temporary.store.models().map(\.decodes) == [nil])
    #expect(try temporary.store.models().map(\.rate) == [nil])
    #expect(try temporary.store.overview(limit: 1).decodes == nil)
  }

  @Test func `rates are of whole hours, and of none before the first clean decode`() throws {
    let temporary = try temporary()
    try decode(bad: 4, into: temporary.store)
    clock.withLock { $0 = Self.date("11:30:00") }
    try decode(clean: 3, bad: 1, into: temporary.store)
    clock.withLock { $0 = Self.date("12:10:00") }
    try decode(bad: 1, into: temporary.store)
    temporary.store.flush()
    let cases: [(since: String?, until: String?, DigestStore.DecodeCounts?)] = [
      (nil, nil, counts(5, 2, "11:00:00", nil)),
      (nil, "11:00:00", nil),
      ("11:45:00", nil, counts(5, 2, "11:00:00", nil)),
      ("11:00:00", "11:01:00", counts(4, 1, "11:00:00", "12:00:00")),
      ("12:00:00", nil, counts(1, 1, "12:00:00", nil)),
      ("13:00:00", nil, counts(0, 0, "13:00:00", nil)),
    ]
    for isFolded in [false, true] {
      if isFolded { try temporary.foldAll() }
      for (since, until, expected) in cases {
        let filter = DigestFilter(
          since: since.map(Self.date), until: until.map(Self.date))
        #expect(try temporary.store.decodeCounts(matching: filter) == expected)
      }
    }
    #expect(try temporary.store.models().map(\.rate) == [0.4])
    #expect(try temporary.store.models().map(\.digests) == [6])
  }

  private func counts(_ decodes: Int, _ digests: Int, _ since: String, _ until: String?)
    -> DigestStore.DecodeCounts
  {
    DigestStore.DecodeCounts(
      decodes: decodes, digests: digests, since: Self.date(since),
      until: until.map(Self.date))
  }

  @Test func `a filter for failures limits the errors of a rate, not the decodes`() throws {
    let temporary = try temporary()
    try decode(clean: 6, bad: 2, into: temporary.store)
    _ = try? JSONDecoder().decode(
      Listing.self, from: Data("[]".utf8), recordingTo: temporary.store)
    _ = temporary.store.recordErrors(of: Int.self) { 1 }
    temporary.store.flush()
    func rates(_ filter: DigestFilter) throws -> [Double?] {
      try temporary.store.models(matching: filter).map(\.rate)
    }
    #expect(try rates(DigestFilter()) == [3.0 / 9, 0])
    #expect(try rates(DigestFilter(novelValue: "*")) == [2.0 / 9])
    let value = try #require(temporary.store.novelValues().first?.novelValue)
    #expect(try rates(DigestFilter(novelValue: value)) == [2.0 / 9])
    #expect(try rates(DigestFilter(kind: .typeMismatch)) == [1.0 / 9])
    #expect(try rates(DigestFilter(codingPath: "no.such")) == [])
    #expect(
      try temporary.store.decodeCounts(matching: DigestFilter(model: "*Int"))
        == DigestStore.DecodeCounts(decodes: 1, digests: 0, since: nil, until: nil))
    #expect(try temporary.store.decodeCounts()?.decodes == 10)
  }

  @Test func `all kinds have the rate of all digests`() throws {
    let temporary = try TemporaryStore()
    let date = Date(timeIntervalSince1970: 1_795_168_800)
    for second in 0..<4 {
      let moment = Moment(date + Double(second))
      try temporary.store.append(
        second < 3
          ? .make(at: moment, .novel("a"), .novel("b", at: "c"))
          : .make(
            at: moment,
            RecordedError(
              path: ErrorDigest.Path("k") ?? ErrorDigest.Path(), kind: .missingKey,
              expectedType: nil, message: nil)))
    }
    temporary.store.countCleanDecode(of: "App.Listing", DigestContext(), at: date)
    temporary.store.flush()
    let all = DigestFilter().ofAllKinds
    #expect(try temporary.store.decodeCounts(matching: all)?.digests == 4)
    #expect(try temporary.store.decodeCounts(matching: DigestFilter())?.digests == 3)
  }

  @Test func `threads count every decode, also while digests are written`() throws {
    let temporary = try temporary { $0.writing = .inBackground() }
    let store = temporary.store
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<500 {
        let data = index % 50 == thread ? Listing.drifted : Listing.sound
        _ = try? JSONDecoder().decode(
          Listing.self, from: data, recordingTo: store, release: "\(index % 40)")
      }
    }
    store.flush()
    let counts = try #require(try store.decodeCounts())
    #expect(counts.decodes == 4_000)
    #expect(counts.digests == 80)
    #expect(try temporary.query("SELECT sum(decodes) FROM decodes_by_hour") == ["4000"])
    #expect(try store.verify().isSound)
  }

  @Test(.ownThread) func `decodes that cannot be written yet are written later`() throws {
    let temporary = try temporary()
    let other = try Connection(path: temporary.path, mode: .readWrite)
    try decode(clean: 1, into: temporary.store)
    try other.execute("BEGIN IMMEDIATE")
    temporary.store.flush()
    #expect(try view(temporary) == [])
    try other.execute("COMMIT")
    try decode(clean: 1, into: temporary.store)
    temporary.store.flush()
    #expect(try view(temporary) == ["10 - 2"])
  }

  @Test func `a store that writes only decodes asks for checkpoints and evictions`() throws {
    let temporary = try temporary { $0.maximumBytes = 2 << 20 }
    var due: MaintenanceTasks = []
    for index in 0..<900 {
      try decode(clean: 1, release: "\(index % 100)", into: temporary.store)
      due.formUnion(temporary.store.queue.drain())
    }
    #expect(due.isSuperset(of: [.checkpoint, .evict]))
    #expect(try temporary.query("SELECT sum(decodes) FROM decodes_by_hour") == ["900"])
  }
}
