import Foundation
import Testing

struct DigestsTests {
  @Test func `it lists twenty by default, and says that there are more`() throws {
    let sandbox = try Sandbox(importing: (1...25).map { Digest("d-\($0)") })
    let outcome = try sandbox.run("digests --format csv --columns id")
    #expect(outcome.notes == ["there are more than 20 rows; raise --limit to see them"])
    #expect(outcome.lines.dropFirst() == (6...25).reversed().map { "d-\($0)" }[...])
    #expect(try sandbox.run("digests --limit 25").stderr == "")
  }

  @Test func `a filter chooses digests, which are whole`() throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run("digests --format csv --path price")
    #expect(
      outcome.lines.dropFirst()
        == ["d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,2,1,2"])
  }

  @Test func `a complete list ends with the number of evicted digests`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    try sandbox.evictAll()
    try sandbox.load([Digest("d-8"), Digest("d-9")].ndjson)
    #expect(
      try sandbox.run("digests").notes == [
        "counted, but no longer in detail: 5 digests of 10 occurrences (evicted, recorded since "
          + "2016-11-20T10:00:00.000Z)"
      ])
    #expect(
      try sandbox.run("digests --limit 1").notes
        == ["there is more than 1 row; raise --limit to see them"])
  }

  @Test func `a table cuts a digest with many places`() throws {
    let digest = Digest(
      failures: ["", "a", "b", "c", "c", "d"].map { .error("other", at: $0) })
    let table = try Sandbox(importing: [digest]).run("digests").lines
    #expect(table.last?.hasSuffix("  the document, a, b and 2 more") == true)
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

  @Test func `digests are trees in the order in which they were asked for`() throws {
    let ids = ["d-3", "d-1", "d-4", "d-2"]
    let trees = try ids.map { try #require(Self.trees[$0]) }
    #expect(
      try Sandbox(importing: Drift.ndjson).run(["digests"] + ids)
        == Outcome(stdout: trees.joined(separator: "\n")))
  }

  @Test(arguments: [
    (
      #"{"path":"","kind":"dataCorrupted","expectedType":"App.Home","foundType":"html"}"#,
      ["- Could not make sense of the data, expected `App.Home`, found html", "  dataCorrupted"]
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
      ["a.b", "  \\u001b[31m", "    - Could not decode as `\\u{202E}Int`", "      typeMismatch"]
    ),
  ])
  func `each kind has words of its own`(failure: String, lines: [String]) throws {
    let line =
      #"{"id":"d-1","recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[\#(failure)]}"#
    #expect(
      try Sandbox(importing: Digest.withStoredIDs(line)).run("digests d-1")
        == Outcome(lines: ["d-1: 1 entry of M at 2026-11-20T10:00:00.000Z"] + lines))
  }

  @Test func `a path is a tree only as far as one can see it`() throws {
    let path = Array(repeating: "a", count: 100).joined(separator: ".")
    #expect(
      try Sandbox(importing: [Digest("d-1", at: path)]).run("digests d-1").lines.dropFirst()
        == [path, "  - Unknown novel value \"villa\"", "    unknownNovelValue"])
  }

  @Test func `in other formats it is what an export has`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = Drift.lines
    for format in ["json", "ndjson"] {
      #expect(
        try sandbox.run("digests d-4 --format \(format)") == Outcome(lines: [lines[3]]))
    }
    #expect(
      try sandbox.run("digests d-5 d-1 --format ndjson") == Outcome(lines: [lines[4], lines[0]]))
    #expect(
      try sandbox.run("digests d-5 d-1 --format json")
        == Outcome(stdout: "[\n  \(lines[4]),\n  \(lines[0])\n]\n"))
    for format in ["csv", "tsv"] {
      let export = try sandbox.run("export --format \(format)").lines
      #expect(
        try sandbox.run("digests d-4 d-2 --format \(format)")
          == Outcome(lines: [0, 7, 8, 4, 5].map { export[$0] }))
    }
  }

  @Test func `an id that may be another one is refused`() throws {
    let ids = ["1", "2"].map {
      String(repeating: "1", count: 31) + "\($0)-1-1795168800000"
    }
    #expect(
      try Sandbox(importing: ids.map { Digest($0) }).run("digests 1111-1")
        == .failure(64, "digest 1111-1 may be \(ids[1]), \(ids[0]); write more of the id"))
  }

  @Test(arguments: ["table", "csv", "tsv", "markdown"])
  func `an unknown digest is an error, and nothing is printed`(format: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run(["digests", "d-1", "x\u{1B}", "--format", format])
        == .failure(
          66,
          "no digest x\\u{1B} in digests.sqlite: it may have been evicted and is still counted then; "
            + "digest-query digests lists the digests that are left"))
  }
}
