import Testing

struct DiffTests {
  private static let columns: Set = [
    "before", "after", "factor", "rate_before", "rate_after", "rate_factor",
  ]

  private static let failures = Golden(
    table: """
      change  model        coding_path   kind               expected_type  novel_value  value_type  found_type  before  after  factor
      new     App.Home     items[].kind  unknownNovelValue  App.Kind       tower        String      -                0      2       -
      grown   App.Listing  items[].kind  unknownNovelValue  App.Kind       castle       String      string           1      3       3
      gone    App.Listing  items[].kind  unknownNovelValue  App.Kind       villa        String      string           2      0       0
      new     App.Home     owner.name    keyNotFound        -              -            -           -                0      1       -
      gone    App.Listing  items[].kind  dataCorrupted      App.Kind       -            -           -                1      0       0
      gone    App.Listing  price         typeMismatch       Int            -            -           string           1      0       0

      """,
    csv: """
      change,model,coding_path,kind,expected_type,novel_value,value_type,found_type,before,after,factor,rate_before,rate_after,rate_factor
      new,App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,,0,2,,,,
      grown,App.Listing,items[].kind,unknownNovelValue,App.Kind,castle,String,string,1,3,3,,,
      gone,App.Listing,items[].kind,unknownNovelValue,App.Kind,villa,String,string,2,0,0,,,
      new,App.Home,owner.name,keyNotFound,,,,,0,1,,,,
      gone,App.Listing,items[].kind,dataCorrupted,App.Kind,,,,1,0,0,,,
      gone,App.Listing,price,typeMismatch,Int,,,string,1,0,0,,,

      """,
    unquoted: columns)

  /// The drift, and two more castles in its newest release.
  private func sandbox() throws -> Sandbox {
    var digest = Digest("d-6", recordedAt: "2026-11-22T10:00:00.000Z")
    digest.release = "4.3.0"
    digest.failures = (0..<2).map {
      .init(path: "items[\($0)].kind", novelValue: "castle", expectedType: "App.Kind")
    }
    return try Sandbox(importing: Drift.ndjson + digest.line)
  }

  @Test(
    arguments: Golden.formats,
    [
      ["4.2.0", "4.3.0"], ["2026-11-20..2026-11-20T11:00:00Z", "2026-11-20T11:00:00.001Z.."],
      ["4.2.0", "2026-11-20T11:00:00.001Z.."],
    ]
  )
  func `every format prints the same rows`(format: String, sides: [String]) throws {
    let sandbox = try sandbox()
    let command = ["diff", "--format", format] + sides
    #expect(try sandbox.run(command).stdout == Self.failures[format])
    if sides[1] == "4.3.0" {
      #expect(try sandbox.run(command) == Outcome(stdout: Self.failures[format]))
    }
  }

  /// Each change of a novel value as its kind, value and counts.
  private func changes(_ arguments: [String]) throws -> [String] {
    let outcome = try sandbox().run(["diff", "--format", "tsv"] + arguments)
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.lines.dropFirst().compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard !cells[5].isEmpty else { return nil }
      return [cells[0], cells[5], cells[8], cells[9]].joined(separator: " ")
    }
  }

  @Test(arguments: [
    (["4.3.0", "4.2.0"], ["gone tower 2 0", "shrunk castle 3 1", "new villa 0 2"]),
    (["4.2.0", "4.3.0", "--model", "*Home"], ["new tower 0 2"]),
    (["4.2.0", "4.3.0", "--path", "attrs.*"], []),
    (
      ["4.2.0", "4.3.0", "--since", "2026-11-20T10:30:00Z", "--until", "2026-11-22"],
      ["new tower 0 2", "gone castle 1 0"]
    ),
    (
      ["2026-11-20..2026-11-21", "2026-11-22..2026-11-23", "--release", "4.3.0"], ["new castle 0 3"]
    ),
    (["..2026-11-21", "2026-11-21..", "--path", "attrs.*"], ["gone 7 1 0"]),
    (["..2026-11-22", "..", "--model", "App.Listing"], ["grown castle 1 4"]),
    (["..2026-11-20T11:00:00Z", "2026-11-20T11:00:00Z..", "--no-release"], ["new 7 0 1"]),
    (["4.2.0", "4.3.0", "--value", "v*"], ["gone villa 2 0"]),
    (["4.2.0", "4.3.0", "--kind", "dataCorrupted"], []),
    (["..", ".."], []),
    (["4.2.0", "4.2.0"], []),
  ])
  func `filters hold for both sides, and ends of periods are open`(
    arguments: [String],
    expected: [String]
  ) throws {
    #expect(try changes(arguments) == expected)
  }

  @Test func `relative times of both sides are of one moment`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("diff", "2w..1w", "1w..0s", "--kind", "other").stderr
        == "digest-query: nothing found on either side\n")
  }

  @Test(arguments: [
    ("2026-11-20..2026-11-21", "2026-11-22..2026-11-23", ""),
    (
      "2026-11-18..2026-11-20", "2026-11-20..2026-11-21",
      "the second period is 0.5 times as long as the first; counts are compared as they are"
    ),
    (
      "2026-11-18..2026-11-20", "2026-11-20..2026-11-22T00:00:00.001Z",
      "the periods are not of the same length; counts are compared as they are"
    ),
    (
      "..2026-11-20", "2026-11-20..2026-11-22",
      "the periods are not of the same length; counts are compared as they are"
    ),
    (
      "..2026-11-20", "..2026-11-22",
      "the periods are not of the same length; counts are compared as they are"
    ),
    ("4.2.0", "2026-11-03..2026-11-05", ""),
  ])
  func `a note names periods of different lengths`(
    before: String,
    after: String,
    note: String
  ) throws {
    let stderr = try sandbox().run("diff", before, after).stderr
    #expect(stderr == (note.isEmpty ? "" : "digest-query: \(note)\n"))
  }

  @Test(arguments: [
    (
      ["2026-11-20..2026-11-21", "2026-11-21..2026-11-22", "--kind", "other"],
      ["nothing found on either side"]
    ),
    (["4.2.0", "4.3.0", "--limit", "1"], ["there is more than 1 row; raise --limit to see them"]),
    (["4.2.0", "4.3.0", "--limit", "6"], []),
  ])
  func `notes say what the answer leaves out`(arguments: [String], notes: [String]) throws {
    let outcome = try sandbox().run(["diff"] + arguments)
    #expect(outcome.status == 0)
    #expect(outcome.stderr == notes.map { "digest-query: \($0)\n" }.joined())
  }

  @Test(arguments: [
    (["4.1", "4.2"], "the store has no release 4.1; the newest is 4.3.0"),
    (["4.2.0", "4.2"], "the store has no release 4.2; did you mean 4.2.0?"),
    (["2026-11-20..", "v4.3.0"], "the store has no release v4.3.0; did you mean 4.3.0?"),
    (
      ["4.2.0", "2026-11-20"],
      "the store has no release 2026-11-20; a period is written 2026-11-20.. or ..2026-11-20"
    ),
    (["4.2.0", "9998-01-01..9999-01-01"], "9998-01-01..9999-01-01 begins in the future"),
    (["9998-01-01..", "4.2.0"], "9998-01-01.. begins in the future"),
  ])
  func `a side that the store knows nothing of is an error`(sides: [String], message: String)
    throws
  {
    for options in [[], ["--format", "csv"]] {
      #expect(try sandbox().run(["diff"] + sides + options) == .failure(66, message))
    }
  }

  @Test(arguments: [
    (["--model", "App.Hme"], "the store has no model App.Hme; did you mean App.Home?"),
    (["--model", "App.Home", "--model", "No*"], "the store has no model that matches No*"),
    (["--value", "castle", "--value", "keep"], "the store has no novel value keep"),
    (["--path", "*.x"], "the store has no coding path that matches *.x"),
  ])
  func `a filter that the store knows nothing of is an error, also in part`(
    filter: [String], reason: String
  ) throws {
    #expect(
      try sandbox().run(["diff", "4.2.0", "4.3.0"] + filter)
        == .failure(66, "nothing was compared: \(reason)"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a period without counts is refused, and one with counts in part has a note`()
    throws
  {
    let sandbox = try sandbox()
    let day = 1_795_132_800 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(day), 0, 5), ('undated', \(day - 24), 0, 7)"
    )
    let part = "2026-11-20..2026-11-22"
    let rest =
      "not counted here: 5 occurrences for which only the all-time sum is left (undated, recorded "
      + "since 2026-11-20T00:00:00.000Z)"
    #expect(
      try sandbox.run("diff", part, "2026-11-22..2026-11-24").stderr
        == "digest-query: \(part): \(rest)\n")
    #expect(try sandbox.run("diff", part, "2026-11-22..", "--kind", "other").status == 0)
    #expect(
      try sandbox.run("diff", "2026-11-19..2026-11-20", "2026-11-22..", "--kind", "other")
        == .failure(
          66,
          "nothing was compared: the daily counts of 2026-11-19..2026-11-20 were dropped; give a later "
            + "period"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a loss of both sides is reported once, and a loss of one side with its name`() throws {
    let sandbox = try sandbox()
    let hour = 1_795_168_800 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(hour), 1, 5)"
    )
    let loss =
      "not counted: 1 digest of 5 occurrences (failed write, since 2026-11-20T10:00:00.000Z)"
    for (sides, stderr) in [
      (["4.2.0", "4.3.0"], "digest-query: \(loss)\n"),
      (
        ["2026-11-20..2026-11-21", "2026-11-21..2026-11-22"],
        "digest-query: 2026-11-20..2026-11-21: \(loss)\n"
      ),
      (
        ["2026-11-19..2026-11-20", "2026-11-20..2026-11-21"],
        "digest-query: 2026-11-20..2026-11-21: \(loss)\n"
      ),
      (["2026-11-21..2026-11-22", "2026-11-22..2026-11-23"], ""),
    ] {
      #expect(try sandbox.run(["diff"] + sides).stderr == stderr)
    }
  }

  private static let invalid =
    "write a release such as 4.2.0, or a period such as 14d..7d, 7d.. or 2026-11-01..2026-11-08"

  @Test(arguments: [
    ([], "Missing expected argument '<before>'"),
    (["4.2.0"], "Missing expected argument '<after>'"),
    (["4.1.0", "4.2.0", "4.3.0"], "Unexpected argument '4.3.0'"),
    (["", "4.2.0"], "The value '' is invalid for '<before>': \(invalid)"),
    (["4.2.0", "7x.."], "The value '7x..' is invalid for '<after>': \(invalid)"),
    (["4.1..4.2", "7d.."], "The value '4.1..4.2' is invalid for '<before>': \(invalid)"),
    (["7d...1d", "7d.."], "The value '7d...1d' is invalid for '<before>': \(invalid)"),
    (
      ["7d..14d", "7d.."],
      "The value '7d..14d' is invalid for '<before>': the older time comes first"
    ),
    (
      ["14d..7d", "7d..7d"],
      "The value '7d..7d' is invalid for '<after>': the older time comes first"
    ),
    (
      ["14d..7d", "7d..", "--since", "3d"],
      "leave out --since and --until: a period has its own times"
    ),
    (
      ["4.2.0", "7d..", "--until", "3d"],
      "leave out --since and --until: a period has its own times"
    ),
    (
      ["4.1.0", "4.2.0", "--release", "4.2.0"],
      "leave out --release and --no-release: the arguments name the releases"
    ),
    (
      ["7d..", "4.2.0", "--no-release"],
      "leave out --release and --no-release: the arguments name the releases"
    ),
  ])
  func `sides that cannot be compared are refused`(arguments: [String], message: String) throws {
    #expect(
      try Sandbox().run(["diff"] + arguments)
        == .failure(64, "\(message); see digest-query diff --help"))
  }
}

/// Rates: the number of decodes is imported with the digests.
struct DiffRateTests {
  /// Two releases of one model: the second has as many errors in twice the decodes.
  private func sandbox(_ decodes: [(release: String, decodes: Int)]) throws -> Sandbox {
    let digests = ["4.1.0", "4.2.0"].flatMap { release in
      (0..<10).map { index -> Digest in
        var digest = Digest("\(release)-\(index)", novelValue: index < 8 ? "villa" : "castle")
        digest.release = release
        return digest
      }
    }
    let lines = decodes.enumerated().map { index, count in
      #"{"id":"000000000000000\#(index + 1)","hour":"2026-11-20T10:00:00Z","model":"App.Listing","#
        + #""release":"\#(count.release)","decodes":\#(count.decodes)}"# + "\n"
    }
    return try Sandbox(importing: digests.ndjson + lines.joined())
  }

  @Test func `a release that halves the rate at twice the traffic has shrunk`() throws {
    let sandbox = try sandbox([("4.1.0", 90), ("4.2.0", 190)])
    let outcome = try sandbox.run("diff", "4.1.0", "4.2.0", "--format", "csv")
    #expect(
      outcome
        == Outcome(
          stdout: """
            change,model,coding_path,kind,expected_type,novel_value,value_type,found_type,before,after,factor,rate_before,rate_after,rate_factor
            shrunk,App.Listing,kind,unknownNovelValue,,villa,String,,8,8,1,0.08,0.04,0.5
            shrunk,App.Listing,kind,unknownNovelValue,,castle,String,,2,2,1,0.02,0.01,0.5

            """))
    #expect(
      try sandbox.run("diff", "4.1.0", "4.2.0").stdout == """
        change  model        coding_path  kind               expected_type  novel_value  value_type  found_type  before  after  factor  rate_before_%  rate_after_%  rate_factor
        shrunk  App.Listing  kind         unknownNovelValue  -              villa        String      -                8      8       1              8             4          0.5
        shrunk  App.Listing  kind         unknownNovelValue  -              castle       String      -                2      2       1              2             1          0.5

        """)
  }

  @Test func `equal rates are no difference, whatever the counts`() throws {
    let sandbox = try sandbox([("4.1.0", 90), ("4.2.0", 90)])
    #expect(
      try sandbox.run("diff", "4.1.0", "4.2.0").stderr == "digest-query: no difference found\n")
  }

  @Test func `a store that counts decodes of no model compares counts`() throws {
    let sandbox = try sandbox([])
    #expect(
      try sandbox.run("diff", "4.1.0", "4.2.0").stderr == "digest-query: no difference found\n")
  }

  @Test func `a side before the first counted decode has no rate, and a note says so`() throws {
    let sandbox = try sandbox([("4.2.0", 90)])
    var early = Digest("early", recordedAt: "2026-11-19T10:00:00.000Z")
    early.release = "4.0.0"
    #expect(try sandbox.run(["import", "-"], stdin: early.line).status == 0)
    let outcome = try sandbox.run("diff", "4.0.0", "4.2.0", "--format", "csv")
    #expect(
      outcome.stderr
        == "digest-query: counts are compared, not rates: no decodes without errors were counted for 4.0.0\n"
    )
    #expect(
      outcome.lines.dropFirst().first
        == "grown,App.Listing,kind,unknownNovelValue,,villa,String,,1,8,8,,0.08,")
  }

  @Test func `models have decodes and a rate`() throws {
    let sandbox = try sandbox([("4.1.0", 90), ("4.2.0", 190)])
    #expect(
      try sandbox.run("models", "--format", "csv").lines.last
        == "App.Listing,20,20,1,2,2,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,300,0.066667")
    #expect(
      try sandbox.run("models").lines.map { $0.suffix(15) } == [
        "decodes  rate_%", "    300   6.667",
      ])
    #expect(
      try sandbox.run("models", "--format", "json", "--release", "4.2.0").stdout.contains(
        #""decodes": 200, "rate": 0.05}"#))
  }

  @Test(arguments: [
    ("10%", [], 0, "ok: errors in 6.667% of 300 decodes (at most 10%)"),
    ("0.0666", [], 1, "exceeded: errors in 6.667% of 300 decodes (at most 6.66%)"),
    ("5%", ["--release", "4.2.0"], 0, "ok: errors in 5% of 200 decodes (at most 5%)"),
    ("1%", ["--value", "castle"], 1, "exceeded: errors in 1.333% of 300 decodes (at most 1%)"),
    ("0", ["--model", "App.Listing"], 1, "exceeded: errors in 6.667% of 300 decodes (at most 0%)"),
  ])
  func `check limits the rate`(
    limit: String, filter: [String], status: Int32, line: String
  ) throws {
    let sandbox = try sandbox([("4.1.0", 90), ("4.2.0", 190)])
    let outcome = try sandbox.run(["check", "--verbose", "--max-rate", limit] + filter)
    #expect(outcome == Outcome(status: status, stdout: line + "\n"))
  }

  @Test func `check counts whole hours from the first counted decode on, and says so`() throws {
    let sandbox = try sandbox([("4.1.0", 90), ("4.2.0", 190)])
    let command = ["check", "--max-rate", "10%", "--since", "2026-11-20T10:30:00Z"]
    #expect(try sandbox.run(command) == Outcome())
    let outcome = try sandbox.run(command + ["--verbose"])
    #expect(outcome.status == 0)
    #expect(
      outcome.stderr
        == "digest-query: rates cover whole hours with counted decodes: from 2026-11-20T10:00:00.000Z\n"
    )
  }

  @Test(arguments: [(10, 11, "1.1"), (100, 110, "1.1"), (10, 30, "3"), (1, 7, "7"), (3, 1, "3")])
  func `a factor of just the limit is a change`(old: Int, new: Int, factor: String) throws {
    let digests = [("1", old), ("2", new)].map { release, count in
      var digest = Digest()
      (digest.release, digest.failures[0].count) = (release, count)
      return digest
    }
    let decodes = ["1", "2"].map {
      #"{"id":"\#(Drift.store)","hour":"2026-11-20T10:00:00Z","model":"App.Listing","#
        + #""release":"\#($0)","decodes":99}"# + "\n"
    }
    for ndjson in [try digests.ndjson, try digests.ndjson + decodes.joined()] {
      let outcome = try Sandbox(importing: ndjson)
        .run("diff", "1", "2", "--min-factor", factor, "--format", "csv")
      #expect(outcome.lines.count == (ndjson.contains("decodes") ? 1 : 2))
      #expect(!outcome.stdout.contains("same,"))
    }
  }

  @Test(arguments: [
    ([], ["grown,a", "shrunk,b", "grown,d", "same,c"]),
    (["--min-factor", "1"], ["grown,a", "shrunk,b", "grown,c", "grown,d"]),
    (["--min-factor", "1.5"], ["grown,a", "grown,d", "same,b", "same,c"]),
    (["--min-factor", "3", "--limit", "1"], ["same,a"]),
    (["--min-factor", "2", "--limit", "2"], ["grown,a", "grown,d"]),
    (["--min-factor", "1.25"], ["grown,a", "shrunk,b", "grown,d", "same,c"]),
  ])
  func `a small factor is the same, and comes last`(options: [String], rows: [String]) throws {
    func digests(_ release: String, _ counts: [String: Int]) -> [Digest] {
      counts.sorted { $0.key < $1.key }.map { value, count in
        var digest = Digest(novelValue: value)
        digest.failures[0].count = count
        digest.release = release
        return digest
      }
    }
    let sandbox = try Sandbox(
      importing: [
        digests("1", ["a": 50_000, "b": 40_000, "c": 90_000, "d": 2]),
        digests("2", ["a": 100_000, "b": 30_000, "c": 90_010, "d": 4]),
      ].flatMap { $0 }.ndjson)
    let lines = try sandbox.run(["diff", "1", "2", "--format", "csv"] + options).lines.dropFirst()
    #expect(
      lines.map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        return "\(cells[0]),\(cells[5])"
      } == rows)
  }

  @Test(arguments: ["0.5", "0", "-1", "nan", "inf", "x"])
  func `a factor that is none is refused`(factor: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson)
      .run("diff", "4.2.0", "4.3.0", "--min-factor", factor)
    #expect(outcome.status == 64)
  }

  @Test func `a value has the same rate under a filter for its kind`() throws {
    let outcome = try sandbox([("4.1.0", 90), ("4.2.0", 190)])
      .run("diff", "4.1.0", "4.2.0", "--kind", "unknownNovelValue", "--format", "csv")
    #expect(outcome.stderr == "")
    #expect(
      outcome.lines.dropFirst() == [
        "shrunk,App.Listing,kind,unknownNovelValue,,villa,String,,8,8,1,0.08,0.04,0.5",
        "shrunk,App.Listing,kind,unknownNovelValue,,castle,String,,2,2,1,0.02,0.01,0.5",
      ])
  }

  @Test func `check cannot limit a rate that nobody knows`() throws {
    let sandbox = try sandbox([])
    #expect(try sandbox.run("check", "--max-rate", "1%", "--allow-empty").status == 66)
    let outcome = try sandbox.run("check", "--max-rate", "1%")
    #expect(
      outcome
        == .failure(
          66,
          "no decodes without errors were counted, so there is no rate for 20 occurrences (all decodes "
            + "failed, or the app does not count them): apps count them that decode with "
            + "decode(_:from:recordingTo:), recordErrors(of:) or a PersistentErrorReporter"))
  }

  @Test(arguments: ["", "%", "-1%", "101%", "1.1", "1", "100", "nan", "1 %", "half"])
  func `a rate that is none is refused`(rate: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run("check", "--max-rate", rate)
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("'\(rate)'"))
  }
}

struct TrendRateTests {
  private func sandbox() throws -> Sandbox {
    let digests = (0..<6).map { index in
      Digest(
        "d-\(index)", model: index < 4 ? "App.Listing" : "App.Home",
        recordedAt: "2026-11-\(20 + index % 2)T10:00:00.000Z")
    }
    let lines = [("20", "App.Listing", 8), ("21", "App.Listing", 18), ("21", "App.User", 39)]
      .enumerated().map { index, line in
        #"{"id":"000000000000000\#(index + 1)","hour":"2026-11-\#(line.0)T10:00:00Z","#
          + #""model":"\#(line.1)","decodes":\#(line.2)}"# + "\n"
      }
    return try Sandbox(importing: digests.ndjson + lines.joined())
  }

  @Test func `a trend has the rate of each period`() throws {
    let outcome = try sandbox().run("trend", "--rate", "--by", "day", "--format", "csv")
    #expect(
      outcome
        == Outcome(
          stdout: """
            start,occurrences,digests,decodes,rate
            2026-11-20T00:00:00.000Z,3,3,11,0.272727
            2026-11-21T00:00:00.000Z,3,3,60,0.05

            """))
    #expect(
      try sandbox().run("trend", "--rate", "--by", "day").lines.map { $0.prefix(49) } == [
        "start       occurrences  digests  decodes  rate_%",
        "2026-11-20            3        3       11  27.273",
        "2026-11-21            3        3       60   5.000",
      ])
  }

  @Test func `each model has its own decodes`() throws {
    let outcome = try sandbox().run(
      "trend", "--rate", "--by", "day", "--group", "model", "--format", "csv")
    #expect(
      outcome.lines.dropFirst() == [
        "2026-11-20T00:00:00.000Z,App.Listing,2,2,10,0.2",
        "2026-11-21T00:00:00.000Z,App.Listing,2,2,20,0.1",
        "2026-11-20T00:00:00.000Z,App.Home,1,1,1,1",
        "2026-11-21T00:00:00.000Z,App.Home,1,1,1,1",
      ])
    #expect(
      try sandbox().run(
        "trend", "--rate", "--by", "day", "--model", "*Listing", "--format", "csv"
      ).lines.last == "2026-11-21T00:00:00.000Z,2,2,20,0.1")
  }

  @Test(arguments: [
    (
      ["--group", "value"],
      "such a trend has no rates: group by model, release, environment or operation"
    ),
    (["--by", "minute"], "such a trend has no rates: decodes are counted by the hour; take hours"),
    (
      ["--value", "villa"],
      "such a trend has no rates: remove the filters for paths, kinds and values"
    ),
  ])
  func `a trend that can have no rates says what to do`(arguments: [String], message: String) throws
  {
    #expect(try sandbox().run(["trend", "--rate"] + arguments) == .failure(64, message))
  }

  @Test func `a store without decodes has no rates`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("trend", "--rate")
        == .failure(64, "no decodes without errors were counted, so there are no rates"))
  }
}
