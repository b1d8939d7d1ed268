import Testing

struct LimitOptionTests {
  private static let commands = [
    ["top-novel-values"], ["top-failures"], ["new", "--since", "2026-11-01"],
    ["diff", "4.2.0", "4.3.0"],
  ]

  @Test(arguments: commands, [1, 2, 3])
  func `a limit keeps the first rows and says so`(command: [String], limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let all = try sandbox.run(command + ["--format", "csv"]).lines
    #expect(
      try sandbox.run(command + ["--format", "csv", "--limit", "\(limit)"])
        == Outcome(
          stdout: all.prefix(limit + 1).map { $0 + "\n" }.joined(),
          stderr:
            "digest-query: there \(limit == 1 ? "is" : "are") more than \(limit) row\(limit == 1 ? "" : "s"); raise --limit to see them\n"
        )
    )
  }

  @Test(arguments: commands, [7, 8, 1_000_000, Int.max - 1, Int.max])
  func `a limit that is not reached changes nothing`(command: [String], limit: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run(command + ["--limit", "\(limit)"]) == sandbox.run(command))
  }

  @Test func `a limit of exactly all rows changes nothing`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("top-novel-values", "--limit", "4") == sandbox.run("top-novel-values"))
  }

  @Test(arguments: [
    ("0", "--limit 0 is too small: give it 1 or more, or leave it out"),
    ("-1", "--limit -1 is too small: give it 1 or more, or leave it out"),
    ("x", "The value 'x' is invalid for '--limit <n>': give it a whole number"),
    ("1.5", "The value '1.5' is invalid for '--limit <n>': give it a whole number"),
    ("", "Missing value for '--limit <n>'"),
    (
      "99999999999999999999",
      "The value '99999999999999999999' is invalid for '--limit <n>': give it a whole number"
    ),
  ])
  func `a bad limit is refused`(limit: String, message: String) throws {
    #expect(
      try Sandbox().run("top-failures", "--limit=\(limit)")
        == .failure(64, "\(message); see digest-query top-failures --help")
    )
  }
}
