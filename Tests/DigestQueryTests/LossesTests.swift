import Testing

/// Reports that miss what the file could not keep, and say so.
struct LossesTests {
  /// A store that lost digests in the hours from 10:00 and from 11:00 of 2026-11-20.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(5)
    try sandbox.lose(7, in: 2, at: "2026-11-20T11:00:00Z")
    return sandbox
  }

  @Test(arguments: [
    "top-novel-values", "top-failures --format markdown", "export", "export --format csv",
    "top-novel-values --limit 100", "models", "trend --by day", "new --since 2026-11-01",
    "digests", "check --max-occurrences 100",
  ])
  func `every report says what it misses`(command: String) throws {
    #expect(
      try sandbox().run(command)
        == Outcome(
          stdout: Sandbox(importing: Drift.ndjson).run(command).stdout,
          notes: [
            "not counted: 3 digests of 12 occurrences (failed write, since 2026-11-20T10:00:00.000Z)"
          ]))
  }

  @Test(arguments: [
    (
      "--since 2026-11-20T11:30:00Z",
      "2 digests of 7 occurrences (failed write, since 2026-11-20T11"
    ),
    (
      "--until 2026-11-20T11:00:00Z", "1 digest of 5 occurrences (failed write, since 2026-11-20T10"
    ),
    (
      "--since 2026-11-20T10:59:59.999Z",
      "3 digests of 12 occurrences (failed write, since 2026-11-20T10"
    ),
    ("--model App.*", "3 digests of 12 occurrences (failed write, since 2026-11-20T10"),
    ("--since 2026-11-20T12:00:00Z", nil), ("--until 2026-11-20T10:00:00Z", nil),
  ])
  func `a window misses what its hours miss`(filter: String, loss: String?) throws {
    let notes = try sandbox().run("export \(filter)").notes.filter { $0.contains("not counted") }
    #expect(notes == (loss.map { ["not counted: \($0):00:00.000Z)"] } ?? []))
  }

  @Test(arguments: [
    ("overflow", "not counted: 3 digests of 12 occurrences (overflow, since %)"),
    (
      "redacted",
      "not written, as the app configured it: 12 occurrences of 3 digests (redacted, since %)"
    ),
    (
      "quarantined",
      "a damaged file was set aside, and its contents are not counted: old.sqlite (quarantined, "
        + "since %)"
    ),
    ("of tomorrow", "not counted: 3 digests of 12 occurrences (of tomorrow, since %)"),
    ("evicted", nil),
  ])
  func `each reason has words of its own`(reason: String, note: String?) throws {
    let sandbox = try sandbox()
    try sandbox.alter(
      """
      UPDATE loss SET reason = '\(reason)';
      UPDATE loss SET note = 'old.sqlite'
      WHERE reason = 'quarantined' AND hour = (SELECT min(hour) FROM loss)
      """)
    #expect(
      try sandbox.run("top-failures").notes
        == [note].compactMap { $0?.replacing("%", with: "2026-11-20T10:00:00.000Z") })
  }

  @Test(arguments: [
    ("top-failures", "3 missing keys, 2 conversions, 1 unknown key (--kind missingKey)"),
    ("top-failures --since 2026-11-20T12:00:00Z", "1 conversion, 1 missing key (--kind converted)"),
    ("models --model A", "3 missing keys, 1 unknown key (--kind missingKey)"),
    ("top-failures --kind converted", nil), ("top-failures --value v", nil),
  ])
  func `notices that are left out are counted`(command: String, notices: String?) throws {
    let digests = [
      ("A", "missingKey", 10), ("A", "missingKey", 11), ("A", "missingKey", 12),
      ("B", "converted", 11), ("B", "converted", 12), ("A", "unknownKey", 10),
    ].map { model, kind, hour in
      Digest(
        model: model, recordedAt: "2026-11-20T\(hour):00:00Z",
        failures: [.error(kind, at: "a"), .novel("v", at: "b")])
    }
    #expect(
      try Sandbox(importing: digests).run(command).notes
        == [notices].compactMap { $0.map { "not listed: \($0)" } })
  }

  @Test(arguments: [
    ("top-failures", false), ("models", false), ("trend", true), ("trend --group model", true),
    ("top-failures --since 2026-11-20T13:00:00Z", true),
    ("top-failures --until 2026-11-20T13:00:00Z", true),
    ("top-failures --since 2026-11-21T00:00:00Z", false),
  ])
  func `days that are gone are missing in windows and trends only`(
    command: String, isNoted: Bool
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(12, in: 0, "undated", at: "2026-11-20T00:00:00Z")
    let note =
      "not counted here: 12 occurrences for which only the all-time sum is left (undated, recorded "
      + "since 2026-11-20T00:00:00.000Z)"
    #expect(try sandbox.run(command).notes == (isNoted ? [note] : []))
  }

  @Test(arguments: [
    ("top-novel-values", "counted, but merged: 2 occurrences at M a (too many novel values)"),
    (
      "top-failures --value *x*",
      "merged, and so perhaps not counted here: 2 occurrences at M a (too many novel values)"
    ),
    (
      "top-failures --path a",
      "merged, and so perhaps not counted here: 2 occurrences at M a (too many novel values)"
    ),
    ("export", nil),
  ])
  func `errors over a limit of cardinality are reported`(command: String, note: String?) throws {
    let digest = Digest(model: "M", failures: [.novel("(other values)", at: "a", type: nil)])
    #expect(
      try Sandbox(importing: [digest, digest]).run(command).notes.last == note)
  }
}
