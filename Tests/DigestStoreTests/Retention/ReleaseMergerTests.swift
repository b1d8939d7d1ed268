import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct ReleaseMergerTests {
  private typealias Counts = [String: Recount]

  /// A moment on a day after all random records.
  private static let now = Moment(milliseconds: RandomRecords.start + 200 * Moment.hour)

  /// A store whose digests are in the counts and gone.
  private func store(_ records: [DigestRecord]) throws -> TemporaryStore {
    let temporary = try TemporaryStore(
      DigestStore.Configuration(maximumAge: .zero, clock: { Self.now.date + 1 }))
    try append(records, to: temporary)
    return temporary
  }

  private func append(_ records: [DigestRecord], to temporary: TemporaryStore) throws {
    try temporary.store.appendAll(records)
    _ = try temporary.store.prune()
  }

  private func dropper(
    of connection: Connection, maximumLength: Int = 256
  ) throws -> CountDropper {
    try CountDropper(
      connection, LossTable(connection), maximumLength: maximumLength, maximumPacks: 10)
  }

  /// Drops and merges all that it may but what is of today, or takes so many steps that merge releases.
  private func makeRoom(
    in temporary: TemporaryStore, steps: Int = .max, maximumLength: Int = 256
  ) throws {
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try dropper(of: connection, maximumLength: maximumLength)
    var merging = 0
    while merging < steps,
      try connection.transaction({ try dropper.drop(before: Self.now, excess: 0) })
    {
      let isMerging = try connection.integer(
        "SELECT count(*) FROM release WHERE name = '\(Overflow.release)'")
      merging += Int(isMerging ?? 0)
    }
  }

  private func counts(_ store: DigestStore, of release: String? = nil) throws -> Counts {
    try Dictionary(
      uniqueKeysWithValues: store.failures(matching: DigestFilter(release: release)).map {
        ($0.key, $0.recount)
      })
  }

  private func models(_ store: DigestStore, of release: String? = nil) throws -> Counts {
    try Dictionary(
      uniqueKeysWithValues: store.models(matching: DigestFilter(release: release)).map {
        let digests = try #require($0.digests)
        return (
          $0.model,
          Recount(
            occurrences: $0.occurrences, digests: digests, first: Moment($0.firstSeen),
            last: Moment($0.lastSeen))
        )
      })
  }

  /// How many errors of a release are counted elsewhere, as `reachedLimits` says.
  private func elsewhere(_ release: String, _ store: DigestStore) throws -> [Int] {
    try store.reachedLimits(matching: DigestFilter(release: release)).map { hit in
      #expect(hit.limit == .releases && hit.releases == [release])
      return hit.occurrences
    }
  }

  private func releases(_ store: DigestStore) throws -> [String: Int] {
    try Dictionary(
      uniqueKeysWithValues: store.trend(by: .day, groupedBy: .release).map {
        ($0.release ?? "-", $0.occurrences)
      })
  }

  /// Digests of many releases and some without one; every fifth release sends today too.
  private func records(_ count: Int, seed: UInt64) -> [DigestRecord] {
    var random = SeededGenerator(seed: seed)
    return RandomRecords.make(count, seed: seed).map { record in
      var record = record
      let release = Int.random(in: 0..<30, using: &random)
      record.release = release == 0 ? nil : "r\(release)"
      if release % 5 == 1, Int.random(in: 0..<8, using: &random) == 0 {
        record.recordedAt = Self.now
      }
      return record
    }
  }

  @Test(arguments: 0..<12)
  func `merged releases are counted as one, the oldest first, and all else is as before`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let records = records(.random(in: 20...300, using: &random), seed: seed)
    let temporary = try store(records)
    let store = temporary.store

    try makeRoom(
      in: temporary, steps: .random(in: 1...12, using: &random),
      maximumLength: .random(in: 1...400, using: &random))

    let ofReleases = Dictionary(grouping: records.filter { $0.release != nil }) {
      $0.release ?? ""
    }
    var merged: [DigestRecord] = []
    for (name, own) in ofReleases {
      let expected = Recount.of(own) { $1.failureKey(in: $0) }
      let counts = try counts(store, of: name)
      if counts.isEmpty { merged += own }
      #expect(counts == (counts.isEmpty ? [:] : expected), "\(name)")
      #expect(
        try models(store, of: name)
          == (counts.isEmpty ? [:] : Recount.of(own) { record, _ in record.model }), "\(name)")
      let errors = expected.values.reduce(0) { $0 + $1.occurrences }
      #expect(try elsewhere(name, store) == (counts.isEmpty ? [errors] : []), "\(name)")
    }
    #expect(
      try counts(store, of: Overflow.release) == Recount.of(merged) { $1.failureKey(in: $0) })
    #expect(
      try models(store, of: Overflow.release) == Recount.of(merged) { record, _ in record.model })
    #expect(try models(store) == Recount.of(records) { record, _ in record.model })
    #expect(try counts(store) == Recount.of(records) { $1.failureKey(in: $0) })
    let now = records.map { record in
      var record = record
      if merged.contains(where: { $0.release == record.release }) {
        record.release = Overflow.release
      }
      return record
    }
    #expect(
      try store.failures().firstReleases
        == Recount.firstReleases(now) { $1.failureKey(in: $0) })
    #expect(
      try store.novelValues().firstReleases
        == Recount.firstReleases(now) { $1.novelValueKey(in: $0) })
    #expect(
      try Dictionary(
        uniqueKeysWithValues: store.novelValues().map { ($0.key, $0.recount) })
        == Recount.of(records) { $1.novelValueKey(in: $0) })
    #expect(try store.verify().problems == [])

    let lasts = ofReleases.mapValues { $0.map(\.recordedAt).max() ?? .latest }
    let names = Set(merged.compactMap(\.release))
    let left = lasts.filter { !names.contains($0.key) && $0.value < Self.now }
    let first = left.values.min() ?? Self.now
    #expect(!names.isEmpty)
    #expect(names.allSatisfy { lasts[$0].map { $0 <= first } == true })
  }

  @Test func `all are merged but those of today, and digests without a release`() throws {
    let records = records(300, seed: 5)
    let temporary = try store(records)
    let today = Set(records.filter { $0.recordedAt == Self.now }.compactMap(\.release))
    let unnamed = records.filter { $0.release == nil }

    try makeRoom(in: temporary)

    #expect(!today.isEmpty && !unnamed.isEmpty)
    #expect(
      try Set(releases(temporary.store).keys)
        == today.union(["-", Overflow.release]))
    #expect(
      try temporary.query("SELECT count(*) FROM release WHERE name IS NOT NULL") == ["30"])
  }

  @Test func `a single release keeps its name`() throws {
    let temporary = try store([.make(release: nil), .make(release: "4.1")])
    try makeRoom(in: temporary)
    #expect(try releases(temporary.store) == ["-": 1, "4.1": 1])
    #expect(try temporary.store.reachedLimits() == [])
  }

  /// A store in which 4.0, 4.1 and 5.0 were merged; 4.2 sends today.
  private func mergedStore() throws -> TemporaryStore {
    let temporary = try store([
      .make(release: "4.0", .novel("all"), .novel("old")),
      .make(release: "4.1", .novel("all"), .novel("mine")),
      .make(release: "5.0", .novel("future")),
      .make(at: Self.now, release: "4.2", .novel("all"), .novel("new"), .novel("future")),
    ])
    try makeRoom(in: temporary)
    return temporary
  }

  @Test func `a merged release that sends again is counted from then on, and the rest is reported`()
    throws
  {
    let temporary = try mergedStore()
    let store = temporary.store
    #expect(try releases(store) == ["4.2": 3, Overflow.release: 5])

    try append([.make(at: Self.now, release: "4.1", .novel("all"), .novel("late"))], to: temporary)

    #expect(try releases(store) == ["4.1": 2, "4.2": 3, Overflow.release: 5])
    #expect(try elsewhere("4.1", store) == [2])
    #expect(try elsewhere("4.2", store) == [])
    #expect(
      try store.novelValues().map { "\($0.novelValue) \($0.occurrences)" } == [
        "all 4", "future 2", "late 1", "mine 1", "new 1", "old 1",
      ])
    #expect(try store.verify().problems == [])
  }

  @Test func `the merged counts of a release are an upper bound`() throws {
    let temporary = try mergedStore()
    func told(_ filter: DigestFilter) throws -> [Int] {
      try temporary.store.reachedLimits(matching: filter).map(\.occurrences)
    }
    #expect(try told(DigestFilter()) == [5])
    #expect(try told(DigestFilter(release: Overflow.release)) == [5])
    #expect(try told(DigestFilter(release: "4.0")) == [2])
    #expect(try told(DigestFilter(novelValue: "future", release: "4.0")) == [1])
    #expect(try told(DigestFilter(novelValue: "new", release: "4.0")) == [])
    #expect(try told(DigestFilter(release: "unheard of")) == [])
    #expect(try told(DigestFilter(hasNoRelease: true)) == [])

    // The days count a digest too many; the losses say which days are gone.
    try append([.make(at: Self.now, release: Overflow.release, .novel("new"))], to: temporary)
    let sinceEver = Date(timeIntervalSince1970: 0)
    #expect(try told(DigestFilter(release: "4.0", since: sinceEver)) == [])
    #expect(try told(DigestFilter(release: "unheard of", since: sinceEver)) == [1])
    #expect(try told(DigestFilter(release: "unheard of")) == [1])
  }

  @Test(arguments: [
    // All but the merged 5.0 are older: rather too much is new than too little.
    ("4.2", ["all", "future", "new"]),
    // What was merged is of these and of older ones.
    ("5.1", ["later"]),
    // Its own errors are elsewhere, as reachedLimits says.
    ("4.1", []), ("5.0", []),
  ])
  func `merging hides nothing that is new in a release`(
    _ release: String, _ expected: [String]
  ) throws {
    let temporary = try mergedStore()
    try append(
      [.make(at: Self.now, release: "5.1", .novel("future"), .novel("later"), .novel("mine"))],
      to: temporary)

    let filter = DigestFilter(release: release)
    let new = try temporary.store.newNovelValues(matching: filter).map(\.novelValue)

    #expect(new.sorted() == expected)
    #expect(
      try temporary.store.newFailures(matching: filter).compactMap(\.novelValue) == new)
    #expect(try elsewhere(release, temporary.store).isEmpty == !expected.isEmpty)
  }

  @Test func `names that are no versions are newer than merged releases`() throws {
    let temporary = try store([
      .make(release: "a", .novel("old")), .make(release: "b", .novel("old")),
      .make(at: Self.now, release: "c", .novel("old"), .novel("new")),
    ])
    try makeRoom(in: temporary)
    #expect(
      try temporary.store.newNovelValues(matching: DigestFilter(release: "c")).map(\.novelValue)
        == ["new"])
  }

  @Test func `a release that was found to be old may send before it is merged`() throws {
    let temporary = try store(
      ["4.0", "4.1", "4.2"].enumerated().map { index, release in
        .make(at: Moment(milliseconds: RandomRecords.start + Int64(index)), release: release)
      })
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try dropper(of: connection, maximumLength: 1)
    func step() throws -> Bool {
      try connection.transaction { try dropper.drop(before: Self.now, excess: 0) }
    }
    while try releases(temporary.store)[Overflow.release] == nil { #expect(try step()) }
    #expect(try releases(temporary.store) == ["4.1": 1, "4.2": 1, Overflow.release: 1])

    try append([.make(at: Self.now, release: "4.1")], to: temporary)
    while try step() {}

    #expect(try releases(temporary.store) == ["4.1": 2, Overflow.release: 2])
    #expect(try temporary.store.verify().problems == [])
  }

  @Test func `a merge that was rolled back is repeated`() throws {
    struct Stop: Error {}
    let temporary = try store(["4.0", "4.1", "4.2"].map { .make(release: $0) })
    let connection = try Connection(path: temporary.path, mode: .readWrite)
    let dropper = try dropper(of: connection)
    func step(_ check: () throws -> Void) throws -> Bool {
      try connection.transaction {
        let hasMore = try dropper.drop(before: Self.now, excess: 0)
        try check()
        return hasMore
      }
    }
    #expect(throws: Stop.self) {
      while true {
        _ = try step {
          if try connection.integer("SELECT count(*) FROM release") == 5 { throw Stop() }
        }
      }
    }
    dropper.forget()
    #expect(try releases(temporary.store) == ["4.0": 1, "4.1": 1, "4.2": 1])

    while try step({}) {}
    #expect(try releases(temporary.store) == [Overflow.release: 3])
    #expect(try elsewhere("4.0", temporary.store) == [1])
  }

  @Test func `damaged counts stay as they are, and the others are merged`() throws {
    let temporary = try store(["4.0", "4.1", "4.2"].map { .make(release: $0) })
    try temporary.execute(
      """
      UPDATE period SET cells = CAST(cells || x'ff' AS BLOB)
      WHERE span <> 1 AND release_id = (SELECT id FROM release WHERE name = '4.1')
      """)

    try makeRoom(in: temporary)

    #expect(try counts(temporary.store, of: Overflow.release).values.map(\.occurrences) == [2])
    #expect(try temporary.query("SELECT count(*) FROM period WHERE span = 24") == ["0"])
    #expect(
      try temporary.store.verify().problems.contains("1 packed counts cannot be read"))
    try temporary.execute("UPDATE period SET cells = x'ff' WHERE span = -1")
    #expect(
      try temporary.store.verify().problems.contains("2 packed counts cannot be read"))
  }
}
