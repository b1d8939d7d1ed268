import Testing

struct LimitOptionTests {
  private static let commands = [
    "top-novel-values", "top-failures", "new --since 2026-11-01", "diff 4.2.0 4.3.0", "models",
    "digests",
  ]

  @Test(arguments: commands, [1, 2])
  func `a limit keeps the first rows and says so`(command: String, limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let all = try sandbox.run("\(command) --format csv").lines
    let more = limit == 1 ? "is more than 1 row" : "are more than 2 rows"
    #expect(
      try sandbox.run("\(command) --format csv --limit \(limit)")
        == Outcome(
          lines: Array(all.prefix(limit + 1)),
          notes: all.count > limit + 1 ? ["there \(more); raise --limit to see them"] : []))
  }

  @Test(arguments: commands, [7, Int.max])
  func `a limit that is not reached changes nothing`(command: String, limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("\(command) --limit \(limit)") == sandbox.run(command))
  }
}
