import Testing

struct AdoptionTests {
  private static func digest(_ day: Int, _ release: String?) -> Digest {
    Digest("d-\(day)", release: release, recordedAt: "2026-11-\(day)T10:30:00.000Z")
  }

  /// Decodes without errors on a day of November 2026.
  private static func decodes(
    _ day: Int, _ release: String?, _ count: Int, of model: String = "App.Listing"
  ) -> String {
    Digest.decodes(count, of: model, at: "2026-11-\(day)T10:00:00Z", release: release)
  }

  private static let store =
    [digest(11, "4.1.0"), digest(12, "4.2.0"), digest(14, nil)].ndjson
    + [
      (10, "4.1.0", 100), (11, "4.1.0", 9), (12, "4.1.0", 5), (12, "4.2.0", 4), (13, "4.3.0", 3),
      (13, "4.1.0", 1), (14, "4.3.0", 6), (14, "4.10.0", 2), (14, nil, 1),
    ].map { decodes($0, $1, $2) }.joined() + decodes(12, "4.3.0", 1_000, of: "App.Other")

  @Test func `each day has the share of releases that never reported the value`() throws {
    let sandbox = try Sandbox(importing: Self.store)
    #expect(
      try sandbox.run("adoption villa --format csv")
        == Outcome(
          stdout: """
            day,model,coding_path,kind,novel_value,decodes,unaffected,share
            2026-11-11,App.Listing,kind,unknownNovelValue,villa,10,0,0
            2026-11-12,App.Listing,kind,unknownNovelValue,villa,10,0,0
            2026-11-13,App.Listing,kind,unknownNovelValue,villa,4,3,0.75
            2026-11-14,App.Listing,kind,unknownNovelValue,villa,10,8,0.8

            """,
          notes: [
            "App.Listing kind villa: 80% of the decodes of 2026-11-14 are by releases that never "
              + "reported it (4.3.0, 4.10.0)"
          ]))
    let table = try sandbox.run("adoption vil* --since 2026-11-14")
    #expect(
      table.stdout == """
        day         model        coding_path  kind               novel_value  decodes  unaffected  share_%
        2026-11-14  App.Listing  kind         unknownNovelValue  villa             10           8       80

        """)
  }

  @Test(.needs("script"))
  func `a narrow terminal keeps the days and the shares`() throws {
    let lines = try Sandbox(importing: Self.store).runOnTerminal("adoption villa", columns: 60)
      .lines
    #expect(lines.first?.hasPrefix("day ") == true && lines.first?.hasSuffix("share_%") == true)
    #expect(lines.filter { $0.hasPrefix("2026") }.allSatisfy { $0.count <= 60 }, "\(lines)")
  }

  /// A window limits the days, a release's filter the decodes, and neither what a release has seen.
  @Test(arguments: [
    ("--since 2026-11-13 --until 2026-11-14", ["2026-11-13,4,3"]),
    ("--release 4.2.0", ["2026-11-12,5,0"]),
    // It never had the failure.
    ("--release 4.3.0", ["2026-11-13,3,3", "2026-11-14,6,6"]),
    ("--path kind --until 2026-11-12", ["2026-11-11,10,0"]),
  ])
  func `filters choose days and decodes`(filter: String, days: [String]) throws {
    let outcome = try Sandbox(importing: Self.store).run(
      "adoption villa --format csv --columns day,decodes,unaffected \(filter)")
    #expect(Array(outcome.lines.dropFirst()) == days)
  }

  @Test func `a release that reported a value in staging has reported it`() throws {
    let time = "2026-11-11T10:30:00.000Z"
    let digests = [
      Digest("d-1", release: "4.1.0", recordedAt: time, environment: "production"),
      Digest("d-2", release: "4.2.0", recordedAt: time, environment: "staging"),
    ]
    let decodes = ["4.1.0", "4.2.0", "4.3.0"].map {
      Digest.decodes(2, at: "2026-11-12T10:00:00Z", release: $0, environment: "production")
    }
    let outcome = try Sandbox(importing: digests.ndjson + decodes.joined()).run(
      "adoption villa --environment production --format csv --columns day,decodes,unaffected")
    #expect(outcome.lines == ["day,decodes,unaffected", "2026-11-12,6,2"])
  }

  @Test func `another failure than a value is chosen by filters`() throws {
    var digest = Self.digest(11, nil)
    digest.errors = [.error("typeMismatch", at: "price")]
    let sandbox = try Sandbox(
      importing: digest.line + Self.decodes(11, "4.1.0", 2) + Self.decodes(11, nil, 1))
    #expect(
      try sandbox.run("adoption --path price --format csv --columns kind,decodes,unaffected")
        == Outcome(
          lines: ["kind,decodes,unaffected", "typeMismatch,4,2"],
          notes: [
            "App.Listing price typeMismatch: 50% of the decodes of 2026-11-11 are by releases that "
              + "never reported it (4.1.0)"
          ]))
  }

  private static let reasons = [
    (store, "gone", ["nothing found that matches", "the store has no novel value gone"]),
    (
      Drift.ndjson, "villa",
      [
        "no decodes were counted: apps count them that decode with decode(_:from:recordingTo:), "
          + "recordErrors(of:) or a PersistentErrorReporter"
      ]
    ),
    (
      store, "villa --model App.Listing --since 2026-11-15",
      ["App.Listing kind villa: no decodes match since it was first seen"]
    ),
  ]

  @Test(arguments: reasons)
  func `an answer without rows has the reason`(
    store: String, arguments: String, notes: [String]
  ) throws {
    let outcome = try Sandbox(importing: store).run("adoption --format csv \(arguments)")
    #expect(outcome.lines.count == 1)
    #expect(outcome.notes == notes)
  }

  @Test func `the limit counts failures, not days`() throws {
    var digest = Self.digest(11, nil)
    digest.errors = [.novel("villa"), .novel("yurt")]
    let sandbox = try Sandbox(
      importing: digest.line + Self.decodes(11, "4.1.0", 2) + Self.decodes(12, "4.1.0", 1))
    #expect(
      try sandbox.run("adoption * --limit 1 --format csv --columns day,novel_value")
        == Outcome(
          lines: ["day,novel_value", "2026-11-11,villa", "2026-11-12,villa"],
          notes: [
            "there is more than 1 failure; raise --limit to see them",
            "App.Listing kind villa: 100% of the decodes of 2026-11-12 are by releases that never "
              + "reported it (4.1.0)",
          ]))
  }
}
