import Testing

struct VerifyTests {
  @Test func `a sound store is ok`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("verify")
        == Outcome(stdout: "ok: 5 recorded digests with 10 entries, counts equal a recount\n")
    )
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"),
    arguments: [
      (
        "UPDATE total SET occurrences = occurrences + 1 WHERE failure = 1 AND context = 0",
        [
          "1 totals differ from the sum of their contexts",
          "1 totals differ from the sum of their days",
        ]
      ),
      (
        "DELETE FROM tally WHERE span = 24",
        ["16 counts of days differ from their hours", "7 totals differ from the sum of their days"]
      ),
    ]
  )
  func `verify reports an altered count`(sql: String, problems: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(sql)
    #expect(
      try sandbox.run("verify")
        == Outcome(
          status: 1,
          stderr: problems.map { "digest-query: digests.sqlite: \($0)\n" }.joined()
            + "digest-query: to recount, import an export of this store into a new one; keep "
            + "this one too: no other has the counts of evicted digests\n"
        )
    )
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"),
    arguments: [
      ("top-failures --since 2026-11-20", "UPDATE tally SET occurrences = 1 << 62"),
      ("models --since 2026-11-20", "UPDATE decodes SET failed = 1 << 62"),
    ]
  )
  func `counts that cannot be added up end a report, and verify reports them`(
    command: String, sql: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(sql)

    let report = try sandbox.run(command.split(separator: " ").map(String.init))

    #expect(report.status == 65)
    #expect(
      report.stderr
        == "digest-query: digests.sqlite: counts are too large; run digest-query verify\n")
    let verification = try sandbox.run("verify")
    #expect(verification.status == 1)
    #expect(verification.stderr.contains("have numbers that no store writes\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `verify reports an altered digest`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter("DELETE FROM digest WHERE id = 3")
    let outcome = try sandbox.run("verify")
    #expect(outcome.status == 1)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: "))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `an unreadable digest is skipped and reported by all commands that read digests`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let all = try sandbox.run("export").lines
    try sandbox.alter("UPDATE digest SET errors = '[[1x]]' WHERE id = 2")
    let note =
      "digest-query: 1 digest of digests.sqlite cannot be read and was skipped; run digest-query "
      + "verify\n"

    let export = try sandbox.run("export")
    #expect(export.lines == [0, 2, 3, 4].map { all[$0] })
    #expect(export.stderr == note)
    #expect(export.status == 0)
    let rows = try sandbox.run("export", "--format", "csv")
    #expect(rows.lines.count == 8)
    #expect((rows.status, rows.stderr) == (0, note))
    let list = try sandbox.run("digests", "--format", "ndjson")
    #expect(list.lines.count == 4)
    #expect((list.status, list.stderr) == (0, "{\"note\": \"\(note.dropFirst(14).dropLast())\"}\n"))
    #expect(
      try sandbox.run("digests", "d-2")
        == .failure(
          65, "digests.sqlite: the digest d-2 cannot be read; run digest-query verify"))
    #expect(
      try sandbox.run("push", "all.sqlite", "digests.sqlite")
        == Outcome(
          stdout: "digests.sqlite: pushed 4 digests and the counts of 7 periods\n",
          stderr: "digest-query: digests.sqlite: skipped digest 2: the errors cannot be read\n"
            + note))
    #expect(try sandbox.run("verify", "--store", "all.sqlite").status == 0)
    let verification = try sandbox.run("verify")
    #expect(verification.status == 1)
    #expect(
      verification.stderr.hasPrefix("digest-query: digests.sqlite: "))
    #expect(verification.stderr.contains("digests.sqlite: 1 digests cannot be read\n"))
    #expect(try sandbox.files() == ["all.sqlite", "digests.sqlite"])
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `an entry of an unknown failure is reported`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter("UPDATE digest SET errors = '[[999]]' WHERE id = 5")
    let outcome = try sandbox.run("verify")
    #expect(outcome.status == 1)
    #expect(
      outcome.stderr.contains("digest-query: digests.sqlite: 1 errors are of no known failure\n")
    )
  }
}
