import Foundation
import Testing

struct AdoptionTests {
  /// Decodes without errors: day of November 2026, release, and how many.
  private static func decodes(
    _ counts: [(day: Int, release: String?, count: Int)], model: String = "App.Listing"
  ) -> String {
    counts.map { day, release, count in
      let release = release.map { #","release":"\#($0)""# } ?? ""
      return """
        {"id":"\(Drift.store)","hour":"2026-11-\(day)T10:00:00Z","model":"\(model)"\(release),"decodes":\(count)}

        """
    }.joined()
  }

  private static func digest(_ day: Int, _ release: String?, _ value: String = "villa") throws
    -> String
  {
    var digest = Digest(
      "d-\(day)", novelValue: value, recordedAt: "2026-11-\(day)T10:30:00.000Z")
    digest.release = release
    return try digest.line
  }

  private static let store: String = {
    let digests = [(11, "4.1.0"), (12, "4.2.0"), (14, nil as String?)].map {
      (try? digest($0, $1)) ?? ""
    }
    return digests.joined()
      + decodes([
        (10, "4.1.0", 100), (11, "4.1.0", 9), (12, "4.1.0", 5), (12, "4.2.0", 4), (13, "4.3.0", 3),
        (13, "4.1.0", 1), (14, "4.3.0", 6), (14, "4.10.0", 2), (14, nil, 1),
      ]) + decodes([(12, "4.3.0", 1_000)], model: "App.Other")
  }()

  @Test func `each day has the share of releases that never reported the value`() throws {
    let sandbox = try Sandbox(importing: Self.store)
    #expect(
      try sandbox.run("adoption", "villa", "--format", "csv")
        == Outcome(
          stdout: """
            day,model,coding_path,kind,novel_value,decodes,unaffected,share
            2026-11-11,App.Listing,kind,unknownNovelValue,villa,10,0,0
            2026-11-12,App.Listing,kind,unknownNovelValue,villa,10,0,0
            2026-11-13,App.Listing,kind,unknownNovelValue,villa,4,3,0.75
            2026-11-14,App.Listing,kind,unknownNovelValue,villa,10,8,0.8

            """,
          stderr:
            "digest-query: App.Listing kind villa: 80% of the decodes of 2026-11-14 are by releases that never "
            + "reported it (4.3.0, 4.10.0)\n"))
    #expect(
      try sandbox.run("adoption", "vil*").stdout == """
        day         model        coding_path  kind               novel_value  decodes  unaffected  share_%
        2026-11-11  App.Listing  kind         unknownNovelValue  villa             10           0        0
        2026-11-12  App.Listing  kind         unknownNovelValue  villa             10           0        0
        2026-11-13  App.Listing  kind         unknownNovelValue  villa              4           3       75
        2026-11-14  App.Listing  kind         unknownNovelValue  villa             10           8       80

        """)
  }

  /// A window limits the days, a release's filter the decodes, and neither what a release has seen.
  @Test(arguments: [
    (["--since", "2026-11-13", "--until", "2026-11-14"], ["2026-11-13,4,3"]),
    (["--release", "4.2.0"], ["2026-11-12,5,0"]),
    // It never had the failure.
    (["--release", "4.3.0"], ["2026-11-13,3,3", "2026-11-14,6,6"]),
    (["--path", "kind", "--until", "2026-11-12"], ["2026-11-11,10,0"]),
  ])
  func `filters choose days and decodes`(arguments: [String], days: [String]) throws {
    let outcome = try Sandbox(importing: Self.store).run(
      ["adoption", "villa", "--format", "csv", "--columns", "day,decodes,unaffected"] + arguments)
    #expect(Array(outcome.lines.dropFirst()) == days)
  }

  @Test func `a release that reported a value in staging has reported it`() throws {
    let digests = try [("d-1", "4.1.0", "production"), ("d-2", "4.2.0", "staging")].map {
      id, release, environment in
      var digest = Digest(id, novelValue: "villa", recordedAt: "2026-11-11T10:30:00.000Z")
      (digest.release, digest.environment) = (release, environment)
      return try digest.line
    }
    let decodes = ["4.1.0", "4.2.0", "4.3.0"].map {
      Self.decodes([(12, $0, 2)]).replacing("}", with: #","environment":"production"}"#)
    }
    let sandbox = try Sandbox(importing: (digests + decodes).joined())
    #expect(
      try sandbox.run(
        "adoption", "villa", "--environment", "production", "--format", "csv", "--columns",
        "day,decodes,unaffected"
      ).lines == ["day,decodes,unaffected", "2026-11-12,6,2"])
  }

  @Test func `another failure than a value is chosen by filters`() throws {
    var digest = Digest("d-1", recordedAt: "2026-11-11T10:30:00.000Z")
    digest.failures = [
      Digest.Failure(path: "price", kind: "typeMismatch", novelValue: nil, novelValueType: nil)
    ]
    let sandbox = try Sandbox(
      importing: digest.line + Self.decodes([(11, "4.1.0", 2), (11, nil, 1)]))
    #expect(
      try sandbox.run(
        "adoption", "--path", "price", "--format", "csv", "--columns", "kind,decodes,unaffected")
        == Outcome(
          stdout: "kind,decodes,unaffected\ntypeMismatch,4,2\n",
          stderr:
            "digest-query: App.Listing price typeMismatch: 50% of the decodes of 2026-11-11 are by "
            + "releases that never reported it (4.1.0)\n"))
  }

  @Test(arguments: [
    (["adoption"], 64, "name a value, or choose failures with --path, --kind or --value; see"),
    (
      ["adoption", "gone"], 0,
      "nothing found that matches\ndigest-query: the store has no novel value gone"
    ),
  ])
  func `what cannot be answered gets a reason`(
    arguments: [String], status: Int32, message: String
  ) throws {
    let outcome = try Sandbox(importing: Self.store).run(arguments)
    #expect(outcome.status == status)
    #expect(outcome.stderr.hasPrefix("digest-query: \(message)"))
  }

  @Test func `without counted decodes there are no shares, and the reason`() throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run("adoption", "villa", "--format", "csv")
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.stderr
        == "digest-query: no decodes were counted: apps count them that decode with "
        + "decode(_:from:recordingTo:), recordErrors(of:) or a PersistentErrorReporter\n")
  }

  @Test func `a model without decodes in a window has a note of its own`() throws {
    let outcome = try Sandbox(importing: Self.store).run(
      "adoption", "villa", "--model", "App.Listing", "--since", "2026-11-15", "--format", "csv")
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.stderr
        == "digest-query: App.Listing kind villa: no decodes match since it was first seen\n")
  }

  @Test func `the limit counts failures, not days`() throws {
    var digest = Digest("d-1", recordedAt: "2026-11-11T10:30:00.000Z")
    digest.failures = ["villa", "yurt"].map { Digest.Failure(novelValue: $0) }
    let sandbox = try Sandbox(
      importing: digest.line + Self.decodes([(11, "4.1.0", 2), (12, "4.1.0", 1)]))
    let outcome = try sandbox.run(
      "adoption", "*", "--limit", "1", "--format", "csv", "--columns", "day,novel_value")
    #expect(outcome.lines == ["day,novel_value", "2026-11-11,villa", "2026-11-12,villa"])
    #expect(
      outcome.stderr.split(separator: "\n").map(String.init) == [
        "digest-query: there is more than 1 failure; raise --limit to see them",
        "digest-query: App.Listing kind villa: 100% of the decodes of 2026-11-12 are by releases "
          + "that never reported it (4.1.0)",
      ])
  }
}
