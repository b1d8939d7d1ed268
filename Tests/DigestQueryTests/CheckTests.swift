import Foundation
import Testing

@testable import digest_query

struct CheckTests {
  @Test(arguments: [
    (["--max-occurrences", "10"], "ok: 10 occurrences (at most 10)"),
    (["--max-occurrences", "1", "--path", "price"], "ok: 1 occurrence (at most 1)"),
    (
      ["--max-occurrences", "0", "--model", "No*", "--allow-empty"], "ok: 0 occurrences (at most 0)"
    ),
    (
      ["--max-occurrences", "0", "--since", "2199-01-01", "--allow-empty"],
      "ok: 0 occurrences (at most 0)"
    ),
    (
      ["--max-occurrences", "0", "--model", "App.H*", "--value", "castle"],
      "ok: 0 occurrences (at most 0)"
    ),
    (
      ["--max-new-novel-values", "1", "--release", "4.3.0"],
      "ok: 1 new novel value (at most 1)"
    ),
    (
      ["--max-occurrences", "0", "--since", "2026-11-21T01:00:00Z", "--until", "2026-11-22"],
      "ok: 0 occurrences (at most 0)"
    ),
    (
      ["--max-occurrences", "1", "--until", "2026-11-20T10:30:00Z", "--path", "price"],
      "ok: 0 occurrences (at most 1)"
    ),
    (
      ["--max-new-novel-values", "0", "--since", "2026-11-22"],
      "ok: 0 new novel values (at most 0)"
    ),
    (
      ["--max-occurrences", "4", "--max-new-novel-values", "1", "--since", "2026-11-21"],
      "ok: 1 new novel value (at most 1)\nok: 4 occurrences (at most 4)"
    ),
  ])
  func `counts within the limits print nothing, or ok with --verbose`(
    arguments: [String], line: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run(["check"] + arguments) == Outcome())
    #expect(try sandbox.run(["check", "--verbose"] + arguments) == Outcome(stdout: line + "\n"))
  }

  @Test(arguments: [
    (["--max-occurrences", "9"], ["exceeded: 10 occurrences (at most 9)"]),
    (
      ["--max-new-novel-values", "0", "--release", "4.3.0"],
      [#"exceeded: 1 new novel value (at most 0): App.Home items[].kind "tower" 2"#]
    ),
    (
      ["--max-occurrences", "0", "--max-new-novel-values", "1", "--release", "4.2.0"],
      [
        "exceeded: 2 new novel values (at most 1): "
          + #"App.Listing items[].kind "villa" 2, App.Listing items[].kind "castle" 1"#,
        "exceeded: 5 occurrences (at most 0)",
      ]
    ),
    (
      ["--max-occurrences", "0", "--max-new-novel-values", "2", "--release", "4.2.0"],
      ["exceeded: 5 occurrences (at most 0)"]
    ),
    (
      ["--max-new-novel-values", "0", "--since", "2026-11-20T10:30:00Z", "--until", "2026-11-21"],
      [
        "exceeded: 2 new novel values (at most 0): "
          + #"App.Listing attrs.* "7" 1, App.Listing items[].kind "castle" 1"#
      ]
    ),
  ])
  func `each limit that is exceeded has a line that says by what`(
    arguments: [String],
    lines: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(["check"] + arguments)
        == Outcome(status: 1, stdout: lines.map { $0 + "\n" }.joined()))
  }

  @Test func `without a time or a release every novel value is new, and programs get the names`()
    throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("check", "--max-new-novel-values", "4").status == 0)
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "0", "--value", "v*", "--format", "ndjson")
        == Outcome(
          status: 1,
          stdout: #"{"limit": "new_novel_values", "allowed": 0, "found": 1, "exceeded": true, "#
            + #""details": "App.Listing items[].kind \"villa\" 2"}"# + "\n"))
  }

  @Test(arguments: [(10, ""), (11, ", and 1 more"), (130, ", and 120 more")])
  func `ten values are named`(count: Int, rest: String) throws {
    let digests = (0..<count).map { Digest(novelValue: "v\(1_000 + $0)") }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let names = (1_000..<1_010).map { "App.Listing kind \"v\($0)\" 1" }.joined(separator: ", ")
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "9", "--since", "2026-11-01")
        == Outcome(
          status: 1,
          stdout: "exceeded: \(count) new novel values (at most 9): \(names)\(rest)\n"))
  }

  private static let rows = Golden(
    table: """
      exceeded: 10 occurrences (at most 9)

      """,
    csv: """
      limit,allowed,found,exceeded,details
      new_novel_values,4,4,false,
      occurrences,9,10,true,

      """,
    unquoted: ["allowed", "found", "exceeded"])

  @Test(arguments: Golden.formats)
  func `every format and the status report an exceeded limit`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let command = [
      "check", "--format", format, "--max-new-novel-values", "4", "--since", "2026-11-20",
      "--max-occurrences",
    ]
    let stdout =
      format == "markdown"
      ? Self.rows[format].replacing("new_novel_values", with: #"new\_novel\_values"#)
      : Self.rows[format]
    #expect(try sandbox.run(command + ["9"]) == Outcome(status: 1, stdout: stdout))
    #expect(try sandbox.run(command + ["10"]).status == 0)
  }

  @Test(arguments: Golden.formats)
  func `a closed pipe does not make it ok`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for (limit, status) in [("0", Int32(1)), ("10", 0)] {
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      #expect(
        try sandbox.run(["check", "--format", format, "--max-occurrences", limit], stdout: pipe)
          == Outcome(status: status))
    }
  }

  @Test func `a value steers no terminal and breaks no line`() throws {
    let bad = "\u{1B}[31m\n\u{202E}x"
    let sandbox = try Sandbox(importing: Digest(novelValue: bad, model: bad).line)
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "0", "--since", "2026-11-01").stdout
        == "exceeded: 1 new novel value (at most 0): "
        + #"\u{1B}[31m\n\u{202E}x kind "\u{1B}[31m\n\u{202E}x" 1"# + "\n")
  }

  @Test(arguments: [
    (["--release", "v4.2.0"], "the store has no release v4.2.0; did you mean 4.2.0? To"),
    (["--release", "5"], "the store has no release 5; the newest is 4.3.0; to"),
    (
      ["--model", "App.listing"], "the store has no model App.listing; did you mean App.Listing? To"
    ),
    (["--model", "No*"], "the store has no model that matches No*; to"),
    (["--path", "prize"], "the store has no coding path prize; did you mean price? To"),
    (["--path", "?.x"], "the store has no coding path that matches ?.x; to"),
    (["--value", "vila"], "the store has no novel value vila; did you mean villa? To"),
    (["--value", "*z"], "the store has no novel value that matches *z; to"),
    (["--value", "castle", "--value", "*z"], "the store has no novel value that matches *z; to"),
    (
      ["--release", "4.2.0", "--release", "5"],
      "the store has no release 5; the newest is 4.3.0; to"
    ),
    (["--since", "2199-01-01"], "the window begins in the future; to"),
    (
      ["--since", "2026-11-22", "--until", "2026-11-20"],
      "--until is before --since: there is no time between them; to"
    ),
    (
      ["--since", "2026-11-20", "--until", "2026-11-20"],
      "--until equals --since: there is no time between them; to"
    ),
  ])
  func `a question about nothing is an error, and ok where that is allowed`(
    arguments: [String], reason: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for limit in ["--max-new-novel-values", "--max-occurrences"] {
      #expect(
        try sandbox.run(["check", limit, "0"] + arguments)
          == .failure(66, "nothing was checked: \(reason) count 0, add --allow-empty"))
      let allowed = try sandbox.run(["check", limit, "99", "--allow-empty", "-v"] + arguments)
      #expect(allowed.status == 0)
      #expect(allowed.stdout.hasPrefix("ok: "))
    }
  }

  @Test(arguments: [
    ["--until", "2026-11-20"], ["--since", "2016-01-01", "--until", "2026-11-20T10:00:00.123Z"],
  ])
  func `nothing happened before the first error, which is ok`(window: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(["check", "--verbose", "--max-occurrences", "0"] + window)
    #expect(outcome.status == 0)
    #expect(outcome.stderr.isEmpty)
    #expect(outcome.stdout.hasPrefix("ok: "))
  }

  @Test func `each unknown name has a line of its own, the last with the remedy`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(
        "check", "--max-occurrences", "0", "--model", "App.Hme", "--model", "App.Home", "--release",
        "5")
        == Outcome(
          status: 66,
          stderr: """
            digest-query: the store has no model App.Hme; did you mean App.Home?
            digest-query: nothing was checked: the store has no release 5; the newest is 4.3.0; \
            to count 0, add --allow-empty

            """))
  }

  @Test func `an empty store has exceeded nothing`() throws {
    let sandbox = try Sandbox(importing: "")
    for window in [["--since", "24h"], ["--since", "48h", "--until", "24h"]] {
      #expect(
        try sandbox.run(["check", "--max-occurrences", "0"] + window) == Outcome())
    }
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a window whose counts were dropped is a question about nothing`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let day = 1_795_046_400 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(day), 0, 7)")
    let command = ["check", "--max-occurrences", "3", "--since", "2026-11-19", "--until"]
    #expect(
      try sandbox.run(command + ["2026-11-20"])
        == .failure(
          66,
          "nothing was checked: the daily counts of the window were dropped; to count 0, add "
            + "--allow-empty"))
    let note =
      "digest-query: not counted here: 7 occurrences for which only the all-time sum is left "
      + "(undated, recorded since 2026-11-19T00:00:00.000Z)\n"
    #expect(
      try sandbox.run(command + ["2026-11-20", "--allow-empty"])
        == Outcome(stderr: note))
    // It is covered, and nothing happened in it, though all counts before it are gone.
    try #expect(
      sandbox.run(command[...2] + ["--since", "2026-11-20", "--until", "2026-11-20T09:00:00Z"])
        == Outcome())
    // If a window has other counts, a note says what they miss.
    #expect(
      try sandbox.run(command + ["2026-11-20T10:30:00Z"])
        == Outcome(stderr: note))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `losses are reported, and exceed no limit`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(1_795_168_800 / 3_600), 1, 5)"
    )
    #expect(
      try sandbox.run("check", "--max-occurrences", "10")
        == Outcome(
          stderr: "digest-query: not counted: 1 digest of 5 occurrences (failed write, since "
            + "2026-11-20T10:00:00.000Z)\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a store that is broken in part is an error and no answer`() throws {
    for table in ["tally", "loss"] {
      let sandbox = try Sandbox(importing: Drift.ndjson)
      try sandbox.alter("ALTER TABLE \(table) RENAME TO other")
      for limit in ["0", "100"] {
        let outcome = try sandbox.run("check", "--max-occurrences", limit)
        #expect(outcome.status == 65)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr.contains("in the schema differs from that of a store"))
      }
    }
  }

  @Test(arguments: [
    (
      [],
      "give one of --max-new-novel-values, --max-occurrences, --max-rate, --max-age-of-data"
    ),
    (
      ["--release", "4.2.0"],
      "give one of --max-new-novel-values, --max-occurrences, --max-rate, --max-age-of-data"
    ),
    (["--max-occurrences=-1"], "--max-occurrences -1 is too small: give it 0 or more"),
    (
      ["--max-new-novel-values=-5", "--since", "1d"],
      "--max-new-novel-values -5 is too small: give it 0 or more"
    ),
    (
      ["--max-occurrences", "many"],
      "The value 'many' is invalid for '--max-occurrences <n>': give it a whole number"
    ),
  ])
  func `what says no limit is refused`(arguments: [String], message: String) throws {
    #expect(
      try Sandbox().run(["check"] + arguments)
        == .failure(64, "\(message); see digest-query check --help"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a loss that the app asked for has no note, unless something is wrong`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let hour = 1_795_168_800 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('evicted', \(hour), 1, 5), "
        + "('redacted', \(hour), 1, 5)")
    #expect(try sandbox.run("check", "--max-occurrences", "10") == Outcome())
    for arguments in [["--max-occurrences", "9"], ["--max-occurrences", "10", "-v"]] {
      #expect(try sandbox.run(["check"] + arguments).stderr.split(separator: "\n").count == 1)
    }
  }
}

/// Limits at which a number of floating point is not what was typed.
struct CheckedRateTests {
  @Test(arguments: 1...999)
  func `a rate that equals its limit is ok`(tenths: Int) throws {
    let limit = try Rate(argument: "\(tenths / 10).\(tenths % 10)%")
    #expect(Double(tenths) / 1_000 <= limit.value)
    #expect(Double(tenths + 1) / 1_000 > limit.value)
  }
}
