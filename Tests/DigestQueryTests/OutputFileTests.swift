import Foundation
import Testing

/// Reports that go into a file.
struct OutputFileTests {
  @Test(arguments: [
    "top-novel-values", "top-novel-values --format csv", "top-failures --format json", "export",
    "export --format csv", "metrics",
    // With a note on stderr, and an answer of no.
    "top-failures --limit 1", "check --max-occurrences 1",
  ])
  func `a file has the bytes of a pipe, and no file is left beside it`(command: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    for option in ["--output out", "--output=out", "-o out"] {
      #expect(
        try sandbox.run("\(command) \(option)")
          == Outcome(status: expected.status, stderr: expected.stderr))
      #expect(sandbox.text("out") == expected.stdout)
      #expect(try files(sandbox) == ["out"])
    }
    #expect(try sandbox.run("\(command) -o -") == expected)
  }

  @Test func `stdout that is a file is appended to`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before\n", to: "log")
    let expected = try sandbox.run("top-failures").stdout
    _ = try sandbox.runShell("digest-query top-failures -o /dev/stdout >> log")
    #expect(sandbox.text("log") == "before\n" + expected)
  }

  @Test(arguments: [
    ("a.csv", "csv"), ("a.CSV", "csv"), ("a.tsv", "tsv"), ("a.json", "json"),
    ("a.ndjson", "ndjson"),
    ("a.jsonl", "ndjson"), ("a.md", "markdown"), ("a.txt", "table"), ("a.b.csv", "csv"),
    ("a", "table"), ("a.xyz", "table"), ("csv", "table"),
  ])
  func `the name of a file says its format`(name: String, format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    func output(_ command: String) throws -> String? {
      #expect(try sandbox.run(command) == Outcome())
      return sandbox.text(name)
    }
    #expect(
      try output("top-failures -o \(name)")
        == sandbox.run("top-failures --format \(format)").stdout)
    #expect(
      try output("top-failures -o \(name) --format tsv")
        == sandbox.run("top-failures --format tsv").stdout)
    let isExported = ["csv", "tsv"].contains(format)
    #expect(
      try output("export -o \(name)")
        == sandbox.run("export --format \(isExported ? format : "ndjson")").stdout)
  }

  @Test func `the extension of SARIF is a format of commands that write it`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let command = "check --max-occurrences 100"
    _ = try sandbox.run("\(command) -o a.sarif")
    #expect(
      try sandbox.text("a.sarif") == sandbox.run("\(command) --format sarif").stdout)
  }

  @Test(.needs("script"), arguments: ["top-failures", "export", "export --format csv"])
  func `a file has no colours, nothing is cut and nothing escaped`(command: String) throws {
    let value = "\u{9B}" + String(repeating: "long ", count: 100)
    let sandbox = try Sandbox(
      importing: Digest("d-1", novelValue: value).line + Digest.decodes(1))
    let expected = try sandbox.run(command)
    #expect(
      try sandbox.runOnTerminal(
        "\(command) -o out", environment: ["TERM": "xterm-256color"], columns: 80) == Outcome())
    #expect(sandbox.text("out") == expected.stdout)
  }

  @Test(arguments: [
    ("top-failures --store nix", 66), ("top-failures --limit 0", 64), ("report --store nix", 66),
    ("export --until x", 64), ("export --nope", 64), ("top-failures --help", 0),
  ])
  func `what does not end well leaves the file as it was`(command: String, status: Int32) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    #expect(expected.status == status)
    #expect(try sandbox.run("\(command) -o out") == expected)
    #expect(sandbox.bytes("out") == nil)
    try sandbox.write("before", to: "out")
    #expect(try sandbox.run("\(command) -o out") == expected)
    #expect(sandbox.text("out") == "before")
    #expect(try files(sandbox) == ["out"])
  }

  @Test(arguments: [
    ("nowhere/out", "there is no such directory; name another file"),
    (".", "this is a directory; name a file in it"),
    ("out/", "this is a directory; name a file in it"),
    ("digests.sqlite", "this is a database; name another file"),
    ("digests.sqlite-wal", "this belongs to a database; name another file"),
    ("./digests.sqlite-SHM", "this belongs to a database; name another file"),
    ("digests.sqlite-journal", "this belongs to a database; name another file"),
    ("digests.sqlite.checks", "this belongs to a database; name another file"),
    ("digests.sqlite/out", "Not a directory; name another file"),
    ("nowhere\n/out", "there is no such directory; name another file"),
  ])
  func `an impossible file is refused before the report runs`(path: String, problem: String) throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let store = sandbox.bytes()
    for command in ["top-failures", "export", "top-failures --store nix"] {
      #expect(
        try sandbox.run("\(command) -o", [path])
          == .failure(74, "\(path.replacing("\n", with: #"\n"#)): \(problem)"))
    }
    #expect(try files(sandbox) == [])
    #expect(sandbox.bytes() == store)
  }

  @Test func `the log of a store that is open is not replaced, by whatever name`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let names = ["digests.sqlite-wal", "digests.sqlite-shm", "digests.sqlite.checks"]
    for name in names { try sandbox.write("log", to: name) }
    try sandbox.link("link", to: names[0])
    for name in names + ["link"] {
      #expect(
        try sandbox.run("top-failures --store nix -o \(name)")
          == .failure(74, "\(name): this belongs to a database; name another file"))
    }
    #expect(names.map { sandbox.text($0) } == ["log", "log", "log"])
  }

  @Test(arguments: [
    ("summary", "digest-triage.ndjson"), ("top-failures --all", "digest-triage.ndjson"),
    ("triage list", "digest-triage.ndjson"), ("triage list", "link"), ("diff 14d..7d 7d..", "link"),
    ("check --max-occurrences 0", "./digest-triage.ndjson"),
    ("new --since 7d --triage digest-triage.ndjson", "link"), ("spec openapi.json", "openapi.json"),
    ("spec openapi.json --map-file map.txt", "map.txt"),
    ("report --spec openapi.json", "openapi.json"), ("spec openapi.json", "shared.json"),
    ("report --spec openapi.json", "shared.json"),
    ("show villa --spec openapi.json --map-file map.txt", "map.txt"),
  ])
  func `what a command reads is not replaced, by whatever name`(
    command: String, name: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let texts = [
      "digest-triage.ndjson": #"{"value": "villa", "state": "ignored"}"# + "\n",
      "openapi.json": #"{"openapi": "3.1.0", "info": {}, "paths": {}, "components": {"schemas": "#
        + #"{"Listing": {"$ref": "shared.json#/Listing"}}}}"#,
      "shared.json": #"{"Listing": {"properties": {}}}"#, "map.txt": "# None\n",
    ]
    for (name, text) in texts { try sandbox.write(text, to: name) }
    try sandbox.link("link", to: "digest-triage.ndjson")
    let outcome = try sandbox.run("\(command) -o \(name)")
    #expect(outcome.status == 64 && outcome.stdout.isEmpty)
    #expect(
      outcome.notes.last == "--output \(name) would replace what was read: name another file",
      "\(outcome)")
    for (name, text) in texts { #expect(sandbox.text(name) == text) }
    #expect(try files(sandbox).sorted() == (texts.keys + ["link"]).sorted())
  }

  @Test(arguments: ["notes-wal", "none-journal", "-wal", "notes.checks"])
  func `a name of that kind is free where there is no database`(name: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("text", to: "notes")
    #expect(try sandbox.run("export -o ./\(name)") == Outcome())
    #expect(sandbox.text(name) == Drift.ndjson)
  }

  @Test(.needsFullDevice) func `a device is written to, and not replaced`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.link("null", to: "/dev/null")
    #expect(try sandbox.run("export -o null") == Outcome())
    #expect(
      try sandbox.run("export -o /dev/full")
        == .failure(
          74, "cannot write the output: No space left on device; choose another destination"))
    #expect(try kind(of: URL(fileURLWithPath: "/dev/full")) == S_IFCHR)
    #expect(try kind(of: sandbox.url("null")) == S_IFLNK)
  }

  @Test func `a link stays, and the file behind it is replaced`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    try sandbox.link("link", to: "out")
    #expect(try sandbox.run("export -o link") == Outcome())
    #expect(try kind(of: sandbox.url("link")) == S_IFLNK)
    #expect(sandbox.text("out") == Drift.ndjson)
  }

  @Test(arguments: ["022", "077", "0"], ["export", "report", "top-failures --format csv"])
  func `a new file is for its owner, as a store is`(umask: String, command: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.runShell("umask \(umask); exec digest-query \(command) -o out") == Outcome())
    #expect(try sandbox.permissions(of: "out") == 0o600)
  }

  @Test(arguments: [0o600, 0o640, 0o666])
  func `a file that is replaced is for whom it was`(permissions: Int) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    try sandbox.allow(permissions, "out")
    #expect(try sandbox.run("export -o out") == Outcome())
    #expect(try sandbox.permissions(of: "out") == permissions)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal leaves the file as it was`(signal: Int32) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "out")
    // It has written all, and waits to say that the store has no such release.
    let outcome = try sandbox.run(
      "top-failures --release 4.2.0 --release 9 -o out".words, stderr: Pipe.full(),
      interruptedBy: signal
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

  private func kind(of url: URL) throws -> mode_t {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return status.st_mode & S_IFMT
  }
}
