import Testing

struct VerifyTests {
  @Test func `a sound store is ok`() throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("verify")
        == Outcome(lines: ["ok: 5 recorded digests with 10 entries, counts equal a recount"]))
  }

  @Test func `an altered count is reported, with what recounts`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "UPDATE total SET occurrences = occurrences + 1 WHERE failure = 1 AND context = 0")
    #expect(
      try sandbox.run("verify")
        == Outcome(
          status: 1,
          notes: [
            "digests.sqlite: 1 total differs from the sum of its contexts",
            "digests.sqlite: 1 total differs from the sum of its days",
            "to recount, import an export of this store into a new one; keep this one too: no other has "
              + "the counts of evicted digests",
          ]))
  }

  @Test(arguments: [
    ("top-failures --since 2026-11-20", "UPDATE tally SET occurrences = 1 << 62"),
    ("models --since 2026-11-20", "UPDATE decodes SET failed = 1 << 62"),
  ])
  func `counts that cannot be added up end a report, and verify reports them`(
    command: String, sql: String
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(sql)

    #expect(
      try sandbox.run(command)
        == .failure(65, "digests.sqlite: counts are too large; run digest-query verify"))
    let verification = try sandbox.run("verify")
    #expect(verification.status == 1)
    #expect(verification.stderr.contains("have numbers that no store writes\n"))
  }

  @Test func `an unreadable digest is skipped and reported by all commands that read digests`()
    throws
  {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let all = try sandbox.run("export").lines
    try sandbox.alter("UPDATE digest SET errors = '[[1x]]' WHERE id = 2")
    let note =
      "1 digest of digests.sqlite cannot be read and was skipped; run digest-query verify"

    #expect(
      try sandbox.run("export") == Outcome(lines: [0, 2, 3, 4].map { all[$0] }, notes: [note]))
    for (command, count) in [("export", 8), ("digests", 5)] {
      let rows = try sandbox.run("\(command) --format csv")
      #expect((rows.status, rows.lines.count) == (0, count))
      #expect(rows.notes == [note])
    }
    #expect(
      try sandbox.run("show d-2")
        == .failure(65, "digests.sqlite: the digest d-2 cannot be read; run digest-query verify"))
    #expect(
      try sandbox.run("push all.sqlite digests.sqlite")
        == Outcome(
          lines: ["digests.sqlite: pushed 4 digests and the counts of 7 periods"],
          notes: [note]))
    #expect(try sandbox.run("verify --store all.sqlite").status == 0)
    let verification = try sandbox.run("verify")
    #expect(verification.status == 1)
    #expect(verification.notes.contains("digests.sqlite: 1 digest cannot be read"))
    #expect(try sandbox.files() == ["all.sqlite", "digests.sqlite"])
  }
}
