import Foundation
import Testing

/// `check --new`: each value alerts once.
struct CheckNewTests {
  private static let file = "digests.sqlite.checks"

  private static func alert(_ values: String...) -> Outcome {
    let names = values.map { "App.Listing kind \"\($0)\" 1" }.joined(separator: ", ")
    let count = "\(values.count) new novel value\(values.count == 1 ? "" : "s")"
    return Outcome(status: 1, stdout: "exceeded: \(count) (at most 0): \(names)\n")
  }

  private func check(_ sandbox: Sandbox, _ arguments: String...) throws -> Outcome {
    try sandbox.run(["check", "--max-new-novel-values", "0", "--new", "ci"] + arguments)
  }

  @Test func `a value is reported once under a name, and a later one then`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    #expect(try check(sandbox) == Self.alert("villa"))
    #expect(try check(sandbox) == Outcome())
    try sandbox.load(Digest(novelValue: "villa").line)
    #expect(try check(sandbox) == Outcome())
    try sandbox.load(Digest(novelValue: "yurt").line)
    #expect(try check(sandbox) == Self.alert("yurt"))
    #expect(try check(sandbox) == Outcome())
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "0").stdout.hasPrefix("exceeded: 2 new"))
    #expect(
      try sandbox.run("check", "--max-new-novel-values", "0", "--new", "ca").stderr
        == "digest-query: digests.sqlite.checks has no earlier check named ca; did you mean ci?\n")
  }

  @Test func `values within the limit are counted until they exceed it`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "a").line)
    let command = ["check", "--max-new-novel-values", "1", "--new", "ci"]
    #expect(try sandbox.run(command) == Outcome())
    try sandbox.load(Digest(novelValue: "b").line)
    #expect(try sandbox.run(command).stdout.hasPrefix("exceeded: 2 new novel values (at most 1)"))
    #expect(try sandbox.run(command) == Outcome())
  }

  @Test func `what was not printed is reported again`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    #expect(
      try sandbox.run(["check", "--max-new-novel-values", "0", "--new", "ci"], stdout: pipe)
        == Outcome(status: 1))
    #expect(try check(sandbox, "--output", "missing/report").status == 74)
    #expect(try check(sandbox, "--max-rate", "1%").status == 1)
    #expect(try check(sandbox) == Outcome())
  }

  /// Values come in another order than the checks that report them.
  @Test func `a value that a check leaves out is reported by the next one that counts it`() throws {
    let sandbox = try Sandbox(importing: Self.line("villa", "4.2.0"))
    #expect(try check(sandbox, "--release", "4.2.0") == Self.alert("villa"))
    try sandbox.load(Self.line("dome", "4.4.0") + Self.line("yurt", "4.3.0"))
    #expect(try check(sandbox, "--release", "4.3.0") == Self.alert("yurt"))
    try sandbox.load(Self.line("dome", "4.3.0"))
    #expect(try check(sandbox, "--release", "4.3.0") == Self.alert("dome"))
    #expect(try check(sandbox) == Outcome())
    try sandbox.load(Self.line("hut", "4.4.0") + Self.line("barn", "4.4.0"))
    #expect(try check(sandbox, "--value", "barn") == Self.alert("barn"))
    #expect(try check(sandbox, "--value", "hut") == Self.alert("hut"))
    #expect(try check(sandbox) == Outcome())
  }

  private static func line(_ value: String, _ release: String) throws -> String {
    var digest = Digest(novelValue: value)
    digest.release = release
    return try digest.line
  }

  @Test func `the file names no value, and a new store has the reported ones`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    #expect(try check(sandbox) == Self.alert("villa"))
    #expect(try #require(sandbox.text("digests.sqlite.checks")).contains("villa") == false)
    try FileManager.default.removeItem(at: sandbox.url(Sandbox.store))
    try sandbox.load(Digest(novelValue: "villa").line)
    #expect(try check(sandbox) == Outcome())
  }

  @Test(arguments: [
    (
      ["--max-occurrences", "0", "--new", "a"],
      "--new is for --max-new-novel-values: give that too, or leave it out"
    ),
    (["--max-new-novel-values", "0", "--new", ""], "--new is empty: give it a name"),
    (
      ["--max-age-of-data", "2026-11-20"],
      "--max-age-of-data is a length of time: write 30m, 2h or 1d"
    ),
  ])
  func `options that mean nothing are refused`(arguments: [String], message: String) throws {
    #expect(
      try Sandbox(importing: "").run(["check"] + arguments)
        == .failure(64, "\(message); see digest-query check --help"))
  }
}

/// The file that remembers what was reported. A value is reported twice rather than never.
extension CheckNewTests {
  @Test func `the file is beside the store, for its owner, and says what it should`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    _ = try check(sandbox)
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
    #expect(try mode(of: Self.file, in: sandbox) == 0o600)
    let object = try JSONSerialization.jsonObject(with: #require(sandbox.bytes(Self.file)))
    let contents = try #require(object as? [String: Any])
    #expect(contents["version"] as? Int == 1)
    let checks = try #require(contents["checks"] as? [String: [String]])
    #expect(checks.keys.sorted() == ["ci"])
    #expect(checks["ci"]?.map(\.count) == [16])
  }

  @Test func `the file may be behind a link, and keeps its mode`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    try sandbox.write("", to: "real")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: sandbox.url("real").path)
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.url(Self.file).path, withDestinationPath: "real")
    #expect(try check(sandbox) == Self.alert("villa"))
    #expect(try check(sandbox) == Outcome())
    #expect(try sandbox.files() == [Sandbox.store, Self.file, "real"])
    #expect(try mode(of: "real", in: sandbox) == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.url(Self.file).path)
        == "real")
  }

  @Test(arguments: [
    "x", "{", "[]", "{}", #"{"version":2,"checks":{}}"#, #"{"version":1,"checks":{"a":{}}}"#,
    #"{"version":1,"checks":{"a":[1.5]}}"#, "\0",
  ])
  func `a file that says something else is left alone, and nothing is reported`(text: String)
    throws
  {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    try sandbox.write(text, to: Self.file)
    #expect(
      try check(sandbox, "-o", "out")
        == .failure(
          65,
          "digests.sqlite.checks: not a file of reported values; move it away to start over"))
    #expect(sandbox.text(Self.file) == text)
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
  }

  @Test(arguments: [true, false])
  func `an impossible file is refused before anything is reported`(isDirectory: Bool) throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    let path = sandbox.url(Self.file).path
    if isDirectory {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      try #require(mkfifo(path, 0o600) == 0)
    }
    #expect(
      try check(sandbox)
        == .failure(
          74,
          "digests.sqlite.checks: \(isDirectory ? "Is a directory" : "not a regular file"), and so "
            + "it is unknown what earlier checks have reported; leave out --new"))
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a directory without write permission is refused before anything is reported`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    try sandbox.write("", to: Self.file)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o500], ofItemAtPath: sandbox.directory.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: sandbox.directory.path)
    }
    #expect(
      try check(sandbox)
        == .failure(
          74,
          "digests.sqlite.checks: Permission denied, and so it is unknown what earlier checks have "
            + "reported; leave out --new"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `output that cannot be written is not taken for reported`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    let failure = Outcome.failure(
      74, "cannot write the output: No space left on device; choose another destination")
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    let command = ["check", "--max-new-novel-values", "0", "--new", "ci"]
    #expect(try sandbox.run(command, stdout: full) == failure)
    #expect(try check(sandbox, "-o", "/dev/full") == failure)
    // Nothing is left of them.
    #expect(try sandbox.files() == [Sandbox.store])
    #expect(try check(sandbox) == Self.alert("villa"))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a check waits for the one before it, and says so`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    try sandbox.write("", to: Self.file)
    try sandbox.write("", to: "err")
    let lock = try FileHandle(forUpdating: sandbox.url(Self.file))
    try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
    let stderr = try FileHandle(forWritingTo: sandbox.url("err"))
    // A signal that does nothing.
    let outcome = try sandbox.run(
      ["check", "--max-new-novel-values", "0", "--new", "ci"], stderr: stderr,
      interruptedBy: SIGCONT
    ) {
      sandbox.bytes("err")?.last == UInt8(ascii: "\n")
    } then: {
      try lock.close()
    }
    #expect(outcome == Self.alert("villa"))
    #expect(
      sandbox.text("err")
        == "digest-query: digests.sqlite.checks: another run uses it; waiting until that is done\n")
    #expect(try check(sandbox) == Outcome())
  }

  @Test(.timeLimit(.minutes(5)))
  func `checks at the same time report a value once`() async throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "villa").line)
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try check(sandbox).stdout } }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(outputs.filter { !$0.isEmpty } == [Self.alert("villa").stdout])
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
  }

  private func mode(of name: String, in sandbox: Sandbox) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.url(name).path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
