import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

struct WriteFailureTests {
  @Test func `a full disk never reaches the app, and the file counts what it missed`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.decodeListing()
    try store.write { writer in
      let pages = try writer.connection.integer("PRAGMA page_count") ?? 0
      try writer.connection.execute("PRAGMA max_page_count = \(pages)")
      // Rows until the pages that there are are full.
      while (try? writer.connection.execute(
        "INSERT INTO model (name) VALUES (hex(randomblob(500)))"))
        != nil
      {}
    }

    var failed = 0
    for _ in 0..<200 {
      #expect(try store.decodeListing().id == 1)
      failed = temporary.failures.all.count
    }
    #expect(failed > 0)
    #expect(temporary.failures.all.allSatisfy { $0.error.code == .diskFull })
    #expect(temporary.failures.all.first?.digest.entries.count == 2)
    #expect(temporary.failures.all.first?.model == "DigestStoreTests.Listing")

    try store.write { try $0.connection.execute("PRAGMA max_page_count = 1000000") }
    try store.decodeListing()

    let losses = try store.losses()
    #expect(Set(losses.map(\.reason)) == ["failed write"])
    #expect(losses.reduce(0) { $0 + $1.digests } == failed)
    #expect(losses.reduce(0) { $0 + $1.occurrences } == 2 * failed)
    #expect(try store.soundDigests() == 202 - failed)
  }

  @Test func `a flush to a closed store returns its digest and is reported`() throws {
    let temporary = try TemporaryStore()
    let reporter = PersistentErrorReporter(store: temporary.store, model: Listing.self)
    try temporary.store.close()

    _ = try reporter.collectErrors {
      try JSONDecoder().decode(Listing.self, from: Listing.drifted)
    }

    #expect(reporter.flushReportedErrors()?.entries.count == 2)
    #expect(temporary.failures.all.map(\.error.code) == [.closed])
  }
}
