import Foundation
import Testing

/// Exports of what was written after one digest.
struct ExportAfterTests {
  /// Five digests, each recorded before the one that was written before it.
  private func sandbox() throws -> Sandbox {
    try Sandbox(
      importing: (1...5).map {
        try Digest(
          "d-\($0)", novelValue: "v\($0 % 2)", recordedAt: "2026-11-2\(6 - $0)T10:00:00.000Z"
        ).line
      }.joined())
  }

  @Test(arguments: ["ndjson", "csv", "tsv"])
  func `the digests written after one are exported, whenever they were recorded`(format: String)
    throws
  {
    let sandbox = try sandbox()
    let all = try sandbox.run("export", "--format", format)
    let header = format == "ndjson" ? 0 : 1
    for number in 1...5 {
      #expect(
        try sandbox.run("export", "--format", format, "--after", "d-\(number)")
          == Outcome(
            stdout: (all.lines.prefix(header) + all.lines.dropFirst(header + number))
              .map { $0 + "\n" }.joined()))
    }
  }

  @Test func `filters choose among them`() throws {
    let sandbox = try sandbox()
    let outcome = try sandbox.run("export", "--after", "d-2", "--value", "v1")
    #expect(try jsonStrings("id", in: outcome.stdout) == ["d-3", "d-5"])
    #expect(
      try sandbox.run("export", "--after", "d-4", "--value", "v0")
        == Outcome(stderr: "digest-query: nothing found that matches\n"))
  }

  @Test func `an id is one listed by digests, or its beginning`() throws {
    let sandbox = try Sandbox(
      importing: (1...3).map { _ in try Digest().line }.joined())
    let ids = try jsonStrings("id", in: sandbox.run("export").stdout)
    let parts = ids[1].split(separator: "-")
    let short = "\(parts[0].prefix(8))-\(parts[1])"
    #expect(try sandbox.run("digests").stdout.contains(short))
    for id in [ids[1], String(ids[1].prefix(35)), short] {
      let outcome = try sandbox.run("export", "--after", id)
      #expect(try jsonStrings("id", in: outcome.stdout) == [ids[2]], "\(id)")
    }
  }

  @Test func `a part of an earlier export can be imported, and is counted once`() throws {
    let sandbox = try sandbox()
    let part = try sandbox.run("export", "--after", "d-3").stdout
    #expect(
      try sandbox.run(["import", "-", "--store", "new.sqlite"], stdin: part) == .imported(2))
    #expect(try sandbox.run("export", "--store", "new.sqlite").stdout == part)
  }

  private static let remedy =
    "it may have been evicted and is still counted then; omit --after to export all remaining "
    + "digests: an import skips those it has"

  @Test func `a note counts evicted digests, of which an imported one is not known`() throws {
    let sandbox = try Sandbox(
      importing: [("d-1", "2100"), ("d-2", "2016"), ("d-3", "2100"), ("d-4", "2017")].map {
        try Digest($0, recordedAt: "\($1)-01-01T10:00:00.000Z").line
      }.joined())
    #expect(try sandbox.run("prune", "--max-age", "0s").status == 0)
    let rest = try sandbox.run("export", "--after", "d-1")
    #expect(try jsonStrings("id", in: rest.stdout) == ["d-3", "d-4"])
    #expect(rest.stderr == "digest-query: not exported: 1 digest (evicted before this export)\n")
    let evicted = Digest("d-2", recordedAt: "2016-01-01T10:00:00.000Z").exportedID
    #expect(
      try sandbox.run("export", "--after", #require(evicted))
        == .failure(66, "no digest d-2 in digests.sqlite: \(Self.remedy)"))
  }

  @Test func `an export continues after an evicted digest, and counts the other evicted ones`()
    throws
  {
    let sandbox = try Sandbox(
      importing: ["2016", "2016", "2016", "2100", "2017"].map {
        try Digest(recordedAt: "\($0)-01-01T10:00:00.000Z").line
      }.joined())
    let ids = try jsonStrings("id", in: sandbox.run("export").stdout)
    let parts = try #require(ids.first).split(separator: "-")
    #expect(try sandbox.run("prune", "--max-age", "0s").status == 0)
    for id in [ids[0], "\(parts[0])-1", "\(parts[0].prefix(8))-1"] {
      let outcome = try sandbox.run("export", "--after", id)
      #expect(try jsonStrings("id", in: outcome.stdout) == ids[3...].map(\.self), "\(id)")
      #expect(
        outcome.stderr == "digest-query: not exported: 2 digests (evicted before this export)\n")
    }
    // One recorded at another time, one that was never there, and one of a store of a similar name.
    for id in ["\(parts[0])-1-5", "\(parts[0])-6", "\(parts[0].prefix(7))-1"] {
      #expect(
        try sandbox.run("export", "--after", id)
          == .failure(66, "no digest \(id) in digests.sqlite: \(Self.remedy)"))
    }
  }

  @Test func `where an evicted digest of another store was is not known`() throws {
    let sandbox = try Sandbox(
      importing: (2016...2018).map { try Digest(recordedAt: "\($0)-01-01T10:00:00.000Z").line }
        .joined())
    let export = try sandbox.run("export").stdout
    let id = try #require(try jsonStrings("id", in: export).first)
    try sandbox.load(export, into: "new.sqlite")
    #expect(try sandbox.run("prune", "--max-age", "0s", "--store", "new.sqlite").status == 0)
    #expect(
      try sandbox.run("export", "--after", id, "--store", "new.sqlite")
        == .failure(66, "no digest \(id) in new.sqlite: \(Self.remedy)"))
  }

  @Test(
    arguments: [
      (
        66, ["--after", "x\u{1B}"],
        "no digest x\\u{1B} in digests.sqlite: \(remedy)"
      ),
      (66, ["--after", "7"], "no digest 7 in digests.sqlite: \(remedy)"),
      (64, ["--after", "d"], "digest d may be d-3, d-2 or others; write more of the id"),
      (64, ["--after", ""], "--after is empty: give it an id; see digest-query export --help"),
      (
        64, ["--after", "d-1", "--new", "backend"],
        "--after and --new both say where to begin: give one of them; see digest-query export --help"
      ),
    ] as [(Int32, [String], String)])
  func `an unknown id is refused in one line`(
    status: Int32, options: [String], message: String
  ) throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run(["export"] + options) == .failure(status, message))
    #expect(try sandbox.files() == [Sandbox.store])
  }
}
