import DigestStore
import Foundation
import Testing

/// What Ctrl-C and its like leave behind, and what is said then.
@Suite(.timeLimit(.minutes(5)))
struct InterruptionTests {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// More digests than are imported in one transaction.
  private static let count = 15_000

  /// When no more are in than this, the next transaction is not the last one. On a fast machine a
  /// signal may come later, and find all of them in.
  private static let early = count / 4

  private static let digests =
    (1...count).map { Digest("d-\($0)", recordedAt: "2016-11-20T10:00:00.000Z") }.ndjson

  private func digestCount(_ sandbox: Sandbox, _ store: String = Sandbox.store) throws -> Int {
    try DigestReader(path: sandbox.url(store).path).diagnose().digests
  }

  /// Whether all that is in a pipe has been read.
  private func isEmpty(_ pipe: Pipe) -> Bool {
    var count: Int32 = 0
    _ = ioctl(pipe.fileHandleForWriting.fileDescriptor, UInt(FIONREAD), &count)
    return count == 0
  }

  @Test(arguments: signals)
  func `an import that is still being read imports nothing`(signal: Int32) throws {
    let sandbox = try Sandbox()
    let stdin = Pipe()
    try stdin.fileHandleForWriting.write(contentsOf: Data(Drift.ndjson.utf8))
    let outcome = try sandbox.run(["import", "-"], stdin: stdin, interruptedBy: signal) {
      isEmpty(stdin)
    }
    #expect(outcome == .failure(128 + signal, "interrupted; nothing was added"))
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: [
    (
      "import digests.ndjson",
      "COUNT of \(count) digests were added; import the file again: those with an id are not added "
        + "twice"
    ),
    ("push digests.sqlite other.sqlite", "nothing is counted twice; push again"),
  ])
  func `an interrupted long import says how many digests are in, and can be repeated`(
    command: String, message: String
  ) throws {
    let sandbox = try Sandbox(importing: "")
    try sandbox.write(Self.digests, to: "digests.ndjson")
    try #require(Sandbox(importing: Self.digests).bytes())
      .write(to: sandbox.url("other.sqlite"))
    var countAtSignal = Self.count
    let outcome = try sandbox.run(command.words, interruptedBy: SIGINT) {
      try digestCount(sandbox) > 0
    } then: {
      countAtSignal = try digestCount(sandbox)
    }
    let added = try digestCount(sandbox)
    let interrupted = Outcome.failure(
      128 + SIGINT, "interrupted; \(message.replacing("COUNT", with: String(added)))")
    // The digests are the last that a push adds, from rows that it has read.
    let isComplete =
      added == Self.count && (countAtSignal > Self.early || command.hasPrefix("push"))
    // On a slow machine the signal waits for a second only, and ends the tool when all are in.
    #expect(outcome == interrupted || isComplete && outcome.stderr.isEmpty)
    #expect(added > 0)
    #expect(
      try sandbox.run("verify").lines
        == ["ok: \(added) recorded digests with \(added) entries, counts equal a recount"])
    #expect(try sandbox.run(command).status == 0)
    #expect(try digestCount(sandbox) == Self.count)
  }

  @Test func `a prune leaves what it has not deleted, and every count`() throws {
    let sandbox = try Sandbox(importing: Self.digests + Digest.newest.line)
    let before = try sandbox.run("top-failures --format csv").stdout
    let outcome = try sandbox.run("prune --max-age 0s".words, interruptedBy: SIGINT) {
      try digestCount(sandbox) < Self.count
    }
    let interrupted = Outcome.failure(
      128 + SIGINT, "interrupted; what was deleted stays counted; prune again to delete the rest")
    // On a fast machine the signal may come when all but the newest are gone.
    #expect(try outcome == interrupted || outcome.status == 0 && digestCount(sandbox) == 1)
    #expect(try sandbox.run("top-failures --format csv").stdout == before)
    #expect(try sandbox.run("verify").status == 0)
    #expect(try sandbox.run("prune --max-age 0s").status == 0)
    #expect(try digestCount(sandbox) == 1)
  }

  @Test(arguments: signals, [["export"], ["top-failures", "--format", "csv"]])
  func `a report with a closed pipe ends quietly`(signal: Int32, command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(command, stdout: Pipe.full(), interruptedBy: signal) { true }
    #expect(outcome == Outcome(status: 128 + signal))
  }

  @Test func `an ignored hangup does not end the tool`() throws {
    let sandbox = try Sandbox()
    let stdin = Pipe()
    try stdin.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    let tool = try Tool.url().path
    let outcome = try sandbox.run(
      ["-c", "trap '' HUP; exec \"$0\" import -", tool], of: URL(fileURLWithPath: "/bin/sh"),
      stdin: stdin, interruptedBy: SIGHUP
    ) {
      isEmpty(stdin)
    } then: {
      try stdin.fileHandleForWriting.write(contentsOf: Data(Drift.ndjson.utf8))
      try stdin.fileHandleForWriting.close()
    }
    #expect(outcome == .imported(5))
  }
}
