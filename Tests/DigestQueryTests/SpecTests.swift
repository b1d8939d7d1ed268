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

  private static func failure(
    _ path: String, _ kind: String, novel: String? = nil, expected: String? = nil,
    found: (String, String?)? = nil, count: Int? = nil
  ) -> Digest.Failure {
    Digest.Failure(
      path: path, kind: kind, novelValue: novel, novelValueType: novel.map { _ in "String" },
      expectedType: expected, foundType: found?.0, foundValue: found?.1, count: count)
  }

  private static let ndjson: String = {
    var listing = Digest("d-1", recordedAt: "2026-11-20T10:00:00.000Z")
    listing.release = "4.1.0"
    listing.failures = [
      failure("kind", "unknownNovelValue", novel: "villa", count: 6),
      failure("kind", "unknownNovelValue", novel: "yurt", count: 5),
      failure("note", "unknownNovelValue", novel: "x", count: 4),
      failure("id", "typeMismatch", expected: "Swift.Int", found: ("string", "7"), count: 3),
    ]
    var later = listing
    (later.id, later.release, later.recordedAt) = ("d-2", "4.2.0", "2026-11-21T10:00:00.000Z")
    later.failures = [failure("kind", "unknownNovelValue", novel: "yurt", count: 5)]
    var user = Digest("d-3", model: "App.Account", recordedAt: "2026-11-20T10:00:00.000Z")
    user.operation = "GET /users/{id}"
    user.failures = [failure("email", "valueNotFound", found: ("null", nil), count: 2)]
    var other = Digest("d-4", model: "App.Other", recordedAt: "2026-11-20T10:00:00.000Z")
    other.failures = [failure("a", "keyNotFound")]
    return (try? [listing, later, user, other].ndjson) ?? ""
  }()

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Self.ndjson)
    try sandbox.write(Self.document, to: "openapi.json")
    return sandbox
  }

  private static let golden = Golden(
    table: "",
    csv: """
      verdict,model,operation,coding_path,kind,expected_type,novel_value,found_type,found_value,occurrences,first_seen,last_seen,releases,pointer,reason
      app-behind,App.Listing,,kind,unknownNovelValue,,villa,,,6,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,/components/schemas/Listing/properties/kind/enum,the document has this value in its enum
      undocumented,App.Listing,,note,unknownNovelValue,,x,,,4,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,/components/schemas/Listing/properties/note/type,the document allows any string here
      contract-broken,App.Listing,,id,typeMismatch,Swift.Int,,string,7,3,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,/components/schemas/Listing/properties/id/type,the document allows integer here but not a string
      model-differs,App.Account,GET /users/{id},email,valueNotFound,,,null,,2,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,,/components/schemas/User/properties/email/type,the document allows null here
      unmapped,App.Other,,a,keyNotFound,,,,,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,,,the document has no schema for App.Other: name one with --map 'App.Other=SCHEMA'

      """, unquoted: ["occurrences"])

  @Test(arguments: ["csv", "tsv", "json", "ndjson", "markdown"])
  func `every format has the same rows`(format: String) throws {
    // The row with two releases has a comma in a cell.
    let outcome = try sandbox().run(
      "spec", "openapi.json", "--format", format, "--release", "4.1.0", "--no-release", "--until",
      "2026-11-21")
    let yurt = """
      contract-broken,App.Listing,,kind,unknownNovelValue,,yurt,,,5,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,4.1.0,/components/schemas/Listing/properties/kind/enum,the document does not list this value in its enum (2 values)
      """
    var lines = Self.golden.csv.split(separator: "\n").map(String.init)
    lines.insert(yurt, at: 2)
    let golden = Golden(
      table: "", csv: lines.joined(separator: "\n") + "\n", unquoted: ["occurrences"])
    // Markdown quotes what it could take for markup.
    let expected = golden[format].replacing(
      /the document has no schema[^|]*SCHEMA'/, with: { "`\($0.output)`" })
    #expect(outcome == Outcome(stdout: format == "markdown" ? expected : golden[format]))
  }

  @Test func `a table has the releases in a column`() throws {
    let outcome = try sandbox().run("spec", "openapi.json", "--value", "yurt")
    #expect(
      outcome
        == Outcome(
          stdout: """
            verdict          model        coding_path  kind               expected_type  novel_value  found_type  found_value  occurrences  first_seen            last_seen             releases      pointer                                           reason
            contract-broken  App.Listing  kind         unknownNovelValue  -              yurt         -           -                     10  2026-11-20 10:00:00Z  2026-11-21 10:00:00Z  4.1.0, 4.2.0  /components/schemas/Listing/properties/kind/enum  the document does not list this value in its enum (2 values)

            """))
  }

  @Test func `GitHub gets annotations`() throws {
    #expect(
      try sandbox().run(
        "spec", "openapi.json", "--format", "github", "--fail-on", "contract-broken")
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

  @Test func `JUnit has a case for each row`() throws {
    #expect(
      try sandbox().run(
        "spec", "openapi.json", "--format", "junit", "--fail-on", "contract-broken,unmapped",
        "--verdict", "contract-broken,app-behind", "--path", "kind")
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

  @Test(arguments: [
    (["GET /listings"], "contract-broken"), (["GET /listings", "GET /other"], "unmapped"),
  ])
  func `a failure without an operation is judged as those of its operations, if they agree`(
    operations: [String], verdict: String
  ) throws {
    let digests = ([nil] + operations).enumerated().map { index, operation in
      var digest = Digest("d-\(index)", model: "App.Feed")
      digest.operation = operation
      return digest
    }
    let sandbox = try Sandbox(importing: digests.ndjson)
    let schema = #"{"type": "object", "properties": {"kind": {"enum": ["house"]}}}"#
    let body = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
    try sandbox.write(
      #"{"openapi": "3.1.0", "info": {}, "paths": {"/listings": {"get": {"responses": \#(body)}}}}"#,
      to: "openapi.json")
    let rows = try sandbox.run(
      "spec", "openapi.json", "--format", "csv", "--columns", "verdict,operation")
    #expect(rows.lines.contains("\(verdict),"), "\(rows)")
  }

  @Test func `a clean run is a passed case for each verdict`() throws {
    let outcome = try sandbox().run(
      "spec", "openapi.json", "--format", "junit", "--fail-on", "contract-broken", "--since",
      "2026-11-22", "--allow-empty")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains(#"tests="5" failures="0" errors="0" skipped="0""#))
    #expect(outcome.stdout.matches(of: /<testcase [^>]*\/>/).count == 5)
  }

  @Test func `GitHub hides annotations beyond ten of a level, which the first line says`() throws {
    for count in [10, 11] {
      var digest = Digest("d-1")
      digest.failures = (0..<count).map { Digest.Failure(novelValue: "value\($0)") }
      let sandbox = try Sandbox(importing: digest.line)
      try sandbox.write(#"{"openapi": "3.1.0", "info": {}, "paths": {}}"#, to: "openapi.json")
      let lines = try sandbox.run("spec", "openapi.json", "--format", "github").lines
      #expect(lines.count == (count > 10 ? count + 1 : count))
      #expect(
        lines.first?.hasPrefix("::notice title=digest-query::GitHub shows 10 annotations")
          == (count > 10))
    }
  }

  @Test func `SARIF has a result for each row`() throws {
    let outcome = try sandbox().run(
      "spec", "openapi.json", "--format", "sarif", "--fail-on", "contract-broken")
    #expect(outcome.status == 1)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(
      results.map { "\($0["level"] ?? "") \($0["ruleId"] ?? "")" } == [
        "error contract-broken", "warning app-behind", "warning undocumented",
        "error contract-broken", "warning model-differs", "note unmapped",
      ])
    let prints = results.compactMap { $0["partialFingerprints"] as? [String: String] }
    #expect(Set(prints).count == 6)
    // Code scanning refuses a file in which one has no location.
    #expect(results.allSatisfy { ($0["locations"] as? [Any])?.count == 1 })
    let check = try sandbox().run("check", "--max-occurrences", "0", "--format", "sarif")
    #expect(check.stdout.contains(#""uri" : "digests.sqlite""#))
    let later = try sandbox().run(
      "spec", "openapi.json", "--format", "sarif", "--since", "2026-11-21")
    #expect(later.stdout.contains(try #require(prints.first?["failure/v1"])))
  }

  @Test func `services see what triage has decided, and why`() throws {
    let sandbox = try sandbox()
    try sandbox.write(
      #"{"value": "yurt", "state": "ignored", "reason": "shown as a <house>"}"# + "\n",
      to: "digest-triage.ndjson")
    let arguments = [
      "spec", "openapi.json", "--path", "kind", "--fail-on", "contract-broken", "--format",
    ]
    #expect(try sandbox.run(arguments + ["csv", "--no-triage"]).status == 1)
    #expect(try sandbox.run(arguments + ["csv"]).status == 0)
    let junit = try sandbox.run(arguments + ["junit"]).stdout
    #expect(junit.contains(#"tests="5" failures="0" errors="0" skipped="1""#))
    let lines = junit.split(separator: "\n").map(String.init)
    #expect(
      lines[3].contains(
        #"<skipped message="ignored: shown as a &lt;house&gt;"/><system-out>the document does not"#)
    )
    #expect(lines[4].contains(#"&quot;villa&quot;"><system-out>"#))
    let sarif = try sandbox.run(arguments + ["sarif"]).stdout
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any])
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(
      results.map { $0["suppressions"] as? [[String: String]] } == [
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
    var digest = Digest("d-1", model: model, recordedAt: "2026-11-20T10:00:00.000Z")
    digest.failures = [Self.failure("a", "keyNotFound")]
    let sandbox = try Sandbox(importing: digest.line)
    try sandbox.write(Self.document, to: "openapi.json")
    let outcome = try sandbox.run("spec", "openapi.json", "--columns", "reason")
    #expect(outcome.lines.last?.hasSuffix(": name one with \(option)") == true, "\(outcome.stdout)")
    _ = try sandbox.runShell("printf '%s\\n' \(option)")
    #expect(sandbox.bytes("pwned") == nil)
  }

  private static let statuses: [([String], Int32)] = [
    ([], 0), (["--fail-on", "contract-broken"], 1), (["--fail-on", "app-behind"], 1),
    (["--fail-on", "app-behind", "--value", "yurt"], 0),
    (["--fail-on", "unmapped,model-differs", "--model", "App.Listing"], 0),
    // Also a row that the limit or the verdicts leave out.
    (["--fail-on", "unmapped", "--limit", "1"], 1),
    (["--fail-on", "unmapped", "--verdict", "app-behind"], 1),
    // A run that can never fail is an error.
    (["--fail-on", "unmapped", "--model", "App.Listin"], 66),
    (["--fail-on", "unmapped", "--operation", "GET /listing"], 66),
    (["--fail-on", "unmapped", "--since", "2199-01-01"], 66),
    (["--fail-on", "unmapped", "--model", "App.Listin", "--allow-empty"], 0),
    (["--model", "App.Listin"], 0),
  ]

  @Test(arguments: statuses)
  func `a verdict can fail a run`(arguments: [String], status: Int32) throws {
    #expect(try sandbox().run(["spec", "openapi.json"] + arguments).status == status)
  }

  @Test func `a map names the schema of a model`() throws {
    let sandbox = try sandbox()
    try sandbox.write("# Models of other names\n\n App.Other = User \n", to: "map.txt")
    let arguments = [
      "spec", "openapi.json", "--model", "App.Other", "--format", "csv", "--columns",
      "verdict,reason",
    ]
    for map in [["--map", "App.Other=User"], ["--map-file", "map.txt"]] {
      #expect(
        try sandbox.run(arguments + map)
          == Outcome(stdout: "verdict,reason\nundocumented,the document has no such property\n"))
    }
    // A map of a file is for all reports, but one of the command line is for this one.
    #expect(
      try sandbox.run(
        "spec", "openapi.json", "--model", "App.Listing", "--map", "App.Other=User", "--map-file",
        "map.txt"
      ).stderr
        == "digest-query: --map for App.Other had no effect: no failure has this model, or the "
        + "schema has none of their paths\n")
    // The option replaces a line of the file.
    #expect(
      try sandbox.run(
        arguments + ["--map-file", "map.txt", "--map", "App.Other=/components/schemas/Listing"]
      ).status == 0)
  }

  private static let badInput: [([String], Int32, String)] = [
    (["spec"], 64, "Missing expected argument '<document>'"),
    (["spec", "gone.json"], 66, "no such file: gone.json"),
    (["spec", "."], 65, ". isn't a file of at most 256 MiB"),
    (["spec", "broken.json"], 65, "broken.json is not valid JSON"),
    (
      ["spec", "openapi.json", "--map", "App.Other=Gone"], 65,
      "openapi.json has no schema Gone, which App.Other is mapped to"
    ),
    (
      ["spec", "openapi.json", "--map", "App.Other"], 64,
      "The value 'App.Other' is invalid for '--map <model=schema>': write --map MODEL=SCHEMA, such as "
        + "App.Listing=Listing"
    ),
    (
      ["spec", "openapi.json", "--map-file", "gone.txt"], 66,
      "cannot read gone.txt: name a file of text with --map-file"
    ),
    (
      ["spec", "openapi.json", "--map-file", "broken.json"], 65,
      "broken.json, line 1, isn't a mapping such as App.Listing=Listing"
    ),
    (
      ["spec", "openapi.json", "--fail-on", "broken"], 64,
      "The value 'broken' is invalid for '--fail-on <verdicts>': no verdict 'broken'; did you mean "
        + "contract-broken?"
    ),
    (
      ["spec", "openapi.json", "--format", "sarif", "--columns", "model"], 64,
      "--columns needs rows: choose a format such as csv, or leave it out"
    ),
  ]

  @Test(arguments: badInput)
  func `bad input gets one line`(arguments: [String], status: Int32, message: String) throws {
    let sandbox = try sandbox()
    try sandbox.write("{", to: "broken.json")
    let outcome = try sandbox.run(arguments)
    #expect(outcome.status == status)
    #expect(outcome.stdout.isEmpty)
    #expect(outcome.stderr.hasPrefix("digest-query: \(message)"), "\(outcome.stderr)")
    #expect(outcome.stderr.split(separator: "\n").count == 1)
  }

  /// The commands of the workflow in Recipes, in their order, on failures of today.
  @Test func `the workflow uploads all verdicts, and stops at a broken contract`() throws {
    let workflow = String(decoding: try Recipe.file("CI/spec.yaml"), as: UTF8.self)
    let commands = workflow.matches(of: /run: (digest-query .*)/).map { String($0.output.1) }
    #expect(commands.count == 2)
    var digest = Digest("d-1", novelValue: "villa", recordedAt: Date().ISO8601Format())
    let behind = try Sandbox(importing: digest.line)
    digest.failures = [Digest.Failure(novelValue: "yurt")]
    let broken = try Sandbox(importing: digest.line)
    for (sandbox, status) in [(behind, 0), (broken, 1)] {
      // The document of a test is JSON, which needs no trait.
      try sandbox.write(Self.document, to: "openapi.yaml")
      let outcomes = try commands.map { try sandbox.runShell($0) }
      #expect(outcomes.map(\.status) == [0, Int32(status)])
      #expect(sandbox.text("spec.sarif")?.contains(#""version" : "2.1.0""#) == true)
      let line = status == 0 ? "::warning file=openapi.yaml," : "::error file=openapi.yaml,"
      #expect(outcomes[1].stdout.hasPrefix(line))
    }
  }

  @Test func `a failure of several operations is one, also for CI`() throws {
    func digests(_ found: String) throws -> String {
      try ["GET /a", "GET /b", nil].enumerated().map { index, operation in
        var digest = Digest("d-\(found)-\(index)", recordedAt: "2026-11-20T10:00:00.000Z")
        digest.operation = operation
        digest.failures = [
          Self.failure("id", "typeMismatch", expected: "Swift.Int", found: ("string", found))
        ]
        return try digest.line
      }.joined()
    }
    let sandbox = try Sandbox(importing: digests("7"))
    try sandbox.write(Self.document, to: "openapi.json")
    #expect(
      try sandbox.run(
        "spec", "openapi.json", "--verdict", "unmapped", "--fail-on", "contract-broken"
      ).stderr.contains("1 failure of --fail-on not shown"))
    // Another sample is the same failure.
    func prints() throws -> [String] {
      try sandbox.run("spec", "openapi.json", "--format", "sarif").lines.filter {
        $0.contains("failure/v1")
      }
    }
    let before = try prints()
    #expect(Set(before).count == 3)
    _ = try sandbox.run(["import", "-"], stdin: digests("8"))
    #expect(try Set(prints()) == Set(before))
  }
}
