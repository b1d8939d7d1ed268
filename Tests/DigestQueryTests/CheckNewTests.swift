import Testing

/// `check --max-new`: failures of every kind of error.
struct CheckNewTests {
  private static let place = "exceeded: 1 new failure (at most 0): App.Listing"
  private static let hidden =
    "not counted: 1 ignored failure (1 occurrence) of digest-triage.ndjson (--all)"

  private static let notListed = "not listed: 1 missing key (--kind missingKey)"

  /// What release 4.2.0 has failed to decode, options of a check, and what it prints.
  private static let cases: [(failure: Digest.Failure, options: String, outcome: Outcome)] = [
    (.novel("yurt"), "", Outcome(status: 1, lines: [#"\#(place) kind "yurt" 1"#])),
    (.novel("yurt"), "--value *", Outcome(status: 1, lines: [#"\#(place) kind "yurt" 1"#])),
    (
      .error("typeMismatch", at: "price", expected: "Double", found: ("string", "12,50")), "",
      Outcome(status: 1, lines: ["\(place) price typeMismatch 1"])
    ),
    (.error("typeMismatch", at: "price", expected: "Double"), "--value *", Outcome()),
    (
      .error("dataCorrupted", at: "", found: ("html", nil)), "",
      Outcome(status: 1, lines: ["\(place) dataCorrupted html 1"])
    ),
    (.error("missingKey", at: "zip"), "", Outcome(notes: [notListed])),
    (
      .error("missingKey", at: "zip"), "--kind missingKey",
      Outcome(status: 1, lines: ["\(place) zip missingKey 1"])
    ),
    // Decided, and known before.
    (.novel("castle"), "", Outcome(notes: [hidden])),
    (.novel("villa"), "", Outcome()),
  ]

  @Test(arguments: cases.indices, ["--release 4.2.0", "--since 24h", "--since-last ci"])
  func `a failure that is new alerts, whatever its kind`(index: Int, window: String) throws {
    let (failure, options, outcome) = Self.cases[index]
    let sandbox = try Sandbox(importing: [
      Digest(
        release: "4.1.0", recordedAt: Digest.time(ago: 48 * 3_600),
        failures: [.novel(), .error("keyNotFound", at: "known")])
    ])
    try sandbox.write(#"{"value": "castle", "state": "ignored"}"#, to: "digest-triage.ndjson")
    let command = "check --max-new 0 \(window) \(options)"
    if window.contains("--since-last") { _ = try sandbox.run(command) }
    try sandbox.load(
      Digest(release: "4.2.0", recordedAt: Digest.time(ago: 3_600), failures: [failure]).line)
    #expect(try sandbox.run(command) == outcome)
    guard window.contains("--since-last") else { return }
    #expect(try sandbox.run(command) == Outcome(notes: outcome.notes))
  }

  @Test(arguments: [
    (
      "--max-rate 1% --max-new-novel-values 0",
      "Unknown option '--max-new-novel-values'; did you mean --max-new?"
    ),
    ("--max-new 0 --new ci", "Unknown option '--new'; did you mean --since-last?"),
  ])
  func `an option of another name is refused`(options: String, message: String) throws {
    #expect(try Sandbox().run("check \(options)") == .failure(64, message))
  }
}
