import Testing

struct UsageTests {
  @Test(arguments: [
    (["nope"], "unknown command 'nope'; see digest-query --help"),
    (["--nope"], "Unknown option '--nope'; see digest-query --help"),
    (["--store", "x"], "Unknown option '--store'; see digest-query --help"),
    (
      ["top-novel-values", "extra"],
      "Unexpected argument 'extra'; see digest-query top-novel-values --help"
    ),
    (["export", "--colour"], "Unknown option '--colour'; see digest-query export --help"),
    (["verify", "--format", "csv"], "Unknown option '--format'; see digest-query verify --help"),
    (["export", "--limit", "1"], "Unknown option '--limit'; see digest-query export --help"),
    (["import"], "Missing expected argument '<file>'; see digest-query import --help"),
    (["import", "a", "b"], "Unexpected argument 'b'; see digest-query import --help"),
    (
      ["top-failures", "--format", "xml"],
      "The value 'xml' is invalid for '--format <format>'. Please provide one of the "
        + "following: table, csv, tsv, json, ndjson, markdown; see digest-query top-failures --help"
    ),
    (
      ["top-failures", "--format", "CSV"],
      "The value 'CSV' is invalid for '--format <format>'. Please provide one of the "
        + "following: table, csv, tsv, json, ndjson, markdown; see digest-query top-failures --help"
    ),
    (
      ["export", "--format", "table"],
      "The value 'table' is invalid for '--format <format>'. Please provide one of 'ndjson', 'csv' "
        + "or 'tsv'; see digest-query export --help"
    ),
    (["help", "nope"], "unknown command 'nope'; see digest-query --help"),
    (
      ["--generate-completion-script", "tcsh"],
      "Can't generate completion scripts for 'tcsh'. Please use "
        + "--generate-completion-script=<shell> with one of: zsh bash fish; see digest-query --help"
    ),
    (
      ["top-failures", "--limit", "-1"],
      "--limit -1 is too small: give it 1 or more, or leave it out; see digest-query top-failures "
        + "--help"
    ),
    (
      ["models", "--since", "-3d"],
      "The value '-3d' is invalid for '--since <time>': write 30m, 24h, 7d, 2w, 2026-11-20 or "
        + "2026-11-20T10:00:00Z; see digest-query models --help"
    ),
    (
      ["top-failures", "--model"],
      "Missing value for '--model <model>'; see digest-query top-failures --help"
    ),
  ])
  func `a wrong command line is an error of one line`(arguments: [String], message: String) throws {
    #expect(try Sandbox().run(arguments) == .failure(64, message))
  }

  @Test(arguments: [
    (["top-novel"], "unknown command 'top-novel'; did you mean top-novel-values?"),
    (["exprot"], "unknown command 'exprot'; did you mean export?"),
    (["Verify"], "unknown command 'Verify'; did you mean verify?"),
    (["top_failures"], "unknown command 'top_failures'; did you mean top-failures?"),
    (
      ["novelvalues", "--since", "7d"],
      "unknown command 'novelvalues'; did you mean top-novel-values?"
    ),
    (
      ["top-", "--limit", "3"],
      "unknown command 'top-'; did you mean top-novel-values or top-failures?"
    ),
    (["e"], "unknown command 'e'; see digest-query --help"),
    ([""], "unknown command ''; see digest-query --help"),
    (["\u{1B}[0m"], "unknown command '\\u{1B}[0m'; see digest-query --help"),
    (
      ["top-failures", "--formt", "csv"], "Unknown option '--formt'; did you mean --format?"
    ),
    (["export", "--reelase=4"], "Unknown option '--reelase'; did you mean --release?"),
  ])
  func `a wrong command line suggests the right one`(arguments: [String], message: String) throws {
    #expect(try Sandbox().run(arguments) == .failure(64, message))
  }

  @Test(arguments: [
    ["top-novel-values", "--since", "x"], ["export", "--until", "x"],
    ["top-failures", "--limit", "0"],
    ["top-novel-values", "--nope", "csv"], ["import", "--skip-invalid"], ["verify", "x"], ["-x"],
  ])
  func `usage comes before the store`(arguments: [String]) throws {
    let outcome = try Sandbox().run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: "))
    #expect(outcome.stderr.hasSuffix(" --help\n"))
    #expect(outcome.stderr.split(separator: "\n").count == 1)
  }

  private static let numbers = [
    "\(Int.max)", "9223372036854775808", "\(Int.min)", "-1", "0", "999999999999999999999999999999",
  ]

  @Test(arguments: [
    ["top-novel-values", "--limit"],
    ["top-failures", "--limit"], ["models", "--limit"], ["new", "--since", "1d", "--limit"],
    ["diff", "4.2.0", "4.3.0", "--limit"], ["digests", "--limit"], ["trend", "--limit"],
    ["trend", "--group", "value", "--limit"], ["report", "--limit"],
    ["check", "--max-occurrences"],
    ["check", "--max-new-novel-values"], ["prune", "--max-bytes"],
  ])
  func `any number is answered, or refused in one line`(option: [String]) throws {
    try expectAnswers(to: Self.numbers.map { option + [$0] })
  }

  @Test(arguments: [
    ["top-novel-values", "--since"], ["top-failures", "--since"], ["models", "--since"],
    ["trend", "--since"], ["new", "--since"], ["digests", "--since"], ["export", "--since"],
    ["report", "--since"], ["check", "--max-occurrences", "100", "--since"],
    ["top-failures", "--until"], ["prune", "--max-age"],
  ])
  func `any length of time is answered, or refused in one line`(option: [String]) throws {
    try expectAnswers(to: Self.lengths.map { option + [$0] })
  }

  @Test func `so is any period`() throws {
    try expectAnswers(
      to: Self.lengths.flatMap {
        [["diff", "\($0)..", "1d.."], ["diff", "..\($0)", "\($0)..0s"]]
      })
  }

  private static let lengths = numbers.flatMap { ["\($0)s", "\($0)w"] }

  private func expectAnswers(to commands: [[String]]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for command in commands {
      let outcome = try sandbox.run(command)
      let isRefused = outcome.status == 64
      #expect(isRefused || [0, 1].contains(outcome.status), "\(command): \(outcome)")
      guard isRefused else { continue }
      #expect(outcome.stdout == "")
      #expect(outcome.stderr.split(separator: "\n").count == 1, "\(command): \(outcome)")
      #expect(outcome.stderr.hasPrefix("digest-query: "))
    }
  }

  @Test(arguments: [
    [], ["top-novel-values"], ["top-failures"], ["trend"], ["new"], ["diff"], ["check"], ["export"],
    ["import"],
    ["verify"], ["doctor"], ["digests"], ["push"], ["spec"], ["adoption"], ["triage", "ignore"],
    ["triage", "resolve"], ["triage", "list"], ["triage", "prune"],
  ])
  func `help has an example`(command: [String]) throws {
    let sandbox = try Sandbox()
    let help = try sandbox.run(command + ["--help"])
    #expect(help.status == 0)
    #expect(help.stderr == "")
    #expect(help.stdout.contains("Example"))
    #expect(
      help.stdout.contains("\n  \((["digest-query"] + command).joined(separator: " ")) ")
        || help.stdout.contains("| digest-query import")
    )
    #expect(try sandbox.run(command + ["-h"]) == help)
    #expect(try sandbox.run(["help"] + command) == help)
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: [
    "top-novel-values", "top-failures", "trend", "new", "diff", "check", "digests", "export",
    "import", "push", "prune", "verify", "doctor", "models", "report", "watch", "metrics", "spec",
    "adoption", "triage", "triage ignore", "triage resolve", "triage list", "triage prune",
  ])
  func `the examples of the help are lines that can be copied`(command: String) throws {
    let help = try Sandbox().run(command.split(separator: " ").map(String.init) + ["--help"]).stdout
    let examples = try #require(help.split(separator: /Examples?:\n/).last)
      .prefix { $0 != "U" }.split(separator: "\n")
    #expect(!examples.isEmpty)
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
    // What is required is there.
    let triage = examples.filter { $0.contains(/triage (ignore|resolve)/) }
    #expect(triage.allSatisfy { $0.contains("--reason ") })
  }

  @Test func `the version is a number and nothing else`() throws {
    let outcome = try Sandbox().run("--version")
    #expect(outcome.stdout.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(outcome == Outcome(stdout: outcome.stdout))
  }

  @Test func `no command is answered with the help`() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run() == sandbox.run("--help"))
  }
}
