import Foundation
import Testing

struct ReportTests {
  @Test func `a page of missing keys alone does not say that nothing was recorded`() throws {
    let page = try Sandbox(importing: [Digest(failures: [.error("missingKey", at: "zip")])]).page(
      "")
    #expect(page.lines[2].hasPrefix("No errors were recorded in this time."))
  }

  @Test func `a page says all of a small store`() throws {
    let page = try Sandbox(importing: Drift.ndjson)
      .page("--since 2026-11-19 --until 2026-11-25T12:00:00Z")
    #expect(page.lines == Self.driftingPage, "\(page.lines.joined(separator: "\n"))")
  }

  private static let driftingPage = """
    Where backend and app disagree
    7 new from 2026-11-19 00:00 to 2026-11-25 12:00; there are no rates, because decodes were not counted. Nothing is older than this window, so all failures are new.
    What the backend sent and the app could not decode as expected, recorded from 2026-11-20 10:00 to 2026-11-22 23:59. All times are UTC.
    Since: 2026-11-19 00:00
    Until: 2026-11-25 12:00
    failures: 7
    occurrences: 10
    Failures
    Open a row for its releases, operations and more.
    Where | What came | Trend | Occurrences | First seen | Last seen
    new items[].kind in App.Home | tower expected a known value | At most 2 (2026-11-21) | 2 | 2026-11-21 00:00 in 4.3.0 | 2026-11-21 00:00
    release 4.3.0
    Kind: unknown value
    Model: App.Home
    Digests: 1
    Releases: 4.3.0: 2
    In a terminal: digest-query show dbfeb653
    new items[].kind in App.Listing | castle expected a known value | At most 1 (2026-11-20) | 2 | 2026-11-20 10:59 in 4.2.0 | 2026-11-22 23:59
    release 4.2.0, 4.3.0
    Kind: unknown value
    Model: App.Listing
    Digests: 2
    Releases: 4.2.0: 1
    4.3.0: 1
    In a terminal: digest-query show m35e7113
    new items[].kind in App.Listing | villa expected a known value | At most 2 (2026-11-20) | 2 | 2026-11-20 10:00 in 4.2.0 | 2026-11-20 10:00
    release 4.2.0
    Kind: unknown value
    Model: App.Listing
    Digests: 1
    Releases: 4.2.0: 2
    In a terminal: digest-query show jc4dd69b
    new owner.name in App.Home | missing key | At most 1 (2026-11-21) | 1 | 2026-11-21 00:00 in 4.3.0 | 2026-11-21 00:00
    release 4.3.0
    Kind: missing key
    Model: App.Home
    Digests: 1
    Releases: 4.3.0: 1
    In a terminal: digest-query show d68cadad
    new attrs.* in App.Listing | 7 expected a known value | At most 1 (2026-11-20) | 1 | 2026-11-20 11:00 | 2026-11-20 11:00
    More
    Kind: unknown value
    Model: App.Listing
    Digests: 1
    In a terminal: digest-query show m1b193bb
    new items[].kind in App.Listing | invalid expected Kind | At most 1 (2026-11-20) | 1 | 2026-11-20 10:00 in 4.2.0 | 2026-11-20 10:00
    release 4.2.0
    Kind: invalid
    Model: App.Listing
    Digests: 1
    Releases: 4.2.0: 1
    In a terminal: digest-query show q482ec96
    new price in App.Listing | 12.5 EUR string expected a whole number | At most 1 (2026-11-20) | 1 | 2026-11-20 10:59 in 4.2.0 | 2026-11-20 10:59
    release 4.2.0
    Kind: wrong type
    Model: App.Listing
    Digests: 1
    Releases: 4.2.0: 1
    In a terminal: digest-query show p0ce1da4
    Occurrences per day
    6 4 2 0
    2026-11-19: 0
    2026-11-20: 6
    2026-11-21: 3
    2026-11-22: 1
    2026-11-23: 0
    2026-11-24: 0
    2026-11-25, not whole: 0
    19 Nov 21 Nov 23 Nov 25 Nov
    The same as numbers
    Period | Occurrences
    2026-11-19 | 0
    2026-11-20 | 6
    2026-11-21 | 3
    2026-11-22 | 1
    2026-11-23 | 0
    2026-11-24 | 0
    2026-11-25 | 0
    Models
    The types of documents that the app reads.
    Model | Occurrences | Failures | First seen | Last seen
    App.Listing | 7 | 5 | 2026-11-20 10:00 | 2026-11-22 23:59
    App.Home | 3 | 2 | 2026-11-21 00:00 | 2026-11-21 00:00
    What these numbers leave out
    Nothing: every recorded error is counted, to the millisecond.
    A failure is a group of errors that are counted together: the same value, or the same kind of error, at the same place. Each error is one occurrence. A decode is a document that the app has read. new: never seen before the window; regressed: seen again after the end of a decision; growing: in a larger share of decodes than in the window before; vanished: a missing key that the app does not require, new or growing; ongoing: neither new, growing nor over; over: absent for more decodes than chance explains.
    Made now by digest-query 0.1.0.
    """.split(separator: "\n").map(String.init)

  @Test func `the same store gives the same page but for the moment`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let pages = try (0..<2).map { _ in
      try sandbox.page().html.replacing(/Made <time[^>]*>[^<]*<\/time>/, with: "Made now")
    }
    #expect(pages[0] == pages[1])
    #expect(pages[0].contains("Made now by digest-query "))
  }

  @Test func `a period of which counts were dropped is gray, and said not to be known`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(3, in: 0, "undated", at: "2026-11-21T00:00:00Z")
    let page = PageText(
      html: try sandbox.run("report --since 2026-11-19 --until 2026-11-25T12:00:00Z").stdout)
    for line in [
      "2026-11-20: 6", "2026-11-21: not known", "2026-11-22: 1", "2026-11-21 | not known",
      "Gray periods are unknown: the counts of their days were dropped to save space. 3 occurrences "
        + "are in no bar.",
    ] {
      #expect(page.lines.contains(line), "\(line)")
    }
    #expect(page.html.contains(#"<rect class="unknown" x="2" width="1" height="20"/>"#))
    #expect(page.html.contains(#"<rect class="unknown" x="30%""#))
  }

  @Test func `filters with several values are shown, and their commands repeat the options`() throws
  {
    let html = try Sandbox(importing: Drift.ndjson).page(
      "--output - --model App.Home --model App.L* --no-release --release 4.3.0 --release 4.2.0 "
        + "--limit 1"
    ).html
    #expect(
      html.contains(
        "<dt>Model</dt><dd>App.Home</dd><dd>App.L*</dd>\n"
          + "<dt>Release</dt><dd>4.3.0</dd><dd>4.2.0</dd><dd>none</dd>"))
    #expect(
      html.contains(
        "<code>digest-query top-failures --model App.Home --model &#39;App.L*&#39; --release 4.3.0 "
          + "--release 4.2.0 --no-release</code>"))
  }

  /// The words in front of rows, section by section.
  @Test(arguments: [
    ("--since 2026-11-21 --until 2026-11-23", ["new tower", "new owner.name", " castle"]),
    (
      "--since 2026-11-20T10:30:00Z --until 2026-11-23",
      ["new tower", "new castle", "new owner.name", "new attrs.*", "new price"]
    ),
    ("--release 4.3.0 --model App.Listing", ["new castle"]),
    ("--release 4.3.0 --model App.Listing --since 2026-11-21", [" castle"]),
    ("--release 4.2.0 --kind unknownNovelValue", ["new villa", "new castle"]),
  ])
  func `a row begins with the word for its section`(filter: String, rows: [String]) throws {
    let failures = try Sandbox(importing: Drift.ndjson).page(filter).failures()
    #expect(failures.count == rows.count, "\(failures)")
    for (failure, row) in zip(failures, rows) {
      let words = row.split(separator: " ", omittingEmptySubsequences: false)
      #expect(failure.hasPrefix("new ") == (words[0] == "new"), "\(failure)")
      #expect(failure.contains(words[1]), "\(failure)")
    }
  }

  @Test(arguments: [
    (
      "--model App.Home --since 2026-11-21 --until 2026-11-22T12:30:00Z",
      ["Model: App.Home", "Since: 2026-11-21 00:00", "Until: 2026-11-22 12:30"]
    ),
    ("--path items[].* --release 4.2.0", ["Coding path: items[].*", "Release: 4.2.0"]),
    (
      "--kind unknownNovelValue --value 7* --no-release",
      ["Kind: unknownNovelValue", "Novel value: 7*", "Release: none"]
    ),
    ("", []),
  ])
  func `a page says its filter, and counts by it`(filter: String, words: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let page = try sandbox.page(filter)
    let names = /(Model|Coding path|Kind|Novel value|Release|Since|Until): .*/
    let header = page.lines.prefix { !$0.hasPrefix("failures: ") }
    #expect(header.filter { $0.wholeMatch(of: names) != nil } == words)
    let counts = try sandbox.run("top-failures --format csv --columns occurrences \(filter)").lines
      .compactMap { Int($0) }
    #expect(page.lines.contains("occurrences: \(counts.reduce(0, +))"))
    #expect(page.lines.contains("failures: \(counts.count)"))
    #expect(try page.failures().count == counts.count)
  }

  @Test(arguments: [
    ("2026-11-20T10:57:00Z", "2026-11-20T11:20:00Z", "minute", "11:00 11:05 11:10 11:15"),
    ("2026-11-20T10:30:00Z", "2026-11-20T15:00:00Z", "hour", "10:00 11:00 12:00 13:00 14:00"),
    ("2026-11-20", "2026-11-23", "hour", "20 Nov 12:00 21 Nov 12:00 22 Nov 12:00"),
    ("2026-10-01", "2026-12-01", "day", "1 Oct 15 Oct 29 Oct 12 Nov 26 Nov"),
    ("2026-09-05", "2026-12-30", "week", "31 Aug 28 Sep 26 Oct 23 Nov 21 Dec"),
    ("2026-01-01", "2027-06-01", "week", "Dec 2025 Jun 2026 Dec 2026"),
    ("1990-01-01", "2030-01-01", "24 weeks", "1990 1997 2004 2011 2018 2025"),
  ])
  func `bars are as long as the window asks for, with few names below`(
    since: String, until: String, period: String, names: String
  ) throws {
    let lines = try Sandbox(importing: Drift.ndjson).page("--since \(since) --until \(until)")
      .section("Occurrences per \(period)")
    #expect(lines.contains(names), "\(lines)")
  }

  private static let more = "All: digest-query top-failures"

  @Test(arguments: [
    ("--limit 1 --model App.*", "1 of 7. \(more) --model 'App.*'"),
    (
      "--limit 3 --since 2026-11-20 --until 2027-01-01",
      "3 of 7. \(more) --since 2026-11-20T00:00:00.000Z --until 2027-01-01T00:00:00.000Z"
    ),
    (
      "--limit 1 --kind unknownNovelValue --value * --release 4.2.0",
      "1 of 2. \(more) --kind unknownNovelValue --value '*' --release 4.2.0"
    ),
    ("--limit 2 --until 2026-11-20T10:30:00Z", nil), ("--limit 7", nil),
  ])
  func `a table says how many rows it leaves out, and how to see them`(
    options: String, more: String?
  ) throws {
    let lines = try Sandbox(importing: Drift.ndjson).page(options).section("Failures")
    #expect(lines.last { $0.contains(" of ") } == more)
  }

  @Test func `a quote in a filter ends no word of the command`() throws {
    let sandbox = try Sandbox(
      importing: ["a", "b"].map { Digest(novelValue: $0, model: "it's") })
    let page = PageText(html: try sandbox.run("report --limit 1 --model", ["it's"]).stdout)
    #expect(
      page.lines.contains(
        #"1 of 2. All: digest-query top-failures --model 'it'\''s'"#))
  }

  @Test func `twenty rows are enough unless more are wanted`() throws {
    let sandbox = try Sandbox(importing: (0..<30).map { Digest(novelValue: "v\($0)") })
    #expect(try sandbox.page().section("Failures").last == "20 of 30. \(Self.more)")
    #expect(try sandbox.page("--limit 30").failures().count == 30)
  }

  @Test(arguments: [
    ("", "", nil),
    (Drift.ndjson, "--until 2016-01-01", "the window ends before the first error in the store"),
    (Drift.ndjson, "--model Nobody*", "the store has no model that matches Nobody*"),
    (Drift.ndjson, "--since 2199-01-01", "the window begins in the future"),
  ])
  func `where nothing matches the page says so`(
    ndjson: String, filter: String, reason: String?
  ) throws {
    let outcome = try Sandbox(importing: ndjson).run("report \(filter)")
    #expect(outcome.status == 0)
    #expect(outcome.stderr == Outcome.nothing("", reason).stderr)
    let lines = PageText(html: outcome.stdout).lines
    #expect(lines.first == "Where backend and app disagree")
    #expect(
      lines[1]
        == (filter.isEmpty
          ? "Nothing has been recorded: everything was decoded as expected, or nothing was decoded."
          : "No recorded errors match.") + " All times are UTC.")
    // Then the filter, if any, and at once what is missing: no zeros, no empty tables.
    #expect(lines[filter.isEmpty ? 2 : 3] == "What these numbers leave out")
    #expect(outcome.stdout.utf8.count < 24_000)
  }

  @Test(.needs("script"))
  func `a terminal gets a page only when it is asked to`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.runOnTerminal("report")
        == Outcome(
          status: 64,
          stdout: Outcome.usage(
            "report", "a terminal cannot show a page: name a file with --output report.html"
          ).stderr))
    #expect(try sandbox.runOnTerminal("report -o page.html") == Outcome())
    #expect(sandbox.text("page.html")?.hasPrefix("<!DOCTYPE html>\n") == true)
    let page = try sandbox.runOnTerminal("report -o -")
    #expect(page.status == 0 && page.stdout.hasPrefix("<!DOCTYPE html>\n"), "\(page)")
  }

  @Test func `a page says what it leaves out, at its beginning too`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.lose(12, in: 3)
    try sandbox.lose(2, in: 2, "quarantined", note: "<b>.broken")
    let outcome = try sandbox.run("report")
    let time = "2026-11-20T10:00:00.000Z"
    let sentences = [
      "not counted: 3 digests of 12 occurrences (failed write, since \(time))",
      "a damaged file was set aside, and its contents are not counted: <b>.broken (quarantined, since "
        + "\(time))",
    ]
    let page = PageText(html: outcome.stdout)
    #expect(outcome.notes == sentences)
    #expect(try page.section("What these numbers leave out") == sentences)
    #expect(
      page.lines.contains(
        "Some errors may not be counted, or are counted together: what these numbers leave out."))
    #expect(!outcome.stdout.contains("<b>"))
  }
}
