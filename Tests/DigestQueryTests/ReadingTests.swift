import DigestStore
import Foundation
import ResilientDecoding
import Testing

/// Commands that read, and what they leave behind.
struct ReadingTests {
  private static let companions = ["digests.sqlite-wal", "digests.sqlite-shm"]

  private static let commands = [
    ["top-novel-values"], ["top-novel-values", "--since", "2026-11-20T10:30:00Z"],
    ["top-failures", "--format", "json"],
    ["new", "--since", "2026-01-01"],
    ["diff", "2026-10-01..2026-11-01", "2026-11-01..2026-12-02"],
    ["check", "--max-occurrences", "100"],
    ["export"], ["export", "--format", "csv"],
    ["verify"], ["digests"],
  ]

  @Test(arguments: commands)
  func `a read leaves the store as it is`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let bytes = try #require(sandbox.bytes())
    #expect(try sandbox.run(command).status == 0)
    #expect(sandbox.bytes() == bytes)
    #expect(try sandbox.files() == [Sandbox.store])
  }

  @Test func `a read leaves files that others need`() throws {
    let sandbox = try Sandbox()
    let store = try DigestStore(path: sandbox.url(Sandbox.store).path)
    // With something in the log, and with nothing.
    for _ in 0..<2 {
      #expect(try sandbox.run("digests").status == 0)
      for companion in Self.companions { #expect(sandbox.bytes(companion) != nil) }
      let listing = Data(#"{"kind":"villa","kinds":[]}"#.utf8)
      _ = try JSONDecoder().decode(Listing.self, from: listing, recordingTo: store)
      _ = try store.prune()
    }
    #expect(try sandbox.run("digests").lines.count == 3)
    try store.close()
    #expect(try sandbox.files() == [Sandbox.store])
  }

  /// - Parameter leftovers: what a closed store has left.
  @Test(
    .enabled(if: getuid() != 0, "root may write everywhere"), arguments: commands,
    [[], [companions[0]], [companions[1]], companions])
  func `a store can be read in a directory that cannot be written`(
    command: [String], leftovers: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    for file in Self.companions where !leftovers.contains(file) {
      try FileManager.default.removeItem(at: sandbox.url(file))
    }
    // As its owner, and as somebody else.
    for permissions in [0o600, 0o400] {
      for file in [Sandbox.store] + leftovers { try allow(permissions, sandbox.url(file)) }
      try allow(0o500, sandbox.directory)
      defer { try? allow(0o700, sandbox.directory) }
      #expect(try sandbox.run(command) == expected)
      #expect(Self.companions.filter { sandbox.bytes($0) != nil } == leftovers)
      #expect(try sandbox.files() == [Sandbox.store])
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a store in a directory that may not be written is not called damaged`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for companion in Self.companions {
      try? FileManager.default.removeItem(at: sandbox.url(companion))
    }
    try allow(0o500, sandbox.directory)
    defer { try? allow(0o700, sandbox.directory) }
    for command in [["import", "-"], ["prune"]] {
      let outcome = try sandbox.run(command, stdin: Digest("d-6").line)
      #expect(outcome.status == 74, "\(outcome)")
      #expect(
        outcome.stderr.hasSuffix("; check the permissions of file and directory\n"))
      #expect(try sandbox.files() == [Sandbox.store])
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"), arguments: commands)
  func `a reader without write permission leaves no file behind`(
    command: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    for companion in Self.companions {
      try? FileManager.default.removeItem(at: sandbox.url(companion))
    }
    try allow(0o400, sandbox.url(Sandbox.store))
    #expect(try sandbox.run(command) == expected)
    #expect(Self.companions.filter { sandbox.bytes($0) != nil } == [])
    #expect(try sandbox.files() == [Sandbox.store])
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `a store that may not be read is an error`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try allow(0o000, sandbox.url(Sandbox.store))
    #expect(
      try sandbox.run("export")
        == .failure(
          74,
          "digests.sqlite: the file cannot be opened (Permission denied); "
            + "check the path, and the permissions of file and directory"
        )
    )
  }

  @Test(.enabled(if: getuid() != 0, "root may look everywhere"))
  func `a store in a directory that may not be searched may be there`() throws {
    let sandbox = try Sandbox()
    let directory = sandbox.url("closed")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    try allow(0o600, directory)
    #expect(
      try sandbox.run("export", "--store", "closed/x.sqlite")
        == .failure(
          74,
          "closed/x.sqlite: the directory \(directory.path) may not be used; check its permissions or "
            + "choose another one, in an app that of DigestStore.application()"))
    try allow(0o700, directory)
  }

  @Test(
    .enabled(if: getuid() != 0, "root may look everywhere"),
    arguments: [
      ["import", "closed/x"], ["top-failures", "--triage", "closed/x"], ["spec", "closed/x"],
      ["spec", "openapi.json", "--map-file", "closed/x"],
    ])
  func `an input in a directory that may not be searched may be there`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(#"{"openapi": "3.1.0"}"#, to: "openapi.json")
    let directory = sandbox.url("closed")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    try allow(0o600, directory)
    let outcome = try sandbox.run(command)
    try allow(0o700, directory)
    #expect(outcome.status == 74)
    #expect(outcome.stderr.contains("closed/x"))
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a store that may not be written stays as it is, with no file beside it`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try allow(0o400, sandbox.url(Sandbox.store))
    for command in [["import", "-"], ["prune"]] {
      let outcome = try sandbox.run(command, stdin: Digest("d-6").line)
      #expect(outcome.status == 74)
      #expect(outcome.stdout == "")
      #expect(outcome.stderr.hasSuffix("; check the permissions of file and directory\n"))
      #expect(try sandbox.files() == [Sandbox.store])
    }
  }

  @Test func `a report sees the digests that an app has just written`() throws {
    let sandbox = try Sandbox()
    let store = try DigestStore(path: sandbox.url(Sandbox.store).path)
    let listing = Data(#"{"kind":"villa","kinds":["castle","house","castle"]}"#.utf8)
    _ = try JSONDecoder().decode(Listing.self, from: listing, recordingTo: store, release: "4.2.0")
    let rows = try jsonObjects(
      sandbox.run("top-novel-values", "--format", "ndjson", "--since", "5m", "--release", "4.2.0")
        .stdout
    )
    #expect(rows.map { $0["novel_value"] as? String } == ["castle", "villa"])
    #expect(rows.map { $0["occurrences"] as? Int } == [2, 1])
    #expect(rows.map { $0["coding_path"] as? String } == ["kinds[]", "kind"])
    #expect(
      try sandbox.run("verify")
        == Outcome(stdout: "ok: 1 recorded digest with 3 entries, counts equal a recount\n")
    )
    try store.close()
  }

  private func allow(_ permissions: Int, _ url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
  }
}

private struct Listing: Decodable {
  @Resilient var kind: Kind?
  @Resilient var kinds: [Kind]
}

private enum Kind: String, ResilientRawRepresentable {
  case house
}
