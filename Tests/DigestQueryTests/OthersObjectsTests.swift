import Foundation
import Testing

@testable import DigestStore

/// Objects that other programs add to a store, and locks that they keep.
struct OthersObjectsTests {
  private static let reports = [
    "top-novel-values", "top-failures --since 2026-11-20", "models --by release",
    "trend --by day", "renames", "new --release 4.3.0", "diff 4.2.0 4.3.0",
    "check --max-occurrences 1", "digests", "export", "metrics", "verify",
  ]
  private static let writing = ["import more.ndjson", "push digests.sqlite other.sqlite", "prune"]

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(Digest(novelValue: "yurt").line, to: "more.ndjson")
    try sandbox.load(Digest(novelValue: "igloo").line, into: "other.sqlite")
    return sandbox
  }

  @Test func `what others add to a file changes no answer, and is written beside`() throws {
    let sandbox = try sandbox()
    let expected = try Self.reports.map { try sandbox.run($0) }

    try sandbox.alter(
      """
      CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE INDEX mine_x ON mine (x, x + 1);
      CREATE VIEW rates AS SELECT model, count(*) AS n FROM occurrences GROUP BY 1;
      CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM digest; END;
      CREATE TABLE child (x REFERENCES digest (id)); INSERT INTO child SELECT id FROM digest;
      ANALYZE;
      """)

    #expect(try Self.reports.map { try sandbox.run($0) } == expected)
    let doctor = try sandbox.run("doctor --format csv")
    #expect((doctor.status, doctor.stderr) == (0, ""))
    #expect(doctor.lines.contains("structure,ok,ok,"))
    for command in Self.writing + ["prune --max-age 0s", "verify"] {
      #expect(try sandbox.run(command).status == 0, "\(command)")
    }
  }

  @Test func `an index on a store's table is refused, and the file left as it is`() throws {
    let sandbox = try sandbox()
    let expected = try sandbox.run("export")
    try sandbox.alter("CREATE INDEX mine ON digest (recorded_at)")
    let contents = sandbox.bytes()
    let remedy = "DROP INDEX \"mine\""
    let message =
      "digests.sqlite: another program has added an index on digest; remove it with sqlite3: \(remedy)"

    for command in Self.reports + Self.writing {
      #expect(
        try sandbox.run(command) == .failure(command == "verify" ? 1 : 65, message), "\(command)")
    }
    let doctor = try sandbox.run("doctor --format tsv")
    #expect((doctor.status, doctor.stderr) == (1, ""))
    #expect(doctor.lines.contains { $0.hasPrefix("structure\trefused\twarning\t") })
    #expect(doctor.stdout.contains(remedy))
    #expect(sandbox.bytes() == contents)
    #expect(try sandbox.files() == ["digests.sqlite", "more.ndjson", "other.sqlite"])

    try sandbox.alter(remedy)
    #expect(try sandbox.run("export") == expected)
  }

  @Test(arguments: writing)
  func `a lock that another process keeps isn't a mistake of the command line`(
    command: String
  ) throws {
    let sandbox = try sandbox()
    let other = try Connection(path: sandbox.url(Sandbox.store).path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")

    #expect(
      try sandbox.run(command)
        == .failure(74, "digests.sqlite: another process keeps it locked; try again"))
  }
}
