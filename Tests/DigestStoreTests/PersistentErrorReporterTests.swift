import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct PersistentErrorReporterTests {
  @Test func `a flush returns the digest and has committed it`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(
      store: temporary.store, model: Listing.self, release: "4.2.0")
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter

    let listing = try decoder.decode(Listing.self, from: Listing.drifted)
    let digest = try #require(reporter.flushReportedErrors())

    #expect(listing.items.map(\.id) == [1])
    #expect(digest.entries.map(\.codingPath.description) == ["kind", "items[1].id"])
    let rows = try temporary.query(
      """
      SELECT printf('%s|%s|%s|%s|%s|%s|%s', model, release, coding_path, kind, expected_type,
        novel_value, value_type) FROM occurrences
      """)
    #expect(
      rows == [
        "DigestStoreTests.Listing|4.2.0|kind|unknownNovelValue|DigestStoreTests.Kind|villa|String",
        "DigestStoreTests.Listing|4.2.0|items[1].id|keyNotFound|||",
      ])
  }

  @Test func `a flush of nothing returns nil and writes nothing`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(store: temporary.store, model: Listing.self)

    #expect(reporter.flushReportedErrors() == nil)
    #expect(try temporary.query("SELECT count(*) FROM digest") == ["0"])
  }

  @Test func `the release of the configuration is taken where the reporter names none`() throws {
    let temporary = try TemporaryStore(DigestStore.Configuration(release: "4.1"))

    try temporary.store.decodeListing()
    try temporary.store.decodeListing(release: "4.2")

    #expect(try temporary.query("SELECT DISTINCT release FROM occurrences") == ["4.1", "4.2"])
  }

  @Test func `a digest is still there when the process dies right after the flush`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(store: temporary.store, model: Listing.self)
    for _ in 0..<3 {
      _ = try reporter.collectErrors {
        try JSONDecoder().decode(Listing.self, from: Listing.drifted)
      }
      reporter.flushReportedErrors()
    }

    // What a killed process leaves behind: the files as they are, without a close.
    let copy = try FaultyPlace()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: temporary.path + suffix, toPath: copy.path + suffix)
    }

    #expect(try copy.open().soundDigests() == 3)
  }

  @Test func `a reporter that is released writes what was not flushed`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    for isFlushed in [false, true] {
      let reporter = PersistentErrorReporter(store: store, model: Listing.self, release: "4.2.0")
      _ = try reporter.collectErrors {
        try JSONDecoder().decode(Listing.self, from: Listing.drifted)
      }
      if isFlushed { reporter.flushReportedErrors() }
    }
    _ = PersistentErrorReporter(store: store, model: Listing.self)

    #expect(
      try temporary.query("SELECT release FROM occurrences") == Array(repeating: "4.2.0", count: 4))
    #expect(try store.totals().digests == 2)
    #expect(store.file.pendingDecodes.isEmpty)
  }

  @Test func `a full digest is counted in the file as a whole`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(
      store: temporary.store, model: [Int].self, maximumEntries: 10)
    let payload = Data("[\(Array(repeating: #""x""#, count: 250).joined(separator: ","))]".utf8)

    _ = try reporter.collectErrors {
      try JSONDecoder().decode(Resilient<[Int]>.self, from: payload)
    }
    reporter.flushReportedErrors()

    let failures = try temporary.store.failures()
    #expect(failures.map(\.occurrences) == [250])
    #expect(failures.map(\.digests) == [1])
    #expect(try temporary.query("SELECT sum(times) FROM occurrences") == ["250"])
    #expect(
      try temporary.query("SELECT coding_path || ' ' || times FROM occurrences").suffix(2)
        == ["[9] 1", "[] 240"])
  }
}
