import Foundation
import ResilientPlatform
import Testing

@testable import DigestStore

/// The names of sources, and when they were pushed.
struct SourceNameTests {
  private let target: TemporaryStore

  init() throws {
    target = try TemporaryStore()
  }

  private func push(
    _ source: TemporaryStore, named name: String = "", to target: TemporaryStore? = nil
  ) throws {
    let path = (target ?? self.target).path
    _ = try DigestStore.push(storesAt: [source.path], to: path, name: name)
  }

  /// A store with digests of its own.
  private func source(_ records: DigestRecord...) throws -> TemporaryStore {
    let source = try TemporaryStore()
    for record in records { try source.store.append(record) }
    return source
  }

  private func only(_ store: TemporaryStore) throws -> DigestStore.Source {
    let sources = try store.store.sources().filter { $0.pushedAt != nil }
    try #require(sources.count == 1)
    return sources[0]
  }

  @Test func `a push names its store, and each push says when it was`() throws {
    let source = try source(.make())
    let before = Moment(Date()).date
    try push(source, named: "web-1")
    let first = try only(target)
    #expect(first.name == "web-1")
    let pushedAt = try #require(first.pushedAt)
    #expect(before...Date() ~= pushedAt)

    // A push that brings nothing new.
    try target.execute("UPDATE source SET pushed_at = 1 WHERE id > 1")
    try push(source, named: "web-2")
    #expect(try only(target).name == "web-2")
    #expect(try #require(only(target).pushedAt) >= pushedAt)
    try push(source)
    #expect(try only(target).name == "web-2")
    #expect(try target.store.verify().problems == [])
  }

  @Test func `the longest silent store comes first, also one that decoded nothing`() throws {
    for (name, moment) in [("a", 3), ("b", 1), ("c", 2)] {
      try push(name == "c" ? TemporaryStore() : source(.make()), named: name)
      try target.execute("UPDATE source SET pushed_at = \(moment) WHERE name = '\(name)'")
    }
    try target.store.append(.make())
    #expect(try target.store.sources().map(\.name) == ["b", "c", "a", nil])
    #expect(try target.store.sources().map(\.digests) == [1, 0, 1, 1])
  }

  @Test func `a file passes on the names and times of the stores that were pushed to it`() throws {
    let (source, relay) = try (source(.make()), TemporaryStore())
    try push(source, named: "phone", to: relay)
    try relay.execute("UPDATE source SET pushed_at = 1000 WHERE id > 1")
    try push(relay, named: "relay")
    func times() throws -> [String?: Date?] {
      Dictionary(uniqueKeysWithValues: try target.store.sources().map { ($0.name, $0.pushedAt) })
    }
    #expect(try times()["phone"] == Date(timeIntervalSince1970: 1))
    // The store pushes by itself; what the relay passes on is older.
    try push(source)
    let pushedAt = try #require(try times()["phone"] ?? nil)
    #expect(pushedAt > Date(timeIntervalSince1970: 1))
    try push(relay, named: "relay")
    #expect(try times()["phone"] == pushedAt)
  }

  @Test(arguments: ["'; DROP TABLE source; --", "web*", "(other)", "a\0b", "é"])
  func `a name may be any text, and selects only what has it`(name: String) throws {
    try push(source(.make(.novel("yurt"))), named: name)
    try push(source(.make(.novel("villa"))), named: "web-1")
    let filter = DigestFilter(source: name)
    #expect(try target.store.novelValues(matching: filter).map(\.novelValue) == ["yurt"])
    #expect(try target.store.hasName(name, of: .source))
  }

  @Test func `a long name is cut`() throws {
    let name = String(repeating: "é", count: 10_000)
    try push(source(.make()), named: name)
    let kept = try #require(try only(target).name)
    #expect(kept.utf8.count <= 256)
    #expect(kept.hasPrefix("éééé"))
  }

  @Test func `a store that is forgotten has no name`() throws {
    try push(source(.make()), named: "web-1")
    _ = try target.store.forget(source: only(target).identity)
    #expect(try target.store.sources() == [])
    #expect(try !target.store.hasName("web-1", of: .source))
  }
}

/// Reports by source.
extension SourceNameTests {
  private static let records = RandomRecords.make(120, seed: 21)

  /// Two stores in the target, and the first one alone.
  private func one() throws -> TemporaryStore {
    let (one, other) = try (
      TemporaryStore(holding: Self.records),
      TemporaryStore(holding: RandomRecords.make(80, seed: 22))
    )
    try push(one, named: "one")
    try push(other, named: "other")
    return one
  }

  @Test func `each report counts a source as a store by itself`() throws {
    let one = try one()
    let identity = try #require(try one.query("SELECT identity FROM store").first)
    let window = DigestFilter(
      since: Moment(milliseconds: RandomRecords.start + 40 * Moment.hour + 1_234).date)
    for var filter in [DigestFilter(), DigestFilter(release: "4.2"), window] {
      func expectEqual<Answer: Equatable>(_ question: (DigestReader, DigestFilter) throws -> Answer)
        throws
      {
        let expected = try question(one.store, filter)
        for name in ["one", identity] {
          var chosen = filter
          chosen.sources = [name]
          #expect(try question(target.store, chosen) == expected)
        }
      }
      try expectEqual { try $0.failures(matching: $1) }
      try expectEqual { try $0.models(matching: $1, by: .release) }
      try expectEqual { try $0.decodeCounts(matching: $1) }
      try expectEqual { try $0.trend(matching: $1, by: .day, groupedBy: .codingPath) }
      try expectEqual { try $0.totals(matching: $1) }
      filter.releases = []
      try expectEqual { try $0.newFailures(matching: $1) }
    }
  }

  @Test func `models and trends are counted by source`() throws {
    _ = try one()
    let models = try target.store.models(by: .source)
    let trends = try target.store.trend(by: .day, groupedBy: .source)
    #expect(Set(models.map(\.contextName)) == ["one", "other"])
    #expect(Set(trends.map(\.source)) == ["one", "other"])
    for name in ["one", "other"] {
      let expected = try target.store.occurrences(matching: DigestFilter(source: name))
      #expect(models.filter { $0.contextName == name }.map(\.occurrences).reduce(0, +) == expected)
      #expect(trends.first { $0.source == name }?.occurrences == expected)
    }
    // Stores of one name are one.
    try target.execute("UPDATE source SET name = 'one'")
    #expect(try target.store.trend(by: .day, groupedBy: .source).map(\.source) == ["one"])
  }

  @Test func `a source without a name goes by its identity`() throws {
    let source = try source(.make())
    try push(source)
    let identity = try #require(try source.query("SELECT identity FROM store").first)
    #expect(try target.store.trend(by: .day, groupedBy: .source).map(\.source) == [identity])
    #expect(try target.store.names(of: .source).contains(identity))
  }
}
