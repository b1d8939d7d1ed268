import Foundation
import Testing

/// Where the store is, and what comes first.
struct StoreOptionsTests {
  private static let commands = [
    ["top-novel-values"], ["top-failures"], ["new", "--since", "7d"], ["diff", "4.2.0", "7d.."],
    ["check", "--max-occurrences", "100"],
    ["export"], ["export", "--format", "csv"], ["verify"],
  ]

  private func id(_ sandbox: Sandbox, _ arguments: [String], _ environment: [String: String] = [:])
    throws -> [String]
  {
    let outcome = try sandbox.run(["export"] + arguments, environment: environment)
    try #require(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
    return try jsonStrings("id", in: outcome.stdout)
  }

  @Test func `the option comes before the environment, and that before the directory`() throws {
    let sandbox = try Sandbox(importing: Digest("default").line)
    try sandbox.load(Digest("variable").line, into: "variable.sqlite")
    try sandbox.load(Digest("option").line, into: "option.sqlite")
    let environment = ["DIGEST_STORE": "variable.sqlite"]
    #expect(try id(sandbox, []) == ["default"])
    #expect(try id(sandbox, [], environment) == ["variable"])
    #expect(try id(sandbox, ["--store", "option.sqlite"]) == ["option"])
    #expect(try id(sandbox, ["--store", "option.sqlite"], environment) == ["option"])
    #expect(try id(sandbox, [], ["DIGEST_STORE": ""]) == ["default"])
  }

  @Test func `an import goes to the store that a report comes from`() throws {
    let sandbox = try Sandbox()
    let environment = ["DIGEST_STORE": "variable.sqlite"]
    let outcome = try sandbox.run(
      ["import", "-"],
      environment: environment,
      stdin: Digest("d-1").line
    )
    #expect(outcome == .imported(1))
    #expect(try sandbox.files() == ["variable.sqlite"])
    #expect(try id(sandbox, [], environment) == ["d-1"])
  }

  @Test(arguments: [
    "a store.sqlite", "a?b#c%d.sqlite", "ä日本🏡.sqlite", "a?\u{301}b%\u{301}41#\u{301}",
    ":memory:", "file:x", "-x", "it's\"one", "a\\b", "a\nb",
  ])
  func `any name is a name`(name: String) throws {
    let sandbox = try Sandbox()
    let line = try Digest("d-1").line
    #expect(try sandbox.run(["import", "-", "--store=\(name)"], stdin: line) == .imported(1))
    #expect(try sandbox.files() == [name])
    #expect(try id(sandbox, ["--store=\(name)"]) == ["d-1"])
  }

  @Test func `a path may begin with two slashes`() throws {
    let sandbox = try Sandbox(importing: Digest("d-1").line)
    let path = "/" + sandbox.url(Sandbox.store).path
    #expect(try id(sandbox, ["--store", path]) == ["d-1"])
  }

  @Test(arguments: commands)
  func `a store that is not there is an error and is not made`(command: [String]) throws {
    let sandbox = try Sandbox()
    let remedy = "name one with --store PATH or in $DIGEST_STORE"
    #expect(
      try sandbox.run(command) == .failure(66, "no such store: digests.sqlite; \(remedy)")
    )
    #expect(
      try sandbox.run(command + ["--store", "none/at all"])
        == .failure(66, "no such store: none/at all; \(remedy)")
    )
    #expect(
      try sandbox.run(command, environment: ["DIGEST_STORE": "variable.sqlite"])
        == .failure(66, "no such store: variable.sqlite; \(remedy)")
    )
    #expect(try sandbox.files() == [])
  }

  @Test func `an import never goes to a store that is not kept`() throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run(["import", "-", "--store", ""], stdin: Digest("d-1").line)
    #expect(outcome.status != 0)
    #expect(outcome.stdout == "")
  }

  @Test func `an import into a directory that is not there is an error`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run(["import", "-", "--store", "none/x.sqlite"], stdin: Drift.ndjson)
        == .failure(
          74,
          "none/x.sqlite: the directory none does not exist; create it first"
        )
    )
    #expect(try sandbox.files() == [])
  }

  @Test func `a new store may be read by its owner only`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: sandbox.url(Sandbox.store).path
    )
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }
}
