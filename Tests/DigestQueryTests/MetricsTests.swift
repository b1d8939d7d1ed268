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

  private struct Lost {
    var occurrences = 0
    var digests = 0
  }

  /// The families of losses: each known reason has a sample.
  private static func losses(_ lost: [String: Lost] = [:]) -> String {
    let known = [
      "evicted", "failed write", "moved away", "overflow", "quarantined", "redacted",
      "unattributed",
      "undated",
    ]
    func family(_ name: String, _ help: String, _ number: (Lost) -> Int) -> String {
      "# HELP \(name)_total \(help); evicted and undated ones are still counted.\n"
        + "# TYPE \(name)_total counter\n"
        + Set(known + lost.keys).sorted().map {
          "\(name)_total{reason=\"\($0)\"} \(number(lost[$0] ?? Lost()))\n"
        }.joined()
    }
    return family("resilient_decoding_losses", "Errors that the store lost", \.occurrences)
      + family("resilient_decoding_lost_digests", "Digests that the store lost", \.digests)
  }

  private static let decodeLines = [
    #"{"id":"0000000000000001","hour":"2026-11-20T09:00:00Z","model":"App.Listing","release":"#
      + #""4.2.0","decodes":40}"#,
    #"{"id":"0000000000000002","hour":"2026-11-20T10:00:00Z","model":"App.Clean","release":"#
      + #""4.2.0","decodes":7}"#,
  ].map { $0 + "\n" }.joined()

  /// With zeros for a model that is decoded without errors.
  private static let modelsWithClean = ["failures", "novel_values"].reduce(models) { text, name in
    let gauge = "\nresilient_decoding_\(name){model="
    return text.replacing(
      gauge + #""App.Home"}"#, with: gauge + #""App.Clean"} 0"# + gauge + #""App.Home"}"#)
  }

  @Test func `counters and gauges are in the byte order of their labels`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("metrics")
        == Outcome(
          stdout: Self.errors + Self.models + Self.losses() + Self.lastRecorded + "# EOF\n"))
  }

  @Test func `decodes are counted by model and release where the app counts them`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson + Self.decodeLines)
    #expect(
      try sandbox.run("metrics")
        == Outcome(
          stdout: Self.errors + Self.decodes + Self.modelsWithClean + Self.losses()
            + Self.lastRecorded
            + "# EOF\n"))
  }

  @Test func `OpenMetrics names the family of a counter, and not its samples`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson + Self.decodeLines)
    let families =
      Self.errors + Self.decodes + Self.modelsWithClean + Self.losses() + Self.lastRecorded
    let renamed = families.replacing(/(?<start># [A-Z]+ [a-z_]+)_total/) { $0.output.start }
    #expect(
      try sandbox.run("metrics", "--format", "openmetrics")
        == Outcome(stdout: renamed + "# EOF\n"))
  }

  @Test func `a store without digests has losses of zero and no other samples`() throws {
    let sandbox = try Sandbox(importing: "")
    #expect(try sandbox.run("metrics") == Outcome(stdout: Self.losses() + "# EOF\n"))
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `losses are added up by reason, also by one that a later version adds`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.alter(
      """
      INSERT INTO loss (reason, hour, digests, occurrences) VALUES
        ('overflow', 498657, 1, 5), ('overflow', 498658, 2, 7), ('of tomorrow', 498657, 3, 4)
      """)
    let losses = Self.losses([
      "overflow": Lost(occurrences: 12, digests: 3),
      "of tomorrow": Lost(occurrences: 4, digests: 3),
    ])
    #expect(
      try sandbox.run("metrics")
        == Outcome(stdout: Self.errors + Self.models + losses + Self.lastRecorded + "# EOF\n"))
  }

  @Test func `eviction changes no counter of errors or decodes`() throws {
    let lines = (Drift.ndjson + Self.decodeLines).replacing("\"2026-", with: "\"2016-")
    let sandbox = try Sandbox(importing: lines)
    let before = try sandbox.run("metrics").stdout
    try #require(try sandbox.run("prune", "--max-age", "0s", "--max-bytes", "1M").status == 0)
    let after = try sandbox.run("metrics")
    #expect(after.stdout.hasPrefix(Self.errors + Self.decodes + Self.modelsWithClean))
    #expect(after.stdout != before)
    #expect(after.stderr.isEmpty)
  }

  // MARK: - Filters

  private static let filters: [([String], [String], String?)] = [
    (
      ["--model", "*Home"],
      [
        #"App.Home",kind="keyNotFound",release="4.3.0"} 1"#,
        #"App.Home",kind="unknownNovelValue",release="4.3.0"} 2"#,
      ], nil
    ),
    (["--path", "price"], [#"App.Listing",kind="typeMismatch",release="4.2.0"} 1"#], nil),
    (["--value", "tower"], [#"App.Home",kind="unknownNovelValue",release="4.3.0"} 2"#], nil),
    (["--kind", "dataCorrupted"], [#"App.Listing",kind="dataCorrupted",release="4.2.0"} 1"#], nil),
    (["--no-release"], [#"App.Listing",kind="unknownNovelValue",release=""} 1"#], nil),
    (
      ["--release", "4.2.0", "--kind", "unknownNovelValue"],
      [#"App.Listing",kind="unknownNovelValue",release="4.2.0"} 3"#], nil
    ),
    (
      ["--model", "App.Hom"], [],
      "digest-query: nothing found that matches\n"
        + "digest-query: the store has no model App.Hom; did you mean App.Home?\n"
    ),
  ]

  @Test(arguments: filters)
  func `filters mean what they mean elsewhere`(
    filter: [String], samples: [String], notes: String?
  ) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(["metrics"] + filter)
    let prefix = "resilient_decoding_errors_total{model=\""
    #expect(
      outcome.lines.filter { $0.hasPrefix(prefix) } == samples.map { prefix + $0 })
    #expect(outcome.stderr == notes ?? "")
    #expect(outcome.stdout.hasSuffix("# EOF\n"))
  }

  @Test func `decodes are those of the chosen models and releases`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson + Self.decodeLines)
    func decodes(_ filter: String...) throws -> [String] {
      try sandbox.run(["metrics"] + filter).lines
        .filter { $0.hasPrefix("resilient_decoding_decodes_total") }
        .map { String($0.dropFirst("resilient_decoding_decodes_total".count)) }
    }
    #expect(try decodes("--model", "*Clean") == [#"{model="App.Clean",release="4.2.0"} 7"#])
    #expect(try decodes("--no-release") == [#"{model="App.Listing",release=""} 1"#])
    #expect(
      try decodes("--path", "price", "--model", "*g", "--release", "4.2.0")
        == [#"{model="App.Listing",release="4.2.0"} 42"#])
  }

  @Test(arguments: ["--since", "--until"])
  func `a counter has no window`(option: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("metrics", option, "24h")
        == .failure(
          64,
          "counters are of all time: leave out --since and --until, and query rate() instead; see "
            + "digest-query metrics --help"))
  }

  // MARK: - Text from outside

  private static let names: [(String, String)] = [
    ("a b", "a b"), ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\\n", #"\\n"#),
    ("\"} 1\nx 2", #"\"} 1\nx 2"#), ("\r\n", "\r\\n"), ("\u{1B}[31m", "\u{1B}[31m"),
    ("a\0b", "a\0b"), ("\"\u{301}", "\\\"\u{301}"), ("\\\u{301}", "\\\\\u{301}"),
    ("# EOF", "# EOF"), ("{a=\"b\"}", #"{a=\"b\"}"#), ("日本語🏡", "日本語🏡"),
    ("\u{85}\u{2028}\u{202E}", "\u{85}\u{2028}\u{202E}"),
  ]

  /// A store whose only digest has a name as model and release.
  private static func sandbox(_ name: String) throws -> Sandbox {
    var digest = Digest(model: name)
    digest.release = name
    return try Sandbox(importing: digest.line)
  }

  @Test(arguments: names)
  func `a label is escaped as the format says`(name: String, label: String) throws {
    let outcome = try Self.sandbox(name).run("metrics")
    let line = try #require(
      outcome.stdout.utf8.split(separator: UInt8(ascii: "\n")).dropFirst(2).first)
    let expected =
      "resilient_decoding_errors_total{model=\"\(label)\",kind=\"unknownNovelValue\","
      + "release=\"\(label)\"} 1"
    #expect(line.elementsEqual(expected.utf8), "\(outcome)")
  }

  @Test func `a long name is written as the store has it`() throws {
    let sandbox = try Self.sandbox(Hostile.long)
    let row = try sandbox.run("models", "--format", "tsv").lines[1]
    let model = try #require(row.split(separator: "\t").first)
    #expect(model.count > 60_000)
    #expect(try sandbox.run("metrics").stdout.contains("errors_total{model=\"\(model)\","))
  }

  @Test func `names are compared by their bytes, and an empty release is an absent one`() throws {
    var digests = ["e\u{301}", "\u{E9}", "a", "a"].map { Digest(model: $0) }
    digests[2].release = ""
    let stdout = try Sandbox(importing: digests.ndjson).run("metrics").stdout
    let samples = [("a", 2), ("e\u{301}", 1), ("\u{E9}", 1)].map { model, count in
      "resilient_decoding_errors_total{model=\"\(model)\",kind=\"unknownNovelValue\",release=\"\"} "
        + "\(count)\n"
    }.joined()
    let end = "# HELP resilient_decoding_failures "
    #expect(Data(stdout.utf8).range(of: Data((samples + end).utf8)) != nil, "\(stdout)")
  }

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `a name that is not UTF-8 is repaired`() throws {
    let sandbox = try Sandbox(importing: Digest().line)
    try sandbox.alter("UPDATE model SET name = CAST(x'61FF22' AS TEXT)")
    #expect(try sandbox.run("metrics").stdout.contains("errors_total{model=\"a\u{FFFD}\\\"\","))
  }

  @Test func `no coding path and no value is a label`() throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: "secret", at: "secret").line)
    #expect(try !sandbox.run("metrics").stdout.contains("secret"))
  }

  @Test(.enabled(if: Promtool.isInstalled, "promtool is not installed"))
  func `promtool reads the text and finds no fault in it`() throws {
    let digests = self.digests(
      named: Hostile.values.filter { !$0.isEmpty } + [Hostile.steering, Hostile.long])
    for lines in ["", Drift.ndjson + Self.decodeLines, try digests.ndjson] {
      let sandbox = try Sandbox(importing: lines)
      let text = Data(try sandbox.run("metrics").stdout.utf8)
      #expect(
        try sandbox.run(#require(Promtool.url), ["check", "metrics"], stdin: text) == Outcome())
    }
  }

  private func digests(named names: [String]) -> [Digest] {
    names.map { name in
      var digest = Digest(model: name)
      digest.release = name
      return digest
    }
  }

  // MARK: - Files

  @Test func `the file is replaced as a whole, and keeps its mode`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let expected = try sandbox.run("metrics").stdout
    try sandbox.write("before", to: "digests.prom")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: sandbox.url("digests.prom").path)
    let before = try inode(sandbox)
    #expect(try sandbox.run("metrics", "--output", "digests.prom") == Outcome())
    #expect(sandbox.text("digests.prom") == expected)
    #expect(try inode(sandbox) != before)
    #expect(
      try FileManager.default.attributesOfItem(atPath: sandbox.url("digests.prom").path)[
        .posixPermissions] as? Int == 0o644)
    #expect(try sandbox.files().filter { $0.contains("digest-query") } == [])
  }

  private func inode(_ sandbox: Sandbox) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: sandbox.url("digests.prom").path)[
      .systemFileNumber] as? Int
  }

  @Test func `the file stays as it was if the store cannot be read`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.write("before", to: "digests.prom")
    try sandbox.write("not a store", to: Sandbox.store)
    let expected = try sandbox.run("metrics")
    #expect(expected.status == 65 && expected.stdout.isEmpty)
    #expect(try sandbox.run("metrics", "--output", "digests.prom") == expected)
    try FileManager.default.removeItem(at: sandbox.url(Sandbox.store))
    #expect(
      try sandbox.run("metrics", "--output", "digests.prom")
        == .failure(
          66,
          "no such store: digests.sqlite; name one with --store PATH or in $DIGEST_STORE"))
    #expect(sandbox.text("digests.prom") == "before")
    #expect(try sandbox.files().filter { $0.contains("digest-query") } == [])
  }
}
