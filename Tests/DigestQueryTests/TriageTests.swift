import Foundation
import Testing

@testable import digest_query

struct TriageTests {
  /// Digests of `villa` at `kind`: day of November 2026, 99 for one of 2100, release, and how often.
  private static func ndjson(_ digests: [(day: Int, release: String?, count: Int)]) throws -> String
  {
    try digests.enumerated().map { index, digest in
      var line = Digest(
        "d-\(index + 1)",
        recordedAt: digest.day == 99
          ? "2100-01-01T10:00:00.000Z"
          : "2026-11-\(digest.day < 10 ? "0" : "")\(digest.day)T10:00:00.000Z")
      line.release = digest.release
      line.failures = [Digest.Failure(count: digest.count)]
      return line
    }.ndjson
  }

  private typealias Digests = [(day: Int, release: String?, count: Int)]

  /// A decision, what was recorded, and the state then.
  private static let states: [(String, Digests, String)] = [
    (#""state": "ignored""#, [(1, "4.1.0", 5)], "ignored"),
    (#""state": "ignored", "until": "2026-11-10""#, [(1, "4.1.0", 5)], "ignored"),
    (#""state": "ignored", "until": "2026-11-10""#, [(1, "4.1.0", 5), (9, "4.1.0", 1)], "ignored"),
    (
      #""state": "ignored", "until": "2026-11-10""#, [(1, "4.1.0", 5), (10, "4.1.0", 1)],
      "regressed"
    ),
    (
      #""state": "ignored", "until": "2026-11-10T10:00:00.001Z""#,
      [(10, "4.1.0", 1)], "ignored"
    ),
    (#""state": "ignored", "until": "2099-01-01""#, [(10, "4.1.0", 1)], "ignored"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "4.1.0", 1), (2, nil, 1)], "ignored"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "4.2.0", 1)], "regressed"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "4.10.0", 1)], "regressed"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "4.2.0-beta.1", 1)], "ignored"),
    (#""state": "ignored", "until": "4.2.0 (80)""#, [(1, "4.2.0 (77)", 1)], "ignored"),
    (#""state": "ignored", "until": "4.2.0 (80)""#, [(1, "4.2.0 (100)", 1)], "regressed"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "4.2.0+7", 1)], "regressed"),
    (#""state": "ignored", "until": "v4.2""#, [(1, "4.2.0", 1)], "regressed"),
    (#""state": "ignored", "until": "4.2.0""#, [(1, "App@4.2.0", 1)], "regressed"),
    (
      #""state": "ignored", "until": "4.2.0""#, [(1, "4304113", 1), (2, "ios-4.4.0", 1)], "ignored"
    ),
    (#""state": "resolved", "at": "2026-11-05""#, [(1, "4.1.0", 5)], "resolved"),
    (#""state": "resolved", "at": "2026-11-05""#, [(1, "4.1.0", 5), (5, "4.1.0", 1)], "regressed"),
    (
      #""state": "resolved", "at": "2026-11-01", "until": "4.2.0""#,
      [(1, "4.1.0", 5), (9, "4.1.0", 5)], "resolved"
    ),
    (
      #""state": "resolved", "at": "2026-11-01", "until": "4.2.0""#,
      [(1, "4.1.0", 5), (9, "4.2.0", 1)], "regressed"
    ),
    (
      #""state": "resolved", "at": "2026-11-01", "until": "2026-11-08""#,
      [(7, "4.1.0", 5)], "resolved"
    ),
    (
      #""state": "resolved", "at": "2026-11-01", "until": "2026-11-08""#,
      [(8, "4.1.0", 5)], "regressed"
    ),
  ]

  @Test(arguments: states.indices)
  func `a state follows from what came since`(_ index: Int) throws {
    let (decision, digests, state) = Self.states[index]
    let sandbox = try Sandbox(importing: Self.ndjson(digests))
    try sandbox.write("{\"value\": \"villa\", \(decision)}\n", to: "digest-triage.ndjson")
    let needsWork = state == "regressed"

    for command in [["top-novel-values"], ["top-failures"]] {
      #expect(
        try sandbox.run(command + ["--format", "csv", "--columns", "novel_value,state"])
          == Outcome(stdout: "novel_value,state\nvilla,\(state)\n"))
    }
    let note =
      "digest-query: 1 \(state) failure hidden by digest-triage.ndjson; --no-triage shows all\n"
    #expect(
      try sandbox.run(
        "new", "--since", "2026-01-01", "--format", "csv", "--columns", "novel_value,state")
        == Outcome(
          stdout: "novel_value,state\n" + (needsWork ? "villa,regressed\n" : ""),
          stderr: needsWork ? "" : "digest-query: nothing found that matches\n" + note))
    let check = try sandbox.run("check", "--max-new-novel-values", "0", "--max-occurrences", "0")
    #expect(check.status == (needsWork ? 1 : 0))
    #expect(
      check.stderr.contains("1 \(state) failure hidden by digest-triage.ndjson") == !needsWork)
    #expect(check.stderr.contains("not counted: ") == !needsWork)
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "0", "--no-triage").status == 1)
  }

  /// Digests with a later time than now do not affect a state.
  @Test(
    arguments: [
      (#""state": "ignored", "until": "2099-01-01""#, 1, "4.1.0", "ignored"),
      (#""state": "ignored", "until": "2026-11-01T10:00:00Z""#, 1, "4.1.0", "regressed"),
      (#""state": "ignored", "until": "2026-11-01T10:00:00.001Z""#, 1, "4.1.0", "ignored"),
      (#""state": "resolved", "at": "2026-11-01T10:00:00Z""#, 1, "4.1.0", "resolved"),
      (#""state": "resolved", "at": "2026-11-01T09:59:59.999Z""#, 1, "4.1.0", "regressed"),
      (#""state": "resolved", "at": "2026-11-05""#, nil, "4.1.0", "resolved"),
      (#""state": "ignored", "until": "4.2.0""#, 1, "4.2.0", "ignored"),
    ] as [(String, Int?, String, String)])
  func `a clock that is ahead ends no decision`(
    decision: String, day: Int?, releaseAhead: String, state: String
  ) throws {
    let digests = [day.map { ($0, "4.1.0", 1) }, (99, releaseAhead, 1)].compactMap(\.self)
    let sandbox = try Sandbox(importing: Self.ndjson(digests))
    try sandbox.write("{\"value\": \"villa\", \(decision)}\n", to: "digest-triage.ndjson")
    #expect(
      try sandbox.run("top-failures", "--format", "csv", "--columns", "novel_value,state").stdout
        == "novel_value,state\nvilla,\(state)\n")
  }

  /// Lines of the file, and the states of `villa` and `yurt` at `kind`, and of `price`.
  @Test(arguments: [
    ([#"{"value": "vi*", "state": "ignored"}"#], "ignored open open"),
    ([#"{"value": "?????", "state": "ignored"}"#], "ignored open open"),
    ([#"{"path": "kind", "state": "ignored"}"#], "ignored ignored open"),
    ([#"{"path": "*i*", "state": "ignored"}"#], "ignored ignored ignored"),
    ([#"{"kind": "typeMismatch", "state": "ignored"}"#], "open open ignored"),
    ([#"{"model": "App.*", "value": "*", "state": "ignored"}"#], "ignored ignored open"),
    ([#"{"model": "App.L", "state": "ignored"}"#], "open open open"),
    ([#"{"model": "App.[L]isting", "state": "ignored"}"#], "open open open"),
    // The last line counts.
    (
      [
        #"{"path": "*", "state": "ignored"}"#,
        #"{"value": "villa", "state": "resolved", "until": "9.0"}"#,
      ], "resolved ignored ignored"
    ),
    (
      [
        #"{"value": "villa", "state": "resolved", "until": "9.0"}"#,
        #"{"path": "*", "state": "ignored", "until": "2026-11-01"}"#,
      ], "regressed regressed regressed"
    ),
  ])
  func `patterns match as those of filters`(lines: [String], states: String) throws {
    var digest = Digest("d-1")
    digest.failures = [
      Digest.Failure(), Digest.Failure(novelValue: "yurt"),
      Digest.Failure(path: "price", kind: "typeMismatch", novelValue: nil, novelValueType: nil),
    ]
    let sandbox = try Sandbox(importing: digest.line)
    try sandbox.write(lines.joined(separator: "\r\n"), to: "decisions")
    let rows = try sandbox.run(
      "top-failures", "--triage", "decisions", "--format", "csv", "--columns",
      "coding_path,novel_value,state"
    ).lines
    let found = ["kind,villa,", "kind,yurt,", "price,,"].map { start in
      rows.first { $0.hasPrefix(start) }?.dropFirst(start.count) ?? ""
    }
    #expect(found.joined(separator: " ") == states)
  }

  private static let badLines: [(String, String)] = [
    ("{", "is not a JSON object with string values"),
    ("[]", "is not a JSON object with string values"),
    (#"{"value": ["a"], "state": "ignored"}"#, "is not a JSON object with string values"),
    (#"{"state": "ignored"}"#, "names no failure: it has none of model, path, kind and value"),
    (#"{"vaule": "a", "state": "ignored"}"#, "has an unknown member vaule; did you mean value?"),
    (#"{"value": "a"}"#, "has a state that is neither ignored nor resolved"),
    (#"{"value": "a", "state": "fixed"}"#, "has a state that is neither ignored nor resolved"),
    (
      #"{"kind": "typeMissmatch", "state": "ignored"}"#,
      "has an unknown kind typeMissmatch; did you mean typeMismatch?"
    ),
    (#"{"value": 7, "state": "ignored"}"#, "has a number as value"),
    (#"{"value": "a", "state": "ignored", "until": 5}"#, "has a number as until"),
    (
      #"{"value": "a", "state": "ignored", "at": "yesterday"}"#,
      "has a time that is not ISO 8601: yesterday"
    ),
    (
      #"{"value": "a", "state": "ignored", "until": "tomorrow"}"#,
      "has an until that is neither a date nor a version: tomorrow"
    ),
    (
      #"{"value": "a", "state": "ignored", "until": "2026-13-01"}"#,
      "has an until that is neither a date nor a version: 2026-13-01"
    ),
    (
      #"{"value": "a", "state": "resolved"}"#,
      "is resolved but has neither at nor until"
    ),
  ]

  @Test(arguments: badLines)
  func `a bad line is named by its number`(line: String, problem: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let text = #"{"value": "a", "state": "ignored"}"# + "\n\n" + line + "\n"
    try sandbox.write(text, to: "digest-triage.ndjson")
    let failure = Outcome.failure(65, "digest-triage.ndjson, line 3, \(problem)")
    for command in [
      ["top-failures"], ["new", "--since", "2026-01-01"], ["triage", "list"], ["triage", "prune"],
      ["triage", "ignore", "--value", "b", "--reason", "c"],
      ["check", "--max-new-novel-values", "0"],
    ] {
      #expect(try sandbox.run(command) == failure)
    }
    #expect(sandbox.text("digest-triage.ndjson") == text)
  }

  @Test func `a decision is a line at the end of the file`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let environment = ["USER": "kim", "DIGEST_TRIAGE": "team.ndjson"]
    try sandbox.write(#"{"value": "x", "state": "ignored"}"#, to: "team.ndjson")
    let outcome = try sandbox.run(
      [
        "triage", "ignore", "--model", "App.Home", "--value", "to*", "--reason", "a \"tower\"",
        "--until", "2099-01-31",
      ], environment: environment)
    _ = try sandbox.run(
      [
        "triage", "resolve", "--path", "price", "--kind", "typeMismatch", "--reason", "é",
        "--until", "4.4.0", "--by", "Ana",
      ], environment: environment)
    let lines = (sandbox.text("team.ndjson") ?? "").split(separator: "\n").map {
      $0.replacing(/"at": "[^"]*"/, with: "\"at\": …")
    }
    #expect(
      lines == [
        #"{"value": "x", "state": "ignored"}"#,
        #"{"model": "App.Home", "value": "to*", "state": "ignored", "reason": "a \"tower\"", "#
          + #""until": "2099-01-31", "by": "kim", "at": …}"#,
        #"{"path": "price", "kind": "typeMismatch", "state": "resolved", "reason": "é", "#
          + #""until": "4.4.0", "by": "Ana", "at": …}"#,
      ])
    #expect(outcome.stdout.hasPrefix(#"team.ndjson: {"model": "App.Home""#))
    #expect(
      try sandbox.run(
        [
          "top-failures", "--format", "csv", "--columns", "state", "--model", "App.Home", "--value",
          "*",
        ],
        environment: environment
      ).lines == ["state", "ignored"])
  }

  @Test func `lines that are of no use are named, and can be removed`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = [
      #"{"value": "villa", "state": "ignored", "reason": "first"}"#,
      #"{"value": "nothing", "state": "ignored"}"#,
      #"{"value": "castle", "state": "ignored", "until": "2026-11-21"}"#,
      #"{"value": "tower", "state": "resolved", "until": "2026-11-20"}"#,
      #"{"value": "villa", "state": "resolved", "at": "2026-11-25", "reason": "later"}"#,
      #"{"model": "App.Listing", "value": "7", "state": "ignored"}"#,
      #"{"value": "7*", "state": "ignored"}"#,
    ]
    try sandbox.write(lines.joined(separator: "\n") + "\n", to: "digest-triage.ndjson")
    #expect(
      try sandbox.run(
        "triage", "list", "--format", "csv", "--columns",
        "line,decision,value,failures,regressed,remark")
        == Outcome(
          stdout: """
            line,decision,value,failures,regressed,remark
            1,ignored,villa,1,0,replaced by line 5
            2,ignored,nothing,0,0,matches nothing
            3,ignored,castle,1,1,past its end
            4,resolved,tower,1,1,
            5,resolved,villa,1,0,
            6,ignored,7,1,0,replaced by later lines
            7,ignored,7*,1,0,

            """))
    let removed = [
      "line 1 (replaced by line 5): \(lines[0])", "line 2 (matches nothing): \(lines[1])",
      "line 3 (past its end): \(lines[2])", "line 6 (replaced by later lines): \(lines[5])",
    ]
    #expect(
      try sandbox.run("triage", "prune", "--dry-run").lines
        == removed + ["digest-triage.ndjson: 4 of 7 lines would be removed"])
    #expect(
      try sandbox.run("triage", "prune").lines
        == removed + ["digest-triage.ndjson: 4 of 7 lines removed"])
    #expect(
      sandbox.text("digest-triage.ndjson")
        == [lines[3], lines[4], lines[6]].joined(separator: "\n") + "\n")
    #expect(
      try sandbox.run("triage", "prune").lines == ["digest-triage.ndjson: 0 of 3 lines removed"])
  }

  @Test func `a decision that cannot be written says where it could be`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let decision = ["triage", "ignore", "--value", "villa", "--reason", "a"]
    #expect(
      try sandbox.run(decision + ["--triage", "nowhere/a.ndjson"])
        == .failure(
          74, "nowhere/a.ndjson: No such file or directory; name another file with --triage"))
  }

  /// Files from other systems end lines with CR LF.
  @Test func `lines that end with CR LF are added and removed`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let line = #"{"value": "villa", "state": "ignored"}"# + "\r\n"
    try sandbox.write(
      line + #"{"value": "nothing", "state": "ignored"}"# + "\r\n", to: "digest-triage.ndjson")
    #expect(
      try sandbox.run("triage", "prune").lines.last == "digest-triage.ndjson: 1 of 2 lines removed")
    #expect(sandbox.text("digest-triage.ndjson") == line)
    _ = try sandbox.run("triage", "ignore", "--value", "castle", "--reason", "a")
    #expect(
      sandbox.text("digest-triage.ndjson")?.hasPrefix(line + #"{"value": "castle""#) == true)
  }

  private static let usage: [([String], Int32, String)] = [
    (
      ["triage", "ignore", "--value", "a", "--reason", "b", "--until", "soon"], 64,
      "The value 'soon' is invalid for '--until <end>': write a date (2027-01-31) or a version"
    ),
    (
      ["top-failures", "--triage", "gone"], 66,
      "no such triage file: gone; digest-query triage ignore or resolve makes one"
    ),
    (
      ["triage", "list"], 66,
      "no such triage file: digest-triage.ndjson; digest-query triage ignore or resolve makes one"
    ),
    (
      ["triage", "ignore", "--reason", "a"], 64,
      "say which failures: give --model, --path, --kind or --value"
    ),
    (["triage", "ignore", "--value", "a", "--reason", ""], 64, "--reason is empty"),
    (["triage", "ignore", "--value", "a"], 64, "Missing expected argument '--reason <text>'"),
    (["top-failures", "--triage", "a", "--no-triage"], 64, "leave out --triage or --no-triage"),
    (
      ["triage", "ignore", "--kind", "a", "--reason", "b"], 64,
      "The value 'a' is invalid for '--kind <kind>': write one of keyNotFound,"
    ),
    (
      ["triage", "ignore", "--value", "a", "--reason", "b", "--store", "gone"], 66,
      "no such store: gone; name one with --store PATH or in $DIGEST_STORE"
    ),
    (["triage", "prune", "--no-triage"], 64, "Unknown option '--no-triage'"),
  ]

  @Test(arguments: usage)
  func `bad usage gets one line`(arguments: [String], status: Int32, message: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(arguments)
    #expect(outcome.status == status)
    #expect(outcome.stderr.hasPrefix("digest-query: \(message)"), "\(outcome.stderr)")
  }

  @Test(arguments: [
    (["ignore", "--value", "villa"], ["matches 1 failure in digests.sqlite"]),
    (["ignore", "--model", "App.*"], ["matches 7 failures in digests.sqlite"]),
    (
      ["ignore", "--value", "vila"],
      [
        "matches nothing in digests.sqlite",
        "the store has no novel value vila; did you mean villa?",
      ]
    ),
    (
      ["ignore", "--value", "villa", "--until", "2027-01-31"],
      [
        "matches 1 failure in digests.sqlite; a failure regresses if it is seen on or after 2027-01-31"
      ]
    ),
    (
      ["resolve", "--value", "villa", "--until", "4.1.0"],
      [
        "matches 1 failure in digests.sqlite; a failure regresses if it is seen in release 4.1.0 or "
          + "a later one; 1 has already regressed"
      ]
    ),
  ])
  func `a decision says how much it is about`(arguments: [String], notes: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    // The line of another decision does not count.
    try sandbox.write(#"{"path": "*", "state": "ignored"}"# + "\n", to: "digest-triage.ndjson")
    let outcome = try sandbox.run(["triage"] + arguments + ["--reason", "a"])
    #expect(outcome.stderr == notes.map { "digest-query: \($0)\n" }.joined())
  }

  @Test(arguments: ["ios-4.4.0", "1234567", nil])
  func `an end that no release can reach is said`(release: String?) throws {
    let sandbox = try Sandbox(importing: Self.ndjson([(1, release, 1)]))
    let outcome = try sandbox.run(
      "triage", "resolve", "--value", "villa", "--reason", "a", "--until", "4.3.0")
    #expect(
      outcome.stderr.contains(
        "no release of these failures is a version, so the decision does not end"))
  }

  /// Some decisions name all that they can match, and then nothing else is read.
  @Test(arguments: [
    #"{"value": "*b", "state": "ignored"}"#, #"{"value": "a\u0000b", "state": "ignored"}"#,
  ])
  func `a state is the same whatever the other decisions are`(line: String) throws {
    let sandbox = try Sandbox(importing: Digest("d-1", novelValue: "a\0b").line)
    let other = #"{"path": "nothing", "state": "ignored"}"#
    for lines in [[line], [other, line]] {
      try sandbox.write(lines.joined(separator: "\n") + "\n", to: "digest-triage.ndjson")
      #expect(
        try sandbox.run("top-failures", "--format", "csv", "--columns", "state").lines
          == ["state", "ignored"])
    }
  }

  @Test(arguments: [
    "31-12-2026", "24.12.2026", "11-12-26", "30 days", "1 week", "31 Jan 2027", "12.11.2026 10:00",
    "20261112", "99999999999999999999", "-1", "2027", "1", "ios-4.3.0",
  ])
  func `an end that may mean something else is refused`(end: String) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run(
      "triage", "ignore", "--value", "a", "--reason", "b", "--until=\(end)")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("write a date (2027-01-31) or a version (4.3.0)"))
    #expect(sandbox.bytes("digest-triage.ndjson") == nil)
  }

  @Test(arguments: [
    ("4.3.0", "release"), ("v4", "release"), ("4.3.0-beta.1", "release"), ("4.3 (512)", "release"),
    ("4.3.0+7", "release"), ("2026.11.12", "release"), ("2026-11-12", "on or after"),
    ("2026-11-12T10:00:00Z", "on or after"), ("App@4.3.0+7", "release"),
  ])
  func `an end is a release or a date`(end: String, words: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(
      "triage", "ignore", "--value", "villa", "--reason", "b", "--until", end)
    #expect(outcome.stderr.contains(words))
  }

  @Test func `a decision needs no store, but none is made if the named one is missing`() throws {
    let sandbox = try Sandbox()
    let arguments = ["triage", "ignore", "--value", "villa", "--reason", "a"]
    try sandbox.write("no store", to: "text")
    for store in ["gone", "text"] {
      #expect(try sandbox.run(arguments + ["--store", store]).status != 0)
      #expect(sandbox.bytes("digest-triage.ndjson") == nil)
    }
    #expect(try sandbox.run(arguments).stderr.isEmpty)
    #expect(sandbox.bytes("digest-triage.ndjson") != nil)
  }

  @Test(arguments: [
    ("*", "", true), ("", "", true), ("", "a", false), ("a*", "a", true), ("*a", "ba", true),
    ("a*b*c", "aXbXbc", true), ("a*b*c", "aXc", false), ("?", "é", true), ("?", "e\u{301}", false),
    ("[a]", "a", false), ("[a]", "[a]", true), ("**", "abc", true), ("a?c", "abc", true),
    (String(repeating: "*a", count: 50) + "b", String(repeating: "a", count: 5_000), false),
  ])
  func `a pattern matches whole texts`(pattern: String, text: String, matches: Bool) {
    #expect(Pattern(pattern).matches(text) == matches)
  }
}
