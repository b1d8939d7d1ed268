import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

@testable import DigestStore

struct RecordingTests {
  @Test func `without a store a decode records nothing`() throws {
    let store: DigestStore? = nil
    let listing = try JSONDecoder().decode(Listing.self, from: Listing.drifted, recordingTo: store)
    #expect(listing.items.map(\.id) == [1])
    let list = try PropertyListEncoder().encode(["id": 1])
    #expect(
      try PropertyListDecoder().decode([String: Int].self, from: list, recordingTo: nil)
        == ["id": 1])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Listing.self, from: Listing.unusable, recordingTo: nil)
    }
  }

  @Test(arguments: [
    (#"{"kind": "villa"}"#, "id|keyNotFound|-|-|-|-"),
    (#"{"id": "x", "kind": "villa"}"#, "id|typeMismatch|Int|-|string|x"),
    ("[]", "|typeMismatch|DigestStoreTests.Listing|-|array|-"),
    ("<html>", "|dataCorrupted|DigestStoreTests.Listing|-|html|-"),
  ])
  func `an error that a decode throws is recorded`(payload: String, row: String) throws {
    let temporary = try TemporaryStore()

    #expect(throws: DecodingError.self) {
      try temporary.store.decodeListing(Data(payload.utf8))
    }

    #expect(try temporary.errors() == [row])
    #expect(try temporary.store.verify().digests == 1)
  }

  @Test func `an error of a whole document is recorded too`() throws {
    let temporary = try TemporaryStore()

    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        [String: [Listing]].self,
        from: Data(#"{"a": [{"id": 1, "kind": "house", "items": []}, {"id": "seven"}]}"#.utf8),
        recordingTo: temporary.store)
    }

    #expect(try temporary.errors() == ["a[1].id|typeMismatch|Int|-|string|seven"])
  }

  @Test func `paths have the names that a payload in snake case has`() throws {
    let temporary = try TemporaryStore()
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase

    #expect(throws: DecodingError.self) {
      try decoder.decode(
        Cased.self, from: Data(#"{"home_page": 7, "all_items": [1, "x"]}"#.utf8),
        recordingTo: temporary.store)
    }

    #expect(
      try temporary.query("SELECT coding_path FROM occurrences")
        == ["home_page", "all_items[1]", "item_id"])
  }

  @Test func `a decode of a sound payload writes nothing`() throws {
    let temporary = try TemporaryStore()

    try temporary.store.decodeListing(Listing.sound)

    #expect(try temporary.store.verify().digests == 0)
  }

  @Test func `a decoder keeps its userInfo and its own reporter`() throws {
    let temporary = try TemporaryStore()
    let decoder = JSONDecoder()
    let own = decoder.enableResilientDecodingErrorReporting()

    _ = try decoder.decode(Listing.self, from: Listing.drifted, recordingTo: temporary.store)

    #expect(own.flushReportedErrors() == nil)
    #expect(decoder.userInfo.count == 1)
    _ = try decoder.decode(Listing.self, from: Listing.drifted)
    #expect(own.flushReportedErrors()?.entries.count == 2)
  }

  @Test func `property lists are recorded like JSON`() throws {
    let temporary = try TemporaryStore()
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["id": 1, "kind": "villa", "items": [["id": 1], [:]]] as [String: Any],
      format: .binary, options: 0)

    _ = try PropertyListDecoder().decode(Listing.self, from: data, recordingTo: temporary.store)

    #expect(
      try temporary.query("SELECT coding_path FROM occurrences ORDER BY 1")
        == ["items[1].id", "kind"])
  }

  @Test func `threads that share a decoder lose nothing and mix nothing up`() throws {
    let temporary = try TemporaryStore()
    let decoder = JSONDecoder()
    let store = temporary.store
    let rounds = 400

    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<rounds {
        _ = try? decoder.decode(
          Listing.self, from: Listing.drifted, recordingTo: store, release: "\(thread)")
      }
    }

    let filters = (0..<8).map { DigestFilter(release: "\($0)") }
    #expect(
      try filters.map { try store.novelValues(matching: $0).map(\.occurrences) }
        == Array(repeating: [rounds], count: 8))
    #expect(try store.soundDigests() == 8 * rounds)
    #expect(temporary.failures.all.isEmpty)
  }

  @Test func `stores on one file add up, as processes do`() throws {
    let temporary = try TemporaryStore()
    let path = temporary.path
    let failed = Locked(0)

    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let store = try DigestStore(path: path)
        for _ in 0..<300 {
          try store.decodeListing()
        }
        try store.close()
      } catch {
        failed.withLock { $0 += 1 }
      }
    }

    #expect(failed.withLock { $0 } == 0)
    #expect(try temporary.store.novelValues().map(\.occurrences) == [1_200])
    #expect(try temporary.store.verify().isSound)
  }

  @Test func `a name of a model is the same in every run`() throws {
    struct Local: Decodable {}
    let temporary = try TemporaryStore()
    let digest = try #require(
      try JSONDecoder().decode(
        Listing.self, from: Listing.drifted, reportResilientDecodingErrors: true
      ).1)

    temporary.store.record(digest, model: Local.self)
    temporary.store.record(digest, model: [Listing.Item].self)

    #expect(
      try temporary.query("SELECT name FROM model ORDER BY id")
        == ["DigestStoreTests.RecordingTests.Local", "Array<DigestStoreTests.Listing.Item>"])
  }
}

private struct Cased: Decodable {
  @Resilient var homePage: String?
  @Resilient var allItems: [Int]
  let itemId: Int
}
