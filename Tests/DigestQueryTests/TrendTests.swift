import Foundation
import Testing

struct TrendTests {
  private static let utf8 = ["LANG": "en_GB.UTF-8"]

  @Test(arguments: [
    (["LANG": "en_GB.UTF-8"], true), (["LANG": "C.utf8"], true), (["LC_CTYPE": "UTF-8"], true),
    (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
    (["LANG": "en_GB.ISO-8859-1"], false), ([:], false),
  ])
  func `bars are of blocks where the locale has them`(
    environment: [String: String], isUnicode: Bool
  ) throws {
    let bar = String(repeating: isUnicode ? "█" : "#", count: 30)
    #expect(
      try Sandbox(importing: Drift.ndjson).run(
        "trend --by day --kind unknownNovelValue --release 4.2.0 --until 2026-11-22",
        environment: environment)
        == Outcome(lines: [
          "start       occurrences", "2026-11-20            3  \(bar)", "2026-11-21            0",
        ]))
  }

  @Test func `each group has its rows, and a summary covers all`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run(
        "trend --by day --group value --model App.L*", environment: Self.utf8)
        == Outcome(
          stdout: """
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
            App.Listing  items[].kind  castle       String                2  █▁█
            App.Listing  items[].kind  villa        String                2  █▁▁
            App.Listing  attrs.*       7            Int                   1  █▁▁

            """))
  }

  private static let undated =
    "not counted here: 3 occurrences for which only the all-time sum is left (undated, recorded "
    + "since 2026-11-21T00:00:00.000Z)"

  @Test(arguments: [
    (
      "--by day --format table", "2026-11-20            6  ##############################",
      "2026-11-21            -"
    ),
    (
      "--by day --format csv", "2026-11-20T00:00:00.000Z,6,false", "2026-11-21T00:00:00.000Z,,false"
    ),
    (
      "--by day --format tsv", "2026-11-20T00:00:00.000Z\t6\tfalse",
      "2026-11-21T00:00:00.000Z\t\tfalse"
    ),
    (
      "--by day --format markdown", "| 2026-11-20T00:00:00.000Z | 6 | false |",
      "| 2026-11-21T00:00:00.000Z |  | false |"
    ),
    // At a glance such a period is a gap.
    ("--by day --group model", "App.Listing            7  █ ▂", "App.Home               3  ▁ ▁"),
  ])
  func `a period of which counts were dropped is empty in every format`(
    options: String, known: String, unknown: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(3, in: 0, "undated", at: "2026-11-21T00:00:00Z")
    let outcome = try sandbox.run("trend \(options)", environment: Self.utf8)
    let lines = outcome.lines.map { $0.replacing("█████", with: "#####") }
    #expect(lines.contains(known) && lines.contains(unknown), "\(outcome)")
    #expect(outcome.notes == [Self.undated])
    // Where there is no other period nothing is said not to match.
    #expect(
      try sandbox.run("trend --by day --since 2026-11-21 --until 2026-11-22 --model No*")
        == Outcome(
          lines: ["start       occurrences", "2026-11-21            -"], notes: [Self.undated]))
  }

  @Test(arguments: [
    ("model", "model", ["App.Listing 6 0 1", "App.Home 0 3 0"]),
    (
      "kind", "kind",
      ["unknownNovelValue 4 2 1", "dataCorrupted 1 0 0", "keyNotFound 0 1 0", "typeMismatch 1 0 0"]
    ),
    ("release", "release", ["4.2.0 5 0 0", "4.3.0 0 3 1", " 1 0 0"]),
    (
      "value", "model,coding_path,novel_value,value_type",
      [
        "App.Home,items[].kind,tower,String 0 2 0", "App.Listing,items[].kind,castle,String 1 0 1",
        "App.Listing,items[].kind,villa,String 2 0 0", "App.Listing,attrs.*,7,Int 1 0 0",
      ]
    ),
  ])
  func `a group has columns of its own`(group: String, columns: String, rows: [String]) throws {
    let days = ["2026-11-20", "2026-11-21", "2026-11-22"]
    let lines = rows.flatMap { row in
      let words = row.split(separator: " ", omittingEmptySubsequences: false)
      return zip(days, words.dropFirst()).map {
        "\($0)T00:00:00.000Z,\(words[0]),\($1),false"
      }
    }
    #expect(
      try Sandbox(importing: Drift.ndjson).run("trend --by day --group \(group) --format csv")
        == Outcome(lines: ["start,\(columns),occurrences,partial"] + lines))
  }

  @Test(arguments: [
    ("--by minute", 3_721, "2026-11-20 10:00Z            3"),
    ("--by hour", 63, "2026-11-20 10:00Z            5"),
    ("--by day", 4, "2026-11-20            6"), ("--by week", 2, "2026-11-16           10"),
    // The unit suits the window unless it is given.
    ("", 63, "2026-11-20 10:00Z            5"),
    ("--until 2026-11-20T12:00:00Z", 121, "2026-11-20 10:00Z            3"),
    ("--since 2026-11-20 --until 2026-11-24", 5, "2026-11-20            6"),
    ("--since 2026-06-01 --until 2026-12-31", 32, "2026-06-01            0"),
  ])
  func `periods are of one length, from the first error to the last`(
    options: String, count: Int, first: String
  ) throws {
    let lines = try Sandbox(importing: Drift.ndjson).run("trend \(options)").lines
    #expect(lines.count == count)
    #expect(lines[1].hasPrefix(first))
  }

  @Test func `a window that is so long reaches up to now`() throws {
    let recorded = Digest.time(ago: 7_200)
    let sandbox = try Sandbox(importing: [Digest(recordedAt: recorded)])
    func rows(_ window: String) throws -> [Int] {
      try sandbox.run("trend --by hour --format csv --columns occurrences \(window)").lines
        .compactMap { Int($0) }
    }
    #expect(try rows("") == [1])
    #expect(try rows("--since \(recorded)") == [1])
    let upToNow = try rows("--since 1d")
    #expect(upToNow.count == 25 || upToNow.count == 26)
    // The hour may change between the import and the report.
    #expect(upToNow.suffix(4).contains(1))
    #expect(upToNow.last == 0)
    let before = try rows("--since 1d --until 3h")
    #expect(before.count == 22 || before.count == 23)
    #expect(before.allSatisfy { $0 == 0 })
  }

  private static let early = "--since 2025-12-01 --until 2025-12-01T02:00:00Z --by hour"
  private static let reason = "the window ends before the first error in the store"

  @Test(arguments: [
    (
      early,
      [
        "start              occurrences", "2025-12-01 00:00Z            0",
        "2025-12-01 01:00Z            0",
      ], reason
    ),
    ("\(early) --group model", ["start  model  occurrences"], reason),
    (
      "--model none* --format tsv", ["start\toccurrences\tpartial"],
      "the store has no model that matches none*"
    ),
  ])
  func `a window in which nothing happened has zeros, and one without ends has no rows`(
    options: String, lines: [String], reason: String
  ) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("trend \(options)")
        == .nothing(lines.map { $0 + "\n" }.joined(), reason))
  }

  @Test func `a limit is one of groups, ten unless it is given`() throws {
    let sandbox = try Sandbox(
      importing: (10..<21).map { Digest(novelValue: "\($0)", model: "M\($0)") })
    let command = "trend --group model --by day --format csv"
    let outcome = try sandbox.run(command)
    #expect(outcome.lines.count == 11)
    let all = try sandbox.run("\(command) --limit 11")
    #expect(all.lines.count == 12 && all.stderr == "")
    #expect(
      try sandbox.run("\(command) --limit 1")
        == Outcome(
          lines: ["start,model,occurrences,partial", "2026-11-20T00:00:00.000Z,M10,1,false"]))
  }

  @Test(arguments: [
    (
      "--by minute --since 2020-01-01",
      "a trend has at most 1000000 points; take longer periods, a shorter window or fewer groups"
    ),
    (
      "--by hour",
      "a trend of all time has at most 5000 periods, and this one would have 87710; begin it with since "
        + "(--since), or take longer periods"
    ),
  ])
  func `a trend of too many periods says what to do`(options: String, message: String) throws {
    let early = Digest(recordedAt: "2016-11-20T10:00:00.000Z")
    #expect(
      try Sandbox(importing: Drift.ndjson + early.line).run("trend \(options)")
        == .failure(64, message))
  }

  @Test func `each count above zero has a bar, and many periods fit one line`() throws {
    let sandbox = try Sandbox(
      importing: [
        Digest(count: 1_000), Digest(model: "App.Home", recordedAt: "2026-11-22T10:00:00.000Z"),
      ])
    let lines = try sandbox.run("trend --by hour --group model", environment: Self.utf8).lines
    let longest = String(repeating: "█", count: 30)
    let nothing = String(repeating: "▁", count: 24)
    #expect(lines.contains("2026-11-20 10:00Z         1000  \(longest)"))
    #expect(lines.contains("2026-11-22 10:00Z            1  ▏"))
    // 49 hours, two in each place.
    let glance = ["App.Listing         1000  █\(nothing)", "App.Home               1  \(nothing)█"]
    #expect(Array(lines.suffix(2)) == glance)
    // A single group needs no summary.
    #expect(
      try sandbox.run("trend --by hour --group model --model App.Home").lines == [
        "App.Home", "start              occurrences",
        "2026-11-22 10:00Z            1  ##############################",
      ])
  }

  @Test func `a part of a period has a mark, and no place in a line`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let window = "--by day --since 2026-11-20T10:30:00Z --until 2026-11-22T23:59:59.999Z"
    let bar = String(repeating: "█", count: 30)
    #expect(
      try sandbox.run("trend \(window)", environment: Self.utf8)
        == Outcome(lines: [
          "start       occurrences", "2026-11-20            3  \(bar)…",
          "2026-11-21            3  \(bar)", "2026-11-22            0  …",
        ]))
    #expect(
      try sandbox.run("trend \(window)").lines.last == "2026-11-22            0  ..")
    #expect(
      try sandbox.run("trend \(window) --format csv --columns occurrences,partial").lines
        == ["occurrences,partial", "3,true", "3,false", "0,true"])
    #expect(
      try sandbox.run("trend \(window) --group model", environment: Self.utf8).lines.suffix(2)
        == ["App.Home               3  █", "App.Listing            3  ▁"])
  }

  @Test(.needs("script")) func `bars fit a narrow terminal`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).runOnTerminal("trend --by day", columns: 50).lines == [
        "start       occurrences", "2026-11-20            6  ################",
        "2026-11-21            3  ########", "2026-11-22            1  ###",
      ])
  }

  /// No filter matches bytes that are no UTF-8.
  @Test(arguments: ["model", "path", "value"])
  func `a name that is no UTF-8 is counted`(group: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let counts = "trend --by day --format csv --columns start,occurrences --group \(group)"
    let before = try sandbox.run(counts)
    try sandbox.alter(
      """
      UPDATE model SET name = CAST(x'417070FF41' AS TEXT) WHERE name = 'App.Listing';
      UPDATE failure SET coding_path = CAST(x'61FF' AS TEXT) WHERE coding_path = 'items[].kind'
      """)
    let after = try sandbox.run(counts)
    #expect(after.status == 0)
    #expect(after.lines.sorted() == before.lines.sorted())
  }
}
