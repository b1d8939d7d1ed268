import Testing

struct VerifyTests {
  @Test func `a sound store is ok`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("verify")
        == Outcome(stdout: "ok: 5 digests, 10 occurrences, tallies equal a recount\n")
    )
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"),
    arguments: [
      (
        "UPDATE lifetime SET occurrences = occurrences + 1 WHERE failure_id = 1",
        ["1 tallies differ from a recount", "1 recounted tallies are missing"]
      ),
      (
        "DELETE FROM period WHERE span = 24",
        ["8 recounted tallies are missing"]
      ),
      (
        "INSERT INTO failure SELECT id + 100, model_id, 'x', path_format, kind, expected_type, "
          + "NULL, NULL, message, NULL, NULL, NULL, NULL, 0, 0, NULL FROM failure LIMIT 1; "
          + "INSERT INTO lifetime SELECT failure_id + 100, occurrences, digests, "
          + "shared_digests, first_seen, last_seen, -1, -1 FROM lifetime WHERE failure_id = 1",
        ["1 tallies differ from a recount"]
      ),
    ]
  )
  func `a tally that was altered is told`(sql: String, problems: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(sql)
    #expect(
      try sandbox.run("verify")
        == Outcome(
          status: 1,
          stderr: problems.map { "digest-query: digests.sqlite: \($0)\n" }.joined()
            + "digest-query: an export of it, imported into a new store, is counted anew; keep this "
            + "one too: the counts of what was evicted are nowhere else\n"
        )
    )
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a digest that was altered is told`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter("DELETE FROM foreign_digest; DELETE FROM digest WHERE id = 3")
    let outcome = try sandbox.run("verify")
    #expect(outcome.status == 1)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.hasPrefix("digest-query: digests.sqlite: "))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `an entry of no known failure is told`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter("UPDATE digest SET entries = '[[999]]' WHERE id = 5")
    let outcome = try sandbox.run("verify")
    #expect(outcome.status == 1)
    #expect(
      outcome.stderr.contains("digest-query: digests.sqlite: 1 entries are of no known failure\n")
    )
  }
}
