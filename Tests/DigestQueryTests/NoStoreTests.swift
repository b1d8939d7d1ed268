import Foundation
import Testing

/// What isn't a store, or none that this version can read: it is told, and left as it is.
struct NoStoreTests {
  private static let reading = [
    "top-novel-values", "top-failures", "new --since 7d", "diff 4.2.0 7d..",
    "check --max-occurrences 1000", "export", "verify", "doctor", "digests", "summary",
    "show villa",
  ]
  private static let all = reading + ["import -"]

  /// A store with a number in its header changed (SQLite, "Database File Format", section 1.3).
  private static func store(_ offset: Int, _ number: UInt32) throws -> Data {
    var bytes = try #require(try Sandbox(importing: Drift.ndjson).bytes())
    bytes.replaceSubrange(
      offset..<offset + 4, with: withUnsafeBytes(of: number.bigEndian) { Data($0) })
    return bytes
  }

  private static let files: [(contents: @Sendable () throws -> Data, message: String)] = [
    (
      { Data(String(repeating: "This is a letter and no database.\n", count: 100).utf8) },
      "x.sqlite: this isn't a store; choose another path"
    ),
    (
      { try store(68, 0x1234_5678) },
      "x.sqlite is a database of another program; choose another path"
    ),
    (
      { try store(60, 99) },
      "x.sqlite has schema 99, and this version knows 1: use a newer version, the file is left as it is"
    ),
    ({ Data() }, "x.sqlite is an empty database; let the app write to it first"),
  ]

  @Test(arguments: files.indices, all)
  func `what isn't a store is told in one line, and left as it is`(
    file: Int, command: String
  ) throws {
    let bytes = try Self.files[file].contents()
    // An import fills an empty file.
    guard !bytes.isEmpty || command != "import -" else { return }
    let sandbox = try Sandbox()
    try bytes.write(to: sandbox.url("x.sqlite"))
    #expect(
      try sandbox.run("\(command) --store x.sqlite", stdin: Digest("d-1").line)
        == .failure(65, Self.files[file].message))
    #expect(sandbox.bytes("x.sqlite") == bytes)
  }

  @Test func `an empty file becomes a store by an import`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("", to: Sandbox.store)
    try sandbox.load(Drift.ndjson)
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: all)
  func `a directory isn't a store`(command: String) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run("\(command) --store .", stdin: Digest("d-1").line)
    #expect(outcome.status == 74 && outcome.stdout == "")
    #expect(outcome.notes.count == 1)
    #expect(outcome.notes[0].hasPrefix(".: ") && outcome.notes[0].contains("directory"))
    #expect(try sandbox.files() == [])
  }

  /// A store that has lost its end.
  private func damaged() throws -> Sandbox {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") })
    try #require(sandbox.bytes()).prefix(8_192).write(to: sandbox.url(Sandbox.store))
    return sandbox
  }

  private static let rescue = "; save what .recover or .dump of sqlite3 can read, or"

  @Test(arguments: reading.filter { $0 != "doctor" })
  func `a store that has lost its end is damaged`(command: String) throws {
    let outcome = try damaged().run(command)
    #expect(outcome.status == (command == "verify" ? 1 : 65))
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: "))
  }

  @Test(arguments: ["import -", "prune", "push digests.sqlite other.sqlite"])
  func `a command that writes leaves a damaged store where it is`(command: String) throws {
    let sandbox = try damaged()
    try sandbox.load(Digest().line, into: "other.sqlite")
    let bytes = sandbox.bytes()

    let outcome = try sandbox.run(command, stdin: Digest("d-1").line)

    #expect(outcome.status == 65)
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(outcome.stderr.contains(Self.rescue))
    #expect(sandbox.bytes() == bytes)
    #expect(try sandbox.files() == ["digests.sqlite", "other.sqlite"])
  }

  @Test func `doctor says what is known of a damaged file, and how to save it`() throws {
    let outcome = try damaged().run("doctor --format tsv")

    #expect((outcome.status, outcome.stderr) == (1, ""))
    let rows = outcome.lines.dropFirst().map { $0.components(separatedBy: "\t") }
    #expect(
      rows.map { $0[0] } == ["path", "mode", "structure", "file_bytes", "log_bytes", "set_aside"])
    #expect(Array(rows[2][1...2]) == ["damaged", "warning"])
    #expect(rows[2][3].contains(Self.rescue))
    #expect(rows[3][1] == "8192")
  }

  @Test func `verify says in a line what saves a damaged file`() throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") })
    var bytes = try #require(sandbox.bytes())
    bytes.replaceSubrange(100..<4_000, with: Data(count: 3_900))
    try bytes.write(to: sandbox.url(Sandbox.store))

    let outcome = try sandbox.run("verify")

    #expect((outcome.status, outcome.stdout) == (1, ""))
    #expect(outcome.notes.count == 1)
    #expect(outcome.notes[0].hasPrefix("digests.sqlite: the file is damaged ("))
    #expect(outcome.notes[0].contains(".recover"))
  }
}
