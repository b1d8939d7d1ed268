import Foundation
import Testing

struct DigestsTests {
  @Test func `it lists twenty by default`() throws {
    let sandbox = try Sandbox(importing: (1...25).map { Digest("d-\($0)") })
    let outcome = try sandbox.run("digests --format csv --columns id")
    #expect(outcome.lines.dropFirst() == (6...25).reversed().map { "d-\($0)" }[...])
  }

  @Test func `a filter chooses digests, which are whole`() throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run("digests --format csv --path price")
    #expect(
      outcome.lines.dropFirst()
        == ["d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,2,1,2"])
  }

  @Test func `a complete list ends with the number of evicted digests`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    try sandbox.evictAll()
    try sandbox.load([Digest("d-8"), Digest("d-9")].ndjson)
    #expect(
      try sandbox.run("digests").notes == [
        "counted, but no longer in detail: 5 digests of 10 occurrences (evicted, recorded since "
          + "2016-11-20T10:00:00.000Z)"
      ])
    #expect(try sandbox.run("digests --limit 1").notes.isEmpty)
  }

  @Test func `a table cuts a digest with many places`() throws {
    let digest = Digest(
      failures: ["", "a", "b", "c", "c", "d"].map { .error("other", at: $0) })
    let table = try Sandbox(importing: [digest]).run("digests").lines
    #expect(table.last?.hasSuffix("  the document, a, b and 2 more") == true)
  }
}
