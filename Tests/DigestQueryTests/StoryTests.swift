import Foundation
import Testing

/// The faults of ``Story`` as those see them who act on them: a gate, a page, one failure.
struct StoryTests {
  private static let window = "--since 2026-11-28 --until 2026-11-29"

  private static let sandbox = Result {
    let sandbox = try Sandbox(importing: Story.ndjson)
    try sandbox.write(Story.triage + "\n", to: "digest-triage.ndjson")
    return sandbox
  }

  private struct Row: Decodable {
    let id, section: String
    let occurrences: Int
    let rate: Double
    let operation: String
    let firstRelease: String
  }

  private struct Shown: Decodable {
    let id: String
    let occurrences: Int
    let rate: Double
    let operations: [Part]
    let releases: [Part]
    let firstRelease: String

    struct Part: Decodable {
      let operation, release: String?
      let occurrences: Int
    }
  }

  @Test func `show says the same of each failure as the summary`() throws {
    let sandbox = try Self.sandbox.get()
    let json = try sandbox.run("summary \(Self.window) --format json").stdout
    let rows = try JSONDecoder.ofRows.decode([Row].self, from: Data(json.utf8))
    #expect(rows.count == 8)
    for row in rows where row.section != "over" {
      let json = try sandbox.run("show \(row.id) \(Self.window) --format json").stdout
      let shown = try JSONDecoder.ofRows.decode(Shown.self, from: Data(json.utf8))
      #expect(shown.id == row.id)
      #expect((shown.occurrences, shown.rate) == (row.occurrences, row.rate))
      #expect(shown.firstRelease == row.firstRelease)
      #expect(shown.operations.first?.operation == row.operation)
      for parts in [shown.operations, shown.releases] {
        #expect(parts.reduce(0) { $0 + $1.occurrences } == row.occurrences)
      }
    }
  }

  /// Each operation has its failures in the order of the summary.
  @Test func `the page has the failures by operation`() throws {
    let page = try Self.sandbox.get().page(Self.window)
    let headings: Set = ["GET /feed", "GET /orders", "GET /search", "GET /me"]
    let lines = try page.section("Failures").filter {
      headings.contains($0) || $0.contains(" | ") && !$0.hasPrefix("Where | ")
    }
    let expected = [
      "GET /feed", "new items[].price", "items[].amenities[]", "GET /orders",
      "new orders[].status", "new over the whole document", "over orders[].total", "GET /search",
      "growing items[].amenities[]", "GET /me", "vanished address.zip", "badge",
    ]
    #expect(lines.count == expected.count, "\(lines)")
    for (line, beginning) in zip(lines, expected) { #expect(line.hasPrefix(beginning)) }
    #expect(
      page.lines[1].hasPrefix("3 new, 1 growing, 1 vanished key, 2 over from 2026-11-28 00:00"))
  }

  /// What each gate counts, and whether it passes.
  @Test(arguments: [
    ("--max-new 0", 3), ("--max-new 0 --kind typeMismatch", 1), ("--max-new 0 --value '*'", 1),
    ("--max-new 0 --kind missingKey", 1),
    ("--max-new 0 --value gold", 0), ("--max-new 0 --release 4.2.0", 2),
    ("--max-new 0 --operation 'GET /me'", 0),
  ])
  func `a gate counts new failures of each kind`(options: String, count: Int) throws {
    let outcome = try Self.sandbox.get().runShell(
      "digest-query check \(options) \(Self.window) --format csv --columns limit,found")
    #expect(outcome.status == (count > 0 ? 1 : 0), "\(outcome)")
    #expect(outcome.lines == ["limit,found", "new,\(count)"], "\(outcome)")
  }

  @Test func `each failure alerts once`() throws {
    let sandbox = try Sandbox(importing: Story.ndjson)
    let command = "check --max-new 0 --since-last hourly \(Self.window)"
    let first = try sandbox.run(command)
    #expect(first.status == 1)
    for text in ["refunding", "items[].price", "dataCorrupted"] {
      #expect(first.stdout.contains(text), "\(first)")
    }
    #expect(try sandbox.run(command).status == 0)
  }
}
