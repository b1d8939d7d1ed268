import Foundation
import Testing

struct SpecTests {
  /// A document on several lines, so that a line says something.
  private static let document = #"""
    {
      "openapi": "3.1.0",
      "info": {"title": "Listings", "version": "1"},
      "paths": {
        "/users/{id}": {"get": {"responses": {"200": {"content": {"application/json": {
          "schema": {"$ref": "#/components/schemas/User"}}}}}}}
      },
      "components": {"schemas": {
        "Listing": {
          "type": "object",
          "required": ["id"],
          "properties": {
            "id": {"type": "integer"},
            "kind": {"type": "string", "enum": ["house", "villa"]},
            "note": {"type": "string"}
          }
        },
        "User": {"properties": {"email": {"type": ["string", "null"]}}}
      }}
    }
    """#

  private static let digests = [
    Digest(
      "d-1", release: "4.1.0",
      failures: [
        .novel("villa", count: 6), .novel("yurt", count: 5), .novel("x", at: "note", count: 4),
        .error("typeMismatch", at: "id", expected: "Swift.Int", found: ("string", "7"), count: 3),
      ]),
    Digest(
      "d-2", release: "4.2.0", recordedAt: "2026-11-21T10:00:00.000Z",
      failures: [.novel("yurt", count: 5)]),
    Digest(
      "d-3", model: "App.Account", operation: "GET /users/{id}",
      failures: [.error("valueNotFound", at: "email", found: ("null", nil), count: 2)]),
    Digest("d-4", model: "App.Other", failures: [.error("keyNotFound", at: "a")]),
  ]

  private func sandbox(_ digests: [Digest] = digests) throws -> Sandbox {
    let sandbox = try Sandbox(importing: digests)
    try sandbox.write(Self.document, to: "openapi.json")
    return sandbox
  }

  @Test func `a row has the verdict, the place in the document and the reason`() throws {
    // A row with two releases has a comma in a cell.
    #expect(
      try sandbox().run("spec openapi.json --format csv --release 4.1.0 --no-release")
        == Outcome(
          stdout: """
            verdict,model,operation,coding_path,kind,expected_type,novel_value,found_type,found_value,occurrences,digests,first_seen,last_seen,releases,rate,id,pointer,reason
            app-behind,App.Listing,,kind,unknownNovelValue,,villa,,,6,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,,j9c2c65c,/components/schemas/Listing/properties/kind/enum,the document has this value in its enum
            contract-broken,App.Listing,,kind,unknownNovelValue,,yurt,,,5,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,,ea96383f,/components/schemas/Listing/properties/kind/enum,the document does not list this value in its enum (2 values)
            undocumented,App.Listing,,note,unknownNovelValue,,x,,,4,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,,k4352702,/components/schemas/Listing/properties/note/type,the document allows any string here
            contract-broken,App.Listing,,id,typeMismatch,Swift.Int,,string,7,3,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,,fde58dac,/components/schemas/Listing/properties/id/type,the document allows integer here but not a string
            model-differs,App.Account,GET /users/{id},email,valueNotFound,,,null,,2,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,,,n4a1a71a,/components/schemas/User/properties/email/type,the document allows null here
            unmapped,App.Other,,a,keyNotFound,,,,,1,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,,,p5783e3b,,the document has no schema for App.Other: name one with --map 'App.Other=SCHEMA'

            """))
  }

  @Test func `a table has the releases in a column`() throws {
    #expect(
      try sandbox().run("spec openapi.json --value yurt")
        == Outcome(
          stdout: """
            verdict          model        coding_path  found  occurrences  last_seen             releases      pointer                                           reason                                                        id
            contract-broken  App.Listing  kind         yurt            10  2026-11-21 10:00:00Z  4.1.0, 4.2.0  /components/schemas/Listing/properties/kind/enum  the document does not list this value in its enum (2 values)  ea96383f

            """))
  }

  @Test func `GitHub gets annotations`() throws {
    #expect(
      try sandbox().run("spec openapi.json --format github --fail-on contract-broken")
        == Outcome(
          status: 1,
          stdout: """
            ::error file=openapi.json,line=14,title=contract-broken%3A App.Listing::kind unknownNovelValue "yurt": the document does not list this value in its enum (2 values) (10 occurrences)
            ::warning file=openapi.json,line=14,title=app-behind%3A App.Listing::kind unknownNovelValue "villa": the document has this value in its enum (6 occurrences)
            ::warning file=openapi.json,line=15,title=undocumented%3A App.Listing::note unknownNovelValue "x": the document allows any string here (4 occurrences)
            ::error file=openapi.json,line=13,title=contract-broken%3A App.Listing::id typeMismatch "7": the document allows integer here but not a string (3 occurrences)
            ::warning file=openapi.json,line=18,title=model-differs%3A App.Account::GET /users/{id} email valueNotFound "null": the document allows null here (2 occurrences)
            ::notice title=unmapped%3A App.Other::a keyNotFound: the document has no schema for App.Other: name one with --map 'App.Other=SCHEMA' (1 occurrence)

            """))
  }

  @Test func `JUnit has a case for each row, and a passed one for each other verdict`() throws {
    #expect(
      try sandbox().run(
        "spec openapi.json --format junit --fail-on contract-broken,unmapped --verdict "
          + "contract-broken,app-behind --path kind")
        == Outcome(
          status: 1,
          stdout: """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="digest-query spec" tests="5" failures="1" errors="0" skipped="0">
                <testcase classname="App.Listing" name="contract-broken kind unknownNovelValue &quot;yurt&quot;"><failure type="contract-broken" message="the document does not list this value in its enum (2 values) (10 occurrences)">the document does not list this value in its enum (2 values) (10 occurrences) (openapi.json:14 /components/schemas/Listing/properties/kind/enum)</failure></testcase>
                <testcase classname="App.Listing" name="app-behind kind unknownNovelValue &quot;villa&quot;"><system-out>the document has this value in its enum (6 occurrences) (openapi.json:14 /components/schemas/Listing/properties/kind/enum)</system-out></testcase>
                <testcase classname="digest-query spec" name="undocumented"/>
                <testcase classname="digest-query spec" name="model-differs"/>
                <testcase classname="digest-query spec" name="unmapped"/>
              </testsuite>
            </testsuites>

            """))
  }

  @Test(
    arguments: [
      // Digests without an operation are judged as those of the others, if these agree.
      (["GET /a", nil], ["contract-broken,GET /a,2,2,0.1"]),
      (
        ["GET /a", "GET /other", nil],
        ["unmapped,GET /other,2,2,0.1", "contract-broken,GET /a,1,1,0.1"]
      ),
      ([nil], ["unmapped,,1,1,0.1"]),
      // Two schemas, and one schema of two operations.
      (
        ["GET /a", "GET /b"], ["contract-broken,GET /a,1,1,0.1", "contract-broken,GET /b,1,1,0.1"]
      ),
      (["GET /b", "GET /c", nil], ["contract-broken,\"GET /b, GET /c\",3,3,0.1"]),
    ] as [([String?], [String])])
  func `operations that the same place decides share a row, with the rate of their decodes`(
    operations: [String?], rows: [String]
  ) throws {
    let model = "App.Feed"
    let sandbox = try Sandbox(
      importing: operations.map { operation in
        Digest(model: model, operation: operation).line
          + Digest.decodes(9, of: model, operation: operation)
      }.joined())
    let schema = #"{"type": "object", "properties": {"kind": {"enum": ["house"]}}}"#
    func path(_ schema: String) -> String {
      #"{"get": {"responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}}}"#
    }
    let shared = path(##"{"$ref": "#/components/schemas/Page"}"##)
    try sandbox.write(
      ##"{"openapi": "3.1.0", "info": {}, "paths": {"/a": \##(path(schema)), "/b": \##(shared), "##
        + ##""/c": \##(shared)}, "components": {"schemas": {"Page": \##(schema)}}}"##,
      to: "openapi.json")
    let outcome = try sandbox.run(
      "spec openapi.json --format csv --columns verdict,operation,occurrences,digests,rate")
    #expect(Array(outcome.lines.dropFirst()) == rows)
  }

  @Test(arguments: [10, 11])
  func `GitHub hides annotations beyond ten of a level, which the first line says`(
    count: Int
  ) throws {
    let failures = (0..<count).map { Digest.Failure.novel("value\($0)") }
    let sandbox = try sandbox([Digest(model: "App.Other", failures: failures)])
    let lines = try sandbox.run("spec openapi.json --format github").lines
    #expect(lines.count == (count > 10 ? count + 1 : count))
    #expect(
      lines[0].hasPrefix("::notice title=digest-query::GitHub shows 10 annotations") == (count > 10)
    )
  }

  /// What code scanning reads of a log.
  private struct SARIF: Decodable {
    struct Result: Decodable {
      struct Location: Decodable {}

      let level: String
      let ruleId: String
      let partialFingerprints: [String: String]
      let locations: [Location]
      let suppressions: [[String: String]]?
    }

    struct Run: Decodable { let results: [Result] }

    let runs: [Run]
  }

  private func results(_ outcome: Outcome) throws -> [SARIF.Result] {
    try JSONDecoder().decode(SARIF.self, from: Data(outcome.stdout.utf8)).runs[0].results
  }

  @Test func `SARIF has a result for each row`() throws {
    let sandbox = try sandbox()
    let outcome = try sandbox.run("spec openapi.json --format sarif --fail-on contract-broken")
    #expect(outcome.status == 1)
    let results = try results(outcome)
    #expect(
      results.map { "\($0.level) \($0.ruleId)" } == [
        "error contract-broken", "warning app-behind", "warning undocumented",
        "error contract-broken", "warning model-differs", "note unmapped",
      ])
    let prints = results.map(\.partialFingerprints)
    #expect(Set(prints).count == 6)
    // Code scanning refuses a file in which one has no location.
    #expect(results.allSatisfy { $0.locations.count == 1 })
    let check = try sandbox.run("check --max-occurrences 0 --format sarif")
    #expect(check.stdout.contains(#""uri": "digests.sqlite""#))
    let later = try sandbox.run("spec openapi.json --format sarif --since 2026-11-21")
    #expect(later.stdout.contains(try #require(prints[0]["failure/v1"])))
  }

  @Test func `services see what triage has decided, and why`() throws {
    let sandbox = try sandbox()
    try sandbox.write(
      #"{"value": "yurt", "state": "ignored", "reason": "shown as a <house>"}"# + "\n",
      to: "digest-triage.ndjson")
    let command = "spec openapi.json --path kind --fail-on contract-broken --format"
    #expect(try sandbox.run("\(command) csv --triage /dev/null").status == 1)
    #expect(try sandbox.run("\(command) csv").status == 0)
    #expect(try results(sandbox.run("\(command) sarif")).map(\.suppressions) == [nil])
    let junit = try sandbox.run("\(command) junit --all")
    #expect(junit.stdout.contains(#"tests="5" failures="0" errors="0" skipped="1""#))
    #expect(
      junit.lines[3].contains(
        #"<skipped message="ignored: shown as a &lt;house&gt;"/><system-out>the document does not"#)
    )
    #expect(junit.lines[4].contains(#"&quot;villa&quot;"><system-out>"#))
    #expect(
      try results(sandbox.run("\(command) sarif --all")).map(\.suppressions) == [
        [["kind": "external", "justification": "ignored: shown as a <house>"]], [],
      ])
  }

  /// The reason is shown in a terminal, and its option is made to be pasted.
  @Test(arguments: [
    ("App.It's", #"--map 'App.It'\''s=SCHEMA'"#),
    ("a'; touch pwned; '", #"--map 'a'\''; touch pwned; '\''=SCHEMA'"#),
    ("a\u{1B}[2J", #"--map $'a\033\1332J\075SCHEMA'"#),
    ("$(touch pwned)", #"--map '$(touch pwned)=SCHEMA'"#),
  ])
  func `a model is one word of the option to paste`(model: String, option: String) throws {
    let sandbox = try sandbox([Digest(model: model, failures: [.error("keyNotFound", at: "a")])])
    let outcome = try sandbox.run("spec openapi.json --columns reason")
    #expect(outcome.lines.last?.hasSuffix(": name one with \(option)") == true, "\(outcome.stdout)")
    _ = try sandbox.runShell("printf '%s\\n' \(option)")
    #expect(sandbox.bytes("pwned") == nil)
  }

  @Test(
    arguments: [
      ("", 0), ("--fail-on contract-broken", 1), ("--fail-on app-behind", 1),
      ("--fail-on app-behind --value yurt", 0),
      ("--fail-on unmapped,model-differs --model App.Listing", 0),
      // Also a row that the limit or the verdicts leave out.
      ("--fail-on unmapped --limit 1", 1), ("--fail-on unmapped --verdict app-behind", 1),
      // A run that can never fail is an error.
      ("--fail-on unmapped --model App.Listin", 66),
      ("--fail-on unmapped --operation 'GET /listing'", 66),
      ("--fail-on unmapped --since 2199-01-01", 66),
      ("--fail-on unmapped --model App.Listin --allow-empty", 0), ("--model App.Listin", 0),
    ] as [(String, Int32)])
  func `a verdict can fail a run`(options: String, status: Int32) throws {
    #expect(try sandbox().run("spec openapi.json \(options)").status == status)
  }

  @Test func `a map names the schema of a model`() throws {
    let sandbox = try sandbox()
    try sandbox.write("# Models of other names\n\n App.Other = User \n", to: "map.txt")
    let command = "spec openapi.json --model App.Other --format csv --columns verdict,reason"
    for map in ["--map App.Other=User", "--map-file map.txt"] {
      #expect(
        try sandbox.run("\(command) \(map)")
          == Outcome(lines: ["verdict,reason", "undocumented,the document has no such property"]))
    }
    // A map of a file is for all reports, but one of the command line is for this one.
    #expect(
      try sandbox.run(
        "spec openapi.json --model App.Listing --map App.Other=User --map-file map.txt"
      ).notes == [
        "--map for App.Other had no effect: no failure has this model, or the schema has none of their "
          + "paths"
      ])
    // The option replaces a line of the file.
    #expect(
      try sandbox.run(
        "\(command) --map-file map.txt --map App.Other=/components/schemas/Listing"
      ).status == 0)
  }

  @Test(arguments: [
    ("gone.json", 66, "no such file: gone.json"), (".", 65, ". isn't a file of at most 256 MiB"),
    ("broken.json", 65, "broken.json is not valid JSON"),
    (
      "openapi.json --map App.Other=Gone", 65,
      "openapi.json has no schema Gone, which App.Other is mapped to"
    ),
    (
      "openapi.json --map-file gone.txt", 66,
      "cannot read gone.txt: name a file of text with --map-file"
    ),
    (
      "openapi.json --map-file broken.json", 65,
      "broken.json, line 1, isn't a mapping such as App.Listing=Listing"
    ),
  ])
  func `bad input gets one line`(arguments: String, status: Int32, message: String) throws {
    let sandbox = try sandbox()
    try sandbox.write("{", to: "broken.json")
    let outcome = try sandbox.run("spec \(arguments)")
    #expect(outcome.status == status && outcome.stdout.isEmpty)
    #expect(outcome.notes.count == 1)
    #expect(outcome.notes[0].hasPrefix(message), "\(outcome.stderr)")
  }

  /// The commands of the workflow in Recipes, in their order, on failures of today.
  @Test(arguments: [("villa", 0, "warning"), ("yurt", 1, "error")] as [(String, Int32, String)])
  func `the workflow uploads all verdicts, and stops at a broken contract`(
    value: String, status: Int32, level: String
  ) throws {
    let commands = try Package.text("Recipes/CI/spec.yaml").matches(of: /run: (digest-query .*)/)
      .map { String($0.output.1) }
    #expect(commands.count == 2)
    let sandbox = try Sandbox(
      importing: [Digest(novelValue: value, recordedAt: Digest.time(ago: 0))])
    // The document of a test is JSON, which needs no trait.
    try sandbox.write(Self.document, to: "openapi.yaml")
    let outcomes = try commands.map { try sandbox.runShell($0) }
    #expect(outcomes.map(\.status) == [0, status])
    #expect(sandbox.text("spec.sarif")?.contains(#""version": "2.1.0""#) == true)
    #expect(outcomes[1].stdout.hasPrefix("::\(level) file=openapi.yaml,"))
  }

  @Test func `a failure of several operations is one, also for CI`() throws {
    func digests(_ found: String, _ operations: [String?] = ["GET /a", "GET /b", nil]) -> [Digest] {
      operations.map { operation in
        Digest(
          operation: operation,
          failures: [
            .error("typeMismatch", at: "id", expected: "Swift.Int", found: ("string", found))
          ])
      }
    }
    let sandbox = try sandbox(digests("7"))
    #expect(
      try sandbox.run("spec openapi.json --verdict unmapped --fail-on contract-broken").stderr
        .contains("1 failure of --fail-on not shown"))
    func prints() throws -> [[String: String]] {
      try results(sandbox.run("spec openapi.json --format sarif")).map(\.partialFingerprints)
    }
    let before = try prints()
    #expect(before.count == 1)
    // Another sample or operation is the same failure.
    try sandbox.load(digests("8", ["GET /a", "GET /c"]).ndjson)
    #expect(try prints() == before)
  }
}
