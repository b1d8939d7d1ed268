import Foundation
import Testing

/// Where the store is, and what comes first.
struct StoreOptionsTests {
  private func values(
    _ sandbox: Sandbox, _ options: [String] = [], _ environment: [String: String] = [:]
  ) throws -> [String] {
    let outcome = try sandbox.run(
      "top-novel-values --format csv --columns novel_value", options, environment: environment)
    try #require(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
    return Array(outcome.lines.dropFirst())
  }

  @Test func `the option comes before the environment, and that before the directory`() throws {
    let sandbox = try Sandbox(importing: [Digest(novelValue: "default")])
    for name in ["variable", "option"] {
      try sandbox.load(Digest(novelValue: name).line, into: "\(name).sqlite")
    }
    let environment = ["DIGEST_STORE": "variable.sqlite"]
    let option = ["--store", "option.sqlite"]
    #expect(try values(sandbox) == ["default"])
    #expect(try values(sandbox, [], environment) == ["variable"])
    #expect(try values(sandbox, option) == ["option"])
    #expect(try values(sandbox, option, environment) == ["option"])
    #expect(try values(sandbox, [], ["DIGEST_STORE": ""]) == ["default"])
  }

  @Test func `an import goes to the store that a report comes from`() throws {
    let sandbox = try Sandbox()
    let environment = ["DIGEST_STORE": "variable.sqlite"]
    #expect(
      try sandbox.run("import -", environment: environment, stdin: Digest().line) == .imported(1))
    #expect(try sandbox.files() == ["variable.sqlite"])
    #expect(try values(sandbox, [], environment) == ["villa"])
  }

  @Test(arguments: [
    "a store.sqlite", "a?b#c%d.sqlite", "ä日本🏡.sqlite", "a?\u{301}b%\u{301}41#\u{301}",
    ":memory:", "file:x", "-x", "it's\"one", "a\\b", "a\nb",
  ])
  func `any name is a name`(name: String) throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run(["import", "-", "--store=\(name)"], stdin: Digest().line) == .imported(1))
    #expect(try sandbox.files() == [name])
    #expect(try values(sandbox, ["--store=\(name)"]) == ["villa"])
  }

  @Test func `a path may begin with two slashes`() throws {
    let sandbox = try Sandbox(importing: [Digest()])
    #expect(try values(sandbox, ["--store", "/" + sandbox.url(Sandbox.store).path]) == ["villa"])
  }

  @Test(arguments: [
    "top-novel-values", "top-failures", "new --since 7d", "diff 4.2.0 7d..",
    "check --max-occurrences 100", "export", "export --format csv", "verify", "report", "models",
  ])
  func `a store that is not there is an error and is not made`(command: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(command) == .noStore())
    #expect(try sandbox.run("\(command) --store none/at_all") == .noStore("none/at_all"))
    #expect(
      try sandbox.run(command, environment: ["DIGEST_STORE": "variable.sqlite"])
        == .noStore("variable.sqlite"))
    #expect(try sandbox.files() == [])
  }

  @Test func `an import goes to no store without a name or a directory`() throws {
    let sandbox = try Sandbox()
    let unnamed = try sandbox.run("import - --store ''", stdin: Drift.ndjson)
    #expect(unnamed.status != 0 && unnamed.stdout == "")
    #expect(
      try sandbox.run("import - --store none/x.sqlite", stdin: Drift.ndjson)
        == .failure(74, "none/x.sqlite: the directory none does not exist; create it first"))
    #expect(try sandbox.files() == [])
  }
}
