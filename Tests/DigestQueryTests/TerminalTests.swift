import Testing

/// What a person sees who runs the tool on a terminal.
@Suite(.needs("script"))
struct TerminalTests {
  private static let color = ["TERM": "xterm-256color"]

  @Test(arguments: [
    (color, true), (["TERM": "dumb"], false), ([:], false),
    (color.merging(["NO_COLOR": "1"]) { $1 }, false),
    (color.merging(["NO_COLOR": ""]) { $1 }, true),
  ])
  func `a header is bold where it is wanted`(environment: [String: String], isBold: Bool) throws {
    let sandbox = try Sandbox(importing: Drift.withDecodes)
    var expected = try sandbox.run("top-novel-values --release 4.2.0", environment: environment)
    if isBold {
      let header = expected.lines[0]
      expected.stdout = expected.stdout.replacing(header, with: "\u{1B}[1m\(header)\u{1B}[0m")
    }
    #expect(
      try sandbox.runOnTerminal(
        "top-novel-values --release 4.2.0", environment: environment, columns: 300) == expected)
  }

  @Test(arguments: [(color, "\u{1B}[2m-\u{1B}[0m"), (["TERM": "dumb"], "-")])
  func `a missing value is dim, and a value that looks alike is in quotes`(
    environment: [String: String], nothing: String
  ) throws {
    let sandbox = try Sandbox(
      importing: [Digest(failures: [.novel("-", found: ("null", nil))])])
    #expect(
      try sandbox.runOnTerminal(
        "top-failures --columns model,coding_path,expected_type,found", environment: environment,
        columns: 300
      ).lines.last
        == "App.Listing  kind         \(nothing)              \"-\"")
  }

  private static let commands = [
    "top-novel-values --format csv", "top-novel-values --format tsv",
    "top-novel-values --format json", "top-novel-values --format ndjson",
    "top-novel-values --format markdown", "new --since 2026-11-01 --format tsv",
    "diff 2026-11-13..2026-11-20 2026-11-20..2026-11-27 --format csv", "metrics", "export",
    "export --format csv", "export --format tsv",
  ]

  @Test(arguments: commands)
  func `harmless text is the same on a terminal and in a pipe`(command: String) throws {
    // With decodes, because a note about rates goes to a terminal alone.
    let decodes = ["2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z"].map { Digest.decodes(8, at: $0) }
    let sandbox = try Sandbox(importing: "\(Drift.lines[0])\n" + decodes.joined())
    let expected = try sandbox.run(command)
    #expect(try sandbox.runOnTerminal(command, environment: Self.color) == expected)
  }

  @Test(
    arguments: commands + [
      "top-novel-values", "top-failures", "trend --group value", "trend --group release",
      "digests", "show dddd-1", "show dddd-1 --format json", "show dddd-1 --format csv",
      "models",
      "top-failures --model x\(Hostile.steering)",
    ])
  func `nothing steers a terminal`(command: String) throws {
    let bad = Hostile.steering
    let sandbox = try Sandbox(
      importing: [Digest("d-1", novelValue: bad, model: bad, release: bad)])
    let outcome = try sandbox.runOnTerminal(command, environment: ["TERM": "dumb"], columns: 300)
    // Tabs are between the cells of TSV.
    let text = command.contains("tsv") ? outcome.stdout.replacing("\t", with: "") : outcome.stdout
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains("31m"))
    #expect(Hostile.steering(in: text) == [])
  }
}
