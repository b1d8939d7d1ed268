import Foundation
import Testing

/// Exports of what is new, as cron runs them.
struct ExportNewTests {
  private static let state = "digests.sqlite.cursors"

  /// The note of the first export under a name.
  private static func begun(
    _ name: String, in state: String = Self.state, isJSON: Bool = false
  ) -> String {
    let note =
      "\(state) has no earlier export named \(name): this one begins with the oldest digest"
    return isJSON ? "{\"note\": \"\(note)\"}\n" : "digest-query: \(note)\n"
  }

  private func digests(_ numbers: ClosedRange<Int>) throws -> String {
    try numbers.map { try Digest("d-\($0)", novelValue: "v\($0)").line }.joined()
  }

  private func ids(_ outcome: Outcome) throws -> [String] {
    try jsonStrings("id", in: outcome.stdout)
  }

  @Test(arguments: ["ndjson", "csv", "tsv"])
  func `an export contains only digests added since the last one`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.lines.prefix(2).joined(separator: "\n"))
    let command = ["export", "--format", format, "--new", "backend"]
    let header = format == "ndjson" ? 0 : 1
    let first = try sandbox.run(command)
    #expect(
      try first
        == Outcome(
          stdout: sandbox.run("export", "--format", format).stdout,
          stderr: Self.begun("backend", isJSON: format == "ndjson")))
    try sandbox.load(Drift.lines.dropFirst(2).joined(separator: "\n"))
    let second = try sandbox.run(command)
    let all = try sandbox.run("export", "--format", format)
    #expect(first.lines + second.lines.dropFirst(header) == all.lines)
    #expect(second.status == 0 && second.stderr.isEmpty)
    let third = try sandbox.run(command)
    #expect(third == Outcome(stdout: all.lines.prefix(header).map { $0 + "\n" }.joined()))
  }

  @Test func `each name is an export of its own`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    #expect(try ids(sandbox.run("export", "--new", "a")) == ["d-1", "d-2"])
    try sandbox.load(digests(3...3))
    #expect(try ids(sandbox.run("export", "--new", "a \"b\" é\n")) == ["d-1", "d-2", "d-3"])
    #expect(try ids(sandbox.run("export", "--new", "a")) == ["d-3"])
    #expect(try sandbox.run("export", "--new", "a \"b\" é\n") == Outcome())
  }

  @Test func `a note names an unused name and suggests a similar one`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    #expect(try sandbox.run("export", "--new", "backend").stderr == Self.begun("backend"))
    for name in ["bakend", "Backend"] {
      #expect(
        try sandbox.run("export", "--new", name).stderr
          == Self.begun(name).dropLast() + "; did you mean backend?\n")
    }
    #expect(
      try sandbox.run("export", "--new", "backend", "--state", "x\n").stderr
        == Self.begun("backend", in: "x\\n"))
    #expect(try sandbox.run("export", "--new", "backend") == Outcome())
  }

  @Test func `digests that a filter skips are not exported later`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try ids(sandbox.run("export", "--new", "a", "--model", "App.Home")) == ["d-4"])
    #expect(try sandbox.run("export", "--new", "a") == Outcome())
  }

  @Test func `the file of names is beside the store, for its owner, and says what it should`()
    throws
  {
    let sandbox = try Sandbox(importing: digests(1...2))
    _ = try sandbox.run("export", "--new", "backend")
    #expect(try sandbox.files() == [Sandbox.store, Self.state])
    #expect(try mode(of: Self.state, in: sandbox) == 0o600)
    let object = try JSONSerialization.jsonObject(with: #require(sandbox.bytes(Self.state)))
    let contents = try #require(object as? [String: Any])
    #expect(contents["version"] as? Int == 1)
    let exports = try #require(contents["exports"] as? [String: [String: Any]])
    #expect(exports.keys.sorted() == ["backend"])
    #expect(exports["backend"]?["digest"] as? Int == 2)
    #expect((exports["backend"]?["store"] as? String)?.count == 32)
    #expect(exports["backend"]?["recordedAt"] as? Int == 1_795_168_800_000)
  }

  @Test func `another file can say how far exports have come, also behind a link`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    try sandbox.write("", to: "real")
    try allow(0o640, "real", in: sandbox)
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.url("link").path, withDestinationPath: "real")
    let command = ["export", "--new", "a", "--state", "link"]
    #expect(try ids(sandbox.run(command)) == ["d-1", "d-2"])
    #expect(try sandbox.run(command) == Outcome())
    #expect(try sandbox.files() == [Sandbox.store, "link", "real"])
    #expect(try mode(of: "real", in: sandbox) == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.url("link").path) == "real")
  }

  @Test func `another store begins anew and says so`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    _ = try sandbox.run("export", "--new", "a")
    try FileManager.default.removeItem(at: sandbox.url(Sandbox.store))
    try sandbox.load(digests(5...7))
    #expect(
      try sandbox.run("export", "--new", "a")
        == Outcome(
          stdout: sandbox.run("export").stdout,
          stderr:
            "digest-query: a starts over: this is not the store that was exported last; if that "
            + "one was moved or set aside, export it with --store too: an import counts no "
            + "digest twice\n"))
    #expect(try sandbox.run("export", "--new", "a") == Outcome())
  }

  @Test func `a store that was restored begins anew and says so`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    let backup = try #require(sandbox.bytes())
    try sandbox.load(digests(3...4))
    _ = try sandbox.run("export", "--new", "a")
    try backup.write(to: sandbox.url(Sandbox.store))
    #expect(
      try sandbox.run("export", "--new", "a")
        == Outcome(
          stdout: sandbox.run("export").stdout,
          stderr: "digest-query: a starts over: the store no longer contains what was exported "
            + "last, as after restoring a backup; an import counts no digest twice\n"))
  }

  @Test func `digests evicted before their export are reported once`() throws {
    let old = { (text: String) in text.replacing("\"2026-", with: "\"2016-") }
    let sandbox = try Sandbox(importing: old(digests(1...3)))
    _ = try sandbox.run("export", "--new", "a")
    try sandbox.load(old(digests(4...5)))
    try sandbox.load(digests(6...6))
    _ = try sandbox.run("prune", "--max-age", "0s")
    let first = try sandbox.run("export", "--new", "a")
    #expect(try ids(first) == ["d-6"])
    #expect(
      first.stderr == "digest-query: not exported: 2 digests (evicted before this export)\n")
    #expect(try sandbox.run("export", "--new", "a") == Outcome())
    // For a name that is new all of them are missing.
    #expect(
      try sandbox.run("export", "--new", "other").stderr
        == Self.begun("other")
        + "digest-query: not exported: 5 digests (evicted before this export)\n")
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `losses since the last export are reported`() throws {
    let sandbox = try Sandbox(importing: digests(1...1))
    let hour = 1_795_168_800 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(hour - 1), 1, 5), ('overflow', \(hour + 1), 2, 7)"
    )
    let overflow =
      "digest-query: not counted: 2 digests of 7 occurrences (overflow, since "
      + "2026-11-20T11:00:00.000Z)\n"
    #expect(
      try sandbox.run("export", "--new", "a").stderr
        == Self.begun("a")
        + "digest-query: not counted: 1 digest of 5 occurrences (failed write, since "
        + "2026-11-20T09:00:00.000Z)\n" + overflow)
    #expect(try sandbox.run("export", "--new", "a").stderr == overflow)
  }
}

/// What can go wrong: a digest comes twice rather than never.
extension ExportNewTests {
  @Test(arguments: [
    "x", "{", "[]", "{}", #"{"version":2,"exports":{}}"#, #"{"version":1,"exports":{"a":{}}}"#,
    #"{"version":1,"exports":{"a":{"store":"x","digest":1.5}}}"#, "\0",
  ])
  func `a file that says something else is left alone, and nothing is exported`(text: String) throws
  {
    let sandbox = try Sandbox(importing: digests(1...2))
    try sandbox.write(text, to: Self.state)
    #expect(
      try sandbox.run("export", "--new", "a", "-o", "out")
        == .failure(
          65,
          "digests.sqlite.cursors: not a file of positions; name another file with "
            + "--state, or move this one away to start over"))
    #expect(sandbox.text(Self.state) == text)
    #expect(try sandbox.files() == [Sandbox.store, Self.state])
  }

  @Test(arguments: ["digests.sqlite-wal", "digests.sqlite-journal", "./digests.sqlite-shm"])
  func `the files of a database are refused as state files`(state: String) throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    #expect(
      try sandbox.run("export", "--new", "a", "--state", state)
        == .failure(74, "\(state): this belongs to a database; name another file with --state"))
    #expect(try sandbox.files() == [Sandbox.store])
  }

  @Test(arguments: [
    ("nowhere/state", "nowhere/state: No such file or directory"), (".", ".: Is a directory"),
    ("pipe", "pipe: not a regular file"),
  ])
  func `an impossible state file is refused before anything is exported`(
    state: String,
    problem: String
  ) throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    try #require(mkfifo(sandbox.url("pipe").path, 0o600) == 0)
    #expect(
      try sandbox.run("export", "--new", "a", "--state", state)
        == .failure(
          74,
          "\(problem), and so it is unknown where earlier runs ended; name another file with "
            + "--state"))
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a directory without write permission is refused before anything is exported`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    try sandbox.write("", to: Self.state)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: sandbox.directory.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: sandbox.directory.path)
    }
    #expect(
      try sandbox.run("export", "--new", "a")
        == .failure(
          74,
          "digests.sqlite.cursors: Permission denied, and so it is unknown where earlier runs ended; "
            + "name another file with --state"))
  }

  @Test(arguments: [
    (["--state", "x"], "--state is for --new NAME: give that too, or leave it out"),
    (["--new", ""], "--new is empty: give it a name"),
    (["--new", "a", "--state", ""], "--state is empty: name a file"),
  ])
  func `a wrong command line is refused with its remedy`(options: [String], message: String) throws
  {
    #expect(
      try Sandbox().run(["export"] + options)
        == .failure(64, "\(message); see digest-query export --help"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `output that cannot be written is not taken for exported`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    let failure = Outcome.failure(
      74, "cannot write the output: No space left on device; choose another destination")
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    #expect(try sandbox.run(["export", "--new", "a"], stdout: full) == failure)
    #expect(try sandbox.run("export", "--new", "a", "-o", "/dev/full") == failure)
    #expect(
      try sandbox.run("export", "--new", "a", "-o", "nowhere/out")
        == .failure(74, "nowhere/out: there is no such directory; name another file"))
    // Nothing is left of them.
    #expect(try sandbox.files() == [Sandbox.store])
    #expect(try ids(sandbox.run("export", "--new", "a")) == ["d-1", "d-2"])
  }

  @Test func `a reader that goes away has not seen it`() throws {
    let sandbox = try Sandbox(importing: digests(1...2_000))
    let pipe = Pipe()
    let outcome = try sandbox.run(["export", "--new", "a"], stdout: pipe) {
      try pipe.fileHandleForReading.close()
    }
    #expect(outcome == Outcome())
    #expect(try ids(sandbox.run("export", "--new", "a")).count == 2_000)
  }

  @Test func `--output writes the new digests`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    #expect(
      try sandbox.run("export", "--new", "a", "-o", "out") == Outcome(stderr: Self.begun("a")))
    #expect(try sandbox.text("out") == sandbox.run("export").stdout)
    #expect(try sandbox.run("export", "--new", "a", "-o", "out") == Outcome())
    #expect(sandbox.bytes("out") == Data())
  }

  @Test(.timeLimit(.minutes(5)))
  func `a run that is killed before it could say how far it has come is repeated`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    _ = try sandbox.run("export", "--new", "a")
    try sandbox.load(digests(3...4))
    let before = sandbox.bytes(Self.state)
    try FileManager.default.removeItem(at: sandbox.url(Sandbox.store))
    try sandbox.load(digests(1...4))
    // All is written, and it waits to say that it began anew.
    let stderr = try FullPipe()
    try sandbox.write("", to: "out")
    let out = try FileHandle(forWritingTo: sandbox.url("out"))
    let outcome = try sandbox.run(
      ["export", "--new", "a"], stdout: out, stderr: stderr.pipe, interruptedBy: SIGKILL
    ) {
      lines(of: "out", in: sandbox) == 4
    }
    #expect(outcome == Outcome(status: 128 + SIGKILL))
    let killed = try #require(sandbox.text("out"))
    #expect(sandbox.bytes(Self.state) == before)
    let again = try sandbox.run("export", "--new", "a")
    #expect(try ids(again) == ["d-1", "d-2", "d-3", "d-4"])
    #expect(again.stdout == killed)
    let other = try Sandbox(importing: killed)
    try other.load(again.stdout)
    #expect(try ids(other.run("export")).count == 4)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a file that Ctrl-C keeps from appearing is not taken for exported`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    _ = try sandbox.run("export", "--new", "a")
    let before = sandbox.bytes(Self.state)
    try FileManager.default.removeItem(at: sandbox.url(Sandbox.store))
    try sandbox.load(digests(1...4))
    let stderr = try FullPipe()
    let outcome = try sandbox.run(
      ["export", "--new", "a", "-o", "out"], stderr: stderr.pipe, interruptedBy: SIGINT
    ) {
      let draft = try sandbox.files().first { $0.hasPrefix(".digest-query-") }
      return draft.map { lines(of: $0, in: sandbox) == 4 } ?? false
    }
    #expect(outcome == Outcome(status: 128 + SIGINT))
    // SQLite's own files stay beside a store whose reader was ended.
    let files = try sandbox.files().filter { !$0.hasPrefix("\(Sandbox.store)-") }
    #expect(files == [Sandbox.store, Self.state])
    #expect(sandbox.bytes(Self.state) == before)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an export waits for the one before it, and says so`() throws {
    let sandbox = try Sandbox(importing: digests(1...2))
    try sandbox.write("", to: Self.state)
    try sandbox.write("", to: "err")
    let lock = try FileHandle(forUpdating: sandbox.url(Self.state))
    try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
    let stderr = try FileHandle(forWritingTo: sandbox.url("err"))
    // A signal that does nothing.
    let outcome = try sandbox.run(
      ["export", "--new", "a"], stderr: stderr, interruptedBy: SIGCONT
    ) {
      lines(of: "err", in: sandbox) == 1
    } then: {
      try lock.close()
    }
    #expect(try outcome == Outcome(stdout: sandbox.run("export").stdout))
    #expect(
      sandbox.bytes("err")
        == Data(
          ("digest-query: digests.sqlite.cursors: another run uses it; waiting until that is "
            + "done\n" + Self.begun("a")).utf8))
    #expect(try sandbox.run("export", "--new", "a") == Outcome())
  }

  @Test(.timeLimit(.minutes(5)))
  func `exports at the same time have nothing twice and miss nothing`() async throws {
    let sandbox = try Sandbox(importing: digests(1...2_000))
    let outputs = try await withThrowingTaskGroup(of: Outcome.self) { group in
      for _ in 0..<6 { group.addTask { try sandbox.run("export", "--new", "a") } }
      for number in 0..<4 {
        let lines = try digests(3_000 + 10 * number...3_009 + 10 * number)
        group.addTask { try sandbox.run(["import", "-"], stdin: lines) }
      }
      return try await group.reduce(into: [Outcome]()) { $0.append($1) }
    }
    let last = try sandbox.run("export", "--new", "a")
    let exported = try (outputs.filter { !$0.stdout.hasPrefix("imported") } + [last]).flatMap(ids)
    #expect(outputs.allSatisfy { $0.status == 0 })
    #expect(exported.count == 2_040)
    #expect(try exported.sorted() == ids(sandbox.run("export")).sorted())
    #expect(try sandbox.files() == [Sandbox.store, Self.state])
  }
}

extension ExportNewTests {
  private func lines(of name: String, in sandbox: Sandbox) -> Int? {
    sandbox.bytes(name)?.split(separator: UInt8(ascii: "\n")).count
  }

  private func allow(_ permissions: Int, _ name: String, in sandbox: Sandbox) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: sandbox.url(name).path)
  }

  private func mode(of name: String, in sandbox: Sandbox) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.url(name).path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
