import Testing

/// What is said of names that a store has never met.
struct SuggestionTests {
  @Test(arguments: [
    ("--model App.Lsiting", ["model App.Lsiting; did you mean App.Listing?"]),
    ("--model app.home", ["model app.home; did you mean App.Home?"]),
    ("--model listing", ["model listing; did you mean App.Listing?"]),
    ("--model App", ["model App; did you mean App.Home or App.Listing?"]),
    ("--model Nothing.Alike", ["model Nothing.Alike"]),
    ("--model App.Listng*", ["model that matches App.Listng*"]),
    ("--path items[3].kind", ["coding path items[3].kind; did you mean items[].kind?"]),
    ("--path prize*", ["coding path that matches prize*"]),
    ("--value vila", ["novel value vila; did you mean villa?"]),
    ("--value v?la", ["novel value that matches v?la"]),
    ("--value v*\u{301}", ["novel value that matches v*\\u{301}"]),
    ("--release 4.3", ["release 4.3; did you mean 4.3.0?"]),
    ("--release 4.*", ["release 4.*; the newest is 4.3.0"]),
    ("--environment prodction", ["environment prodction; did you mean production?"]),
    ("--environment prod*", ["environment prod*"]),
    ("--operation 'GET /listing'", ["operation GET /listing; did you mean GET /listings?"]),
    ("--operation 'POST *'", ["operation that matches POST *"]),
    ("--model App.Home --path price", []),
    (
      "--model App.Hme --value towr",
      ["model App.Hme; did you mean App.Home?", "novel value towr; did you mean tower?"]
    ),
  ])
  func `an unknown name is reported with similar ones`(filter: String, notes: [String]) throws {
    let more = Digest(environment: "production", operation: "GET /listings")
    let sandbox = try Sandbox(importing: Drift.ndjson + more.line)
    for command in ["top-novel-values", "top-failures", "trend", "models", "digests", "export"] {
      let outcome = try sandbox.run("\(command) --format csv \(filter)")
      #expect(outcome.status == 0, "\(command)")
      #expect(
        outcome.notes
          == ["nothing found that matches"] + notes.map { "the store has no \($0)" }, "\(command)")
      #expect(outcome.lines.count == 1, "\(command)")
    }
    #expect(
      try sandbox.run("check --max-occurrences 0 \(filter)").status == (notes.isEmpty ? 0 : 66))
  }

  @Test func `an unknown name beside a known one is reported, and the known one is counted`()
    throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let known = "top-failures --model App.Home --value tower"
    #expect(
      try sandbox.run("\(known) --model App.Lsting --value keep --value vila")
        == Outcome(
          stdout: sandbox.run(known).stdout,
          notes: [
            "the store has no model App.Lsting; did you mean App.Listing?",
            "the store has no novel value keep",
            "the store has no novel value vila; did you mean villa?",
          ]))
  }

  @Test(arguments: [
    ("release 4.3.0", "no digest has a release: set release in DigestStore.Configuration"),
    (
      "environment production",
      "no digest has an environment: set environment in DigestStore.Configuration"
    ),
    (
      "operation getUser",
      "no digest has an operation: pass operation: to decode(_:from:recordingTo:)"
    ),
  ])
  func `a store without names of a kind says how an app sets them`(
    name: String, remedy: String
  ) throws {
    let sandbox = try Sandbox(importing: [Digest()])
    #expect(
      try sandbox.run("top-failures --\(name)").notes
        == ["nothing found that matches", "the store has no \(name); \(remedy)"])
  }

  @Test(arguments: [
    ("--since 9998-01-01", "the window begins in the future"),
    ("--until 2016-11-20", "the window ends before the first error in the store"),
    (
      "--since 2026-11-22 --until 2026-11-20",
      "--until is before --since: there is no time between them"
    ),
    (
      "--since 2026-11-22 --until 2026-11-22",
      "--until equals --since: there is no time between them"
    ),
  ])
  func `a report on a window without errors says why`(window: String, reason: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for command in ["top-novel-values", "top-failures", "models", "digests", "export", "report"] {
      let outcome = try sandbox.run("\(command) \(window)")
      #expect(outcome.status == 0, "\(command)")
      #expect(outcome.notes.prefix(2) == ["nothing found that matches", reason], "\(command)")
    }
  }

  @Test func `notes name at most ten patterns that match nothing`() throws {
    let patterns = (1...40).map { "a\($0)*" }
    let notes = try Sandbox(importing: Drift.ndjson).run(
      "top-failures --kind other", (["c*", "v*"] + patterns).flatMap { ["--value", $0] }
    ).notes
    #expect(
      notes == ["nothing found that matches"]
        + patterns.prefix(10).map { "the store has no novel value that matches \($0)" })
  }

  @Test(arguments: [
    ("A.Model", "; did you mean A.Mode0 or A.Mode1 or A.Mode2?"),
    ("A.[31m", #"; did you mean A.\u{1B}[31m?"#), ("Long", ""), ("x", "; did you mean b?"),
  ])
  func `at most three names are suggested, and none is invisible or controls a terminal`(
    name: String, suggestion: String
  ) throws {
    let names =
      (0..<6).map { "A.Mode\($0)" }
      + ["A.\u{1B}[31m", String(repeating: "Long", count: 99), "", " ", "b"]
    let sandbox = try Sandbox(importing: names.map { Digest(novelValue: $0) })
    #expect(
      try sandbox.run("top-failures --value \(name)").notes.last
        == "the store has no novel value \(name)\(suggestion)")
  }
}
