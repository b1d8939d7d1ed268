import Foundation
import Testing

/// `check --since-last`: each failure alerts once.
struct CheckSinceLastTests {
  private static let file = "digests.sqlite.checks"
  private static let command = "check --max-new 0 --since-last ci"

  private static func alert(_ value: String) -> Outcome {
    Outcome(
      status: 1,
      stdout: "exceeded: 1 new failure (at most 0): App.Listing kind \"\(value)\" 1\n")
  }

  private func check(_ sandbox: Sandbox, _ options: String = "") throws -> Outcome {
    try sandbox.run("\(Self.command) \(options)")
  }

  private func villa() throws -> Sandbox { try Sandbox(importing: [Digest()]) }

  @Test func `a value is reported once under a name, and a later one then`() throws {
    let sandbox = try villa()
    #expect(try check(sandbox) == Self.alert("villa"))
    try sandbox.load(Digest().line)
    #expect(try check(sandbox) == Outcome())
    try sandbox.load(Digest(novelValue: "yurt").line)
    #expect(try check(sandbox) == Self.alert("yurt"))
    #expect(try check(sandbox) == Outcome())
    #expect(
      try sandbox.run("check --max-new 0").stdout.hasPrefix("exceeded: 2 new"))
    #expect(
      try sandbox.run("check --max-new 0 --since-last ca").notes
        == ["digests.sqlite.checks has no earlier check named ca; did you mean ci?"])
  }

  @Test func `values within the limit are counted until they exceed it`() throws {
    let sandbox = try Sandbox(importing: [Digest(novelValue: "a")])
    let command = "check --max-new 1 --since-last ci"
    #expect(try sandbox.run(command) == Outcome())
    try sandbox.load(Digest(novelValue: "b").line)
    #expect(try sandbox.run(command).stdout.hasPrefix("exceeded: 2 new failures (at most 1)"))
    #expect(try sandbox.run(command) == Outcome())
  }

  @Test func `a failure that no line named is reported by the next check`() throws {
    let sandbox = try Sandbox(
      importing: (0..<13).map { Digest(novelValue: "v\($0)") } + [
        Digest(failures: [.error("missingKey", at: "zip")])
      ])
    let first = try check(sandbox, "--kind all").stdout
    #expect(first.hasPrefix("exceeded: 14 new failures (at most 0): "))
    #expect(first.hasSuffix(", and 4 more\n"))
    let second = try check(sandbox, "--kind all").stdout
    #expect(second.hasPrefix("exceeded: 4 new failures (at most 0): "))
    #expect((first + second).contains("App.Listing zip missingKey 1"))
    #expect(try check(sandbox, "--kind all") == Outcome())
  }

  @Test func `what was not printed is reported again`() throws {
    let sandbox = try villa()
    #expect(
      try sandbox.start(Self.command.words, stdout: Pipe.closed()) == Outcome(status: 1))
    #expect(try check(sandbox, "--output missing/report").status == 74)
    #expect(try check(sandbox, "--max-rate 1%").status == 1)
    #expect(try check(sandbox) == Outcome())
  }

  /// Values come in another order than the checks that report them.
  @Test func `a value that a check leaves out is reported by the next one that counts it`() throws {
    func line(_ value: String, _ release: String) -> String {
      Digest(novelValue: value, release: release).line
    }
    let sandbox = try Sandbox(importing: line("villa", "4.2.0"))
    #expect(try check(sandbox, "--release 4.2.0") == Self.alert("villa"))
    try sandbox.load(line("dome", "4.4.0") + line("yurt", "4.3.0"))
    #expect(try check(sandbox, "--release 4.3.0") == Self.alert("yurt"))
    try sandbox.load(line("dome", "4.3.0"))
    #expect(try check(sandbox, "--release 4.3.0") == Self.alert("dome"))
    #expect(try check(sandbox) == Outcome())
    try sandbox.load(line("hut", "4.4.0") + line("barn", "4.4.0"))
    #expect(try check(sandbox, "--value barn") == Self.alert("barn"))
    #expect(try check(sandbox, "--value hut") == Self.alert("hut"))
    #expect(try check(sandbox) == Outcome())
  }

  private static let failures: [(failure: Digest.Failure, place: String)] = [
    (.novel(), #"kind "villa""#), (.novel(type: "Int"), #"kind "villa""#),
    (.error("typeMismatch", expected: "Int"), "kind typeMismatch"),
    (.error("typeMismatch", expected: "String"), "kind typeMismatch"),
    (.error("typeMismatch", at: "price", expected: "String"), "price typeMismatch"),
    (.error("dataCorrupted", at: ""), "dataCorrupted"),
    (.error("dataCorrupted", at: "", found: ("html", nil)), "dataCorrupted html"),
    (.error("dataCorrupted", at: "", found: ("empty", nil)), "dataCorrupted empty"),
  ]

  @Test func `each part of a failure's identity makes another one`() throws {
    let sandbox = try Sandbox(importing: "")
    for (failure, place) in Self.failures {
      try sandbox.load(Digest(failures: [failure]).line)
      #expect(
        try check(sandbox)
          == Outcome(
            status: 1, lines: ["exceeded: 1 new failure (at most 0): App.Listing \(place) 1"]))
      #expect(try check(sandbox) == Outcome())
    }
    // Another model.
    try sandbox.load(Digest(model: "App.Home").line)
    #expect(try check(sandbox).stdout.contains(#"App.Home kind "villa" 1"#))
  }

  @Test func `a sample that changes makes no other failure`() throws {
    let sandbox = try Sandbox(importing: "")
    for (found, status) in [("12.5", 1), ("13", 0)] as [(String, Int32)] {
      let failure = Digest.Failure.error("typeMismatch", found: ("string", found))
      try sandbox.load(Digest(failures: [failure]).line)
      #expect(try check(sandbox).status == status)
    }
  }

  @Test func `the file names no value, and a new store has the reported ones`() throws {
    let sandbox = try villa()
    #expect(try check(sandbox) == Self.alert("villa"))
    #expect(sandbox.text(Self.file)?.contains("villa") == false)
    try sandbox.remove(Sandbox.store)
    try sandbox.load(Digest().line)
    #expect(try check(sandbox) == Outcome())
  }
}

/// The file that remembers what was reported. A value is reported twice rather than never.
extension CheckSinceLastTests {
  @Test func `the file is beside the store, for its owner, and says what it should`() throws {
    let sandbox = try villa()
    _ = try check(sandbox)
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
    #expect(try sandbox.permissions(of: Self.file) == 0o600)
    let text = try #require(sandbox.text(Self.file))
    #expect(
      text.wholeMatch(of: /\{"check": "ci", "failure": "[0-9a-f]{32}"\}\n/) != nil, "\(text)")
  }

  @Test func `the file may be behind a link, and keeps its mode`() throws {
    let sandbox = try villa()
    try sandbox.write("", to: "real")
    try sandbox.allow(0o640, "real")
    try sandbox.link(Self.file, to: "real")
    #expect(try check(sandbox) == Self.alert("villa"))
    #expect(try check(sandbox) == Outcome())
    #expect(try sandbox.files() == [Sandbox.store, Self.file, "real"])
    #expect(try sandbox.permissions(of: "real") == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.url(Self.file).path)
        == "real")
  }

  @Test(arguments: [
    "x", "{", "[]", "{}", #"{"check":"a"}"#, #"{"check":"a","failure":1.5}"#, "\0",
  ])
  func `a file that says something else is left alone, and nothing is reported`(text: String)
    throws
  {
    let sandbox = try villa()
    try sandbox.write(text, to: Self.file)
    #expect(
      try check(sandbox, "-o out")
        == .failure(
          65, "\(Self.file): not a file of reported failures; move it away to start over"))
    #expect(sandbox.text(Self.file) == text)
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
  }

  @Test func `beside a line that was cut off, other values stay known`() throws {
    let sandbox = try villa()
    #expect(try check(sandbox) == Self.alert("villa"))
    let known = try #require(sandbox.text(Self.file))
    try sandbox.write(known + #"{"check":"ci","fail"#, to: Self.file)
    try sandbox.load(Digest(novelValue: "yurt").line)
    #expect(try check(sandbox) == Self.alert("yurt"))
    #expect(try check(sandbox) == Outcome())
    #expect(sandbox.text(Self.file)?.hasPrefix(known) == true)
  }

  private static let impossible: [(reason: String, make: @Sendable (Sandbox) throws -> Void)] = [
    ("Is a directory", { try $0.makeDirectory(file) }),
    ("not a regular file", { try #require(mkfifo($0.url(file).path, 0o600) == 0) }),
  ]

  @Test(arguments: impossible.indices)
  func `an impossible file is refused before anything is reported`(index: Int) throws {
    let sandbox = try villa()
    try Self.impossible[index].make(sandbox)
    try expectUnknown(Self.impossible[index].reason, in: sandbox)
  }

  private func expectUnknown(_ reason: String, in sandbox: Sandbox) throws {
    #expect(
      try check(sandbox)
        == .failure(
          74,
          "\(Self.file): \(reason), and so it is unknown what earlier checks have reported; leave "
            + "out --since-last"))
  }

  @Test(.needsFullDevice)
  func `output that cannot be written is not taken for reported`() throws {
    let sandbox = try villa()
    let failure = Outcome.failure(
      74, "cannot write the output: No space left on device; choose another destination")
    let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    #expect(try sandbox.start(Self.command.words, stdout: full) == failure)
    #expect(try check(sandbox, "-o /dev/full") == failure)
    // Nothing is left of them.
    #expect(try sandbox.files() == [Sandbox.store])
    #expect(try check(sandbox) == Self.alert("villa"))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a check waits for the one before it, and says so`() throws {
    let sandbox = try villa()
    try sandbox.write("", to: Self.file)
    try sandbox.write("", to: "err")
    let lock = try FileHandle(forUpdating: sandbox.url(Self.file))
    try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
    // A signal that does nothing.
    let outcome = try sandbox.run(
      Self.command.words, stderr: FileHandle(forWritingTo: sandbox.url("err")),
      interruptedBy: SIGCONT
    ) {
      sandbox.bytes("err")?.last == UInt8(ascii: "\n")
    } then: {
      try lock.close()
    }
    #expect(outcome == Self.alert("villa"))
    #expect(
      sandbox.text("err")
        == "digest-query: \(Self.file): another run uses it; waiting until that is done\n")
    #expect(try check(sandbox) == Outcome())
  }

  @Test(.timeLimit(.minutes(5)))
  func `checks at the same time report a value once`() async throws {
    let sandbox = try villa()
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 { group.addTask { try check(sandbox).stdout } }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(outputs.filter { !$0.isEmpty } == [Self.alert("villa").stdout])
    #expect(try sandbox.files() == [Sandbox.store, Self.file])
  }
}
