import DigestStore
import Foundation
import ResilientDecoding
import Testing

/// Commands that read, and what they leave behind.
struct ReadingTests {
  private static let companions = ["digests.sqlite-wal", "digests.sqlite-shm"]

  private static let commands = [
    "top-novel-values --since 2026-11-20T10:30:00Z", "top-failures --format json",
    "new --since 2026-01-01", "diff 2026-10-01..2026-11-01 2026-11-01..2026-12-02",
    "check --max-occurrences 100", "export", "export --format csv", "verify", "digests",
  ]

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
    .unprivileged, arguments: commands, [[], [companions[0]], [companions[1]], companions])
  func `a store can be read in a directory that cannot be written, and stays as it is`(
    command: String, leftovers: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let bytes = sandbox.bytes()
    let expected = try sandbox.run(command)
    #expect(expected.status == 0)
    for file in Self.companions where !leftovers.contains(file) { try sandbox.remove(file) }
    // As its owner, and as somebody else.
    for permissions in [0o600, 0o400] {
      for file in [Sandbox.store] + leftovers { try sandbox.allow(permissions, file) }
      try sandbox.allow(0o500, ".")
      defer { try? sandbox.allow(0o700, ".") }
      #expect(try sandbox.run(command) == expected)
      #expect(Self.companions.filter { sandbox.bytes($0) != nil } == leftovers)
      #expect(try sandbox.files() == [Sandbox.store])
      #expect(sandbox.bytes() == bytes)
    }
  }

  @Test(.unprivileged, arguments: commands)
  func `a reader without write permission leaves no file behind`(command: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run(command)
    for companion in Self.companions { try? sandbox.remove(companion) }
    try sandbox.allow(0o400)
    #expect(try sandbox.run(command) == expected)
    #expect(Self.companions.filter { sandbox.bytes($0) != nil } == [])
    #expect(try sandbox.files() == [Sandbox.store])
  }

  @Test(.unprivileged, arguments: [(Sandbox.store, 0o400), (".", 0o500)], ["import -", "prune"])
  func `a store that may not be written stays as it is, and is not called damaged`(
    place: (path: String, permissions: Int), command: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for companion in Self.companions { try? sandbox.remove(companion) }
    try sandbox.allow(place.permissions, place.path)
    defer { try? sandbox.allow(0o700, ".") }
    let outcome = try sandbox.run(command, stdin: Digest("d-6").line)
    #expect(outcome.status == 74 && outcome.stdout == "", "\(outcome)")
    #expect(outcome.stderr.hasSuffix("; check the permissions of file and directory\n"))
    #expect(try sandbox.files() == [Sandbox.store])
  }

  @Test(.unprivileged) func `a store that may not be read is an error`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.allow(0o000)
    #expect(
      try sandbox.run("export")
        == .failure(
          74,
          "digests.sqlite: the file cannot be opened (Permission denied); check the path, and the "
            + "permissions of file and directory"))
  }

  @Test(
    .unprivileged,
    arguments: [
      "export --store closed/x", "import closed/x", "top-failures --triage closed/x",
      "spec closed/x", "spec openapi.json --map-file closed/x",
    ])
  func `a file in a directory that may not be searched may be there`(command: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(#"{"openapi": "3.1.0"}"#, to: "openapi.json")
    try sandbox.makeDirectory("closed")
    try sandbox.allow(0o600, "closed")
    defer { try? sandbox.allow(0o700, "closed") }
    let outcome = try sandbox.run(command)
    #expect(outcome.status == 74)
    #expect(outcome.stderr.contains("closed/x"))
  }

  @Test func `a report sees the digests that an app has just written`() throws {
    let sandbox = try Sandbox()
    let store = try DigestStore(path: sandbox.url(Sandbox.store).path)
    let listing = Data(#"{"kind":"villa","kinds":["castle","house","castle"]}"#.utf8)
    _ = try JSONDecoder().decode(Listing.self, from: listing, recordingTo: store, release: "4.2.0")
    #expect(
      try sandbox.run(
        "top-failures --format csv --since 5m --release 4.2.0 --columns "
          + "coding_path,novel_value,occurrences"
      ).lines.dropFirst() == ["kinds[],castle,2", "kind,villa,1"])
    #expect(
      try sandbox.run("verify").lines
        == ["ok: 1 recorded digest with 3 entries, counts equal a recount"])
    try store.close()
  }
}

private struct Listing: Decodable {
  @Resilient var kind: Kind?
  @Resilient var kinds: [Kind]
}

private enum Kind: String, ResilientRawRepresentable {
  case house
}
