import Foundation
import Testing

/// Stores in another one.
struct PushTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    try sandbox.load(Drift.lines.prefix(2).joined(separator: "\n"), into: "a.sqlite")
    try sandbox.load(Drift.lines.dropFirst(1).joined(separator: "\n"), into: "b.sqlite")
    return sandbox
  }

  @Test func `stores become one, however often they are pushed`() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("push", Sandbox.store, "a.sqlite", "b.sqlite")
        == Outcome(
          stdout: """
            a.sqlite: pushed 2 digests and the counts of 2 periods
            b.sqlite: pushed 4 digests and the counts of 7 periods

            """))
    // A digest that both have imported is a digest of each.
    let lines = [0, 1, 1, 2, 3, 4].map { Drift.lines[$0] }
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export").stdout)
        == jsonStrings("recordedAt", in: lines.joined(separator: "\n")))
    #expect(try sandbox.run("verify").status == 0)
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", Sandbox.store])
    #expect(
      try sandbox.run("push", Sandbox.store, "b.sqlite").stdout
        == "b.sqlite: pushed 0 digests and the counts of 0 periods\n")
  }

  @Test func `stores are added to an existing one`() throws {
    let sandbox = try sandbox()
    let before = try #require(sandbox.bytes("a.sqlite"))
    #expect(
      try sandbox.run("push", "b.sqlite", "a.sqlite")
        == Outcome(stdout: "a.sqlite: pushed 2 digests and the counts of 2 periods\n"))
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
      try sandbox.run("push", "new.sqlite", Sandbox.store)
        == Outcome(
          stdout: "digests.sqlite: pushed 0 digests and the counts of 9 periods\n",
          stderr:
            "digest-query: digests.sqlite: pushed as counts only: 5 digests of 10 occurrences "
            + "(evicted, recorded since 2016-11-20T10:00:00.000Z)\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `losses of a store are reported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(1_795_168_800 / 3_600), 1, 5)"
    )
    #expect(
      try sandbox.run("push", "new.sqlite").stderr
        == "digest-query: digests.sqlite: not counted: 1 digest of 5 occurrences (failed write, "
        + "since 2026-11-20T10:00:00.000Z)\n")
  }

  @Test(
    arguments: [
      (
        [Sandbox.store, "nix"], 66, "no such store: nix; name the stores to push after the target"
      ),
      (
        [Sandbox.store, "a.sqlite", "nix"], 66,
        "no such store: nix; name the stores to push after the target"
      ),
      (
        ["a.sqlite", "b.sqlite", "a.sqlite"], 65,
        "a.sqlite is the target itself; name another one"
      ),
      (
        [Sandbox.store, "text"], 65,
        "text: this isn't a store; choose another path"
      ),
      (
        [Sandbox.store, "empty"], 65,
        "empty is an empty database; let the app write to it first"
      ),
      (
        ["new.sqlite"], 66,
        "no such store: digests.sqlite; name one with --store PATH or in $DIGEST_STORE"
      ),
      (
        ["new.sqlite", "a.sqlite", "--store", "b.sqlite"], 64,
        "name the stores after the target, or one with --store, but not both; see digest-query push "
          + "--help"
      ),
      ([], 64, "Missing expected argument '<target>'; see digest-query push --help"),
    ] as [([String], Int32, String)])
  func `a file that cannot be pushed is an error, and nothing is written`(
    arguments: [String],
    status: Int32,
    message: String
  ) throws {
    let sandbox = try sandbox()
    try sandbox.write(String(repeating: "This is a letter.\n", count: 100), to: "text")
    try sandbox.write("", to: "empty")
    let before = try sandbox.run("export", "--store", "a.sqlite")
    #expect(try sandbox.run(["push"] + arguments) == .failure(status, message))
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", "empty", "text"])
    #expect(try sandbox.run("export", "--store", "a.sqlite") == before)
  }
}
