import Testing

/// What a person sees who runs the tool on a terminal.
@Suite(.enabled(if: Terminal.isInstalled, "script is not installed"))
struct TerminalTests {
  private static let color = ["TERM": "xterm-256color"]

  private static let bad = Hostile.steering

  private static let commands = [
    ["top-novel-values"], ["top-novel-values", "--format", "csv"],
    ["top-novel-values", "--format", "tsv"], ["top-novel-values", "--format", "json"],
    ["top-novel-values", "--format", "ndjson"], ["top-novel-values", "--format", "markdown"],
    ["top-failures"], ["trend", "--group", "value"], ["trend", "--group", "release"],
    ["new", "--since", "2026-11-01", "--format", "tsv"],
    ["diff", "2026-11-13..2026-11-20", "2026-11-20..2026-11-27", "--format", "csv"],
    ["metrics"], ["export"],
    ["export", "--format", "csv"], ["export", "--format", "tsv"],
  ]

  /// One digest whole.
  private static let trees = [
    ["digests", "dddd-1"], ["digests", "dddd-1", "--format", "json"],
    ["digests", "dddd-1", "--format", "csv"],
  ]

  @Test(arguments: [
    (color, true), (["TERM": "dumb"], false), ([:], false),
    (color.merging(["NO_COLOR": "1"]) { $1 }, false),
    (color.merging(["NO_COLOR": ""]) { $1 }, true),
  ])
  func `a header is bold where it is wanted`(environment: [String: String], isBold: Bool) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    var expected = try sandbox.run("top-novel-values", "--release", "4.2.0")
    if isBold {
      let header = try #require(expected.lines.first)
      expected.stdout = expected.stdout.replacing(header, with: "\u{1B}[1m\(header)\u{1B}[0m")
    }
    #expect(
      try sandbox.runOnTerminal(
        ["top-novel-values", "--release", "4.2.0"], environment: environment, columns: 300)
        == expected
    )
  }

  @Test(arguments: [(color, "\u{1B}[2m-\u{1B}[0m"), (["TERM": "dumb"], "-")])
  func `a missing value is dim, and a value that looks alike is in quotes`(
    environment: [String: String],
    nothing: String
  ) throws {
    var digest = Digest("d-1", novelValue: "-")
    digest.failures[0].foundType = "null"
    let sandbox = try Sandbox(importing: digest.line)
    let lines = try sandbox.runOnTerminal(
      ["top-failures"], environment: environment, columns: 300
    ).lines
    #expect(
      lines.last
        == "App.Listing  kind         unknownNovelValue  \(nothing)              \"-\"          "
        + "String                1        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  null        "
        + nothing
    )
  }

  @Test(arguments: commands.filter { !["top-failures", "trend"].contains($0[0]) }.dropFirst())
  func `harmless text is the same on a terminal and in a pipe`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.lines[0])
    let expected = try sandbox.run(command)
    #expect(try sandbox.runOnTerminal(command, environment: Self.color) == expected)
  }

  @Test(
    arguments: commands + [
      ["digests"], ["models"], ["top-failures", "--model", "x\(bad)"],
    ] + trees)
  func `nothing steers a terminal`(command: [String]) throws {
    var digest = Digest("d-1", novelValue: Self.bad, model: Self.bad)
    digest.release = Self.bad
    let sandbox = try Sandbox(importing: digest.line)
    let outcome = try sandbox.runOnTerminal(
      command, environment: ["TERM": "dumb"], columns: 300)
    // Tabs are between the cells of TSV.
    let text = command.contains("tsv") ? outcome.stdout.replacing("\t", with: "") : outcome.stdout
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains("31m"))
    #expect(Hostile.steering(in: text) == [])
  }
}
