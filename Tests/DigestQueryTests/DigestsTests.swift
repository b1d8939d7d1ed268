import Foundation
import Testing

struct DigestsTests {
  private static let table = """
    id          recorded_at           release  model        entries  paths
    dddddddd-5  2026-11-22 23:59:59Z  4.3.0    App.Listing        1  items[].kind "castle"
    dddddddd-4  2026-11-21 00:00:00Z  4.3.0    App.Home           3  owner.name, items[].kind "tower"
    dddddddd-3  2026-11-20 11:00:00Z  -        App.Listing        1  attrs.* "7"
    dddddddd-2  2026-11-20 10:59:59Z  4.2.0    App.Listing        2  items[].kind "castle", price
    dddddddd-1  2026-11-20 10:00:00Z  4.2.0    App.Listing        3  items[].kind "villa", items[].kind

    """

  private static let csv = """
    id,recorded_at,release,model,entries,novel_values,paths
    d-5,2026-11-22T23:59:59.999Z,4.3.0,App.Listing,1,1,1
    d-4,2026-11-21T00:00:00.000Z,4.3.0,App.Home,3,2,2
    d-3,2026-11-20T11:00:00.000Z,,App.Listing,1,1,1
    d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,2,1,2
    d-1,2026-11-20T10:00:00.123Z,4.2.0,App.Listing,3,2,1

    """

  private static let objects = [
    #"{"id": "d-5", "recorded_at": "2026-11-22T23:59:59.999Z", "release": "4.3.0", "#
      + #""model": "App.Listing", "entries": 1, "novel_values": 1, "paths": 1}"#,
    #"{"id": "d-4", "recorded_at": "2026-11-21T00:00:00.000Z", "release": "4.3.0", "#
      + #""model": "App.Home", "entries": 3, "novel_values": 2, "paths": 2}"#,
    #"{"id": "d-3", "recorded_at": "2026-11-20T11:00:00.000Z", "release": null, "#
      + #""model": "App.Listing", "entries": 1, "novel_values": 1, "paths": 1}"#,
    #"{"id": "d-2", "recorded_at": "2026-11-20T10:59:59.999Z", "release": "4.2.0", "#
      + #""model": "App.Listing", "entries": 2, "novel_values": 1, "paths": 2}"#,
    #"{"id": "d-1", "recorded_at": "2026-11-20T10:00:00.123Z", "release": "4.2.0", "#
      + #""model": "App.Listing", "entries": 3, "novel_values": 2, "paths": 1}"#,
  ]

  private static let golden = [
    "table": table,
    "csv": csv,
    "tsv": csv.replacing(",", with: "\t"),
    "json": "[\n  \(objects.joined(separator: ",\n  "))\n]\n",
    "ndjson": objects.joined(separator: "\n") + "\n",
    "markdown": #"""
    | id | recorded_at | release | model | entries | novel_values | paths |
    |---|---|---|---|---|---|---|
    | d-5 | 2026-11-22T23:59:59.999Z | 4.3.0 | App.Listing | 1 | 1 | 1 |
    | d-4 | 2026-11-21T00:00:00.000Z | 4.3.0 | App.Home | 3 | 2 | 2 |
    | d-3 | 2026-11-20T11:00:00.000Z |  | App.Listing | 1 | 1 | 1 |
    | d-2 | 2026-11-20T10:59:59.999Z | 4.2.0 | App.Listing | 2 | 1 | 2 |
    | d-1 | 2026-11-20T10:00:00.123Z | 4.2.0 | App.Listing | 3 | 2 | 1 |

    """#,
  ]

  @Test(arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `every format lists the same digests`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = try #require(Self.golden[format])
    #expect(try sandbox.run("digests", "--format", format) == Outcome(stdout: stdout))
  }

  @Test func `it lists twenty by default, and says that there are more`() throws {
    let sandbox = try Sandbox(importing: (1...25).map { Digest("d-\($0)") }.ndjson)
    let note = "digest-query: there are more than 20 rows; raise --limit to see them\n"
    let outcome = try sandbox.run("digests", "--format", "csv")
    #expect(outcome.stderr == note)
    #expect(
      outcome.lines.dropFirst().map { $0.prefix { $0 != "," } }
        == (6...25).reversed().map { "d-\($0)" })
    let all = try sandbox.run("digests", "--format", "csv", "--limit", "25")
    #expect(all.lines.count == 26)
    #expect(all.stderr.isEmpty)
  }

  @Test(arguments: [
    (["--path", "price"], ["d-2"]), (["--model", "App.H*"], ["d-4"]),
    (["--release", "4.2.0"], ["d-2", "d-1"]), (["--since", "2026-11-21"], ["d-5", "d-4"]),
    (["--until", "2026-11-20T10:59:59.999Z"], ["d-1"]),
    (["--path", "items*", "--release", "4.3.0"], ["d-5", "d-4"]), (["--no-release"], ["d-3"]),
    (["--kind", "keyNotFound"], ["d-4"]), (["--value", "castle"], ["d-5", "d-2"]),
  ])
  func `a filter chooses digests, which are whole`(filter: [String], ids: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = Self.objects.filter { line in ids.contains { line.contains("\"\($0)\"") } }
    #expect(
      try sandbox.run(["digests", "--format", "ndjson"] + filter)
        == Outcome(stdout: lines.joined(separator: "\n") + "\n"))
  }

  @Test func `nothing that matches is said`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("digests", "--model", "9*")
        == .nothing(
          "id  recorded_at  release  model  entries  paths\n",
          "the store has no model that matches 9*"))
  }

  @Test func `a complete list ends with the number of evicted digests`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson.replacing("\"2026-", with: "\"2016-"))
    try sandbox.evictAll()
    try sandbox.load([Digest("e-1"), Digest("e-2")].ndjson)
    let note =
      "digest-query: counted, but no longer in detail: 5 digests of 10 occurrences (evicted, "
      + "recorded since 2016-11-20T10:00:00.000Z)\n"
    #expect(try sandbox.run("digests").stderr == note)
    #expect(
      try sandbox.run("digests", "--limit", "1").stderr
        == "digest-query: there is more than 1 row; raise --limit to see them\n")
  }

  @Test func `a table cuts a digest with many places`() throws {
    var digest = Digest("d-1")
    digest.failures = ["", "a", "b", "c", "c", "d"].map { .init(path: $0, novelValue: nil) }
    let sandbox = try Sandbox(importing: digest.line)
    #expect(
      try sandbox.run("digests").lines.last?.hasSuffix("  the document, a, b and 2 more") == true)
  }
}

/// One digest whole.
extension DigestsTests {
  private static let trees = [
    "d-1": """
    d-1: 3 entries of App.Listing 4.2.0 at 2026-11-20T10:00:00.123Z
    items
      Index 0
        kind
          - Unknown novel value "villa" of `App.Kind`
            unknownNovelValue
      Index 3
        kind
          - Unknown novel value "villa" of `App.Kind`
            unknownNovelValue
          - Could not make sense of the data, expected `App.Kind`
            dataCorrupted

    """,
    "d-2": """
    d-2: 2 entries of App.Listing 4.2.0 at 2026-11-20T10:59:59.999Z
    items
      Index 1
        kind
          - Unknown novel value "castle" of `App.Kind`
            unknownNovelValue
    price
      - Could not decode as `Int`, found string "12.5 EUR"
        typeMismatch

    """,
    "d-3": """
    d-3: 1 entry of App.Listing at 2026-11-20T11:00:00.000Z
    attrs
      size
        - Unknown novel value "7" of `App.Size`
          unknownNovelValue

    """,
    "d-4": """
    d-4: 3 entries of App.Home 4.3.0 at 2026-11-21T00:00:00.000Z
    owner
      - Found no key "name"
        keyNotFound
    … and 2 more: unknownNovelValue "tower" at items[].kind

    """,
  ]

  @Test(arguments: ["d-1", "d-2", "d-3", "d-4"])
  func `a digest is a tree`(id: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let tree = try #require(Self.trees[id])
    #expect(try sandbox.run("digests", id) == Outcome(stdout: tree))
  }

  @Test func `several digests are in the order in which they were asked for`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let trees = try ["d-3", "d-1"].map { try #require(Self.trees[$0]) }
    #expect(
      try sandbox.run("digests", "d-3", "d-1")
        == Outcome(stdout: trees.joined(separator: "\n")))
  }

  @Test(arguments: [
    (
      #"{"path":"","kind":"dataCorrupted","expectedType":"App.Home","foundType":"html"}"#,
      [
        "- Could not make sense of the data, expected `App.Home`, found html", "  dataCorrupted",
      ]
    ),
    (#"{"path":"","kind":"other"}"#, ["- Failed", "  other"]),
    (
      #"{"path":"a[2]","kind":"valueNotFound","expectedType":"Int","foundType":"null"}"#,
      ["a", "  Index 2", "    - Found null where a `Int` was expected", "      valueNotFound"]
    ),
    (
      #"{"path":"a","kind":"valueNotFound"}"#,
      ["a", "  - Found null where a value was expected", "    valueNotFound"]
    ),
    (
      #"{"path":"a","kind":"dataCorrupted","expectedType":"URL","foundType":"array"}"#,
      [
        "a", "  - Could not make sense of the data, expected `URL`, found array",
        "    dataCorrupted",
      ]
    ),
    (
      #"{"path":"a","kind":"converted","expectedType":"Int","foundType":"string","foundValue":"1"}"#,
      ["a", "  - Converted to `Int`, found string \"1\"", "    converted"]
    ),
    (
      #"{"path":"a","kind":"typeMismatch","foundType":"number","foundValue":"1"}"#,
      ["a", "  - Could not decode as the type, found number 1", "    typeMismatch"]
    ),
    (
      #"{"path":"a","kind":"keyNotFound","expectedType":"Int"}"#,
      ["- Found no key \"a\", expected `Int`", "  keyNotFound"]
    ),
    (
      #"{"path":"a","kind":"unknownNovelValue","novelValue":"7","foundType":"string","foundValue":"x"}"#,
      ["a", "  - Unknown novel value \"7\", found string \"x\"", "    unknownNovelValue"]
    ),
    (
      #"{"path":"[\"a.b\"][\"\\u001b[31m\"]","kind":"typeMismatch","expectedType":"\u202eInt"}"#,
      [
        "a.b", "  \\u001b[31m", "    - Could not decode as `\\u{202E}Int`", "      typeMismatch",
      ]
    ),
  ])
  func `each kind has words of its own`(failure: String, lines: [String]) throws {
    let line =
      #"{"id":"d","recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[\#(failure)]}"#
    let sandbox = try Sandbox(importing: line)
    let heading = "d: 1 entry of M at 2026-11-20T10:00:00.000Z"
    #expect(
      try sandbox.run("digests", "d")
        == Outcome(stdout: ([heading] + lines).map { $0 + "\n" }.joined()))
  }

  @Test func `a path is a tree only as far as one can see it`() throws {
    let path = Array(repeating: "a", count: 100).joined(separator: ".")
    let sandbox = try Sandbox(importing: Digest("d", at: path).line)
    #expect(
      try sandbox.run("digests", "d").lines.dropFirst()
        == [path, "  - Unknown novel value \"villa\"", "    unknownNovelValue"])
  }

  @Test func `json equals an export`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = Drift.lines
    for format in ["json", "ndjson"] {
      #expect(
        try sandbox.run("digests", "d-4", "--format", format) == Outcome(stdout: lines[3] + "\n"))
    }
    #expect(
      try sandbox.run("digests", "d-5", "d-1", "--format", "ndjson")
        == Outcome(stdout: lines[4] + "\n" + lines[0] + "\n"))
    #expect(
      try sandbox.run("digests", "d-5", "d-1", "--format", "json")
        == Outcome(stdout: "[\n  \(lines[4]),\n  \(lines[0])\n]\n"))
  }

  @Test(arguments: ["csv", "tsv"])
  func `rows are the occurrences that an export has`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let export = try sandbox.run("export", "--format", format).lines
    let rows = [0, 7, 8, 4, 5].map { export[$0] + "\n" }.joined()
    #expect(
      try sandbox.run("digests", "d-4", "d-2", "--format", format) == Outcome(stdout: rows))
  }

  @Test func `the id that a table shows is enough`() throws {
    let sandbox = try Sandbox(importing: (1...12).map { Digest(novelValue: "v\($0)") }.ndjson)
    let table = try sandbox.run("digests").lines
    let id = try #require(table.last?.split(separator: " ").first)
    #expect(id.hasSuffix("-1"))
    let tree = try sandbox.run("digests", String(id))
    #expect(tree.status == 0)
    #expect(tree.stdout.contains(#"value "v1""#))
  }

  @Test func `an id that may be another one is refused`() throws {
    let ids = ["1", "2"].map {
      String(repeating: "1", count: 31) + "\($0)-1-1795168800000"
    }
    let sandbox = try Sandbox(
      importing: ids.map {
        #"{"id":"\#($0)","recordedAt":"2026-11-20T10:00:00.000Z","model":"M","errors":[]}"# + "\n"
      }.joined())
    #expect(
      try sandbox.run("digests", "1111-1")
        == .failure(64, "digest 1111-1 may be \(ids[1]), \(ids[0]); write more of the id"))
  }

  @Test(arguments: ["table", "csv", "tsv", "markdown"])
  func `an unknown digest is an error, and nothing is printed`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let remedy =
      "it may have been evicted and is still counted then; digest-query digests lists the digests "
      + "that are left"
    var expected = Outcome.failure(66, "no digest x\\u{1B} in digests.sqlite: \(remedy)")
    if format.hasSuffix("json") {
      expected.stderr = #"{"error": "no digest x\u001B in digests.sqlite: "# + remedy
      expected.stderr += #"", "status": 66}"# + "\n"
    }
    #expect(try sandbox.run("digests", "d-1", "x\u{1B}", "--format", format) == expected)
  }

  @Test(arguments: [["--since", "1h"], ["--model", "*"], ["--path", "*"], ["--limit", "3"]])
  func `an id and a filter together are refused`(options: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(["digests", "d-1"] + options)
        == .failure(
          64,
          "an id names one digest: leave out the filters and --limit, or the id; see digest-query "
            + "digests --help"))
  }

  @Test(arguments: [("0", []), ("-1", ["d-1"])])
  func `a limit is a positive number`(limit: String, ids: [String]) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(["digests", "--limit=\(limit)"] + ids)
    #expect(outcome.status == 64)
    #expect(outcome.stderr.hasPrefix("digest-query: --limit \(limit) is too small"))
  }
}
