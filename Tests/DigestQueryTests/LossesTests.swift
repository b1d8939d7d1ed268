import Testing

/// Reports that miss what the file could not keep, and say so.
@Suite(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
struct LossesTests {
  private static let note =
    "digest-query: not counted: 3 digests of 12 occurrences (failed write, since "

  /// A store that lost digests in the hours from 10:00 and from 11:00 of 2026-11-20.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let hour = 1_795_168_800 / 3_600
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('failed write', \(hour), 1, 5), ('failed write', \(hour + 1), 2, 7)"
    )
    return sandbox
  }

  @Test(arguments: [
    ["top-novel-values"], ["top-failures", "--format", "markdown"], ["export"],
    ["export", "--format", "csv"], ["top-novel-values", "--limit", "100"], ["models"],
    ["trend", "--by", "day"], ["new", "--since", "2026-11-01"], ["digests"],
    ["check", "--max-occurrences", "100"],
  ])
  func `every report says what it misses`(command: [String]) throws {
    let sandbox = try sandbox()
    var expected = try Sandbox(importing: Drift.ndjson).run(command)
    expected.stderr = Self.note + "2026-11-20T10:00:00.000Z)\n"
    #expect(try sandbox.run(command) == expected)
  }

  @Test(arguments: [["trend"], ["trend", "--group", "model"], ["models"], ["top-failures"]])
  func `a trend says which counts only the sum of all time has, and the sums need not`(
    command: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(1_795_168_800 / 3_600), 0, 5)"
    )
    #expect(
      try sandbox.run(command).stderr
        == (command[0] == "trend"
          ? "digest-query: not counted here: 5 occurrences for which only the all-time sum is left "
            + "(undated, recorded since 2026-11-20T10:00:00.000Z)\n" : ""))
  }

  @Test(arguments: [
    (
      ["--since", "2026-11-20T11:30:00Z"],
      "2 digests of 7 occurrences (failed write, since 2026-11-20T11:"
    ),
    (
      ["--until", "2026-11-20T10:30:00Z"],
      "1 digest of 5 occurrences (failed write, since 2026-11-20T10:"
    ),
    (
      ["--until", "2026-11-20T11:00:00Z"],
      "1 digest of 5 occurrences (failed write, since 2026-11-20T10:"
    ),
    (
      ["--since", "2026-11-20T10:59:59.999Z"],
      "3 digests of 12 occurrences (failed write, since 2026-11-20T10:"
    ),
    (["--model", "App.*"], "3 digests of 12 occurrences (failed write, since 2026-11-20T10:"),
  ])
  func `a window misses what its hours miss`(filter: [String], loss: String) throws {
    let outcome = try sandbox().run(["top-failures"] + filter)
    #expect(outcome.stderr == "digest-query: not counted: \(loss)00:00.000Z)\n")
  }

  @Test(arguments: [["--since", "2026-11-20T12:00:00Z"], ["--until", "2026-11-20T10:00:00Z"]])
  func `a window that nothing was lost of says nothing`(filter: [String]) throws {
    #expect(
      try sandbox().run(["export"] + filter)
        == Sandbox(importing: Drift.ndjson).run(["export"] + filter)
    )
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
  ])
  func `each reason has words of its own`(reason: String, note: String) throws {
    let sandbox = try sandbox()
    try sandbox.alter(
      """
      UPDATE loss SET reason = '\(reason)';
      UPDATE loss SET note = 'old.sqlite'
      WHERE reason = 'quarantined' AND hour = (SELECT min(hour) FROM loss)
      """)
    let text = note.replacing("%", with: "2026-11-20T10:00:00.000Z")
    #expect(try sandbox.run("top-failures").stderr == "digest-query: \(text)\n")
  }

  @Test func `deleted digests are missing only where digests are listed`() throws {
    let sandbox = try sandbox()
    try sandbox.alter("UPDATE loss SET reason = 'evicted'")
    #expect(try sandbox.run("top-failures").stderr == "")
    #expect(
      try sandbox.run("digests").stderr
        == "digest-query: counted, but no longer in detail: 3 digests of 12 occurrences (evicted, "
        + "recorded since 2026-11-20T10:00:00.000Z)\n")
  }

  @Test(arguments: [
    (
      "top-failures",
      "not listed: 3 missing keys, 2 conversions, 1 unknown key (--kind missingKey)"
    ),
    (
      "top-failures --since 2026-11-20T12:00:00Z",
      "not listed: 1 conversion, 1 missing key (--kind converted)"
    ),
    ("models --model A", "not listed: 3 missing keys, 1 unknown key (--kind missingKey)"),
    ("top-failures --kind converted", nil), ("top-failures --value v", nil),
  ])
  func `notices that are left out are counted`(command: String, note: String?) throws {
    let notices = [
      ("A", "missingKey", 10), ("A", "missingKey", 11), ("A", "missingKey", 12),
      ("B", "converted", 11), ("B", "converted", 12), ("A", "unknownKey", 10),
    ].map { model, kind, hour in
      #"{"recordedAt":"2026-11-20T\#(hour):00:00Z","model":"\#(model)","errors":["#
        + #"{"path":"a","kind":"\#(kind)"},{"path":"b","kind":"unknownNovelValue","novelValue":"v"}]}"#
    }
    let sandbox = try Sandbox(importing: notices.map { $0 + "\n" }.joined())
    let outcome = try sandbox.run(command.split(separator: " ").map { String($0) })
    #expect(outcome.stderr == note.map { "digest-query: \($0)\n" } ?? "")
  }

  @Test(arguments: [
    ([], ""),
    (["--since", "2026-11-20T13:00:00Z"], Self.undated),
    (["--until", "2026-11-20T13:00:00Z"], Self.undated),
    (["--since", "2026-11-21T00:00:00Z"], ""),
  ])
  func `days that are gone are missing in windows only`(filter: [String], note: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let day = 1_795_168_800 / 86_400 * 24
    try sandbox.alter(
      "INSERT INTO loss (reason, hour, digests, occurrences) VALUES ('undated', \(day), 0, 12)")
    #expect(try sandbox.run(["top-failures"] + filter).stderr == note)
  }

  private static let undated =
    "digest-query: not counted here: 12 occurrences for which only the all-time sum is left "
    + "(undated, recorded since 2026-11-20T00:00:00.000Z)\n"

  @Test func `errors over a limit of cardinality are reported`() throws {
    let failure = #"{"path":"a","kind":"unknownNovelValue","novelValue":"(other values)"}"#
    let line = #"{"recordedAt":"2026-11-20T10:00:00Z","model":"M","errors":[\#(failure)]}"#
    let sandbox = try Sandbox(importing: line + "\n" + line)
    #expect(
      try sandbox.run("top-novel-values").stderr
        == "digest-query: counted, but merged: 2 occurrences at M a (too many novel "
        + "values)\n")
    #expect(try sandbox.run("export").stderr.isEmpty)
    for filter in [["--value", "*x*"], ["--path", "a"]] {
      #expect(
        try sandbox.run(["top-failures"] + filter).stderr.hasSuffix(
          "digest-query: merged, and so perhaps not counted here: 2 occurrences at M a (too many "
            + "novel values)\n"))
    }
    #expect(try !sandbox.run("top-failures", "--path", "b*").stderr.contains("merged"))
  }
}
