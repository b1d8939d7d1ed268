import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct DigestsTests {
  private static let filters: [DigestFilter] = [
    DigestFilter(), DigestFilter(model: "App.U*"), DigestFilter(codingPath: "items[].kind"),
    DigestFilter(codingPath: "nowhere"), DigestFilter(release: "4.2"), DigestFilter(release: "9"),
    DigestFilter(kind: .typeMismatch), DigestFilter(novelValue: "y*"),
    DigestFilter(novelValue: ""),
    DigestFilter(codingPath: "kind", kind: .unknownNovelValue, novelValue: "villa"),
    DigestFilter(hasNoRelease: true), DigestFilter(kind: .other),
    DigestFilter(kind: .typeMismatch, environment: "staging", operation: "*{id}"),
    DigestFilter(codingPath: "rare"), DigestFilter(novelValue: "r*re", release: "4.1"),
    DigestFilter(model: "*Listing", codingPath: "p*", release: "4.1"),
    DigestFilter(since: Moment(milliseconds: RandomRecords.start + 40 * Moment.hour).date),
    DigestFilter(until: Moment(milliseconds: RandomRecords.start + 40 * Moment.hour).date),
    DigestFilter(
      codingPath: "kind", since: Moment(milliseconds: RandomRecords.start + 20 * Moment.hour).date,
      until: Moment(milliseconds: RandomRecords.start + 21 * Moment.hour).date),
  ]

  /// What a summary has to say, from the record alone.
  private func summary(of record: DigestRecord) -> String {
    let places = record.errors.map { "\($0.path.pattern) \($0.novelValue ?? "-")" }
    let different = places.indices.filter { places.firstIndex(of: places[$0]) == $0 }
    let values = record.errors.reduce(0) { $0 + ($1.novelValue == nil ? 0 : $1.times) }
    return "\(record.recordedAt.date) \(record.release ?? "-") \(record.model) "
      + "\(record.occurrences) \(values) \(Set(record.errors.map(\.path.pattern)).count) "
      + "\(different.count) \(different.prefix(3).map { places[$0] })"
  }

  private func text(_ digest: DigestStore.DigestSummary) -> String {
    let places = digest.firstPlaces.map { "\($0.codingPath) \($0.novelValue ?? "-")" }
    return "\(digest.recordedAt) \(digest.release ?? "-") \(digest.model) \(digest.errors) "
      + "\(digest.novelValues) \(digest.paths) \(digest.places) \(places)"
  }

  /// Whether a filter lets through a digest, by the records alone.
  private func matches(_ filter: DigestFilter, _ record: DigestRecord) -> Bool {
    filter.matches(record)
      && (!filter.choosesFailures || record.errors.contains { filter.matches(record, $0) })
  }

  @Test(arguments: [false, true])
  func `the latest digests come first, and in an export last`(isInOrder: Bool) throws {
    let temporary = try TemporaryStore()
    // More than one page looks at, folded and not.
    let records = Self.records(inOrder: isInOrder)
    try temporary.store.appendAll(records)
    let lines = try temporary.store.lines()

    for filter in Self.filters {
      let expected = zip(lines, records).filter { matches(filter, $0.1) }
      #expect(try temporary.store.lines(matching: filter) == expected.map(\.0), "\(filter)")
      var occurrences = 0
      try temporary.store.exportOccurrences(matching: filter) { occurrences += $0.times }
      let errors = expected.flatMap { _, record in
        record.errors.filter { filter.matches(record, $0) }
      }
      #expect(occurrences == errors.reduce(0) { $0 + $1.times }, "\(filter)")
      let summaries = expected.reversed().map { summary(of: $0.1) }
      for limit in [summaries.count, 20] {
        let digests = try temporary.store.digests(matching: filter, limit: limit)
        #expect(digests.map(text) == Array(summaries.prefix(limit)), "\(filter)")
      }
    }
  }

  /// Digests whose clock jumps, or runs as it should; of the latter some failures are rare.
  private static func records(inOrder isInOrder: Bool) -> [DigestRecord] {
    var records = RandomRecords.make(4_100, seed: 5)
    guard isInOrder else { return records }
    records.sort { $0.recordedAt < $1.recordedAt }
    for index in [7, 2_000, 2_001, 4_099] {
      records[index].errors.append(.novel("rare", at: "rare", expected: nil))
    }
    return records
  }

  @Test(arguments: filters.indices)
  func `digests left by an eviction are found once`(filter index: Int) throws {
    let filter = Self.filters[index]
    // The middle of the window of time: with a clock that jumps, gaps are everywhere.
    let now = Moment(milliseconds: RandomRecords.start + 100 * Moment.hour)
    let age = Duration.seconds(50 * 3_600)
    let temporary = try TemporaryStore(.init(maximumAge: age, clock: { now.date }))
    let records = RandomRecords.make(700, seed: 9)
    try temporary.store.appendAll(records)
    _ = try temporary.store.prune()
    let newest = try #require(records.map(\.recordedAt).filter { $0 <= now }.max())
    let cutoff = Moment(milliseconds: newest.milliseconds - 50 * Moment.hour)
    let expected = records.filter { $0.recordedAt >= cutoff && matches(filter, $0) }
    let found = try temporary.store.digests(matching: filter)
    #expect(found.map(\.recordedAt) == expected.reversed().map(\.recordedAt.date))
    #expect(try temporary.store.lines(matching: filter).count == expected.count)
  }

  @Test func `a digest is what exports have of it`() throws {
    let temporary = try TemporaryStore()
    var records = RandomRecords.make(60, seed: 7)
    for index in stride(from: 0, to: 60, by: 3) { records[index].id = DigestID("id-\(index)") }
    try temporary.store.appendAll(records)
    var occurrences: [String: [DigestStore.Occurrence]] = [:]
    try temporary.store.exportOccurrences { occurrences[$0.digestID, default: []].append($0) }
    let lines = try temporary.store.lines()

    for (summary, line) in zip(try temporary.store.digests().reversed(), lines) {
      let digest = try #require(try temporary.store.digest(id: summary.id))
      let all = digest.entries + digest.omissions
      #expect(all == occurrences[summary.id])
      #expect(digest.errorCount == summary.errors)
      #expect(
        [digest.id, digest.release, digest.model] == [summary.id, summary.release, summary.model])
      #expect(digest.recordedAt == summary.recordedAt)
      let exported = try temporary.store.exportLine(ofDigest: summary.id)
      #expect(exported.map { String(decoding: $0, as: UTF8.self) } == line + "\n")
    }
  }

  @Test func `a digest without errors is one too`() throws {
    let temporary = try TemporaryStore()
    var record = DigestRecord.make(release: "4.2.0")
    record.errors = []
    try temporary.store.append(record)
    let summary = try #require(try temporary.store.digests().first)
    #expect(summary.errors == 0 && summary.firstPlaces.isEmpty)
    let digest = try #require(try temporary.store.digest(id: summary.id))
    #expect(digest.entries.isEmpty && digest.omissions.isEmpty && digest.release == "4.2.0")
  }

  @Test func `a digest that is not there is none`() throws {
    let temporary = try TemporaryStore(holding: .make())
    let id = try #require(try temporary.store.digests().first?.id)
    for other in ["", "x", String(id.dropLast()), id + "0", "\(id.prefix(32))-2-1763632800123"] {
      #expect(try temporary.store.digest(id: other) == nil)
      #expect(try temporary.store.exportLine(ofDigest: other) == nil)
    }
  }

  /// A store whose identity is all ones, with digests of its own, of two others and of none.
  private func known() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    try temporary.execute(
      """
      UPDATE store SET identity = '\(Self.own)';
      UPDATE source SET identity = '\(Self.own)' WHERE id = 1
      """)
    let ids = [
      nil, nil, "\(Self.near)-2-1763632800123", "\(Self.far)-2-1763632800123",
      "\(Self.far)-20-1763632800123", "b 1", "b 12",
    ]
    let reopened = try DigestStore(path: temporary.path)
    for id in ids + Array(repeating: nil, count: 6) { try reopened.append(.make(id: id)) }
    return temporary
  }

  private static let own = String(repeating: "1", count: 32)
  private static let near = String(repeating: "1", count: 31) + "2"
  private static let far = String(repeating: "7", count: 32)
  private static func id(_ number: Int) -> String { "\(own)-\(number)-1763632800123" }

  @Test(arguments: [
    // As a whole.
    (id(1), [id(1)]), ("b 1", ["b 1"]), ("\(far)-2-1763632800123", ["\(far)-2-1763632800123"]),
    // In short.
    ("77777777-2", ["\(far)-2-1763632800123"]), ("7777-20", ["\(far)-20-1763632800123"]),
    ("7777-3", []),
    ("1111-1", [id(1)]), ("1111-2", ["\(near)-2-1763632800123", id(2)]), ("\(own)-2", [id(2)]),
    ("\(near)-2", ["\(near)-2-1763632800123"]), ("777-2", []), ("1111-01", []), ("1111-3", []),
    ("1111-10", [id(10)]),
    // Not by its beginning.
    ("b", []), ("7", []), ("", []), ("\(far)-2-", []), ("\(own)-1-17", []), ("\(own)-", []),
    ("\(own)-0", []),
    ("\(own)-99999999999999999999", []),
    ("\(own)-1x", []), ("\(own)-9223372036854775807", []),
  ])
  func `an id is known by less of it`(text: String, ids: [String]) throws {
    let temporary = try known()
    let found = try temporary.store.digestIDs(abbreviatedAs: text, limit: 2)
    // Of many it tells two, of whichever store.
    #expect(found.count == min(2, ids.count))
    #expect(Set(found).isSubset(of: ids))
  }

  @Test func `an id in short is known`() throws {
    let temporary = try known()
    for digest in try temporary.store.digests() {
      #expect(
        try temporary.store.digestIDs(abbreviatedAs: digest.shortID).contains(digest.id))
    }
    let short = try temporary.store.digests().map(\.shortID).suffix(7)
    #expect(short.prefix(2).allSatisfy { $0.hasPrefix("import-") })
    #expect(
      short.dropFirst(2)
        == ["77777777-20", "77777777-2", "11111111-2", "11111111-2", "11111111-1"])
  }

  @Test func `an evicted digest is not there, under none of its names`() throws {
    let day = Duration.seconds(86_400)
    let temporary = try TemporaryStore(.init(maximumAge: day))
    let old = Moment(milliseconds: 1_000)
    let far = Self.far
    try temporary.store.append(
      .make(at: old), .make(id: "b 1", at: old), .make(id: "\(far)-1-1000", at: old))
    let ids = try temporary.store.digests().map(\.id)
    try temporary.store.append(.make(at: Moment(Date())))
    _ = try temporary.store.prune()
    try temporary.execute("DELETE FROM digest WHERE recorded_at > 1000")
    #expect(try temporary.store.digests().isEmpty)
    for id in ids + ["b", "7777-1", "7", "#", "\(far)#"] {
      #expect(try temporary.store.digest(id: id) == nil)
      #expect(try temporary.store.digestIDs(abbreviatedAs: id).isEmpty)
    }
  }
}
