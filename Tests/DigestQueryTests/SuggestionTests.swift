import Testing

/// What is said of names that a store has never met.
struct SuggestionTests {
  @Test func `a store without any release says how to set one`() throws {
    let sandbox = try Sandbox(importing: Digest().line)
    #expect(
      try sandbox.run("check", "--max-occurrences", "0", "--release", "4.3.0")
        == .failure(
          66,
          "nothing was checked: the store has no release 4.3.0; no digest has a release: set "
            + "release in DigestStore.Configuration; to count 0, add --allow-empty"))
  }

  @Test(arguments: [
    (["--model", "App.Listng"], ["model App.Listng; did you mean App.Listing?"]),
    (["--model", "App.Lsiting"], ["model App.Lsiting; did you mean App.Listing?"]),
    (["--model", "app.home"], ["model app.home; did you mean App.Home?"]),
    (["--model", "listing"], ["model listing; did you mean App.Listing?"]),
    (["--model", "App"], ["model App; did you mean App.Home or App.Listing?"]),
    (["--model", "Nothing.Alike"], ["model Nothing.Alike"]),
    (["--model", "App.Listng*"], ["model that matches App.Listng*"]),
    (["--path", "items[].knid"], ["coding path items[].knid; did you mean items[].kind?"]),
    (["--path", "items[3].kind"], ["coding path items[3].kind; did you mean items[].kind?"]),
    (["--value", "vila"], ["novel value vila; did you mean villa?"]),
    (["--value", "v?la"], ["novel value that matches v?la"]),
    (["--value", "v*\u{301}"], ["novel value that matches v*\\u{301}"]),
    (["--model", "App.?\u{301}"], ["model that matches App.?\\u{301}"]),
    (["--path", "prize*"], ["coding path that matches prize*"]),
    (["--model", "App.Ho*", "--path", "price*"], []),
    (["--release", "4.3.1"], ["release 4.3.1; did you mean 4.3.0?"]),
    (["--release", "4.3"], ["release 4.3; did you mean 4.3.0?"]),
    (["--release", "4.*"], ["release 4.*; the newest is 4.3.0"]),
    (["--model", "App.Home", "--path", "price"], []),
    (
      ["--model", "App.Hme", "--value", "towr"],
      ["model App.Hme; did you mean App.Home?", "novel value towr; did you mean tower?"]
    ),
  ])
  func `an unknown name is reported with similar ones`(
    filter: [String],
    notes: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stderr =
      (["nothing found that matches"] + notes.map { "the store has no \($0)" })
      .map { "digest-query: \($0)\n" }.joined()
    for command in ["top-novel-values", "top-failures", "trend", "models", "digests", "export"] {
      let outcome = try sandbox.run([command, "--format", "csv"] + filter)
      #expect(outcome.status == 0, "\(command)")
      #expect(outcome.stderr == stderr, "\(command)")
      #expect(outcome.lines.count == 1, "\(command)")
    }
  }

  @Test func `notes name at most ten patterns that match nothing`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let patterns = (1...40).map { "a\($0)*" }
    let stderr = try sandbox.run(
      ["top-failures"] + (["c*", "v*"] + patterns).flatMap { ["--value", $0] } + [
        "--kind", "other",
      ]
    ).stderr
    #expect(
      stderr.split(separator: "\n")
        == ["digest-query: nothing found that matches"]
        + patterns.prefix(10).map {
          "digest-query: the store has no novel value that matches \($0)"
        })
  }

  @Test func `an export says why it is empty, too`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("export", "--path", "prize*")
        == .nothing("", "the store has no coding path that matches prize*"))
  }

  @Test func `a report on a window in the future says so`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for command in ["top-novel-values", "top-failures", "models", "digests", "export", "report"] {
      let outcome = try sandbox.run(command, "--since", "9998-01-01")
      #expect(outcome.status == 0, "\(command)")
      #expect(
        outcome.stderr.hasPrefix(
          """
          digest-query: nothing found that matches
          digest-query: the window begins in the future

          """), "\(command)")
    }
  }

  @Test(arguments: [
    ["export"], ["export", "--format", "csv"],
    ["check", "--max-occurrences", "0", "--allow-empty", "--verbose"],
  ])
  func `an unknown name is reported even if rows match`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(command + ["--model", "App.Listng"])
    #expect(outcome.status == 0)
    let nothing = command[0] == "export" ? "digest-query: nothing found that matches\n" : ""
    #expect(
      outcome.stderr
        == nothing + "digest-query: the store has no model App.Listng; did you mean App.Listing?\n")
  }

  @Test(arguments: [
    ("novel", "did you mean unknownNovelValue?"), ("typemismatch", "did you mean typeMismatch?"),
    ("NotFound", "did you mean keyNotFound or valueNotFound?"),
    ("keyNotfuond", "did you mean keyNotFound?"), ("dataCorruptde", "did you mean dataCorrupted?"),
    (
      "lost",
      "write one of keyNotFound, valueNotFound, typeMismatch, dataCorrupted, unknownNovelValue, "
        + "converted, missingKey, unknownKey, other; see digest-query top-failures --help"
    ),
    (
      "",
      "write one of keyNotFound, valueNotFound, typeMismatch, dataCorrupted, unknownNovelValue, "
        + "converted, missingKey, unknownKey, other; see digest-query top-failures --help"
    ),
  ])
  func `an unknown kind is refused`(kind: String, message: String) throws {
    #expect(
      try Sandbox().run("top-failures", "--kind", kind)
        == .failure(64, "The value '\(kind)' is invalid for '--kind <kind>': \(message)"))
  }

  @Test func `at most three names are suggested, and none controls a terminal`() throws {
    let names =
      (0..<6).map { "A.Mode\($0)" } + ["A.\u{1B}[31m", String(repeating: "Long", count: 99)]
    let sandbox = try Sandbox(importing: names.map { Digest(model: $0) }.ndjson)
    func note(_ model: String) throws -> String {
      try #require(
        sandbox.run("top-failures", "--model", model).stderr.split(separator: "\n").last
      ).description
    }
    #expect(
      try note("A.Model")
        == "digest-query: the store has no model A.Model; did you mean A.Mode0 or A.Mode1 or "
        + "A.Mode2?")
    #expect(
      try note("A.[31m")
        == #"digest-query: the store has no model A.[31m; did you mean A.\u{1B}[31m?"#)
    #expect(try note("Long") == "digest-query: the store has no model Long")
  }

  @Test func `an invisible value is not suggested`() throws {
    let sandbox = try Sandbox(importing: ["", " ", "b"].map { Digest(novelValue: $0) }.ndjson)
    #expect(
      try sandbox.run("top-novel-values", "--value", "x").stderr
        == "digest-query: nothing found that matches\n"
        + "digest-query: the store has no novel value x; did you mean b?\n")
  }
}
