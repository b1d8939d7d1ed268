import Foundation
import Testing

struct DoctorTests {
  /// What is said of a sound store, but for the sizes, and the free space, which an import may leave.
  private static let lines = [
    "path,digests.sqlite,ok,", "mode,0600,ok,", "schema,1,ok,",
    "auto_vacuum,incremental,ok,", "structure,ok,ok,", "file_bytes,%,ok,", "log_bytes,0,ok,",
    "free_pages,#,ok,", "recorded_digests,5,ok,", "entries,10,ok,", "tail_digests,0,ok,",
    "newest_error,2026-11-22T23:59:59.999Z,ok,", "limit,none,ok,", "loss,none,ok,",
    "set_aside,none,ok,",
  ]

  @Test func `a sound store has a row a check, and stays as it is`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let bytes = try #require(sandbox.bytes())

    let outcome = try sandbox.run("doctor --format csv")

    #expect((outcome.status, outcome.stderr) == (0, ""))
    #expect(outcome.lines.first == "check,value,status,remedy")
    #expect(
      outcome.lines.dropFirst().filter { !$0.hasPrefix("free_bytes,") }
        .map { $0.replacing(/^free_pages,\d+/, with: "free_pages,#") }
        == Self.lines.map { $0.replacing("%", with: "\(bytes.count)") })
    #expect(sandbox.bytes() == bytes)
  }

  @Test func `each problem has its remedy, and the exit status is 1`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(5, at: Digest.time(ago: 0))
    try sandbox.lose(
      7, in: 2, "quarantined", at: "2015-08-19T16:00:00Z", note: "digests.sqlite.broken-1")
    try sandbox.alter("UPDATE store SET folded = 0")
    try sandbox.write("", to: "digests.sqlite.broken-1")
    try sandbox.allow(0o644)

    let outcome = try sandbox.run("doctor --format tsv")

    #expect((outcome.status, outcome.stderr) == (1, ""))
    let rows = outcome.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let warnings = rows.filter { $0[2] == "warning" }
    #expect(warnings.map { $0[0] } == ["mode", "loss", "set_aside"])
    #expect(warnings.allSatisfy { !$0[3].isEmpty })
    #expect(outcome.lines.contains("tail_digests\t5\tok\t"))
    #expect(
      outcome.lines.contains(
        "loss\tquarantined: 2 digests, 7 occurrences, hours 2015-08-19T16:00:00.000Z to "
          + "2015-08-19T16:00:00.000Z: digests.sqlite.broken-1\tok\t"))
  }

  @Test func `a loss that is known isn't a warning with a later time`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(5, at: Digest.time(ago: 3 * 3_600))

    let all = try sandbox.run("doctor --format csv")
    #expect(all.status == 1)
    #expect(try sandbox.run("doctor --format csv --since 1d").lines == all.lines)

    let later = try sandbox.run("doctor --format csv --since 1h")
    #expect(later.status == 0)
    #expect(later.lines.contains { $0.wholeMatch(of: /loss,none since 2.*Z,ok,/) != nil })
    #expect(
      later.lines.filter { !$0.hasPrefix("loss,") } == all.lines.filter { !$0.hasPrefix("loss,") })
  }

  @Test(arguments: [(0o644, 1), (0o600, 0)] as [(Int, Int32)])
  func `a closed pipe does not make it healthy`(mode: Int, status: Int32) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.allow(mode)
    #expect(try sandbox.start(["doctor"], stdout: Pipe.closed()) == Outcome(status: status))
  }

  @Test func `free space and evicted digests cause no warning`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    try sandbox.evictAll()

    let outcome = try sandbox.run("doctor --format csv")

    #expect(outcome.lines.contains("recorded_digests,0,ok,"))
    #expect(outcome.lines.contains("entries,0,ok,"))
    #expect(outcome.status == 0)
  }
}
