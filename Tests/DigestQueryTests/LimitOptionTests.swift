import Testing

struct LimitOptionTests {
  private static let commands = [
    "top-novel-values", "top-failures", "new --since 2026-11-01", "diff 4.2.0 4.3.0", "models",
    "digests",
  ]

  @Test(arguments: commands, [1, 2])
  func `a limit keeps the first rows`(command: String, limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let all = try sandbox.run("\(command) --format csv").lines
    #expect(
      try sandbox.run("\(command) --format csv --limit \(limit)")
        == Outcome(lines: Array(all.prefix(limit + 1))))
  }

  @Test(
    .needs("script"),
    arguments: commands.map { ($0, "row") } + [
      ("trend --group value", "group")
    ])
  func `a terminal is told that there are more`(command: String, noun: String) throws {
    let sandbox = try Sandbox(importing: Drift.withDecodes)
    let note = "digest-query: there is more than 1 \(noun); raise --limit to see them\n"
    #expect(try sandbox.runOnTerminal("\(command) --limit 1").stdout.contains(note))
    #expect(try !sandbox.runOnTerminal("\(command) --limit 9").stdout.contains("raise --limit"))
  }

  @Test(arguments: commands, [7, Int.max])
  func `a limit that is not reached changes nothing`(command: String, limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("\(command) --limit \(limit)") == sandbox.run(command))
  }
}
