import Foundation
import Testing

/// Reports that go into a file.
struct OutputFileTests {
  private static let commands = [
    ["top-novel-values"], ["top-novel-values", "--format", "csv"],
    ["top-failures", "--format", "json"], ["top-failures", "--format", "markdown"],
    ["export"], ["export", "--format", "csv"], ["export", "--format", "tsv"], ["metrics"],
  ]

  @Test(arguments: commands)
  func `a file has the bytes of a pipe, and no file is left beside it`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    for option in [["--output", "out"], ["--output=out"], ["-o", "out"]] {
      #expect(try sandbox.run(command + option) == Outcome())
      #expect(sandbox.text("out") == expected.stdout)
      #expect(try files(sandbox) == ["out"])
    }
    #expect(try sandbox.run(command + ["-o", "-"]) == expected)
  }

  @Test(
    .enabled(if: Terminal.isInstalled, "script is not installed"),
    arguments: [["top-failures"], ["export"], ["export", "--format", "csv"]])
  func `a file has no colours, nothing is cut and nothing escaped`(command: [String]) throws {
    let sandbox = try Sandbox(
      importing: Digest("d-1", novelValue: "\u{9B}" + String(repeating: "long ", count: 100)).line)
    let expected = try sandbox.run(command)
    #expect(
      try sandbox.runOnTerminal(
        command + ["-o", "out"], environment: ["TERM": "xterm-256color"], columns: 80)
        == Outcome())
    #expect(sandbox.text("out") == expected.stdout)
  }

  @Test func `notes go to stderr, and a file is written whatever they say`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run("top-failures", "--limit", "1")
    #expect(
      try sandbox.run("top-failures", "--limit", "1", "-o", "out")
        == Outcome(stderr: expected.stderr))
    #expect(sandbox.text("out") == expected.stdout)
  }

  @Test func `an answer of no is in the file`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try allow(0o644, sandbox.url(Sandbox.store))
    let expected = try sandbox.run("doctor")
    try #require(expected.status == 1)
    #expect(try sandbox.run("doctor", "-o", "out") == Outcome(status: 1))
    #expect(sandbox.text("out") == expected.stdout)
  }

  private static let failing: [([String], Int32)] = [
    (["top-failures", "--store", "nix"], 66), (["top-failures", "--limit", "0"], 64),
    (["report", "--store", "nix"], 66), (["export", "--until", "x"], 64),
    (["export", "--nope"], 64), (["top-failures", "--help"], 0),
  ]

  @Test(arguments: failing)
  func `what does not end well leaves the file as it was`(command: [String], status: Int32) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    #expect(expected.status == status)
    #expect(try sandbox.run(command + ["-o", "out"]) == expected)
    #expect(sandbox.bytes("out") == nil)
    try sandbox.write("before", to: "out")
    #expect(try sandbox.run(command + ["-o", "out"]) == expected)
    #expect(sandbox.text("out") == "before")
    #expect(try files(sandbox) == ["out"])
  }

  @Test(arguments: [
    ("nowhere/out", "nowhere/out: there is no such directory; name another file"),
    (".", ".: this is a directory; name a file in it"),
    ("out/", "out/: this is a directory; name a file in it"),
    ("digests.sqlite", "digests.sqlite: this is a database; name another file"),
    ("digests.sqlite-wal", "digests.sqlite-wal: this belongs to a database; name another file"),
    ("digests.sqlite-shm", "digests.sqlite-shm: this belongs to a database; name another file"),
    ("./digests.sqlite-WAL", "./digests.sqlite-WAL: this belongs to a database; name another file"),
    (
      "digests.sqlite-journal",
      "digests.sqlite-journal: this belongs to a database; name another file"
    ),
    (
      "digests.sqlite.checks",
      "digests.sqlite.checks: this belongs to a database; name another file"
    ),
    ("digests.sqlite/out", "digests.sqlite/out: Not a directory; name another file"),
    ("nowhere\n/out", #"nowhere\n/out: there is no such directory; name another file"#),
  ])
  func `an impossible file is refused before the report runs`(
    path: String,
    message: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let store = sandbox.bytes()
    for command in [["top-failures"], ["export"], ["top-failures", "--store", "nix"]] {
      #expect(try sandbox.run(command + ["-o", path]) == .failure(74, message))
    }
    #expect(try files(sandbox) == [])
    #expect(sandbox.bytes() == store)
  }

  @Test func `the log of a store that is open is not replaced, by whatever name`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let names = ["digests.sqlite-wal", "digests.sqlite-shm", "digests.sqlite.checks"]
    for name in names { try sandbox.write("log", to: name) }
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.url("link").path, withDestinationPath: names[0])
    for name in names + ["link"] {
      #expect(
        try sandbox.run("top-failures", "--store", "nix", "-o", name)
          == .failure(74, "\(name): this belongs to a database; name another file"))
    }
    #expect(names.map { sandbox.bytes($0) } == names.map { _ in Data("log".utf8) })
  }

  @Test func `a name of that kind is free where there is no database`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("text", to: "notes")
    for name in ["notes-wal", "none-journal", "-wal", "notes.checks"] {
      #expect(try sandbox.run("export", "-o", "./\(name)") == Outcome())
      #expect(sandbox.text(name) == Drift.ndjson)
    }
  }

  @Test func `no name isn't a file`() throws {
    #expect(
      try Sandbox().run("export", "-o", "")
        == .failure(
          64, "--output is empty: name a file, or - for stdout; see digest-query export --help"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `a device is written to, and not replaced`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try FileManager.default.createSymbolicLink(
      at: sandbox.url("null"), withDestinationURL: URL(fileURLWithPath: "/dev/null"))
    #expect(try sandbox.run("export", "-o", "null") == Outcome())
    #expect(
      try sandbox.run("export", "-o", "/dev/full")
        == .failure(
          74, "cannot write the output: No space left on device; choose another destination"))
    #expect(try mode(of: URL(fileURLWithPath: "/dev/full"), S_IFMT) == S_IFCHR)
    #expect(try mode(of: sandbox.url("null"), S_IFMT) == S_IFLNK)
  }

  @Test func `a link stays, and the file behind it is replaced`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.url("link").path, withDestinationPath: "out")
    #expect(try sandbox.run("export", "-o", "link") == Outcome())
    #expect(try mode(of: sandbox.url("link"), S_IFMT) == S_IFLNK)
    #expect(sandbox.text("out") == Drift.ndjson)
  }

  @Test(
    arguments: [0o022, 0o077, 0], [["export"], ["report"], ["top-failures", "--format", "csv"]])
  func `a new file is for its owner, as a store is`(umask: Int, command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let script = "umask \(String(umask, radix: 8)); exec \"$0\" \"$@\" -o out"
    #expect(
      try sandbox.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script, Tool.url().path] + command) == Outcome())
    #expect(try mode(of: sandbox.url("out"), 0o7777) == 0o600)
  }

  @Test(arguments: [0o600, 0o640, 0o666])
  func `a file that is replaced is for whom it was`(permissions: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    try allow(permissions, sandbox.url("out"))
    #expect(try sandbox.run("export", "-o", "out") == Outcome())
    #expect(try mode(of: sandbox.url("out"), 0o7777) == mode_t(permissions))
  }

  @Test(.timeLimit(.minutes(5)), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal leaves the file as it was`(signal: Int32) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    // It has written all, and waits to say that there is more.
    let stderr = try FullPipe()
    let outcome = try sandbox.run(
      ["top-failures", "--limit", "1", "-o", "out"], stderr: stderr.pipe, interruptedBy: signal
    ) {
      try sandbox.files().contains {
        $0.hasPrefix(".digest-query-") && sandbox.bytes($0)?.isEmpty == false
      }
    }
    #expect(outcome == Outcome(status: 128 + signal))
    #expect(try files(sandbox) == ["out"])
    #expect(sandbox.text("out") == "before")
  }

  /// The names of all files but those of the store.
  private func files(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.files().filter { !$0.hasPrefix(Sandbox.store) }
  }

  private func allow(_ permissions: Int, _ url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
  }

  private func mode(of url: URL, _ mask: mode_t) throws -> mode_t {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return status.st_mode & mask
  }
}
