import Foundation
import Testing

struct ImportTests {
  @Test func `an import of an export gives an equal store`() throws {
    let first = try Sandbox(importing: Drift.ndjson)
    let second = try Sandbox(importing: first.run("export").stdout)
    for command in ["export", "top-novel-values", "top-failures", "verify"] {
      #expect(try second.run(command) == first.run(command))
    }
  }

  @Test func `digests keep the ids that their store gave them`() throws {
    let first = try Sandbox(importing: (1...3).map { Digest(novelValue: "v\($0)") }.ndjson)
    let export = try first.run("export")
    let second = try Sandbox(importing: export.stdout)
    #expect(try second.run("export") == export)
    #expect(try Set(jsonStrings("id", in: export.stdout)).count == 3)
  }

  @Test func `importing twice changes nothing and says so`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(Drift.ndjson, to: "drift.ndjson")
    let export = try sandbox.run("export")
    #expect(try sandbox.run("import", "drift.ndjson") == .imported(0, known: 5))
    #expect(try sandbox.run("export") == export)
  }

  @Test func `a store knows its own digests`() throws {
    let sandbox = try Sandbox(importing: (1...3).map { Digest(novelValue: "v\($0)") }.ndjson)
    let export = try sandbox.run("export")
    #expect(try sandbox.run(["import", "-"], stdin: export.stdout) == .imported(0, known: 3))
    #expect(try sandbox.run("export") == export)
  }

  @Test func `an id counts once within a file`() throws {
    let sandbox = try Sandbox()
    let ndjson = try [Digest("d-1", novelValue: "a"), Digest("d-1", novelValue: "b")].ndjson
    #expect(try sandbox.run(["import", "-"], stdin: ndjson) == .imported(1, known: 1))
    #expect(try jsonStrings("id", in: sandbox.run("export").stdout) == ["d-1"])
  }

  @Test func `lines without an id are new each time`() throws {
    let line = try Digest().line
    let sandbox = try Sandbox(importing: line + line)
    try sandbox.load(line)
    #expect(try Set(jsonStrings("id", in: sandbox.run("export").stdout)).count == 3)
  }

  @Test func `a file is named by its path`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(Drift.ndjson, to: "drift.ndjson")
    #expect(try sandbox.run("import", "drift.ndjson") == .imported(5))
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: [
    ("CRLF", Drift.lines.joined(separator: "\r\n") + "\r\n"),
    ("no newline at the end", Drift.lines.joined(separator: "\n")),
    ("no newline at the end, CRLF before", Drift.lines.joined(separator: "\r\n")),
    ("empty lines", "\n\r\n" + Drift.lines.joined(separator: "\n\n \t\n") + "\n\n"),
    ("space around", Drift.lines.map { "  \($0)\t\n" }.joined()),
    ("a byte order mark", "\u{FEFF}" + Drift.ndjson),
    ("unknown members", Drift.ndjson.replacing(#"{"id""#, with: #"{"later":{"a":[1]},"id""#)),
    ("nulls", Drift.ndjson.replacing(#""kind""#, with: #""pattern2":null,"kind""#)),
  ])
  func `line ends and empty lines do not matter`(name: String, ndjson: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(["import", "-"], stdin: ndjson) == .imported(5))
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: ["", "\n", "\r\n\r\n", " "])
  func `an empty file is an import of nothing`(ndjson: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(["import", "-"], stdin: ndjson) == .imported(0))
    #expect(try sandbox.run("export") == Outcome())
  }

  @Test func `decodes without errors are counted beside the digests`() throws {
    let decodes =
      #"{"id":"00000000000000ff","hour":"2026-11-20T10:00:00Z","model":"App.Listing","decodes":7}"#
    #expect(
      try Sandbox().run(["import", "-"], stdin: Drift.ndjson + decodes + "\n")
        == Outcome(
          stdout:
            "imported 5 digests, 0 were there already, read 7 decodes without errors, 0 lines left out\n"
        ))
  }

  @Test func `a bad line is named and nothing is imported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let lines = try ["", Digest("d-6").line, "", "nonsense", Digest("d-7").line, "[]"]
    try sandbox.write(lines.joined(separator: "\n"), to: "bad.ndjson")
    #expect(
      try sandbox.run("import", "bad.ndjson")
        == .failure(
          65,
          "bad.ndjson: line 5: it isn't a JSON object on one line; nothing was imported, "
            + "--skip-invalid imports the rest"
        )
    )
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test func `an import that fails makes no store`() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(["import", "-"], stdin: Drift.ndjson + "nonsense").status == 65)
    #expect(try sandbox.files() == [])
  }

  @Test func `an import leaves the store and nothing else`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.files() == [Sandbox.store])
    let attributes = try FileManager.default.attributesOfItem(
      atPath: sandbox.url(Sandbox.store).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a store that is there stays when an import fails`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run(["import", "-"], stdin: "nonsense").status == 65)
    #expect(try sandbox.files() == [Sandbox.store])
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test func `skip-invalid imports the rest and counts`() throws {
    let sandbox = try Sandbox()
    let lines =
      ["nonsense"] + Drift.lines.prefix(2) + ["{}", ""] + Drift.lines.dropFirst(2) + ["[]"]
    var outcome = Outcome.imported(5, leftOut: 3)
    outcome.stderr = """
      digest-query: -: left out line 1: it isn't a JSON object on one line
      digest-query: -: left out line 4: recordedAt is missing
      digest-query: -: left out line 9: the line isn't an object

      """
    let result = try sandbox.run(
      ["import", "-", "--skip-invalid"],
      stdin: lines.joined(separator: "\n")
    )
    #expect(result == outcome)
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test func `skip-invalid has nothing to say of good lines`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run(["import", "--skip-invalid", "-"], stdin: Drift.ndjson) == .imported(5)
    )
  }

  @Test func `a file that is not there is named and no store is made`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("import", "nowhere.ndjson")
        == .failure(
          66,
          "nowhere.ndjson: No such file or directory; name an NDJSON file, or - for stdin"
        )
    )
    #expect(try sandbox.files() == [])
  }

  @Test func `a directory isn't a file to import`() throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run("import", "..")
    #expect(outcome.status != 0)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: ..: "))
    #expect(outcome.stderr.hasSuffix("name an NDJSON file, or - for stdin\n"))
  }
}
