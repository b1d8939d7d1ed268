import DigestStore
import Foundation
import Testing

@testable import DigestStore

/// Objects that other programs add to a store, and locks that they keep.
@Suite(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
struct OthersObjectsTests {
  /// Ten kinds of objects that nothing of a store reads.
  private static let ignored = """
    CREATE TABLE mine (x); INSERT INTO mine VALUES (1); CREATE INDEX mine_x ON mine (x, x + 1);
    CREATE VIEW rates AS SELECT model, count(*) AS n FROM occurrences GROUP BY 1;
    CREATE VIEW lost AS SELECT * FROM nowhere;
    CREATE TRIGGER t AFTER INSERT ON mine BEGIN DELETE FROM digest; END;
    CREATE TABLE child (x REFERENCES digest (id)); INSERT INTO child SELECT id FROM digest;
    CREATE VIRTUAL TABLE names USING fts5(name, content=model);
    CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
    INSERT INTO _litestream_seq (id, seq) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET seq = seq + 1;
    DELETE FROM _litestream_lock;
    CREATE TABLE _counts ([table] TEXT PRIMARY KEY, count INTEGER DEFAULT 0);
    ANALYZE;
    """

  private static let reports = [
    ["top-novel-values"], ["top-novel-values", "--since", "2026-11-20"], ["top-failures"],
    ["models"], ["models", "--by", "release"], ["trend", "--by", "day"], ["renames"],
    ["new", "--release", "4.3.0"], ["diff", "4.2.0", "4.3.0"],
    ["check", "--max-occurrences", "1"], ["digests"], ["export"], ["export", "--format", "csv"],
    ["metrics"], ["verify"],
  ]

  private static let writing = [
    ["import", "more.ndjson"], ["push", "digests.sqlite", "other.sqlite"], ["prune"],
  ]

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write(Digest("more", novelValue: "yurt").line, to: "more.ndjson")
    try sandbox.load(Digest("other", novelValue: "igloo").line, into: "other.sqlite")
    return sandbox
  }

  @Test(arguments: reports)
  func `what others add to a file changes no answer`(command: [String]) throws {
    let sandbox = try sandbox()
    let expected = try sandbox.run(command)

    try sandbox.alter(Self.ignored)

    #expect(try sandbox.run(command) == expected)
  }

  @Test func `doctor finds nothing in what others add to a file`() throws {
    let sandbox = try sandbox()
    try sandbox.alter(Self.ignored)

    let outcome = try sandbox.run("doctor", "--format", "csv")

    #expect((outcome.status, outcome.stderr) == (0, ""))
    #expect(outcome.lines.contains("structure,ok,ok,"))
  }

  @Test func `a file with what others add is written as without it`() throws {
    let sandboxes = [try sandbox(), try sandbox()]
    // The same store, so with the same identity.
    let other = try #require(sandboxes[0].bytes("other.sqlite"))
    try other.write(to: sandboxes[1].url("other.sqlite"))
    try sandboxes[1].alter(Self.ignored)

    let outcomes = try sandboxes.map { sandbox in
      try [
        ["import", "more.ndjson"], ["push", "digests.sqlite", "other.sqlite"], ["export"],
        ["verify"],
      ]
      .map { try sandbox.run($0) }
    }

    #expect(outcomes[0] == outcomes[1])
    #expect(try sandboxes[1].files() == sandboxes[0].files())
    #expect(try sandboxes[1].run("prune", "--max-age", "0s").status == 0)
    #expect(try sandboxes[1].run("verify").status == 0)
  }

  @Test(arguments: [
    ("CREATE INDEX mine ON digest (recorded_at)", "an index on digest", "DROP INDEX \"mine\""),
    (
      "CREATE TRIGGER mine AFTER INSERT ON digest BEGIN SELECT 1; END", "a trigger on digest",
      "DROP TRIGGER \"mine\""
    ),
    (
      "CREATE TRIGGER mine INSTEAD OF INSERT ON failures BEGIN SELECT 1; END",
      "a trigger on failures", "DROP TRIGGER \"mine\""
    ),
  ])
  func `an index or a trigger on a store's table is refused, and the file left as it is`(
    sql: String, object: String, remedy: String
  ) throws {
    let sandbox = try sandbox()
    let expected = try sandbox.run("export")
    try sandbox.alter(sql)
    let contents = sandbox.bytes()
    let message =
      "digests.sqlite: another program has added \(object); remove it with sqlite3: \(remedy)"

    for command in Self.reports + Self.writing {
      #expect(
        try sandbox.run(command) == .failure(command == ["verify"] ? 1 : 65, message), "\(command)")
    }
    let doctor = try sandbox.run("doctor", "--format", "tsv")
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
    command: [String]
  ) throws {
    let sandbox = try sandbox()
    let other = try Connection(path: sandbox.url(Sandbox.store).path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")

    #expect(
      try sandbox.run(command)
        == .failure(74, "digests.sqlite: another process keeps it locked; try again"))
  }
}
