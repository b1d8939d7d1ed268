import Foundation
import Testing

/// Other stores in one.
struct MergeTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    try sandbox.load(Drift.lines.prefix(2).joined(separator: "\n"), into: "a.sqlite")
    try sandbox.load(Drift.lines.dropFirst(1).joined(separator: "\n"), into: "b.sqlite")
    return sandbox
  }

  @Test func `stores become one, however often they are merged`() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("merge", "a.sqlite", "b.sqlite")
        == Outcome(
          stdout: """
            a.sqlite: merged 2 digests, 0 were there already
            b.sqlite: merged 4 digests, 0 were there already

            """))
    // A digest that both have imported is a digest of each.
    let lines = [0, 1, 1, 2, 3, 4].map { Drift.lines[$0] }
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export").stdout)
        == jsonStrings("recordedAt", in: lines.joined(separator: "\n")))
    #expect(try sandbox.run("verify").status == 0)
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", Sandbox.store])
    #expect(
      try sandbox.run("merge", "b.sqlite").stdout
        == "b.sqlite: merged 0 digests, 4 were there already\n")
  }

  @Test func `stores are added to an existing one`() throws {
    let sandbox = try sandbox()
    let before = try #require(sandbox.bytes("a.sqlite"))
    #expect(
      try sandbox.run("merge", "a.sqlite", "--store", "b.sqlite")
        == Outcome(stdout: "a.sqlite: merged 2 digests, 0 were there already\n"))
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export", "--store", "b.sqlite").stdout)
        == jsonStrings(
          "recordedAt", in: [1, 2, 3, 4, 0, 1].map { Drift.lines[$0] }.joined(separator: "\n")))
    #expect(sandbox.bytes("a.sqlite") == before)
  }

  @Test func `evicted digests of a store are reported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson.replacing("\"2026-", with: "\"2016-"))
    try sandbox.evictAll()
    #expect(
      try sandbox.run("merge", Sandbox.store, "--store", "new.sqlite")
        == Outcome(
          stdout: "digests.sqlite: merged 0 digests, 0 were there already\n",
          stderr:
            "digest-query: digests.sqlite: merged as counts only: 5 digests of 10 occurrences "
            + "(evicted, recorded since 2016-11-20T10:00:00.000Z)\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `losses of a store are reported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(1_795_168_800 / 3_600), 1, 5)"
    )
    #expect(
      try sandbox.run("merge", Sandbox.store, "--store", "new.sqlite").stderr
        == "digest-query: digests.sqlite: not counted: 1 digest of 5 occurrences (failed write, "
        + "since 2026-11-20T10:00:00.000Z)\n")
  }

  @Test(
    arguments: [
      (
        ["nix"], 66,
        "nix: no such store; name the stores to add, and with --store the one to add them to"
      ),
      (
        ["a.sqlite", "nix"], 66,
        "nix: no such store; name the stores to add, and with --store the one to add them to"
      ),
      (
        ["b.sqlite", "a.sqlite", "--store", "a.sqlite"], 65,
        "a.sqlite is the store itself; name another one to merge into it"
      ),
      (
        ["text"], 65,
        "text: this isn't a store; choose another path"
      ),
      (["empty"], 65, "empty is an empty database; let the app write to it first"),
      ([], 64, "Missing expected argument '<stores> ...'; see digest-query merge --help"),
    ] as [([String], Int32, String)])
  func `a file that cannot be merged is an error, and nothing is written`(
    arguments: [String],
    status: Int32,
    message: String
  ) throws {
    let sandbox = try sandbox()
    try sandbox.write(String(repeating: "This is a letter.\n", count: 100), to: "text")
    try sandbox.write("", to: "empty")
    let before = try sandbox.run("export", "--store", "a.sqlite")
    #expect(try sandbox.run(["merge"] + arguments) == .failure(status, message))
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", "empty", "text"])
    #expect(try sandbox.run("export", "--store", "a.sqlite") == before)
  }
}
