import Foundation
import Testing

@testable import DigestStore

/// Sources that are forgotten beside other processes, and interrupted removals.
struct ForgetTests {
  private static func occurrencesByRelease(_ store: TemporaryStore) throws -> [String] {
    try store.query(
      "SELECT release || ' ' || sum(occurrences) FROM counts_by_day GROUP BY release ORDER BY 1")
  }

  @Test(arguments: [false, true])
  func `an open store counts under the right release after another process forgot a source`(
    otherPushes: Bool
  ) throws {
    let target = try TemporaryStore()
    func source(_ release: String) throws -> (store: TemporaryStore, identity: String) {
      let source = try TemporaryStore()
      try source.store.append(.make(release: release))
      return (source, try #require(try source.query("SELECT identity FROM store").first))
    }
    let (a, b, c) = try (source("4.2"), source("9.9"), source("4.2"))
    try PushStepTests.push(a.store.path, into: target.store)
    let other = try DigestStore(path: target.path)
    #expect(try other.forget(source: a.identity) == 1)
    #expect(try other.sources() == [])
    if otherPushes { try PushStepTests.push(b.store.path, into: other) }
    try PushStepTests.push(c.store.path, into: target.store)
    #expect(
      try Self.occurrencesByRelease(target) == (otherPushes ? ["4.2 1", "9.9 1"] : ["4.2 1"]))
    #expect(try target.store.verify().problems == [])
    let identities = otherPushes ? [b.identity, c.identity] : [c.identity]
    #expect(try Set(target.store.sources().map(\.identity)) == Set(identities))
    // It is a new source then.
    try PushStepTests.push(a.store.path, into: target.store)
    #expect(try target.store.totals().occurrences == identities.count + 1)
    #expect(try target.store.verify().problems == [])
    try other.close()
  }

  @Test func `a source is forgotten once, and the store itself and unknown ones never`() throws {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try PushStepTests.record(0..<3, in: source.store)
    try PushStepTests.push(source.path, into: target.store)
    let identity = try #require(try source.query("SELECT identity FROM store").first)
    #expect(try target.store.forget(source: identity) == 6)
    let own = try #require(try target.query("SELECT identity FROM store").first)
    for identity in [identity, own, "nix"] {
      expectError(.invalidInput) { try target.store.forget(source: identity) }
    }
    try PushStepTests.push(source.path, into: target.store)
    #expect(try target.store.totals().occurrences == 6)
    #expect(try target.store.forget(source: identity) == 6)
  }

  @Test func `a source that was pushed without digests is listed, and can be forgotten`() throws {
    let (source, target) = try (TemporaryStore(), TemporaryStore())
    try PushStepTests.push(source.path, into: target.store)
    let identity = try #require(try source.query("SELECT identity FROM store").first)
    #expect(try target.store.sources().map(\.identity) == [identity])
    #expect(try target.store.forget(source: identity) == 0)
    #expect(try target.store.sources().isEmpty)
    expectError(.invalidInput) { try target.store.forget(source: identity) }
  }

  @Test func `a removal that ends after any step is completed by the next`() throws {
    let source = try TemporaryStore()
    try PushStepTests.record(0..<30, in: source.store)
    let identity = try #require(try source.query("SELECT identity FROM store").first)
    func target() throws -> TemporaryStore {
      let target = try TemporaryStore()
      try PushStepTests.record(10..<20, in: target.store)
      try PushStepTests.push(source.path, into: target.store)
      return target
    }
    func forget(in store: DigestStore, failingCommit number: Int? = nil) throws -> Int {
      try store.write { writer in
        let commits = Commits(writer.connection, failing: number)
        defer { commits.end() }
        _ = try FileReceiver.with(writer, maximumRows: 20) { try $0.forget(source: identity) }
        return commits.changes.count
      }
    }
    let undisturbed = try target()
    let commits = try forget(in: undisturbed.store)
    #expect(commits > 10)
    #expect(try undisturbed.store.verify().problems == [])
    let expected = try PushStepTests.contents(undisturbed.store)
    for number in 1...commits {
      let interrupted = try target()
      let store = interrupted.store
      #expect(throws: DigestStoreError.self) { try forget(in: store, failingCommit: number) }
      #expect(try store.verify().problems == [], "commit \(number)")
      // Pushing it again restores it.
      if number.isMultiple(of: 2) {
        try PushStepTests.push(source.path, into: store)
        #expect(try store.totals().occurrences == 80, "commit \(number)")
        #expect(try store.verify().problems == [], "commit \(number)")
      }
      _ = try store.forget(source: identity)
      #expect(try PushStepTests.contents(store) == expected, "commit \(number)")
    }
  }
}
