import Foundation
import Testing

/// What a role sends that makes up its own counts, and what reports and prunes make of it.
@Suite(.enabled(if: Server.isPostgreSQL))
struct AddingUpTests {
  /// A fleet with one store, and the id of another one that has sent nothing, `made up`.
  private func made(_ files: Files) throws -> (database: Database, id: String) {
    let database = try Database()
    try files.add([.at("2025-10-11T05:20:00Z")], to: "a.sqlite")
    try #require(
      Tool.run("push", database.url(), "--digests", "--store", files.path("a.sqlite")).status == 0)
    let id = try database.run(
      """
      INSERT INTO digests.source (identity, name) VALUES (repeat('a', 32), E'made\\u001b[31m up')
      RETURNING id
      """)
    return (database, id)
  }

  private static let reports = [
    ["top-failures"], ["top-novel-values"], ["models"], ["trend", "--by", "hour"], ["report"],
    ["trend", "--by", "day", "--group", "value"], ["check", "--max-occurrences", "0"],
    ["new", "--since", "2025-10-01"], ["sources"], ["digests"], ["export"],
    ["top-failures", "--source", "made*"], ["trend", "--source", "*", "--group", "value"],
    ["diff", "4.1.0", "4.2.0"],
  ]

  /// What ends a process that has gone wrong is a signal, and no status of the tool's.
  private func answers(_ store: String) throws -> [Tool.Result] {
    try Self.reports.map { report in
      let result = try Tool.run(report + ["--store", store])
      #expect([0, 1, 64, 65, 66, 74].contains(result.status), "\(report) \(result)")
      #expect(!(result.output + result.error).contains("\u{1B}"), "\(report)")
      return result
    }
  }

  @Test(arguments: ["ff", "00", "0400", "fc", "ffffffffffffffffffffff", "04000000ff"])
  func `packs that cannot be read are named in a line, and pruned`(pack: String) throws {
    let files = try Files()
    let (database, id) = try made(files)
    let before = try answers(database.url())
    for span in [0, 1, 24] {
      try database.run(
        "INSERT INTO digests.growth VALUES (\(id), \(span), 489029, 0, decode('\(pack)', 'hex'))")
    }
    try database.run(
      "INSERT INTO digests.growth VALUES (\(id), 0, 0, 0, decode('\(pack)', 'hex'))")

    let refused = try Tool.run("top-failures", "--store", database.url())
    #expect(
      refused
        == Tool.Result(
          status: 65, output: "",
          error:
            "digest-query: \(database.display): counts of made\\u{1B}[31m up (role admin) cannot be read; "
            + "digest-query prune removes them\n"))
    try database.run(
      """
      INSERT INTO digests.source_numbers VALUES (\(id), 0, 1, 1, '{1}');
      INSERT INTO digests.pack VALUES (\(id), 0, 0, 0, 0, 1, decode('\(pack)', 'hex'))
      """)
    let source = try Tool.run("top-failures", "--source", "made*", "--store", database.url())
    #expect(
      source
        == Tool.Result(
          status: 65, output: "",
          error:
            "digest-query: \(database.display): counts of made\\u{1B}[31m up (role admin) cannot be read; "
            + "leave that store out of --source\n"))
    try database.run("DELETE FROM digests.pack WHERE source_id = \(id)")
    try database.run("DELETE FROM digests.source_numbers WHERE source_id = \(id)")
    _ = try answers(database.url())
    let pruned = try Tool.run("prune", "--max-age", "9000w", "--store", database.url())
    #expect(pruned.status == 0)
    #expect(pruned.error == "digest-query: deleted 4 packs of counts that cannot be read\n")

    // All but when something was pushed.
    let after = try answers(database.url())
    for (report, (before, after)) in zip(Self.reports, zip(before, after))
    where !["sources", "report"].contains(report[0]) {
      #expect(before == after, "\(report)")
    }
  }

  @Test func `a prune adds up more than it reads at once`() throws {
    let files = try Files()
    let (database, id) = try made(files)
    try database.run(
      """
      INSERT INTO digests.failure_tally
      SELECT \(id), n, 1, 1, 0, 0, 0 FROM generate_series(-10001, 10000) AS n ON CONFLICT DO NOTHING;
      INSERT INTO digests.failure_tally VALUES
        (\(id), -9223372036854775808, 1, 1, 0, 0, 0), (\(id), 9223372036854775807, 1, 1, 0, 0, 0);
      """)
    let sum = "SELECT sum(occurrences) FROM digests.failure_tally"
    let before = try database.run(sum)

    #expect(
      try Tool.run("prune", "--max-age", "9000w", "--store", database.url()).status == 0)

    #expect(try database.run(sum) == before)
    #expect(try database.run("SELECT DISTINCT source_id FROM digests.failure_tally") == "0")
  }

  @Test func `counts as large as can be leave those of others as they are`() throws {
    let files = try Files()
    let (database, id) = try made(files)
    // 300 stores that claim as much as a row can hold, of a failure of another store's and of one more.
    try database.run(
      """
      INSERT INTO digests.source (identity, name)
      SELECT md5(n::text), 'made up' FROM generate_series(1, 300) AS n;
      SELECT digests.enter_failures('{1}', '{p}', '{typeMismatch}', '{NULL}', '{NULL}', '{NULL}', '{p}',
        '{NULL}', '{NULL}', '{NULL}');
      INSERT INTO digests.failure_tally
      SELECT s.id, f.id, 9007199254740992, 9007199254740992, 9007199254740992, 0, 253402300799999
      FROM digests.source AS s, digests.failure AS f WHERE s.id >= \(id);
      INSERT INTO digests.model_tally
      SELECT s.id, p.span, p.start, m.id, 1, 9007199254740992, 9007199254740992, 253402300799999, 0
      FROM digests.source AS s, digests.model AS m,
        (VALUES (0, 0), (1, 489029), (24, 489024), (1, 70389552)) AS p (span, start)
      WHERE s.id >= \(id);
      INSERT INTO digests.growth
      SELECT s.id, p.span, p.start, 1, decode('07' || repeat('ffffffffffffff0f', 1)
        || repeat('ffffffffffffff0f', 1) || '00' || repeat('00', 2 * p.width), 'hex')
      FROM digests.source AS s,
        (VALUES (0, 0, 6), (1, 489029, 3), (24, 489024, 4)) AS p (span, start, width)
      WHERE s.id >= \(id);
      INSERT INTO digests.loss
      SELECT s.id, 'evicted', p.hour, 9007199254740992, 9007199254740992, 'x'
      FROM digests.source AS s, (VALUES (0), (70389552)) AS p (hour) WHERE s.id >= \(id);
      UPDATE digests.source SET occurrences = 9007199254740992, digests = 9007199254740992,
        last_moment = 253402300799999, coarse_before = 70389552 WHERE id = \(id);
      """)

    for _ in 0..<2 {
      for (report, result) in zip(Self.reports, try answers(database.url())) {
        // Hours that are gone are refused with 64.
        #expect([0, 1, 64, 66].contains(result.status), "\(report) \(result)")
      }
      let failures = try Tool.run("top-failures", "--format", "csv", "--store", database.url())
      #expect(failures.output.contains("villa"))
      #expect(
        try database.run("SELECT min(occurrences) FROM digests.failures") == "9007199254740992")
      _ = try database.run("SELECT * FROM digests.hours; SELECT * FROM digests.novel_values")
      let pruned = try Tool.run("prune", "--max-age", "9000w", "--store", database.url())
      #expect(pruned.status == 0, "\(pruned.error)")
      #expect(pruned.error == "")
    }

    try files.add([.at("2025-10-11T05:20:00Z", value: "yurt")], to: "a.sqlite")
    #expect(try Tool.run("push", database.url(), "--store", files.path("a.sqlite")).status == 0)
    #expect(
      try Tool.run("top-failures", "--value", "yurt", "--format", "csv", "--store", database.url())
        .output.contains(",1,1,"))
  }

  @Test(arguments: [
    "growth VALUES (ID, 0, 9223372036854775807, 0, '')", "growth VALUES (ID, 5, 0, 0, '')",
    "growth VALUES (ID, 1, -9223372036854775808, 0, '')",
    "pack VALUES (ID, 0, 1, 9223372036854775807, 0, 0, '')",
    "failure_tally VALUES (ID, 1, 9223372036854775807, 1, 0, 0, 0)",
    "failure_tally VALUES (ID, 1, 1, -1, 0, 0, 0)",
    "failure_tally VALUES (ID, 1, 1, 1, 0, 9223372036854775807, 0)",
    "model_tally VALUES (ID, 1, 9223372036854775807, 1, 0, 1, 1, 0, 0)",
    "model_tally VALUES (ID, 0, 0, 1, 0, 9223372036854775807, 1, 0, 0)",
    "model_tally VALUES (ID, 0, 0, 1, 0, 1, 1, 0, 9223372036854775807)",
    "loss VALUES (ID, 'evicted', 9223372036854775807, 1, 1)",
    "loss VALUES (ID, 'evicted', 0, -1, 9223372036854775807)",
    "source_numbers VALUES (ID, 0, 9223372036854775807, 1, '{1}')",
    "source_numbers VALUES (ID, 0, 1, 1, '{NULL}')", "source_numbers VALUES (ID, 0, 1, 1, '{{1}}')",
    "digest_page VALUES (ID, 1, 1, 9223372036854775807, 0, 1, '{1}', '')",
    "digest_page VALUES (ID, 1, 1, 0, 0, 9223372036854775807, '{1}', '')",
    "source (identity, name) VALUES ('../../etc/passwd', '')",
  ])
  func `rows that no store can have are refused`(row: String) throws {
    let files = try Files()
    let (database, id) = try made(files)
    let result = try Tool.shell(
      "psql -XqAt '\(database.url())'",
      input: "INSERT INTO digests.\(row.replacing("ID", with: id))")
    #expect(
      result.error.contains("violates check constraint"), "\(result.error)")
  }

  @Test func `lines that are no digests are skipped, and counted`() throws {
    let files = try Files()
    let (database, id) = try made(files)
    let commands = [
      ["digests"], ["export"], ["export", "--format", "csv"], ["export", "--value", "v*"],
    ]
    let before = try commands.map { try Tool.run($0 + ["--store", database.url()]) }
    try database.run(
      """
      INSERT INTO digests.digest_page
      SELECT \(id), 1, 9, 0, 253402300799999, 3, array_agg(f.id),
        E'\\u001b[31m\\n{"recordedAt":"2025-10-11T05:20:00Z"}\\n' || repeat('[', 100000) || E'\\n'
      FROM digests.failure AS f
      """)

    for (command, before) in zip(commands, before) {
      let after = try Tool.run(command + ["--store", database.url()])
      #expect(after.output == before.output, "\(command)")
      #expect(after.status == 0)
      #expect(
        after.error.contains("skipped 3 lines of the fleet that are not digests\n"),
        "\(after.error)"
      )
    }
  }

  @Test func `counts are added up once, while pushes and other prunes run`() throws {
    let files = try Files()
    let database = try Database()
    var random = SeededGenerator(43)
    for round in 0..<4 {
      for machine in 0..<4 {
        let digests = (0..<60).map {
          Digest.random(60 * round + $0, of: machine, using: &random)
        }
        try files.add(digests, to: "\(machine).sqlite")
        try files.add(digests, to: "all.sqlite")
      }
      let pushes = (0..<4).map {
        ["push", database.url(), "--name", "\($0)", "--store", files.path("\($0).sqlite")]
      }
      let prunes = [[String]](
        repeating: ["prune", "--max-age", "9000w", "--store", database.url()], count: 3)
      let runs = try (pushes + prunes + pushes + prunes).map { try Tool.start(Tool.path, $0) }
      for run in runs {
        let result = try Tool.finish(run)
        #expect(result.status == 0, "\(result.error)")
      }
      for report in [
        ["top-failures"], ["models"], ["trend", "--by", "hour", "--group", "release"],
      ] {
        #expect(
          try Tool.run(report + ["--format", "csv", "--store", database.url()])
            == Tool.run(report + ["--format", "csv", "--store", files.path("all.sqlite")]))
      }
    }
    try #require(
      Tool.run("prune", "--max-age", "9000w", "--store", database.url()).status == 0)
    for table in ["growth", "failure_tally", "model_tally"] {
      #expect(
        try database.run("SELECT DISTINCT source_id FROM digests.\(table)") == "0", "\(table)")
    }
  }
}
