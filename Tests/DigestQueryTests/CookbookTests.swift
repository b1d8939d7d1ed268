import Foundation
import Testing

/// The scripts that the cookbook names, beside programs that write down how they are called.
struct CookbookTests {
  private static let scripts = Result { try Package.texts(in: "Recipes/Shell") }

  private func script(_ name: String) throws -> String {
    try #require(Self.scripts.get()[name], "there is no \(name)")
  }

  @Test func `each script of the cookbook is run by a test`() throws {
    #expect(
      try Self.scripts.get().keys.sorted() == [
        "check-drift", "copy-drift", "fetch-drift", "mail-drift", "push-drift",
        "slack-drift",
      ])
    let text = try Article("Cookbook").text
    #expect(try Self.scripts.get().keys.allSatisfy { text.contains("`\($0)") })
  }

  // MARK: - Rates

  @Test func `the release of the article halves its rate`() throws {
    let lines = [("4.1.0", "09", 960), ("4.2.0", "10", 1_960)].map { release, hour, decodes in
      (0..<40).map {
        Digest(
          at: "items[3].kind", release: release,
          recordedAt: "2026-11-20T\(hour):00:\(10 + $0).000Z")
      }.ndjson
        + Digest.decodes(decodes, at: "2026-11-20T\(hour):00:00Z", release: release)
    }
    let sandbox = try Sandbox(importing: lines.joined())
    let blocks = try Article("Cookbook").blocks.filter { $0.language == "console" }
    #expect(blocks.count == 3)
    for block in blocks {
      let lines = block.text.split(separator: "\n", maxSplits: 1).map { String($0) }
      let output = try sandbox.runShell(String(lines[0].dropFirst(2))).stdout
      #expect(output == lines[1].replacing("█", with: "#"))
    }
  }

  // MARK: - Slack

  /// A sandbox with values of two days ago and of two hours ago, and a curl that fails where it is
  /// told to.
  private func slack(_ values: [String]) throws -> Sandbox {
    let old = Self.digest("villa", ago: 48 * 3_600)
    let new = (["villa"] + values).map { Self.digest($0, ago: 2 * 3_600) }
    let sandbox = try Sandbox(importing: [old] + new)
    try sandbox.stub(
      "curl", #"echo "$@" >> calls; cat slack-drift.json >> posted; exit "${CURL_STATUS:-0}""#)
    return sandbox
  }

  private static func digest(_ value: String, ago seconds: Double) -> Digest {
    Digest(novelValue: value, recordedAt: Digest.time(ago: seconds))
  }

  private func posted(in sandbox: Sandbox) throws -> [String: Any]? {
    try sandbox.bytes("posted").flatMap {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any]
    }
  }

  @Test(.needs("jq"))
  func `Slack gets new failures once, as plain text`() throws {
    let sandbox = try slack(["castle", "castle", "<!channel> & \"*x*\"\n<https://a.example|b>"])
    var other = Self.digest("x", ago: 3_600)
    other.model = "A\n<B>"
    try sandbox.load(other.line)
    for failure in [
      Digest.Failure.error("typeMismatch", at: "total", found: ("string", "12,50")),
      .error("dataCorrupted", at: "", found: ("html", nil)),
    ] {
      try sandbox.load(
        Digest(model: "App.Order", recordedAt: Digest.time(ago: 3_600), failures: [failure]).line)
    }
    #expect(try sandbox.runShell(script("slack-drift")) == Outcome())

    let message = try #require(try posted(in: sandbox))
    #expect(
      message["text"] as? String == #"""
        New to the app: 5
        • App.Listing kind "castle", 2×
        • A &lt;B&gt; kind "x", 1×
        • App.Listing kind "&lt;!channel&gt; &amp; \"*x*\"\n&lt;https://a.example|b&gt;", 1×
        • App.Order dataCorrupted, found html, 1×
        • App.Order total typeMismatch, found string, 1×
        """#)
    #expect(message.keys.sorted() == ["mrkdwn", "text", "unfurl_links", "unfurl_media"])
    #expect(message["mrkdwn"] as? Bool == false)
    #expect(
      sandbox.text("calls")
        == "--config slack-drift.curl --fail --silent --show-error --max-time 30 --output /dev/null "
        + "--header Content-Type: application/json --data @slack-drift.json\n")

    for file in ["slack-drift.json", "slack-drift.since"] {
      #expect(try sandbox.permissions(of: file) == 0o600)
    }

    try sandbox.remove("calls")
    #expect(try sandbox.runShell(script("slack-drift")) == Outcome())
    #expect(sandbox.bytes("calls") == nil)
  }

  @Test(.needs("jq"))
  func `of many values Slack hears how many there are`() throws {
    let sandbox = try slack((10...32).map { "v\($0)" })
    #expect(try sandbox.runShell(script("slack-drift")) == Outcome())
    let text = try #require(try posted(in: sandbox)?["text"] as? String)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.first == "New to the app: 23")
    #expect(lines.last == "and 3 more")
  }

  @Test(.needs("jq"))
  func `values that Slack refused are sent the next time`() throws {
    let sandbox = try slack(["castle"])
    let failed = try sandbox.runShell(script("slack-drift"), environment: ["CURL_STATUS": "22"])
    #expect(failed == Outcome(status: 22))
    try sandbox.remove("posted")
    #expect(try sandbox.runShell(script("slack-drift")) == Outcome())
    #expect(
      try posted(in: sandbox)?["text"] as? String
        == "New to the app: 1\n• App.Listing kind \"castle\", 1×")
  }

  @Test(.needs("jq"))
  func `no answer is an error, and nothing is posted`() throws {
    let sandbox = try slack([])
    let outcome = try sandbox.runShell(
      script("slack-drift"), environment: ["DIGEST_STORE": "none.sqlite"])
    #expect(outcome == .noStore("none.sqlite"))
    #expect(try sandbox.files() == ["curl", Sandbox.store])
  }

  // MARK: - Mail

  @Test func `the backend team gets a table, a page, and CSV without formulas`() throws {
    let sandbox = try Sandbox(
      importing: [Self.digest("=1+1", ago: 3_600), Self.digest("old", ago: 9 * 86_400)])
    try sandbox.stub(
      "mail",
      """
      printf '%s|' "$1" "$2" "$3" "${4##*/}" "$5" "${6##*/}" "$7" "$8" "$#" > call
      cp "$4" attached.html
      cp "$6" attached.csv
      cat > body
      """)
    #expect(try sandbox.runShell(script("mail-drift"), ["team@example.com"]) == Outcome())

    func text(_ name: String) throws -> String { try #require(sandbox.text(name)) }
    let (call, body) = try (text("call"), text("body"))
    let (page, csv) = try (text("attached.html"), text("attached.csv"))
    let pattern =
      #/-s\|Decoding .* days\|-a\|report.html\|-a\|drift-\d{4}-\d\d-\d\d.csv\|--\|team@example.com\|8\|/#
    #expect(call.wholeMatch(of: pattern) != nil, "\(call)")
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("=1+1"))
    #expect(csv.split(separator: "\n").count == 2)
    #expect(csv.contains(",unknownNovelValue,,'=1+1,String,1,1,"))
    #expect(body.split(separator: "\n").count == 2)
    #expect(body.contains("  =1+1  "))
  }

  // MARK: - Pipelines

  @Test func `a release with a failure that no older one has is stopped`() throws {
    let digests = [
      Digest(release: "4.1.0"),
      Digest(
        release: "4.2.0", recordedAt: "2026-11-21T10:00:00.000Z",
        failures: [.novel("yurt"), .error("typeMismatch", at: "price", expected: "Double")]),
    ]
    let exceeded =
      "exceeded: 2 new failures (at most 0): App.Listing kind \"yurt\" 1, "
      + "App.Listing price typeMismatch 1\n"
    let table = """
      | model | coding_path | kind | expected_type | novel_value | value_type | occurrences | digests | first_seen | last_seen | found_type | found_value | first_release | rate | id |
      |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
      | App.Listing | kind | unknownNovelValue |  | yurt | String | 1 | 1 | 2026-11-21T10:00:00.000Z | 2026-11-21T10:00:00.000Z |  |  | 4.2.0 |  | ea96383f |
      | App.Listing | price | typeMismatch | Double |  |  | 1 | 1 | 2026-11-21T10:00:00.000Z | 2026-11-21T10:00:00.000Z |  |  | 4.2.0 |  | h8019441 |

      """
    let sandbox = try Sandbox(importing: digests)
    let check = try script("check-drift")
    #expect(
      try sandbox.runShell(check, ["4.2.0"]) == Outcome(status: 1, stdout: exceeded + table))
    #expect(
      try sandbox.runShell(check, ["4.2.0"], environment: ["GITHUB_STEP_SUMMARY": "summary"])
        == Outcome(status: 1, stdout: exceeded))
    #expect(sandbox.text("summary") == table)

    // With the failures of today accepted.
    try sandbox.load(Digest(release: "4.0.0", failures: digests[1].errors).line)
    #expect(try sandbox.runShell(check, ["4.2.0"]) == Outcome())
    #expect(try sandbox.runShell(check, ["4.2.0"], environment: ["DIGEST_STORE": "x"]).status == 66)
  }

  // MARK: - Other programs

  @Test(.needs("sqlite3"))
  func `the copy is a whole store in no WAL mode, which the group may read`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for _ in 1...2 {
      #expect(try sandbox.runShell(script("copy-drift"), ["copy.sqlite"]) == Outcome())
    }
    #expect(try sandbox.permissions(of: "copy.sqlite") == 0o640)
    // The versions of writing and reading: 1 is a rollback journal, 2 WAL.
    #expect(try #require(sandbox.bytes("copy.sqlite"))[18..<20] == Data([1, 1]))
    #expect(try sandbox.run("export --store copy.sqlite") == Outcome(stdout: Drift.ndjson))
    #expect(try !sandbox.files().contains("copy.sqlite.new"))
  }

  @Test(
    .needs("sqlite3"),
    arguments: [
      "it's", "-bail", "file:copy?mode=memory", "'; ATTACH 'hacked' AS x; --", "$(touch hacked)",
      "\"x\"", "a\\b", "'\u{301}", "two\nlines", "&",
    ])
  func `a copy has any name, and so has the store`(name: String) throws {
    let sandbox = try Sandbox()
    try sandbox.load(Drift.ndjson, into: "./\(name).sqlite")
    #expect(
      try sandbox.runShell(
        script("copy-drift"), [name], environment: ["DIGEST_STORE": "\(name).sqlite"]) == Outcome())
    // SQLite keeps its log beside a store that is read.
    let files = try sandbox.files().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    #expect(files == [name, "\(name).sqlite"])
    #expect(
      try sandbox.run("export", environment: ["DIGEST_STORE": "./\(name)"])
        == Outcome(stdout: Drift.ndjson))
  }

  // MARK: - Processes, machines and apps

  @Test func `the stores of workers become one, however often`() throws {
    let sandbox = try Sandbox()
    try sandbox.load(Drift.lines[0], into: "worker-1.sqlite")
    try sandbox.load(Drift.lines[1], into: "worker-2.sqlite")
    let script = try script("push-drift")
    for (added, periods) in [("1 digest", 2), ("0 digests", 0)] {
      #expect(
        try sandbox.runShell(script, [sandbox.directory.path])
          == Outcome(
            lines: (1...2).map {
              "worker-\($0).sqlite: pushed \(added) and the counts of \(periods) periods"
            }))
    }
    #expect(
      try jsonStrings("recordedAt", in: sandbox.run("export --store all.sqlite").stdout)
        == ["2026-11-20T10:00:00.123Z", "2026-11-20T10:59:59.999Z"])
  }

  @Test func `the digests of other machines come, also when one of them is away`() throws {
    let sandbox = try Sandbox()
    try sandbox.load(Self.digest("villa", ago: 3_600).line, into: "one.sqlite")
    try sandbox.load(Self.digest("yurt", ago: 3_600).line, into: "two.sqlite")
    try sandbox.stub(
      "ssh",
      """
      if [ "$1" != -- ]; then echo 'ssh: a host may be an option' >&2; exit 255; fi
      if [ "$2" = away ]; then echo 'ssh: no route' >&2; exit 255; fi
      host=$2
      shift 2
      DIGEST_STORE=$host.sqlite exec "$@"
      """)
    let (new, known) = (Outcome.imported(1).lines, Outcome.imported(0, known: 1).lines)
    let first = try sandbox.runShell(script("fetch-drift"), ["one", "away", "two"])
    #expect((first.status, first.stderr) == (255, "ssh: no route\n"))
    #expect(first.lines == new + new)
    #expect(
      try sandbox.runShell(script("fetch-drift"), ["one", "two"]) == Outcome(lines: known + known))
  }
}
