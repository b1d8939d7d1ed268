import Foundation
import Testing

/// What isn't a store, or none that this version can read: it is told, and left as it is.
struct NoStoreTests {
  /// Where the header of a database has the version and the program (SQLite, "Database File
  /// Format", section 1.3).
  private static let (userVersion, applicationID) = (60, 68)

  private static let reading = [
    ["top-novel-values"], ["top-failures"], ["new", "--since", "7d"], ["diff", "4.2.0", "7d.."],
    ["check", "--max-occurrences", "1000"], ["export"], ["verify"], ["doctor"], ["digests"],
    ["digests", "d-1"],
  ]
  private static let all = reading + [["import", "-"]]

  /// Runs a command on a file, and expects that it fails and changes nothing.
  private func expect(
    _ command: [String],
    on bytes: Data,
    fails status: Int32,
    _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sandbox = try Sandbox()
    try bytes.write(to: sandbox.url("x.sqlite"))
    #expect(
      try sandbox.run(command + ["--store", "x.sqlite"], stdin: Digest("d-1").line)
        == .failure(status, message),
      sourceLocation: sourceLocation
    )
    #expect(sandbox.bytes("x.sqlite") == bytes, sourceLocation: sourceLocation)
  }

  /// A store with a number in its header changed.
  private func store(_ offset: Int, _ number: UInt32) throws -> Data {
    var bytes = try #require(try Sandbox(importing: Drift.ndjson).bytes())
    let field = bytes.startIndex + offset..<bytes.startIndex + offset + 4
    bytes.replaceSubrange(field, with: withUnsafeBytes(of: number.bigEndian) { Data($0) })
    return bytes
  }

  @Test(arguments: all)
  func `a text file isn't a store`(command: [String]) throws {
    let text = Data(String(repeating: "This is a letter and no database.\n", count: 100).utf8)
    try expect(
      command,
      on: text,
      fails: 65,
      "x.sqlite: this isn't a store; choose another path"
    )
  }

  @Test(arguments: all)
  func `a database of another program isn't a store`(command: [String]) throws {
    try expect(
      command,
      on: store(Self.applicationID, 0x1234_5678),
      fails: 65,
      "x.sqlite is a database of another program; choose another path"
    )
  }

  @Test(arguments: all)
  func `a newer store is refused`(command: [String]) throws {
    try expect(
      command,
      on: store(Self.userVersion, 99),
      fails: 65,
      "x.sqlite has schema 99, and this version knows 1: use a newer version, "
        + "the file is left as it is"
    )
  }

  @Test(arguments: reading)
  func `an empty file is an empty store`(command: [String]) throws {
    try expect(
      command,
      on: Data(),
      fails: 65,
      "x.sqlite is an empty database; let the app write to it first"
    )
  }

  @Test func `an empty file becomes a store by an import`() throws {
    let sandbox = try Sandbox()
    try sandbox.write("", to: Sandbox.store)
    try sandbox.load(Drift.ndjson)
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: all)
  func `a directory isn't a store`(command: [String]) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run(command + ["--store", "."], stdin: Digest("d-1").line)
    #expect(outcome.status == 74)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: .: "))
    #expect(outcome.stderr.contains("directory"))
    #expect(outcome.stderr.firstIndex(of: "\n") == outcome.stderr.indices.last)
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: all.filter { !["import", "doctor"].contains($0.first) })
  func `a store that has lost its end is damaged`(command: [String]) throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    let bytes = try #require(sandbox.bytes()).prefix(8_192)
    try bytes.write(to: sandbox.url(Sandbox.store))
    let outcome = try sandbox.run(command, stdin: Digest("d-1").line)
    #expect([1, 65].contains(outcome.status))
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: "))
  }

  @Test(arguments: [["import", "-"], ["prune"], ["push", "digests.sqlite", "other.sqlite"]])
  func `a command that writes leaves a damaged store where it is`(command: [String]) throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    try sandbox.load(Digest("other").line, into: "other.sqlite")
    let bytes = try #require(sandbox.bytes()).prefix(8_192)
    try bytes.write(to: sandbox.url(Sandbox.store))

    let outcome = try sandbox.run(command, stdin: Digest("d-1").line)

    #expect(outcome.status == 65)
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(outcome.stderr.contains("; save what .recover or .dump of sqlite3 can read, or"))
    #expect(sandbox.bytes() == bytes)
    #expect(try sandbox.files() == ["digests.sqlite", "other.sqlite"])
  }

  @Test func `doctor says what is known of a damaged file, and how to save it`() throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    let bytes = try #require(sandbox.bytes()).prefix(8_192)
    try bytes.write(to: sandbox.url(Sandbox.store))

    let outcome = try sandbox.run("doctor", "--format", "tsv")

    #expect((outcome.status, outcome.stderr) == (1, ""))
    let rows = outcome.lines.dropFirst().map { $0.components(separatedBy: "\t") }
    #expect(
      rows.map { $0[0] } == ["path", "mode", "structure", "file_bytes", "log_bytes", "set_aside"])
    #expect(Array(rows[2][1...2]) == ["damaged", "warning"])
    #expect(rows[2][3].contains("; save what .recover or .dump of sqlite3 can read, or"))
    #expect(rows[3][1] == "8192")
  }

  @Test func `verify says in a line what saves a damaged file`() throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    var bytes = try #require(sandbox.bytes())
    bytes.replaceSubrange(100..<4_000, with: Data(count: 3_900))
    try bytes.write(to: sandbox.url(Sandbox.store))

    let outcome = try sandbox.run("verify")

    #expect((outcome.status, outcome.stdout) == (1, ""))
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: the file is damaged ("))
    #expect(outcome.stderr.firstIndex(of: "\n") == outcome.stderr.indices.last)
    #expect(outcome.stderr.contains(".recover"))
  }
}
