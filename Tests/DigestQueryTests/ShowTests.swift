import Foundation
import Testing

/// One failure.
struct ShowTests {
  private static func digest(_ day: Int, _ release: String?) -> Digest {
    Digest("d-\(day)", release: release, recordedAt: "2026-11-\(day)T10:30:00.000Z")
  }

  /// Decodes without errors on a day of November 2026.
  private static func decodes(_ day: Int, _ release: String?, _ count: Int) -> String {
    Digest.decodes(count, at: "2026-11-\(day)T10:00:00Z", release: release)
  }

  private static let store =
    [digest(11, "4.1.0"), digest(12, "4.2.0"), digest(14, nil)].ndjson
    + [
      (10, "4.1.0", 100), (11, "4.1.0", 9), (12, "4.1.0", 5), (12, "4.2.0", 4), (13, "4.3.0", 3),
      (13, "4.1.0", 1), (14, "4.3.0", 6), (14, "4.10.0", 2), (14, nil, 1),
    ].map { decodes($0, $1, $2) }.joined()

  private struct Shown: Decodable {
    let id: String
    let occurrences: Int
    let rate: Double?
    let adoption: [Day]
    let releases: [Part]
    let lastDigests: [Last]
    let decision: String?

    struct Day: Decodable {
      let day: String
      let decodes: Int
      let unaffected: Int
    }
    struct Part: Decodable {
      let release: String?
      let occurrences: Int
      let decodes: Int?
    }
    struct Last: Decodable { let id: String }
  }

  private func shown(_ arguments: String, in sandbox: Sandbox) throws -> Shown {
    try JSONDecoder.ofRows.decode(
      Shown.self, from: Data(sandbox.run("show \(arguments) --format json").stdout.utf8))
  }

  @Test func `a failure has its counts since it began, its releases and its last digests`() throws {
    let sandbox = try Sandbox(importing: Self.store)
    let failure = try shown("villa", in: sandbox)
    #expect(failure.occurrences == 3)
    // The 100 decodes of the day before it began do not count.
    #expect(failure.rate == 0.088235)
    #expect(failure.releases.map(\.release) == [nil, "4.1.0", "4.2.0"])
    #expect(failure.releases.map(\.decodes) == [2, 16, 5])
    #expect(failure.lastDigests.map(\.id) == ["d-14", "d-12", "d-11"])
    #expect(failure.decision == nil)
    for name in [failure.id, "kind", "vil*"] {
      #expect(try shown(name, in: sandbox).id == failure.id)
    }
  }

  @Test func `a table says it in sentences`() throws {
    let outcome = try Sandbox(importing: Self.store).run("show villa --until 2026-11-15")
    #expect(
      outcome
        == Outcome(
          stdout: """
            App.Listing kind  j9c2c65c
            unknown value: villa
            3 occurrences in 3 digests since 2026-11-11 10:00: 8.82% of the model's decodes
            first seen 2026-11-11 10:30 in release 4.1.0, last seen 2026-11-14 10:30
            since 2026-11-14 00:00: ongoing, neither new, growing nor over
            ##_#  by day, 2026-11-11 to 2026-11-14
            80% of the decodes on 2026-11-14 come from releases that never had it (4.3.0, 4.10.0)

            name   occurrences  digests  decodes    rate  first_seen            last_seen
            RELEASE
            -                1        1        2  50%     2026-11-14 10:30:00Z  2026-11-14 10:30:00Z
            4.1.0            1        1       16   6.25%  2026-11-11 10:30:00Z  2026-11-11 10:30:00Z
            4.2.0            1        1        5  20%     2026-11-12 10:30:00Z  2026-11-12 10:30:00Z

            LAST DIGESTS
            dddddddd-14  2026-11-14 10:30:00Z
            dddddddd-12  2026-11-12 10:30:00Z  4.2.0
            dddddddd-11  2026-11-11 10:30:00Z  4.1.0

            Next: digest-query show dddddddd-14

            """))
  }

  /// What `adoption` counts: each day, the decodes by releases that never reported the value.
  @Test(arguments: [
    ("", ["2026-11-11 10 0", "2026-11-12 10 0", "2026-11-13 4 3", "2026-11-14 10 8"]),
    ("--since 2026-11-13 --until 2026-11-15", ["2026-11-13 4 3", "2026-11-14 10 8"]),
    ("--release 4.2.0", ["2026-11-12 5 0"]),
    ("--until 2026-11-12", ["2026-11-11 10 0"]),
  ])
  func `it says how much of the traffic knows the value`(filter: String, days: [String]) throws {
    let failure = try shown("villa \(filter)", in: Sandbox(importing: Self.store))
    #expect(failure.adoption.map { "\($0.day) \($0.decodes) \($0.unaffected)" } == days)
  }

  @Test func `a release that reported a value in staging has reported it`() throws {
    let time = "2026-11-11T10:30:00.000Z"
    let digests = [
      Digest("d-1", release: "4.1.0", recordedAt: time, environment: "production"),
      Digest("d-2", release: "4.2.0", recordedAt: time, environment: "staging"),
    ]
    let decodes = ["4.1.0", "4.2.0", "4.3.0"].map {
      Digest.decodes(2, at: "2026-11-12T10:00:00Z", release: $0, environment: "production")
    }
    let sandbox = try Sandbox(importing: digests.ndjson + decodes.joined())
    let failure = try shown("villa --environment production", in: sandbox)
    #expect(failure.adoption.map { [$0.decodes, $0.unaffected] } == [[6, 2]])
  }

  @Test func `several failures of a name are listed, and an id shows one of them`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run("show items[].kind --format csv --columns id,kind")
    #expect(outcome.lines.count == 5)
    #expect(outcome.notes == ["4 failures named items[].kind; show the id of one"])
    for line in outcome.lines.dropFirst() {
      let id = String(line.prefix(8))
      #expect(try shown(id, in: sandbox).id == id)
    }
  }

  @Test func `a notice and a body are shown by their names`() throws {
    let digest = Digest(
      failures: [
        .error("missingKey", at: "a.zip"),
        .error("dataCorrupted", at: "", expected: "App.Listing", found: ("html", nil)),
        .error("typeMismatch", at: "price", expected: "Int", found: ("string", "12.50")),
      ])
    let sandbox = try Sandbox(importing: [digest])
    for (name, second) in [
      ("a.zip", "missing optional key"), ("html", "invalid: html; expected App.Listing"),
      ("12.50", "wrong type: string 12.50; expected Int"),
    ] {
      #expect(try sandbox.run("show \(name)").lines.dropFirst().first == second)
    }
  }

  @Test(arguments: [
    ("tags", "tags[]"), ("tags[]", "tags[]"), ("rows", "a.rows[][]"), ("b c", #"a["b c"]"#),
    ("zip", "address.zip"),
  ])
  func `a key names its elements, too`(name: String, path: String) throws {
    let paths = ["tags[0]", "a.rows[0][1]", #"a["b c"]"#, "address.zip"]
    let sandbox = try Sandbox(
      importing: [Digest(failures: paths.map { .error("keyNotFound", at: $0) })])
    #expect(
      try sandbox.run(["show", name]).lines.first?.hasPrefix("App.Listing \(path)  ") == true)
  }

  @Test(arguments: [
    ("1970-01-02", "2026-11-14", "3 occurrences in 3 digests"),
    ("2026-11-10", "9999-12-30", "2 occurrences in 2 digests since 2026-11-10 10:00"),
    ("1970-01-02", "9999-12-30", "3 occurrences in 3 digests"),
  ])
  func `clocks that are wrong don't make years of periods`(
    first: String, last: String, counts: String
  )
    throws
  {
    let digests = [first, "2026-11-12", last].map { Digest(recordedAt: "\($0)T10:30:00.000Z") }
    let sandbox = try Sandbox(importing: digests)
    let shown = try sandbox.run("show villa")
    #expect(shown.lines.dropFirst(2).first == counts)
    #expect(try sandbox.run("show villa --format json").stdout.utf8.count < 20_000)
  }

  @Test func `what was counted on deleted days is shown`() throws {
    let sandbox = try Sandbox(importing: Self.store)
    let all = try sandbox.run("show villa").lines
    try sandbox.lose(2, in: 0, "undated", at: "2026-11-11T00:00:00Z")
    let shown = try sandbox.run("show villa")
    #expect(shown.lines[2].hasPrefix("3 occurrences in 3 digests: "))
    #expect(shown.lines[3] == all[3])
  }

  @Test func `the last digests are the latest, in whatever order they came`() throws {
    let sandbox = try Sandbox(
      importing: (10..<20).map {
        Digest("d-\($0)", recordedAt: "2026-11-\($0)T10:30:00.000Z")
      }.reversed().map(\.line).joined())
    #expect(try shown("villa", in: sandbox).lastDigests.map(\.id) == ["d-19", "d-18", "d-17"])
  }

  @Test func `the source of a failure is shown if the store has several`() throws {
    let sandbox = try Sandbox(importing: [Digest("d-1")])
    try sandbox.load(Digest(novelValue: "other").line, into: "b.sqlite")
    for name in ["digests", "b"] {
      _ = try sandbox.run("push fleet.sqlite \(name).sqlite --name web-\(name)")
    }
    let shown = try sandbox.run("show villa --store fleet.sqlite").lines
    #expect(shown.contains("SOURCE"))
    #expect(shown.contains { $0.hasPrefix("web-digests ") })
    #expect(try !sandbox.run("show villa").lines.contains("SOURCE"))
  }

  @Test func `a failure that ended has its share until then`() throws {
    let sandbox = try Sandbox(importing: Story.ndjson)
    let shown = try sandbox.run("show orders[].total --until 2026-11-29").stdout
    #expect(shown.contains(": 8.93% of the model's decodes, 10% until it was last seen\n"))
    #expect(!shown.contains("come from releases that never had it"))
  }

  @Test func `a note on clocks is of the failure that is shown`() throws {
    let sandbox = try Sandbox(
      importing: [
        Digest(novelValue: "other", recordedAt: "9999-01-01T00:00:00Z"),
        Digest(recordedAt: "2026-11-20T00:00:00Z"),
      ])
    #expect(try sandbox.run("show villa").notes == [])
    #expect(try sandbox.run("show other").notes.count == 1)
  }

  @Test(arguments: [
    ("refunding", "new, never seen before the window"),
    ("ev_charger", "growing, in a larger share of decodes than in the window before"),
    ("orders[].total", "over, absent for more decodes than chance explains"),
    ("html", "new and over, absent for more decodes than chance explains"),
    ("castle", "ongoing, neither new, growing nor over"),
  ])
  func `it says what the summary of the last day says`(name: String, standing: String) throws {
    let sandbox = try Sandbox(importing: Story.ndjson)
    #expect(try sandbox.run("show \(name) --until 2026-11-29").stdout.contains(": \(standing)\n"))
  }

  @Test(arguments: [
    ("address.zip", [nil, "address.postal_code"]), ("address.postal_code", ["address.zip", nil]),
    // A novel value has no new name, whatever its path.
    ("gold", [nil, nil]),
  ])
  func `JSON has both ends of a rename`(name: String, names: [String?]) throws {
    struct Renamed: Decodable {
      let renamedFrom: String?
      let renamedTo: String?
    }
    let outcome = try Sandbox(importing: Story.ndjson).run("show \(name) --format json")
    let renamed = try JSONDecoder.ofRows.decode(Renamed.self, from: Data(outcome.stdout.utf8))
    #expect([renamed.renamedFrom, renamed.renamedTo] == names)
  }

  @Test(arguments: ["--release 4.2.0", "--since 7d", "--triage /dev/null"])
  func `what a digest cannot be narrowed by is refused`(option: String) throws {
    let sandbox = try Sandbox(importing: [Digest("d-1")])
    let id = try #require(
      sandbox.run("digests --format csv --columns id").lines.last)
    #expect(try sandbox.run("show \(id)").status == 0)
    let outcome = try sandbox.run("show \(id) \(option)")
    #expect(outcome.status == 64 && outcome.stdout.isEmpty)
    let message = " is a digest, and filters, --spec and --triage are for failures: leave them out"
    #expect(outcome.notes.map { $0.hasSuffix(message) } == [true])
  }

  @Test func `a decision is shown`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(
      #"{"value": "tower", "state": "ignored", "reason": "known"}"# + "\n",
      to: "digest-triage.ndjson")
    #expect(try shown("tower", in: sandbox).decision == "ignored: known")
    #expect(try sandbox.run("show tower").stdout.contains("\ntriage: ignored: known\n"))
  }

  @Test(arguments: [
    (
      "vila", 66,
      "digests.sqlite has no failure and no digest vila; did you mean villa?"
    ),
    (
      "x\u{1B}", 66,
      "digests.sqlite has no failure and no digest x\\u{1B}; digest-query top-failures lists failures"
    ),
    (
      "villa --map A=B", 64,
      "--map and --map-file are for --spec: give that too, or leave them out; see digest-query show --help"
    ),
    (
      "villa --since 2026-11-23", 66,
      "villa doesn't occur in what the filters choose; leave some out"
    ),
  ])
  func `what cannot be shown has a reason`(arguments: String, status: Int32, message: String) throws
  {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("show \(arguments)") == .failure(status, message))
  }
}

/// One digest.
extension ShowTests {
  static let trees = [
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

  @Test(arguments: trees)
  func `a digest is a tree`(id: String, tree: String) throws {
    #expect(try Sandbox(importing: Drift.ndjson).run("show \(id)") == Outcome(stdout: tree))
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
      try Sandbox(importing: Digest.withStoredIDs(line)).run("show d-1")
        == Outcome(lines: ["d-1: 1 entry of M at 2026-11-20T10:00:00.000Z"] + lines))
  }

  @Test func `a path is a tree only as far as one can see it`() throws {
    let path = Array(repeating: "a", count: 100).joined(separator: ".")
    #expect(
      try Sandbox(importing: [Digest("d-1", at: path)]).run("show d-1").lines.dropFirst()
        == [path, "  - Unknown novel value \"villa\"", "    unknownNovelValue"])
  }

  @Test func `in other formats it is what an export has`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = Drift.lines
    for format in ["json", "ndjson"] {
      #expect(try sandbox.run("show d-4 --format \(format)") == Outcome(lines: [lines[3]]))
    }
    for format in ["csv", "tsv"] {
      let export = try sandbox.run("export --format \(format)").lines
      #expect(
        try sandbox.run("show d-4 --format \(format)")
          == Outcome(lines: [0, 7, 8].map { export[$0] }))
    }
  }

  @Test(arguments: [
    ("villa", "json", #"[{"novel_value":"villa"}]"#),
    ("villa", "table", "novel_value"),
    ("d-11", "json", #"[{"novel_value":"villa"}]"#),
    ("d-11", "table", "novel_value"),
  ])
  func `named columns make rows of it`(name: String, format: String, beginning: String) throws {
    let outcome = try Sandbox(importing: Self.store).run(
      "show \(name) --format \(format) --columns novel_value")
    #expect(outcome.stdout.filter { !$0.isWhitespace }.hasPrefix(beginning), "\(outcome)")
  }

  @Test func `an id that may be another one is refused`() throws {
    let ids = ["1", "2"].map {
      String(repeating: "1", count: 31) + "\($0)-1-1795168800000"
    }
    #expect(
      try Sandbox(importing: ids.map { Digest($0) }).run("show 1111-1")
        == .failure(64, "digest 1111-1 may be \(ids[1]), \(ids[0]); write more of the id"))
  }

  @Test func `a digest that is gone is an error with the reason`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("show 7c1f36ab-1042")
        == .failure(
          66,
          "no digest 7c1f36ab-1042 in digests.sqlite: it may have been evicted and is still counted "
            + "then; digest-query digests lists the digests that are left"))
  }
}
