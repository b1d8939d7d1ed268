import Foundation
import Testing

struct TrendTests {
  private static let utf8 = ["LANG": "en_GB.UTF-8"]

  private static let csv = """
    start,occurrences
    2026-11-20T00:00:00.000Z,6
    2026-11-21T00:00:00.000Z,3
    2026-11-22T00:00:00.000Z,1

    """

  private static let objects = csv.split(separator: "\n").dropFirst().map {
    let cells = $0.split(separator: ",")
    return #"{"start": "\#(cells[0])", "occurrences": \#(cells[1])}"#
  }

  private static let table = """
    start       occurrences
    2026-11-20            6  ##############################
    2026-11-21            3  ###############
    2026-11-22            1  #####

    """

  private static let golden = [
    "table": table,
    "csv": csv,
    "tsv": csv.replacing(",", with: "\t"),
    "json": "[\n  \(objects.joined(separator: ",\n  "))\n]\n",
    "ndjson": objects.joined(separator: "\n") + "\n",
    "markdown": "| start | occurrences |\n|---|---|\n"
      + csv.split(separator: "\n").dropFirst()
      .map { "| \($0.replacing(",", with: " | ")) |\n" }.joined(),
  ]

  @Test(arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `every format prints the same rows`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = try #require(Self.golden[format])
    #expect(
      try sandbox.run("trend", "--by", "day", "--format", format) == Outcome(stdout: stdout))
  }

  @Test(arguments: [
    (["LANG": "en_GB.UTF-8"], true), (["LANG": "C.utf8"], true), (["LC_CTYPE": "UTF-8"], true),
    (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
    (["LANG": "en_GB.ISO-8859-1"], false), ([:], false),
  ])
  func `bars are of blocks where the locale has them`(
    environment: [String: String],
    isUnicode: Bool
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(
      [
        "trend", "--by", "day", "--kind", "unknownNovelValue", "--release", "4.2.0", "--until",
        "2026-11-22",
      ],
      environment: environment)
    let bar = isUnicode ? "█" : "#"
    #expect(
      outcome
        == Outcome(
          stdout: "start       occurrences\n"
            + "2026-11-20            3  \(String(repeating: bar, count: 30))\n"
            + "2026-11-21            0\n"))
  }

  @Test func `each group has its rows, and a summary covers all`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(
        ["trend", "--by", "day", "--group", "value"], environment: Self.utf8)
        == Outcome(
          stdout: """
            App.Home  items[].kind  tower  String
            start       occurrences
            2026-11-20            0
            2026-11-21            2  ██████████████████████████████
            2026-11-22            0

            App.Listing  items[].kind  castle  String
            start       occurrences
            2026-11-20            1  ███████████████
            2026-11-21            0
            2026-11-22            1  ███████████████

            App.Listing  items[].kind  villa  String
            start       occurrences
            2026-11-20            2  ██████████████████████████████
            2026-11-21            0
            2026-11-22            0

            App.Listing  attrs.*  7  Int
            start       occurrences
            2026-11-20            1  ███████████████
            2026-11-21            0
            2026-11-22            0

            model        coding_path   novel_value  value_type  occurrences  trend
            App.Home     items[].kind  tower        String                2  ▁█▁
            App.Listing  items[].kind  castle       String                2  █▁█
            App.Listing  items[].kind  villa        String                2  █▁▁
            App.Listing  attrs.*       7            Int                   1  █▁▁

            """))
  }

  private static let undatedRows: [String: String?] = [
    "table": table.replacing("           3  ###############", with: "           -"),
    "csv": csv.replacing(",3", with: ","),
    "tsv": csv.replacing(",3", with: ",").replacing(",", with: "\t"),
    "json": golden["json"]?.replacing("occurrences\": 3", with: "occurrences\": null"),
    "ndjson": golden["ndjson"]?.replacing("occurrences\": 3", with: "occurrences\": null"),
    "markdown": golden["markdown"]?.replacing("| 3 |", with: "|  |"),
  ]

  private static let undated =
    "not counted here: 3 occurrences for which only the all-time sum is left (undated, recorded "
    + "since 2026-11-21T00:00:00.000Z)"

  /// A store that has dropped the counts of the second day.
  private func undatedStore() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(1_795_219_200 / 3_600), 0, 3)"
    )
    return sandbox
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"),
    arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `a period of which counts were dropped is empty in every format`(format: String) throws {
    let note =
      format.hasSuffix("json") ? "{\"note\": \"\(Self.undated)\"}" : "digest-query: \(Self.undated)"
    #expect(
      try undatedStore().run("trend", "--by", "day", "--format", format)
        == Outcome(
          stdout: try #require(Self.undatedRows[format] ?? nil), stderr: note + "\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func
    `at a glance such a period is a gap, and where there is no other nothing is said not to match`()
    throws
  {
    let sandbox = try undatedStore()
    let groups = try sandbox.run(
      ["trend", "--by", "day", "--group", "model"], environment: Self.utf8)
    #expect(
      Array(groups.lines.suffix(2)) == [
        "App.Listing            7  █ ▂", "App.Home               3  ▁ ▁",
      ])
    #expect(
      try sandbox.run(
        "trend", "--by", "day", "--since", "2026-11-21", "--until", "2026-11-22", "--model", "No*")
        == Outcome(
          stdout: "start       occurrences\n2026-11-21            -\n",
          stderr: "digest-query: \(Self.undated)\n"))
  }

  @Test func `a single group needs no summary`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("trend", "--group", "release", "--no-release").stdout == """
        -
        start              occurrences
        2026-11-20 11:00Z            1  ##############################

        """)
  }

  @Test(arguments: [
    (
      "model",
      [
        "start,model,occurrences", "2026-11-20T00:00:00.000Z,App.Listing,6",
        "2026-11-21T00:00:00.000Z,App.Listing,0", "2026-11-22T00:00:00.000Z,App.Listing,1",
        "2026-11-20T00:00:00.000Z,App.Home,0", "2026-11-21T00:00:00.000Z,App.Home,3",
        "2026-11-22T00:00:00.000Z,App.Home,0",
      ]
    ),
    (
      "kind",
      [
        "start,kind,occurrences", "2026-11-20T00:00:00.000Z,unknownNovelValue,4",
        "2026-11-21T00:00:00.000Z,unknownNovelValue,2",
        "2026-11-22T00:00:00.000Z,unknownNovelValue,1",
        "2026-11-20T00:00:00.000Z,dataCorrupted,1", "2026-11-21T00:00:00.000Z,dataCorrupted,0",
        "2026-11-22T00:00:00.000Z,dataCorrupted,0", "2026-11-20T00:00:00.000Z,keyNotFound,0",
        "2026-11-21T00:00:00.000Z,keyNotFound,1", "2026-11-22T00:00:00.000Z,keyNotFound,0",
        "2026-11-20T00:00:00.000Z,typeMismatch,1", "2026-11-21T00:00:00.000Z,typeMismatch,0",
        "2026-11-22T00:00:00.000Z,typeMismatch,0",
      ]
    ),
    (
      "release",
      [
        "start,release,occurrences", "2026-11-20T00:00:00.000Z,4.2.0,5",
        "2026-11-21T00:00:00.000Z,4.2.0,0", "2026-11-22T00:00:00.000Z,4.2.0,0",
        "2026-11-20T00:00:00.000Z,4.3.0,0", "2026-11-21T00:00:00.000Z,4.3.0,3",
        "2026-11-22T00:00:00.000Z,4.3.0,1", "2026-11-20T00:00:00.000Z,,1",
        "2026-11-21T00:00:00.000Z,,0", "2026-11-22T00:00:00.000Z,,0",
      ]
    ),
    (
      "value",
      [
        "start,model,coding_path,novel_value,value_type,occurrences",
        "2026-11-20T00:00:00.000Z,App.Home,items[].kind,tower,String,0",
        "2026-11-21T00:00:00.000Z,App.Home,items[].kind,tower,String,2",
        "2026-11-22T00:00:00.000Z,App.Home,items[].kind,tower,String,0",
        "2026-11-20T00:00:00.000Z,App.Listing,items[].kind,castle,String,1",
        "2026-11-21T00:00:00.000Z,App.Listing,items[].kind,castle,String,0",
        "2026-11-22T00:00:00.000Z,App.Listing,items[].kind,castle,String,1",
        "2026-11-20T00:00:00.000Z,App.Listing,items[].kind,villa,String,2",
        "2026-11-21T00:00:00.000Z,App.Listing,items[].kind,villa,String,0",
        "2026-11-22T00:00:00.000Z,App.Listing,items[].kind,villa,String,0",
        "2026-11-20T00:00:00.000Z,App.Listing,attrs.*,7,Int,1",
        "2026-11-21T00:00:00.000Z,App.Listing,attrs.*,7,Int,0",
        "2026-11-22T00:00:00.000Z,App.Listing,attrs.*,7,Int,0",
      ]
    ),
  ])
  func `a group has columns of its own`(group: String, lines: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("trend", "--by", "day", "--group", group, "--format", "csv")
        == Outcome(stdout: lines.map { $0 + "\n" }.joined()))
  }

  @Test(arguments: [
    ("minute", 3_721, "2026-11-20 10:00Z            3"),
    ("hour", 63, "2026-11-20 10:00Z            5"), ("day", 4, "2026-11-20            6"),
    ("week", 2, "2026-11-16           10"),
  ])
  func `periods are of one length, from the first error to the last`(
    unit: String,
    count: Int,
    first: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = try sandbox.run("trend", "--by", unit).lines
    #expect(lines.count == count)
    #expect(lines[1].hasPrefix(first))
  }

  @Test(arguments: [
    ([], 63), (["--until", "2026-11-20T12:00:00Z"], 121),
    (["--since", "2026-11-20T10:00:00Z", "--until", "2026-11-20T13:00:00Z"], 181),
    (["--since", "2026-11-20T10:00:00Z", "--until", "2026-11-20T13:01:00Z"], 5),
    (["--since", "2026-11-20", "--until", "2026-11-24"], 5),
    (["--since", "2026-06-01", "--until", "2026-12-31"], 32),
  ])
  func `the unit suits the window unless it is given`(window: [String], lines: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run(["trend"] + window).lines.count == lines)
  }

  @Test func `a window that is so long reaches up to now`() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let recorded = Date() - 7_200
    let sandbox = try Sandbox(
      importing: Digest(recordedAt: recorded.formatted(style)).line)
    func rows(_ arguments: String...) throws -> [Int] {
      try jsonObjects(
        sandbox.run(["trend", "--by", "hour", "--format", "ndjson"] + arguments).stdout
      ).map { try #require($0["occurrences"] as? Int) }
    }
    #expect(try rows() == [1])
    #expect(try rows("--since", recorded.formatted(style)) == [1])
    let upToNow = try rows("--since", "1d")
    #expect(upToNow.count == 25 || upToNow.count == 26)
    // The hour may change between the import and the report.
    #expect(upToNow.suffix(4).contains(1))
    #expect(upToNow.last == 0)
    let before = try rows("--since", "1d", "--until", "3h")
    #expect(before.count == 22 || before.count == 23)
    #expect(before.allSatisfy { $0 == 0 })
  }

  @Test func `a window in which nothing happened has zeros, and one without ends has no rows`()
    throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let window = ["--since", "2025-12-01", "--until", "2025-12-01T02:00:00Z", "--by", "hour"]
    #expect(
      try sandbox.run(["trend"] + window)
        == .nothing(
          "start              occurrences\n2025-12-01 00:00Z            0\n"
            + "2025-12-01 01:00Z            0\n",
          "the window ends before the first error in the store"))
    #expect(
      try sandbox.run(["trend", "--group", "model"] + window)
        == .nothing(
          "start  model  occurrences\n", "the window ends before the first error in the store"))
    #expect(
      try sandbox.run("trend", "--model", "none*", "--format", "tsv")
        == .nothing("start\toccurrences\n", "the store has no model that matches none*"))
    #expect(
      try Sandbox(importing: "").run("trend") == .nothing("start  occurrences\n"))
  }

  @Test func `a limit is one of groups, ten unless it is given`() throws {
    let sandbox = try Sandbox(
      importing: (10..<21).map { Digest(novelValue: "\($0)", model: "M\($0)") }.ndjson)
    func outcome(_ arguments: String...) throws -> Outcome {
      try sandbox.run(["trend", "--group", "model", "--by", "day", "--format", "csv"] + arguments)
    }
    let note = "digest-query: there are more than 10 groups; raise --limit to see them\n"
    #expect(try outcome().lines.count == 11)
    #expect(try outcome().stderr == note)
    #expect(try outcome("--limit", "11") == Outcome(stdout: outcome("--limit", "100").stdout))
    #expect(try outcome("--limit", "11").lines.count == 12)
    #expect(
      try outcome("--limit", "1")
        == Outcome(
          stdout: "start,model,occurrences\n2026-11-20T00:00:00.000Z,M10,1\n",
          stderr: note.replacing("are more than 10 groups", with: "is more than 1 group")))
  }

  @Test(arguments: [
    (
      ["--limit", "0"],
      "--limit 0 is too small: give it 1 or more, or leave it out; see digest-query trend --help"
    ),
    (
      ["--by", "month"],
      "The value 'month' is invalid for '--by <by>'. Please provide one of 'minute', 'hour', 'day' "
        + "or 'week'; see digest-query trend --help"
    ),
    (
      ["--group", "colour"],
      "The value 'colour' is invalid for '--group <group>'. Please provide one of "
        + "the following: model, path, kind, release, environment, operation, value; see "
        + "digest-query trend --help"
    ),
    (
      ["--by", "minute", "--since", "2020-01-01"],
      "a trend has at most 1000000 points; take longer periods, a shorter window or fewer groups"
    ),
  ])
  func `a question without an answer is an error of one line`(
    arguments: [String],
    message: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run(["trend"] + arguments) == .failure(64, message))
  }

  @Test func `each count above zero has a bar, and many periods fit one line`() throws {
    let start = "2026-11-20T10:00:00.000Z"
    var many = Digest("d-1", recordedAt: start)
    many.failures[0].count = 1_000
    let few = Digest("d-2", model: "App.Home", recordedAt: "2026-11-22T10:00:00.000Z")
    let sandbox = try Sandbox(importing: [many, few].ndjson)
    let outcome = try sandbox.run(
      ["trend", "--by", "hour", "--group", "model"], environment: Self.utf8)
    let longest = String(repeating: "█", count: 30)
    let nothing = String(repeating: "▁", count: 24)
    #expect(outcome.lines.contains("2026-11-20 10:00Z         1000  \(longest)"))
    #expect(outcome.lines.contains("2026-11-22 10:00Z            1  ▏"))
    // 49 hours, two in each place.
    let glance = ["App.Listing         1000  █\(nothing)", "App.Home               1  \(nothing)█"]
    #expect(Array(outcome.lines.suffix(2)) == glance)
    #expect(
      try sandbox.run("trend", "--by", "hour", "--model", "App.Home").lines.last
        == "2026-11-22 10:00Z            1  ##############################")
  }

  @Test(.enabled(if: Terminal.isInstalled, "script is not installed"))
  func `bars fit a narrow terminal`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.runOnTerminal(["trend", "--by", "day"], columns: 50)
    #expect(
      outcome.stdout == """
        start       occurrences
        2026-11-20            6  ################
        2026-11-21            3  ########
        2026-11-22            1  ###

        """)
  }
}
