import Foundation
import Testing

struct FilterOptionsTests {
  private static let everything = Selection(
    novelValues: ["tower 2", "castle 2", "villa 2", "7 1"],
    failures: [
      "attrs.* 1", "items[].kind 1", "items[].kind 2", "items[].kind 2", "items[].kind 2",
      "owner.name 1", "price 1",
    ],
    digests: ["d-1", "d-2", "d-3", "d-4", "d-5"],
    occurrences: ["d-1", "d-1", "d-1", "d-2", "d-2", "d-3", "d-4", "d-4", "d-5"]
  )

  private static let home = Selection(
    novelValues: ["tower 2"],
    failures: ["items[].kind 2", "owner.name 1"],
    digests: ["d-4"],
    occurrences: ["d-4", "d-4"]
  )

  private static let kinds = Selection(
    novelValues: ["tower 2", "castle 2", "villa 2"],
    failures: ["items[].kind 1", "items[].kind 2", "items[].kind 2", "items[].kind 2"],
    digests: ["d-1", "d-2", "d-4", "d-5"],
    occurrences: ["d-1", "d-1", "d-1", "d-2", "d-4", "d-5"]
  )

  private static let attributes = Selection(
    novelValues: ["7 1"],
    failures: ["attrs.* 1"],
    digests: ["d-3"],
    occurrences: ["d-3"]
  )

  private static let price = Selection(
    novelValues: [],
    failures: ["price 1"],
    digests: ["d-2"],
    occurrences: ["d-2"]
  )

  @Test(arguments: [
    ([], everything),
    (["--model", "*"], everything),
    (["--model", "App.Home"], home),
    (["--model", "*Home"], home),
    (["--model", "App.H?me"], home),
    (["--model", "????????"], home),
    (["--model", "app.home"], .nothing),
    (["--model", "App"], .nothing),
    (["--model", ""], .nothing),
    (["--model", "App.[HL]*"], .nothing),
    (["--model", #"App.\Home"#], .nothing),
    (["--model", "App.%"], .nothing),
    (["--path", "items[].kind"], kinds),
    (["--path", "items[[].kind"], .nothing),
    (["--path", "items[0].kind"], .nothing),
    (["--path", "items[*].kind"], kinds),
    (["--path", "items??.kind"], kinds),
    (["--path", "items?.kind"], .nothing),
    (["--path", "*[]*"], kinds),
    (["--path", "attrs.*"], attributes),
    (["--path", "attrs.size"], .nothing),
    (["--path", "p?ic*"], price),
    (["--path", "*"], everything),
    (["--model", "*Home", "--path", "price"], .nothing),
  ])
  func `model and path take wildcards`(filter: [String], selection: Selection) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.selection(filter) == selection)
  }

  private static let broken = Selection(
    novelValues: [],
    failures: ["items[].kind 1"],
    digests: ["d-1"],
    occurrences: ["d-1"]
  )

  private static let missing = Selection(
    novelValues: [],
    failures: ["owner.name 1"],
    digests: ["d-4"],
    occurrences: ["d-4"]
  )

  private static let castles = Selection(
    novelValues: ["castle 2"],
    failures: ["items[].kind 2"],
    digests: ["d-2", "d-5"],
    occurrences: ["d-2", "d-5"]
  )

  private static let values = Selection(
    novelValues: ["tower 2", "castle 2", "villa 2", "7 1"],
    failures: [
      "attrs.* 1", "items[].kind 2", "items[].kind 2", "items[].kind 2",
    ],
    digests: ["d-1", "d-2", "d-3", "d-4", "d-5"],
    occurrences: ["d-1", "d-1", "d-2", "d-3", "d-4", "d-5"]
  )

  @Test(arguments: [
    (["--kind", "dataCorrupted"], broken),
    (["--kind", "keyNotFound"], missing),
    (["--kind", "typeMismatch"], price),
    (["--kind", "other"], .nothing),
    (["--value", "castle"], castles),
    (["--value", "CASTLE"], .nothing),
    (["--value", "c?st*"], castles),
    (["--value", "?"], attributes),
    (["--value", "*"], values),
    (["--value", ""], .nothing),
    (["--value", "villa", "--kind", "dataCorrupted"], .nothing),
    (["--value", "villa", "--kind", "keyNotFound"], .nothing),
    (["--no-release"], attributes),
    (["--no-release", "--kind", "typeMismatch"], .nothing),
    (["--release", "4.2.0", "--kind", "typeMismatch", "--model", "*"], price),
  ])
  func `kind is exact, value takes wildcards, and a digest may have no release`(
    filter: [String],
    selection: Selection
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.selection(filter) == selection)
  }

  private static let missingAndPrice = Selection(
    novelValues: [],
    failures: ["owner.name 1", "price 1"],
    digests: ["d-2", "d-4"],
    occurrences: ["d-2", "d-4"]
  )

  private static let castlesAndAttributes = Selection(
    novelValues: ["castle 2", "7 1"],
    failures: ["attrs.* 1", "items[].kind 2"],
    digests: ["d-2", "d-3", "d-5"],
    occurrences: ["d-2", "d-3", "d-5"]
  )

  @Test(arguments: [
    (["--model", "App.Home", "--model", "App.Listing"], everything),
    (["--model", "*Home", "--model", "*Listing"], everything),
    (["--model", "App.Home", "--model", "App.Home"], home),
    (
      ["--model=App.Home", "--model", "App.*", "--path", "price", "--path", "attrs.*"],
      Selection(
        novelValues: ["7 1"], failures: ["attrs.* 1", "price 1"], digests: ["d-2", "d-3"],
        occurrences: ["d-2", "d-3"])
    ),
    (["--kind", "keyNotFound", "--kind", "typeMismatch"], missingAndPrice),
    (["--value", "castle", "--value", "?"], castlesAndAttributes),
    (["--path", "price", "--path", "owner.name"], missingAndPrice),
    (["--release", "4.2.0", "--release", "4.3.0", "--no-release"], everything),
    (["--no-release", "--release", "4.3.0", "--model", "App.Home"], home),
    (["--no-release", "--release", "4.2.0", "--value", "7"], attributes),
  ])
  func `a repeated option matches any of its values`(
    filter: [String],
    selection: Selection
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.selection(filter) == selection)
  }

  @Test func `an unknown name beside a known one is reported, and the known one is counted`()
    throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let known = try sandbox.run("top-failures", "--model", "App.Home", "--value", "tower")
    #expect(
      try sandbox.run(
        "top-failures", "--model", "App.Home", "--model", "App.Lsting", "--value", "tower",
        "--value", "keep", "--value", "vila")
        == Outcome(
          stdout: known.stdout,
          stderr: """
            digest-query: the store has no model App.Lsting; did you mean App.Listing?
            digest-query: the store has no novel value keep
            digest-query: the store has no novel value vila; did you mean villa?

            """))
  }

  @Test func `an option is repeated as often as the store can take it, and no more`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    func outcome(_ count: Int) throws -> Outcome {
      let filter = (1..<count).flatMap { ["--value", "*\($0)*"] } + ["--value", "t?wer"]
      return try sandbox.run(["top-novel-values", "--format", "csv", "--model", "*"] + filter)
    }
    #expect(
      try outcome(500)
        == sandbox.run("top-novel-values", "--format", "csv", "--value", "tower", "--value", "7"))
    #expect(
      try outcome(501)
        == .failure(
          64,
          "--value is given 501 times: give it at most 500 times, or use wildcards; see "
            + "digest-query "
            + "top-novel-values --help"))
  }

  @Test(arguments: [
    ("items[].kind", ["items[].kind"]),
    ("items?.kind", ["itemsx.kind"]),
    ("items*.kind", ["items[].kind", "items[].x.kind", "items[][].kind", "itemsx.kind"]),
    ("items[]?kind", ["items[].kind"]),
    ("items[][].kind", ["items[][].kind"]),
    ("*]", [#"["a*b"]"#, #"["a[x]"]"#, #"["🏡"]"#]),
    (#"["a[x]"]"#, [#"["a[x]"]"#]),
    (#"["a[*]"]"#, [#"["a[x]"]"#]),
    ("itéms", ["itéms"]),
    ("it?ms", ["itéms"]),
    (#"["?"]"#, [#"["🏡"]"#]),
    ("?", []),
  ])
  func `brackets are text, and wildcards match whole characters`(
    glob: String,
    matches: [String]
  ) throws {
    let paths = [
      "items[3].kind", "itemsx.kind", "items[3].x.kind", "items[1][2].kind", #"["a*b"]"#,
      #"["a[x]"]"#, "itéms", "🏡",
    ]
    let sandbox = try Sandbox(importing: paths.map { Digest(at: $0) }.ndjson)
    let outcome = try sandbox.run("top-novel-values", "--format", "ndjson", "--path", glob)
    #expect(try jsonStrings("coding_path", in: outcome.stdout) == matches)
  }

  @Test func `a bracket with a combining mark is text`() throws {
    let sandbox = try Sandbox(
      importing: ["A[\u{301}]", "A\u{301}"].map { Digest(model: $0) }.ndjson
    )
    let outcome = try sandbox.run("export", "--model", "A[\u{301}]")
    #expect(try jsonStrings("model", in: outcome.stdout) == ["A[\u{301}]"])
  }

  @Test(arguments: [
    ("4.2.0", ["d-1", "d-2"]), ("4.3.0", ["d-4", "d-5"]), ("4.*", []), ("4.2", []),
  ])
  func `release is exact`(release: String, digests: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let selection = try sandbox.selection(["--release", release])
    #expect(selection.digests == digests)
    #expect(
      selection.occurrences == Self.everything.occurrences.filter { digests.contains($0) }
    )
  }

  @Test func `all filters hold at once`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let filter = [
      "--model", "App.L*", "--path", "items[].*", "--release", "4.2.0",
      "--since", "2026-11-20T10:00:00.124Z", "--until", "2026-11-21",
    ]
    #expect(
      try sandbox.selection(filter)
        == Selection(
          novelValues: ["castle 1"],
          failures: ["items[].kind 1"],
          digests: ["d-2"],
          occurrences: ["d-2"]
        )
    )
  }

  @Test func `first and last seen are those of the matching errors`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run(
        "top-novel-values", "--format", "csv", "--path", "items[].kind", "--release", "4.3.0",
        "--model", "App.Listing"
      ).lines.last
        == "App.Listing,items[].kind,castle,String,1,1,"
        + "2026-11-22T23:59:59.999Z,2026-11-22T23:59:59.999Z,4.3.0"
    )
  }
}
