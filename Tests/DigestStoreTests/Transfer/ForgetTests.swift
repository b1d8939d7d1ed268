import Foundation
import Testing

@testable import DigestStore

/// Sources that are forgotten beside other processes, and interrupted removals.
struct ForgetTests {
  static func line(of source: Character, _ number: Int, release: String) -> String {
    let id = "\(String(repeating: source, count: 32))-\(number)-1763632800000"
    return """
      {"id":"\(id)","recordedAt":"2025-11-20T10:00:00.000Z","model":"M","release":"\(release)",\
      "errors":[{"path":"a","kind":"keyNotFound"}]}
      """
  }

  private static func occurrencesByRelease(_ store: TemporaryStore) throws -> [String] {
    try store.query(
      "SELECT release || ' ' || sum(occurrences) FROM counts_by_day GROUP BY release ORDER BY 1")
  }

  @Test(arguments: [false, true])
  func `an open store counts under the right release after another process forgot a source`(
    otherImports: Bool
  ) throws {
    let temporary = try TemporaryStore()
    let (store, a) = (temporary.store, String(repeating: "a", count: 32))
    _ = try store.importText(Self.line(of: "a", 1, release: "4.2"))
    let other = try DigestStore(path: temporary.path)
    #expect(try other.forget(source: a) == 1)
    #expect(try other.sources() == [])
    if otherImports { _ = try other.importText(Self.line(of: "b", 1, release: "9.9")) }
    _ = try store.importText(Self.line(of: "b", 2, release: "4.2"))
    #expect(
      try Self.occurrencesByRelease(temporary) == (otherImports ? ["4.2 1", "9.9 1"] : ["4.2 1"]))
    #expect(try store.verify().problems == [])
    #expect(try store.sources().map(\.identity) == [String(repeating: "b", count: 32)])
    // It is a new source then.
    #expect(try store.importText(Self.line(of: "a", 1, release: "4.2")).added == 1)
    #expect(try store.verify().problems == [])
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
