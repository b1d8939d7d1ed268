import Foundation
import Testing

/// Stores made on purpose, or damaged, and what a push makes of them.
@Suite(.enabled(if: Server.isPostgreSQL))
struct CraftedFileTests {
  private let files: Files
  private let database: Database

  init() throws {
    files = try Files()
    database = try Database()
    var random = SeededGenerator(7)
    for (machine, name) in ["a.sqlite", "b.sqlite"].enumerated() {
      try files.add(
        (0..<12).map { Digest.random($0, of: machine, using: &random) }, to: name)
    }
    // Some of all that a store may have.
    let altered = try alter(
      """
      UPDATE store SET folded_through = 12;
      INSERT INTO loss SELECT 'undated', max(hour), 2, 3, NULL FROM hour;
      INSERT INTO loss SELECT 'evicted', max(hour), 2, 3, 'x' FROM hour
      """, "b.sqlite")
    try #require(altered.status == 0, "\(altered.error)")
  }

  @discardableResult
  private func alter(_ sql: String, _ store: String) throws -> Tool.Result {
    try Tool.shell("sqlite3 '\(files.path(store))'", input: sql)
  }

  private func push(_ store: String) throws -> Tool.Result {
    try Tool.run(
      "push", database.url(), "--digests", "--name", store, "--take-name", "--store",
      files.path(store))
  }

  /// The fleet's rows of the first store.
  private func rows() throws -> String {
    try [
      "source", "source_numbers", "pack", "growth", "failure_tally", "model_tally", "digest_page",
    ]
    .map { table in
      let id = table == "source" ? "id" : "source_id"
      return try database.run("SELECT * FROM digests.\(table) WHERE \(id) = 1 ORDER BY 1, 2, 3, 4")
    }.joined(separator: "\n")
  }

  @Test(arguments: [Int64.max, .min])
  func `a number made on purpose is pushed or refused, and changes no counts of others`(
    number: Int64
  ) throws {
    try #require(push("a.sqlite").status == 0)
    let before = try rows()
    #expect(before.contains("a.sqlite"))
    let columns = try alter(
      """
      SELECT s.name || ' ' || c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
      WHERE s.type = 'table' AND c.type = 'INTEGER'
      """, "b.sqlite"
    ).output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(columns.count > 40)
    let changes =
      columns.map { "UPDATE OR REPLACE \($0[0]) SET \($0[1]) = \(number)" } + [
        columns.filter { $0[0] != "store" && $0[1] != "id" && !$0[1].hasSuffix("_id") }
          .map { "UPDATE OR REPLACE \($0[0]) SET \($0[1]) = \(number)" }.joined(separator: ";\n")
      ]

    var pushed = 0
    for change in changes {
      try Data(contentsOf: URL(fileURLWithPath: files.path("b.sqlite")))
        .write(to: URL(fileURLWithPath: files.path("crafted.sqlite")))
      // What SQLite refuses to change is not changed: that is as good a file as any.
      try alter(
        """
        PRAGMA ignore_check_constraints = ON;
        UPDATE store SET identity = lower(hex(randomblob(16)));
        \(change);
        PRAGMA wal_checkpoint(TRUNCATE)
        """, "crafted.sqlite")
      let result = try push("crafted.sqlite")
      if result.status == 0 { pushed += 1 }
      #expect([0, 65, 74].contains(result.status), "\(change): \(result)")
      #expect(result.error.split(separator: "\n").count <= 2, "\(change): \(result)")
      #expect(
        result.error.split(separator: "\n").allSatisfy { $0.hasPrefix("digest-query: ") },
        "\(change): \(result)")
    }

    #expect(pushed > 0)
    #expect(try rows() == before)
    for report in [["top-failures"], ["models"], ["trend", "--by", "week"], ["report"]] {
      let result = try Tool.run(report + ["--store", database.url()])
      #expect([0, 64].contains(result.status), "\(report): \(result.error)")
    }
    let pruned = try Tool.run("prune", "--max-age", "9000w", "--store", database.url())
    #expect(pruned.status == 0, "\(pruned.error)")
  }

  @Test func `digests that cannot be read are skipped, reported and still counted`() throws {
    try #require(
      alter("UPDATE digest SET entries = '[[1x]]' WHERE id = 9", "b.sqlite").status == 0)

    let result = try push("b.sqlite")

    #expect(result.status == 0)
    #expect(result.output.hasSuffix("; sent 11 digests\n"), "\(result.output)")
    #expect(
      result.error
        == "digest-query: 1 digest of \(files.path("b.sqlite")) cannot be read and was skipped; "
        + "run digest-query verify\n")
    #expect(try push("b.sqlite").error == "")
    let digests = try Tool.run("digests", "--format", "ndjson", "--store", database.url())
    #expect(Set(digests.output.split(separator: "\n")).count == 11)
    #expect(try database.run("SELECT digests FROM digests.source") == "12")
  }
}
