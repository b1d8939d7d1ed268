import Foundation
import Testing

/// What is no store, or none that this version can read: it is told, and left as it is.
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
  func `a text file is no store`(command: [String]) throws {
    let text = Data(String(repeating: "This is a letter and no database.\n", count: 100).utf8)
    try expect(
      command,
      on: text,
      fails: 65,
      "x.sqlite: SQLite error 26: file is not a database in: PRAGMA user_version; "
        + "this is no store; choose another path"
    )
  }

  @Test(arguments: all)
  func `a database of another program is no store`(command: [String]) throws {
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
  func `a directory is no store`(command: [String]) throws {
    let sandbox = try Sandbox()
    let outcome = try sandbox.run(command + ["--store", "."], stdin: Digest("d-1").line)
    #expect(outcome.status == 74)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: .: "))
    #expect(outcome.stderr.contains("directory"))
    #expect(outcome.stderr.firstIndex(of: "\n") == outcome.stderr.indices.last)
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: all.filter { $0.first != "import" })
  func `a store that has lost its end is damaged`(command: [String]) throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    let bytes = try #require(sandbox.bytes()).prefix(8_192)
    try bytes.write(to: sandbox.url(Sandbox.store))
    let outcome = try sandbox.run(command, stdin: Digest("d-1").line)
    #expect([1, 65].contains(outcome.status))
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: "))
  }

  @Test func `an import into a store that has lost its end sets it aside and says so`() throws {
    let sandbox = try Sandbox(importing: (1...500).map { Digest("d-\($0)") }.ndjson)
    let bytes = try #require(sandbox.bytes()).prefix(8_192)
    try bytes.write(to: sandbox.url(Sandbox.store))
    let outcome = try sandbox.run(["import", "-"], stdin: Digest("d-1").line)
    let aside = try #require(try sandbox.files().first { $0.contains(".broken-") })

    #expect(
      outcome
        == Outcome(
          stdout: "imported 1 digest, 0 were there already, 0 lines left out\n",
          stderr: "digest-query: digests.sqlite: the file was damaged and has been moved to "
            + "\(aside); a new store was created\n"))
    #expect(sandbox.bytes(aside) == bytes)
    #expect(try sandbox.run("verify").status == 0)
  }
}
