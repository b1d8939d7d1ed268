import Foundation
import Testing

/// Counters and gauges for Prometheus.
struct MetricsTests {
  private static let errors = """
    # HELP resilient_decoding_errors_total Decoding errors.
    # TYPE resilient_decoding_errors_total counter
    resilient_decoding_errors_total{model="App.Home",kind="keyNotFound",release="4.3.0"} 1
    resilient_decoding_errors_total{model="App.Home",kind="unknownNovelValue",release="4.3.0"} 2
    resilient_decoding_errors_total{model="App.Listing",kind="dataCorrupted",release="4.2.0"} 1
    resilient_decoding_errors_total{model="App.Listing",kind="typeMismatch",release="4.2.0"} 1
    resilient_decoding_errors_total{model="App.Listing",kind="unknownNovelValue",release=""} 1
    resilient_decoding_errors_total{model="App.Listing",kind="unknownNovelValue",release="4.2.0"} 3
    resilient_decoding_errors_total{model="App.Listing",kind="unknownNovelValue",release="4.3.0"} 1

    """

  private static let decodes = """
    # HELP resilient_decoding_decodes_total Decodes with and without errors.
    # TYPE resilient_decoding_decodes_total counter
    resilient_decoding_decodes_total{model="App.Clean",release="4.2.0"} 7
    resilient_decoding_decodes_total{model="App.Home",release="4.3.0"} 1
    resilient_decoding_decodes_total{model="App.Listing",release=""} 1
    resilient_decoding_decodes_total{model="App.Listing",release="4.2.0"} 42
    resilient_decoding_decodes_total{model="App.Listing",release="4.3.0"} 1

    """

  private static let models = """
    # HELP resilient_decoding_failures Distinct failures.
    # TYPE resilient_decoding_failures gauge
    resilient_decoding_failures{model="App.Home"} 2
    resilient_decoding_failures{model="App.Listing"} 5
    # HELP resilient_decoding_novel_values Distinct novel values.
    # TYPE resilient_decoding_novel_values gauge
    resilient_decoding_novel_values{model="App.Home"} 1
    resilient_decoding_novel_values{model="App.Listing"} 3

    """

  private static let lastRecorded = """
    # HELP resilient_decoding_last_recorded_timestamp_seconds When the newest error was recorded, \
    in seconds since 1970.
    # TYPE resilient_decoding_last_recorded_timestamp_seconds gauge
    # UNIT resilient_decoding_last_recorded_timestamp_seconds seconds
    resilient_decoding_last_recorded_timestamp_seconds 1795391999

    """

  /// The families of losses: each known reason has a sample.
  private static func losses(_ lost: [String: (occurrences: Int, digests: Int)] = [:]) -> String {
    let known = [
      "evicted", "failed write", "moved away", "overflow", "quarantined", "redacted",
      "unattributed", "undated",
    ]
    let reasons = Set(known + lost.keys).sorted()
    func family(_ name: String, _ help: String, _ number: (String) -> Int?) -> String {
      "# HELP \(name)_total \(help); evicted and undated ones are still counted.\n"
        + "# TYPE \(name)_total counter\n"
        + reasons.map { "\(name)_total{reason=\"\($0)\"} \(number($0) ?? 0)\n" }.joined()
    }
    return family("resilient_decoding_losses", "Errors that the store lost") {
      lost[$0]?.occurrences
    }
      + family("resilient_decoding_lost_digests", "Digests that the store lost") {
        lost[$0]?.digests
      }
  }

  private static let decodeLines =
    Digest.decodes(40, at: "2026-11-20T09:00:00Z", release: "4.2.0")
    + Digest.decodes(7, of: "App.Clean", release: "4.2.0")

  /// With zeros for a model that is decoded without errors.
  private static let modelsWithClean = ["failures", "novel_values"].reduce(models) { text, name in
    let gauge = "\nresilient_decoding_\(name){model="
    return text.replacing(
      gauge + #""App.Home"}"#, with: gauge + #""App.Clean"} 0"# + gauge + #""App.Home"}"#)
  }

  private static let ofDrift = errors + models + losses() + lastRecorded + "# EOF\n"
  private static let withDecodes =
    errors + decodes + modelsWithClean + losses() + lastRecorded + "# EOF\n"

  @Test(arguments: [
    ("", "", losses() + "# EOF\n"), (Drift.ndjson, "", ofDrift),
    (Drift.ndjson + decodeLines, "", withDecodes),
    // OpenMetrics names the family of a counter, and not its samples.
    (
      Drift.ndjson + decodeLines, "--format openmetrics",
      withDecodes.replacing(/(?<start># [A-Z]+ [a-z_]+)_total/) { $0.output.start }
    ),
  ])
  func `counters and gauges are in the byte order of their labels`(
    ndjson: String, option: String, text: String
  ) throws {
    #expect(
      try Sandbox(importing: ndjson).run("metrics \(option)") == Outcome(stdout: text))
  }

  @Test func `losses are added up by reason, also by one that a later version adds`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(5, "overflow")
    try sandbox.lose(7, in: 2, "overflow", at: "2026-11-20T11:00:00Z")
    try sandbox.lose(4, in: 3, "of tomorrow")
    let losses = Self.losses(["overflow": (12, 3), "of tomorrow": (4, 3)])
    #expect(
      try sandbox.run("metrics")
        == Outcome(stdout: Self.errors + Self.models + losses + Self.lastRecorded + "# EOF\n"))
  }

  @Test func `eviction changes no counter of errors or decodes`() throws {
    let lines = Drift.old + Self.decodeLines.replacing("\"2026-", with: "\"2016-")
    let sandbox = try Sandbox(importing: lines)
    let before = try sandbox.run("metrics").stdout
    try #require(try sandbox.run("prune --max-age 0s --max-bytes 1M").status == 0)
    let after = try sandbox.run("metrics")
    #expect(after.stdout.hasPrefix(Self.errors + Self.decodes + Self.modelsWithClean))
    #expect(after.stdout != before)
    #expect(after.stderr.isEmpty)
  }

  // MARK: - Filters

  @Test(arguments: [
    ("--model *Clean", [#"{model="App.Clean",release="4.2.0"} 7"#]),
    ("--no-release", [#"{model="App.Listing",release=""} 1"#]),
    ("--path price --model *g --release 4.2.0", [#"{model="App.Listing",release="4.2.0"} 42"#]),
  ])
  func `decodes are those of the chosen models and releases`(
    filter: String, samples: [String]
  ) throws {
    let family = "resilient_decoding_decodes_total"
    let outcome = try Sandbox(importing: Drift.ndjson + Self.decodeLines).run("metrics \(filter)")
    #expect(outcome.lines.filter { $0.hasPrefix(family) } == samples.map { family + $0 })
  }

  @Test func `an unknown name leaves no samples, and a note says so`() throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run("metrics --model App.Hom")
    #expect(!outcome.stdout.contains("errors_total{"))
    #expect(outcome.stdout.hasSuffix("# EOF\n"))
    #expect(
      outcome.notes == [
        "nothing found that matches", "the store has no model App.Hom; did you mean App.Home?",
      ])
  }

  // MARK: - Text from outside

  private static let names: [(String, String)] = [
    ("a b", "a b"), ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\\n", #"\\n"#),
    ("\"} 1\nx 2", #"\"} 1\nx 2"#), ("\r\n", "\r\\n"), ("\u{1B}[31m", "\u{1B}[31m"),
    ("a\0b", "a\0b"), ("\"\u{301}", "\\\"\u{301}"), ("\\\u{301}", "\\\\\u{301}"),
    ("# EOF", "# EOF"), ("{a=\"b\"}", #"{a=\"b\"}"#), ("日本語🏡", "日本語🏡"),
    ("\u{85}\u{2028}\u{202E}", "\u{85}\u{2028}\u{202E}"),
  ]

  @Test(arguments: names)
  func `a label is escaped as the format says`(name: String, label: String) throws {
    let outcome = try Sandbox(importing: [Digest(model: name, release: name)]).run("metrics")
    let line = try #require(
      outcome.stdout.utf8.split(separator: UInt8(ascii: "\n")).dropFirst(2).first)
    let expected =
      "resilient_decoding_errors_total{model=\"\(label)\",kind=\"unknownNovelValue\","
      + "release=\"\(label)\"} 1"
    #expect(line.elementsEqual(expected.utf8), "\(outcome)")
  }

  @Test func `a long name is written as the store has it`() throws {
    let sandbox = try Sandbox(importing: [Digest(model: Hostile.long)])
    let model = try sandbox.run("models --format tsv --columns model").lines[1]
    #expect(model.count > 60_000)
    #expect(try sandbox.run("metrics").stdout.contains("errors_total{model=\"\(model)\","))
  }

  @Test func `names are compared by their bytes, and an empty release is an absent one`() throws {
    let digests = ["e\u{301}", "\u{E9}", "a"].map { Digest(model: $0) }
    let stdout = try Sandbox(importing: digests + [Digest(model: "a", release: "")])
      .run("metrics").stdout
    let samples = [("a", 2), ("e\u{301}", 1), ("\u{E9}", 1)].map { model, count in
      "resilient_decoding_errors_total{model=\"\(model)\",kind=\"unknownNovelValue\",release=\"\"} "
        + "\(count)\n"
    }.joined()
    let end = "# HELP resilient_decoding_failures "
    #expect(Data(stdout.utf8).range(of: Data((samples + end).utf8)) != nil, "\(stdout)")
  }

  @Test func `a name that is not UTF-8 is repaired`() throws {
    let sandbox = try Sandbox(importing: [Digest()])
    try sandbox.alter("UPDATE model SET name = CAST(x'61FF22' AS TEXT)")
    #expect(try sandbox.run("metrics").stdout.contains("errors_total{model=\"a\u{FFFD}\\\"\","))
  }

  @Test func `no coding path and no value is a label`() throws {
    let sandbox = try Sandbox(importing: [Digest(novelValue: "secret", at: "secret")])
    #expect(try !sandbox.run("metrics").stdout.contains("secret"))
  }

  @Test(.needs("promtool"))
  func `promtool reads the text and finds no fault in it`() throws {
    let names = Hostile.values.filter { !$0.isEmpty } + [Hostile.steering, Hostile.long]
    let hostile = names.map { Digest(model: $0, release: $0) }
    for lines in ["", Drift.ndjson + Self.decodeLines, hostile.ndjson] {
      let sandbox = try Sandbox(importing: lines)
      let text = Data(try sandbox.run("metrics").stdout.utf8)
      #expect(
        try sandbox.start(["check", "metrics"], of: Program.url("promtool"), stdin: text)
          == Outcome())
    }
  }

  // MARK: - Files

  @Test func `the file is replaced as a whole, and keeps its mode`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run("metrics").stdout
    try sandbox.write("before", to: "digests.prom")
    try sandbox.allow(0o644, "digests.prom")
    // Whoever has the old file open reads that to its end.
    let before = try FileHandle(forReadingFrom: sandbox.url("digests.prom"))
    #expect(try sandbox.run("metrics --output digests.prom") == Outcome())
    #expect(sandbox.text("digests.prom") == expected)
    #expect(try before.readToEnd() == Data("before".utf8))
    #expect(try sandbox.permissions(of: "digests.prom") == 0o644)
    #expect(try sandbox.files() == ["digests.prom", Sandbox.store])
  }

  @Test func `the file stays as it was if the store cannot be read`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "digests.prom")
    try sandbox.write("not a store", to: Sandbox.store)
    let expected = try sandbox.run("metrics")
    #expect(expected.status == 65 && expected.stdout.isEmpty)
    #expect(try sandbox.run("metrics --output digests.prom") == expected)
    try sandbox.remove(Sandbox.store)
    #expect(try sandbox.run("metrics --output digests.prom") == .noStore())
    #expect(sandbox.text("digests.prom") == "before")
    #expect(try sandbox.files() == ["digests.prom"])
  }
}
