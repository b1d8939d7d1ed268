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
      try sandbox.run("push digests.sqlite a.sqlite b.sqlite")
        == Outcome(lines: [
          "a.sqlite: pushed 2 digests and the counts of 2 periods",
          "b.sqlite: pushed 4 digests and the counts of 7 periods",
        ]))
    // A digest that both have imported is a digest of each.
    let lines = [0, 1, 1, 2, 3, 4].map { Drift.lines[$0] }
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export").stdout)
        == jsonStrings("recordedAt", in: lines.joined(separator: "\n")))
    #expect(try sandbox.run("verify").status == 0)
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", Sandbox.store])
    #expect(
      try sandbox.run("push digests.sqlite b.sqlite").lines
        == ["b.sqlite: pushed 0 digests and the counts of 0 periods"])
  }

  @Test func `environments and operations are pushed`() throws {
    let sandbox = try Sandbox(importing: [Digest(environment: "staging", operation: "getUser")])
    _ = try sandbox.run("push whole.sqlite digests.sqlite")
    #expect(
      try sandbox.run(
        "models --store whole.sqlite --environment staging --operation getUser --format csv "
          + "--columns model,occurrences"
      ).lines.last == "App.Listing,1")
  }

  @Test func `evicted digests and losses of a store are reported`() throws {
    let sandbox = try Sandbox(importing: Drift.old)
    try sandbox.lose(5)
    try sandbox.evictAll()
    #expect(
      try sandbox.run("push new.sqlite digests.sqlite")
        == Outcome(
          lines: ["digests.sqlite: pushed 0 digests and the counts of 9 periods"],
          notes: [
            "digests.sqlite: pushed as counts only: 5 digests of 10 occurrences (evicted, recorded "
              + "since 2016-11-20T10:00:00.000Z)",
            "digests.sqlite: not counted: 1 digest of 5 occurrences (failed write, since "
              + "2026-11-20T10:00:00.000Z)",
          ]))
  }

  @Test(arguments: [
    (
      "digests.sqlite a.sqlite nix", 66,
      "no such store: nix; name the stores to push after the target"
    ),
    ("a.sqlite b.sqlite a.sqlite", 65, "a.sqlite is the target itself; name another one"),
    ("digests.sqlite text", 65, "text: this isn't a store; choose another path"),
    ("digests.sqlite empty", 65, "empty is an empty database; let the app write to it first"),
    (
      "new.sqlite", 66,
      "no such store: digests.sqlite; name one with --store PATH or in $DIGEST_STORE"
    ),
  ])
  func `a file that cannot be pushed is an error, and nothing is written`(
    arguments: String, status: Int32, message: String
  ) throws {
    let sandbox = try sandbox()
    try sandbox.write(String(repeating: "This is a letter.\n", count: 100), to: "text")
    try sandbox.write("", to: "empty")
    let before = sandbox.bytes("a.sqlite")
    #expect(try sandbox.run("push \(arguments)") == .failure(status, message))
    #expect(try sandbox.files() == ["a.sqlite", "b.sqlite", "empty", "text"])
    #expect(sandbox.bytes("a.sqlite") == before)
  }
}
