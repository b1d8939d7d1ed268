import Foundation
import Testing

struct ImportTests {
  private static let badLine = "it isn't a JSON object on one line"

  @Test func `an import of an export gives an equal store`() throws {
    let first = try Sandbox(importing: Drift.ndjson)
    let second = try Sandbox(importing: first.run("export").stdout)
    for command in ["export", "top-novel-values", "top-failures", "verify"] {
      #expect(try second.run(command) == first.run(command))
    }
  }

  @Test func `importing twice changes nothing and says so`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(Drift.ndjson, to: "drift.ndjson")
    for outcome in [Outcome.imported(5), .imported(0, known: 5)] {
      #expect(try sandbox.run("import drift.ndjson") == outcome)
      #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
    }
    #expect(try sandbox.permissions() == 0o600)
    #expect(try sandbox.files() == [Sandbox.store, "drift.ndjson"])
  }

  @Test func `an id counts once within a file, and lines without an id are new each time`() throws {
    let sandbox = try Sandbox()
    let same = [Digest("d-1", novelValue: "a"), Digest("d-1", novelValue: "b")]
    #expect(try sandbox.run("import -", stdin: same.ndjson) == .imported(1, known: 1))
    for _ in 1...2 {
      #expect(try sandbox.run("import -", stdin: [Digest(), Digest()].ndjson) == .imported(2))
    }
    #expect(try Set(jsonStrings("id", in: sandbox.run("export").stdout)).count == 5)
  }

  @Test(arguments: [
    Drift.lines.joined(separator: "\r\n") + "\r\n", Drift.lines.joined(separator: "\n"),
    Drift.lines.joined(separator: "\r\n"),
    "\n\r\n" + Drift.lines.joined(separator: "\n\n \t\n") + "\n\n",
    Drift.lines.map { "  \($0)\t\n" }.joined(), "\u{FEFF}" + Drift.ndjson,
    Drift.ndjson.replacing(#"{"id""#, with: #"{"later":{"a":[1]},"id""#),
    Drift.ndjson.replacing(#""kind""#, with: #""pattern2":null,"kind""#),
  ])
  func `line ends, spaces, empty lines and unknown members do not matter`(ndjson: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("import -", stdin: ndjson) == .imported(5))
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: ["", "\n", "\r\n\r\n", " "])
  func `an empty file is an import of nothing`(ndjson: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("import -", stdin: ndjson) == .imported(0))
    #expect(try sandbox.run("export") == Outcome())
  }

  @Test func `decodes without errors are counted beside the digests`() throws {
    #expect(
      try Sandbox().run("import -", stdin: Drift.ndjson + Digest.decodes(7))
        == Outcome(lines: [
          "imported 5 digests, 0 were there already, read 7 decodes without errors, 0 lines left out"
        ]))
  }

  @Test func `a bad line is named and nothing is imported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("\n\(Digest("d-6").line)\nnonsense\n[]", to: "bad.ndjson")
    #expect(
      try sandbox.run("import bad.ndjson")
        == .failure(
          65,
          "bad.ndjson: line 4: \(Self.badLine); nothing was imported, --skip-invalid imports the rest"
        ))
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test func `an import that fails makes no store`() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("import -", stdin: Drift.ndjson + "nonsense").status == 65)
    #expect(try sandbox.files() == [])
  }

  @Test func `skip-invalid imports the rest and counts`() throws {
    let sandbox = try Sandbox()
    let lines =
      ["nonsense"] + Drift.lines.prefix(2) + ["{}", ""] + Drift.lines.dropFirst(2) + ["[]"]
    #expect(
      try sandbox.run("import - --skip-invalid", stdin: lines.joined(separator: "\n"))
        == Outcome(
          stdout: Outcome.imported(5, leftOut: 3).stdout,
          notes: [
            "standard input: left out line 1: \(Self.badLine)",
            "standard input: left out line 4: recordedAt is missing",
            "standard input: left out line 9: the line isn't an object",
          ]))
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
    #expect(
      try sandbox.run("import --skip-invalid -", stdin: Drift.ndjson) == .imported(0, known: 5))
  }

  @Test(arguments: [
    ("nowhere.ndjson", 66, "nowhere.ndjson: No such file or directory"),
    ("..", 65, "..: Is a directory"),
  ])
  func `what isn't a file is named and no store is made`(
    path: String, status: Int32, problem: String
  ) throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("import \(path)")
        == .failure(status, "\(problem); name an NDJSON file, or - for stdin"))
    #expect(try sandbox.files() == [])
  }
}
