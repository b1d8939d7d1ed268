import Foundation
import Testing

@testable import digest_query

struct TriageTests {
  private static let file = "digest-triage.ndjson"

  /// A store of digests of `villa` on days of November 2026, 0 for one of 2100, and a file with a
  /// decision such as `resolved at 2026-11-05 until 4.2.0`.
  private func sandbox(
    _ digests: [(day: Int, release: String?)], _ decision: String
  ) throws -> Sandbox {
    let sandbox = try Sandbox(
      importing: digests.map { day, release in
        let date = day == 0 ? "2100-01-01" : "2026-11-\(day < 10 ? "0" : "")\(day)"
        return Digest(release: release, recordedAt: "\(date)T10:00:00.000Z")
      })
    let members = ["at", "until"].reduce(decision) { text, name in
      text.replacing(" \(name) ", with: "\", \"\(name)\": \"")
    }
    try sandbox.write("{\"value\": \"villa\", \"state\": \"\(members)\"}\n", to: Self.file)
    return sandbox
  }

  private static let released = "resolved at 2026-11-01 until 4.2.0"

  /// A decision, what was recorded, and the state then.
  private static let states: [(String, [(day: Int, release: String?)], String)] = [
    ("ignored", [(1, "4.1.0")], "ignored"),
    ("ignored until 2026-11-10", [(1, "4.1.0"), (9, "4.1.0")], "ignored"),
    ("ignored until 2026-11-10", [(1, "4.1.0"), (10, "4.1.0")], "regressed"),
    ("ignored until 2026-11-10T10:00:00.001Z", [(10, "4.1.0")], "ignored"),
    ("ignored until 2099-01-01", [(10, "4.1.0")], "ignored"),
    ("ignored until 4.2.0", [(1, "4.1.0"), (2, nil)], "ignored"),
    ("ignored until 4.2.0", [(1, "4.2.0")], "regressed"),
    ("ignored until 4.2.0", [(1, "4.10.0")], "regressed"),
    ("ignored until 4.2.0", [(1, "4.2.0-beta.1")], "ignored"),
    ("ignored until 4.2.0 (80)", [(1, "4.2.0 (77)")], "ignored"),
    ("ignored until 4.2.0 (80)", [(1, "4.2.0 (100)")], "regressed"),
    ("ignored until 4.2.0", [(1, "4.2.0+7")], "regressed"),
    ("ignored until v4.2", [(1, "4.2.0")], "regressed"),
    ("ignored until 4.2.0", [(1, "App@4.2.0")], "regressed"),
    ("ignored until 4.2.0", [(1, "4304113"), (2, "ios-4.4.0")], "ignored"),
    ("resolved at 2026-11-05", [(1, "4.1.0")], "resolved"),
    ("resolved at 2026-11-05", [(1, "4.1.0"), (5, "4.1.0")], "regressed"),
    (released, [(1, "4.1.0"), (9, "4.1.0")], "resolved"),
    (released, [(1, "4.1.0"), (9, "4.2.0")], "regressed"),
    ("resolved at 2026-11-01 until 2026-11-08", [(7, "4.1.0")], "resolved"),
    ("resolved at 2026-11-01 until 2026-11-08", [(8, "4.1.0")], "regressed"),
  ]

  @Test(arguments: states.indices)
  func `a state follows from what came since`(_ index: Int) throws {
    let (decision, digests, state) = Self.states[index]
    let sandbox = try sandbox(digests, decision)
    let needsWork = state == "regressed"
    let hidden =
      "1 \(state) failure (\(digests.count) occurrence\(digests.count == 1 ? "" : "s")) of "
      + "\(Self.file) (--all)"

    let rows = "top-failures --format csv --columns novel_value"
    #expect(
      try sandbox.run("\(rows),state --all")
        == Outcome(lines: ["novel_value,state", "villa,\(state)"]))
    #expect(
      try sandbox.run(rows)
        == Outcome(
          lines: ["novel_value"] + (needsWork ? ["villa"] : []),
          notes: needsWork ? [] : ["not listed: \(hidden)"]))
    let check = try sandbox.run("check --max-new 0 --max-occurrences 0")
    #expect(check.status == (needsWork ? 1 : 0))
    #expect(check.notes == (needsWork ? [] : ["not counted: \(hidden)"]))
  }

  private static let two = "1 ignored and 1 resolved failures (3 occurrences) of \(file) (--all)"
  private static let one = "1 ignored failure (2 occurrences) of \(file) (--all)"

  @Test(arguments: [
    ("top-novel-values", "not listed: \(one)"), ("top-failures", "not listed: \(two)"),
    ("top-failures --model App.L*", "not listed: \(two)"),
    ("top-failures --path items[].kind", "not listed: \(one)"),
    ("new --since 2026-11-20", "not listed: \(two)"), ("new --release 4.2.0", "not listed: \(two)"),
    ("diff 4.2.0 4.3.0", "not listed: \(two)"), ("report", "not listed: \(two)"),
    ("spec openapi.json", "not listed: \(two)"),
    ("spec openapi.json --format sarif", "not listed: \(two)"),
    ("check --max-occurrences 7", "not counted: \(two)"),
    ("check --max-new 5 --max-occurrences 7", "not counted: \(two)"),
    ("check --max-new 5", "not counted: \(two)"),
    ("check --max-new 3 --value *", "not counted: \(one)"),
  ])
  func `every list leaves out what is decided, and counts it in one note`(
    command: String, note: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(#"{"openapi": "3.1.0", "info": {}, "paths": {}}"#, to: "openapi.json")
    try sandbox.write(
      #"{"value": "villa", "state": "ignored"}"# + "\n"
        + #"{"path": "price", "state": "resolved", "at": "2026-11-25"}"# + "\n", to: Self.file)
    let outcome = try sandbox.run(command)
    #expect((outcome.status, outcome.notes) == (0, [note]))
    #expect(!outcome.stdout.contains("villa"))
    let isCheck = command.hasPrefix("check")
    for option in ["--all", "--triage /dev/null"] {
      let all = try sandbox.run("\(command) \(option)")
      #expect(all.status == (isCheck ? 1 : 0))
      #expect(all.notes.isEmpty)
      #expect(all.stdout.contains(isCheck ? "exceeded: " : "villa"))
    }
  }

  @Test func `a limit counts rows that are listed`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(#"{"value": "tower", "state": "ignored"}"# + "\n", to: Self.file)
    #expect(
      try sandbox.run("top-novel-values --limit 2 --format csv --columns novel_value")
        == Outcome(
          lines: ["novel_value", "castle", "villa"],
          notes: [
            "not listed: \(Self.one)"
          ]))
  }

  @Test(arguments: [false, true])
  func `columns depend on the command line alone`(hasFile: Bool) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    if hasFile { try sandbox.write(#"{"value": "x", "state": "ignored"}"# + "\n", to: Self.file) }
    for command in [
      "top-novel-values", "top-failures", "new --since 2026-11-20", "diff 4.2.0 4.3.0",
    ] {
      let columns = try sandbox.run("\(command) --format csv").lines[0]
      #expect(try sandbox.run("\(command) --format csv --all").lines[0] == "\(columns),state")
    }
  }

  @Test(arguments: [
    ("", ["App.Listing,,4,3,2,4", "App.Home,,3,2,1,1"]),
    (
      "--by release",
      [
        "App.Home,4.3.0,3,2,1,1", "App.Listing,4.2.0,2,2,1,2", "App.Listing,,1,1,1,1",
        "App.Listing,4.3.0,1,1,1,1",
      ]
    ),
    ("--all", ["App.Listing,,7,5,3,4", "App.Home,,3,2,1,1"]),
    ("--value villa", ["App.Listing,,0,0,0,1"]),
  ])
  func `models count what is not decided, and all digests`(options: String, rows: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(
      #"{"value": "villa", "state": "ignored"}"# + "\n"
        + #"{"path": "price", "state": "resolved", "at": "2026-11-25"}"# + "\n", to: Self.file)
    struct Count: Decodable {
      let model: String
      let release: String?
      let occurrences, failures, novelValues, digests: Int
    }
    let counts = try JSONDecoder.ofRows.decode(
      [Count].self, from: Data(sandbox.run("models --format json \(options)").stdout.utf8))
    #expect(
      counts.map {
        "\($0.model),\($0.release ?? ""),\($0.occurrences),\($0.failures),\($0.novelValues),\($0.digests)"
      } == rows)
  }

  @Test func `a page of decided failures alone says so`() throws {
    let sandbox = try Sandbox(importing: Digest("d-1").line + Digest.decodes(3))
    try sandbox.write(#"{"value": "villa", "state": "ignored"}"# + "\n", to: Self.file)
    let outcome = try sandbox.run("report")
    let page = PageText(html: outcome.stdout)
    #expect(page.lines[1].hasPrefix("No open failures since "))
    #expect(page.lines[2].hasPrefix("All failures are ignored or resolved."))
    #expect(
      outcome.notes == ["not listed: 1 ignored failure (1 occurrence) of \(Self.file) (--all)"])
  }

  @Test func `a page counts what it lists, and says what it does not list`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(
      #"{"value": "tower", "state": "ignored"}"# + "\n"
        + #"{"value": "villa", "state": "ignored"}"# + "\n", to: Self.file)
    let page = try PageText(html: sandbox.run("report --limit 1").stdout)
    for line in ["occurrences: 6", "failures: 5"] {
      #expect(page.lines.contains(line), "\(line)")
    }
    #expect(
      try page.section("What these numbers leave out")
        == ["not listed: 2 ignored failures (4 occurrences) of \(Self.file)"])
    #expect(try page.section("Failures").last?.hasPrefix("1 of 5. ") == true)
    let all = try PageText(html: sandbox.run("report --all").stdout)
    #expect(all.lines.contains("failures: 7"))
    #expect(try all.failures().contains { $0.hasPrefix("new ignored items[].kind in App.Home") })
  }

  /// Digests with a later time than now do not affect a state.
  @Test(
    arguments: [
      ("ignored until 2099-01-01", 1, "4.1.0", "ignored"),
      ("ignored until 2026-11-01T10:00:00Z", 1, "4.1.0", "regressed"),
      ("resolved at 2026-11-01T10:00:00Z", 1, "4.1.0", "resolved"),
      ("resolved at 2026-11-01T09:59:59.999Z", 1, "4.1.0", "regressed"),
      ("resolved at 2026-11-05", nil, "4.1.0", "resolved"),
      ("ignored until 4.2.0", 1, "4.2.0", "ignored"),
    ] as [(String, Int?, String, String)])
  func `a clock that is ahead ends no decision`(
    decision: String, day: Int?, releaseAhead: String, state: String
  ) throws {
    let digests = [day.map { ($0, "4.1.0") }, (0, releaseAhead)].compactMap(\.self)
    #expect(
      try sandbox(digests, decision).run("top-failures --all --format csv --columns state").lines
        == ["state", state])
  }

  /// Lines of the file, and the states of `villa` and `yurt` at `kind`, and of `price`.
  @Test(arguments: [
    ([#"{"value": "vi*", "state": "ignored"}"#], ["ignored", "open", "open"]),
    ([#"{"path": "kind", "state": "ignored"}"#], ["ignored", "ignored", "open"]),
    ([#"{"kind": "typeMismatch", "state": "ignored"}"#], ["open", "open", "ignored"]),
    ([#"{"model": "App.*", "value": "*", "state": "ignored"}"#], ["ignored", "ignored", "open"]),
    ([#"{"model": "App.[L]isting", "state": "ignored"}"#], ["open", "open", "open"]),
    // The last line counts.
    (
      [
        #"{"path": "*", "state": "ignored"}"#,
        #"{"value": "villa", "state": "resolved", "until": "9.0"}"#,
      ], ["resolved", "ignored", "ignored"]
    ),
    (
      [
        #"{"value": "villa", "state": "resolved", "until": "9.0"}"#,
        #"{"path": "*", "state": "ignored", "until": "2026-11-01"}"#,
      ], ["regressed", "regressed", "regressed"]
    ),
  ])
  func `patterns match as those of filters`(lines: [String], states: [String]) throws {
    let failures: [Digest.Failure] = [
      .novel("villa"), .novel("yurt"), .error("typeMismatch", at: "price"),
    ]
    let sandbox = try Sandbox(importing: [Digest(failures: failures)])
    try sandbox.write(lines.joined(separator: "\r\n"), to: "decisions")
    #expect(
      try sandbox.run("top-failures --triage decisions --all --format csv --columns state").lines
        .dropFirst() == states[...])
  }

  private static let noObject = "is not a JSON object with string values"
  private static let noEnd = "has an until that is neither a date nor a version"

  @Test func `a limit of the shell on files leaves the file as it is`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let line = #"{"value": "yurt", "state": "ignored"}"# + "\n"
    let text = String(repeating: line, count: 2_048 / line.utf8.count)
    try sandbox.write(text, to: "digest-triage.ndjson")
    let outcome = try sandbox.runShell(
      "ulimit -f 4; digest-query triage ignore --value villa --reason known")
    #expect((outcome.status, outcome.stdout) == (74, ""))
    #expect(sandbox.text("digest-triage.ndjson") == text)
  }

  @Test(arguments: [
    ("{", noObject), ("[]", noObject), (#"{"value": ["a"], "state": "ignored"}"#, noObject),
    (#"{"state": "ignored"}"#, "names no failure: it has none of model, path, kind and value"),
    (#"{"vaule": "a", "state": "ignored"}"#, "has an unknown member vaule; did you mean value?"),
    (#"{"value": "a"}"#, "has a state that is neither ignored nor resolved"),
    (#"{"value": "a", "state": "fixed"}"#, "has a state that is neither ignored nor resolved"),
    (
      #"{"kind": "typeMissmatch", "state": "ignored"}"#,
      "has an unknown kind typeMissmatch; did you mean typeMismatch?"
    ),
    (#"{"value": 7, "state": "ignored"}"#, noObject),
    (#"{"value": "a", "state": "ignored", "until": 5}"#, noObject),
    (
      #"{"value": "a", "state": "ignored", "at": "yesterday"}"#,
      "has a time that is not ISO 8601: yesterday"
    ),
    (#"{"value": "a", "state": "ignored", "until": "tomorrow"}"#, "\(noEnd): tomorrow"),
    (#"{"value": "a", "state": "ignored", "until": "2026-13-01"}"#, "\(noEnd): 2026-13-01"),
    (#"{"value": "a", "state": "resolved"}"#, "is resolved but has neither at nor until"),
  ])
  func `a bad line is named by its number`(line: String, problem: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let text = #"{"value": "a", "state": "ignored"}"# + "\n\n" + line + "\n"
    try sandbox.write(text, to: Self.file)
    for command in [
      "top-failures", "new --since 2026-01-01", "triage list",
      "triage ignore --value villa --reason c", "check --max-new 0",
    ] {
      #expect(try sandbox.run(command) == .failure(65, "\(Self.file), line 3, \(problem)"))
    }
    #expect(sandbox.text(Self.file) == text)
  }

  @Test func `a decision is a line at the end of the file`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let environment = ["USER": "kim", "DIGEST_TRIAGE": "team.ndjson"]
    try sandbox.write(#"{"value": "x", "state": "ignored"}"#, to: "team.ndjson")
    let outcome = try sandbox.run(
      "triage ignore --model App.Home --value to* --reason 'a \"tower\"' --until 2099-01-31",
      environment: environment)
    _ = try sandbox.run(
      "triage resolve --path price --kind typeMismatch --reason é --until 4.4.0 --by Ana",
      environment: environment)
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
  }

  @Test func `lines that are of no use are named`() throws {
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
    try sandbox.write(lines.joined(separator: "\n") + "\n", to: Self.file)
    #expect(
      try sandbox.run(
        "triage list --format csv --columns line,decision,value,failures,regressed,remark")
        == Outcome(
          stdout: """
            line,decision,value,failures,regressed,remark
            1,ignored,villa,1,0,replaced by later lines
            2,ignored,nothing,0,0,matches nothing
            3,ignored,castle,1,1,past its end
            4,resolved,tower,1,1,
            5,resolved,villa,1,0,
            6,ignored,7,1,0,replaced by later lines
            7,ignored,7*,1,0,

            """))
  }

  /// Files from other systems end lines with CR LF.
  @Test func `a line is added to those that end with CR LF`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let line = #"{"value": "villa", "state": "ignored"}"# + "\r\n"
    try sandbox.write(line, to: Self.file)
    _ = try sandbox.run("triage ignore --value castle --reason a")
    #expect(sandbox.text(Self.file)?.hasPrefix(line + #"{"value": "castle""#) == true)
  }

  private static let remedy = "digest-query triage ignore or resolve makes one"

  @Test(arguments: [
    ("top-failures --triage gone", 66, "no such triage file: gone; \(remedy)"),
    ("triage list", 66, "no such triage file: \(file); \(remedy)"),
    (
      "triage ignore --value villa --reason a --triage nowhere/a.ndjson", 74,
      "nowhere/a.ndjson: No such file or directory; name another file with --triage"
    ),
  ])
  func `a file that is not there is named`(command: String, status: Int32, message: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run(command) == .failure(status, message))
  }

  private static let matches = "matches 1 failure in digests.sqlite"

  @Test(arguments: [
    ("ignore --value villa", [matches]),
    ("ignore --model App.*", ["matches 7 failures in digests.sqlite"]),
    ("ignore --value vila --allow-empty", ["matches 0 failures in digests.sqlite"]),
    (
      "ignore --value villa --until 2027-01-31",
      ["\(matches); a failure regresses if it is seen on or after 2027-01-31"]
    ),
    (
      "resolve --value villa --until 4.1.0",
      [
        "\(matches); a failure regresses if it is seen in release 4.1.0 or a later one; 1 has already "
          + "regressed"
      ]
    ),
  ])
  func `a decision says how much it is about`(arguments: String, notes: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    // The line of another decision does not count.
    try sandbox.write(#"{"path": "*", "state": "ignored"}"# + "\n", to: Self.file)
    #expect(try sandbox.run("triage \(arguments) --reason a").notes == notes)
  }

  @Test(arguments: [
    ("--value vila", "the store has no novel value vila; did you mean villa? To write it"),
    (
      "--model App.Hme --value tower",
      "the store has no model App.Hme; did you mean App.Home? To write it"
    ),
    ("--path prize*", "the store has no coding path that matches prize*; to write it"),
    ("--model App.Home --value villa", "digests.sqlite has no such failure; to write it"),
    ("--path price --kind keyNotFound", "digests.sqlite has no such failure; to write it"),
  ])
  func `a decision that matches nothing is refused`(patterns: String, reason: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let command = "triage ignore --reason a \(patterns)"
    #expect(
      try sandbox.run(command) == .failure(66, "nothing was written: \(reason), add --allow-empty"))
    #expect(sandbox.bytes(Self.file) == nil)
    #expect(try sandbox.run("\(command) --allow-empty").status == 0)
    #expect(sandbox.bytes(Self.file) != nil)
  }

  @Test(arguments: ["ios-4.4.0", "1234567", nil])
  func `an end that no release can reach is said`(release: String?) throws {
    let outcome = try Sandbox(importing: [Digest(release: release)]).run(
      "triage resolve --value villa --reason a --until 4.3.0")
    #expect(
      outcome.stderr.contains(
        "no release of these failures is a version, so the decision does not end"))
  }

  /// Some decisions name all that they can match, and then nothing else is read.
  @Test(arguments: [#"{"value": "*b", "#, #"{"value": "a\u0000b", "#], [true, false])
  func `a state is the same whatever the other decisions are`(
    start: String, hasOther: Bool
  ) throws {
    let sandbox = try Sandbox(importing: [Digest(novelValue: "a\0b")])
    let other = #"{"path": "nothing", "state": "ignored"}"# + "\n"
    try sandbox.write(
      (hasOther ? other : "") + start + "\"state\": \"ignored\"}\n", to: Self.file)
    #expect(
      try sandbox.run("top-failures --all --format csv --columns state").lines
        == ["state", "ignored"])
  }

  @Test(arguments: [
    "31-12-2026", "24.12.2026", "11-12-26", "30 days", "1 week", "31 Jan 2027", "12.11.2026 10:00",
    "20261112", "99999999999999999999", "-1", "2027", "1", "ios-4.3.0", "soon",
  ])
  func `an end that may mean something else is refused`(end: String) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run("triage ignore --value a --reason b", ["--until=\(end)"])
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("write a date (2027-01-31) or a version (4.3.0)"))
    #expect(sandbox.bytes(Self.file) == nil)
  }

  @Test(arguments: [
    ("4.3.0", "release"), ("v4", "release"), ("4.3.0-beta.1", "release"), ("4.3 (512)", "release"),
    ("4.3.0+7", "release"), ("2026.11.12", "release"), ("2026-11-12", "on or after"),
    ("2026-11-12T10:00:00Z", "on or after"), ("App@4.3.0+7", "release"),
  ])
  func `an end is a release or a date`(end: String, words: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(
      "triage ignore --value villa --reason b --until", [end])
    #expect(outcome.stderr.contains(words))
  }

  @Test func `a decision needs no store, but none is made if the named one is missing`() throws {
    let sandbox = try Sandbox()
    let command = "triage ignore --value villa --reason a"
    try sandbox.write("no store", to: "text")
    #expect(try sandbox.run("\(command) --store gone") == .noStore("gone"))
    #expect(try sandbox.run("\(command) --store text").status == 65)
    #expect(sandbox.bytes(Self.file) == nil)
    #expect(try sandbox.run(command).stderr.isEmpty)
    #expect(sandbox.bytes(Self.file) != nil)
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
