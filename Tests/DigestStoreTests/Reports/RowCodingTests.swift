import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// Rows that an app sends, stores or makes for a test.
struct RowCodingTests {
  @Test func `all results of a store survive encoding`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.appendAll(RandomRecords.make(400, seed: 9))
    try expectSame(store.novelValues())
    try expectSame(store.failures())
    try expectSame(store.models())
    try expectSame(store.totals())
    try expectSame(store.losses())
    try expectSame(store.trend(by: .day, groupedBy: .kind))
    try expectSame(store.digests(limit: 20))
    try expectSame(store.digests(limit: 20).compactMap { try store.digest(id: $0.id) })
    try expectSame(store.countedWindow(matching: DigestFilter()))
    try expectSame(store.diagnose())
    try expectSame(store.verify())
    try expectSame(
      store.failureChanges(from: DigestFilter(release: "4.1"), to: DigestFilter(release: "4.2")))
    var filter = DigestFilter(
      model: "App.*", kind: .unknownNovelValue, since: Date(timeIntervalSince1970: 5))
    filter.novelValues = ["a", "b"]
    try expectSame(filter)
  }

  @Test func `a filter lacks what it does not limit, and no unknown kind is left out`() throws {
    let filter = try JSONDecoder().decode(
      DigestFilter.self, from: Data(#"{"models": ["A"], "kinds": ["other"]}"#.utf8))
    #expect(filter == DigestFilter(model: "A", kind: .other))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DigestFilter.self, from: Data(#"{"kinds": ["of tomorrow"]}"#.utf8))
    }
  }

  @Test func `rows have paths, and reasons of later versions`() throws {
    let date = Date(timeIntervalSince1970: 1_795_000_000)
    let row = DigestStore.FailureCount(
      model: "App.Listing", codingPath: "items[].kind", kind: .unknownNovelValue,
      expectedType: nil, novelValue: "villa", valueType: "String", occurrences: 3, digests: 2,
      firstSeen: date, lastSeen: date, foundType: nil, foundValue: nil, firstRelease: nil,
      rate: nil)
    #expect(row.path?.components == [.key("items"), .anyIndex, .key("kind")])
    let loss = DigestStore.Loss(
      reason: "of tomorrow", hour: date, digests: 1, occurrences: 2, note: nil)
    #expect(loss.reason.rawValue == "of tomorrow")
    #expect("\(DigestStore.Loss.Reason.movedAway)" == "moved away")
  }

  @Test func `a row that counts what is over a limit has no path`() throws {
    var configuration = DigestStore.Configuration()
    configuration.maximumFailures = 2
    let temporary = try TemporaryStore(configuration)
    for index in 0..<5 { try temporary.store.append(.make(.novel("v", at: "a\(index)"))) }
    let failures = try temporary.store.failures()
    #expect(failures.filter { $0.path == nil }.map(\.isOverflow) == [true])
    #expect(failures.filter { $0.path != nil }.count == 2)
  }

  private func expectSame<Value: Codable & Equatable>(_ value: Value) throws {
    let data = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([Value].self, from: data) == [value])
  }
}
