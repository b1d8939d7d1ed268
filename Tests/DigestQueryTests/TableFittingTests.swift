import Foundation
import Testing

/// How a table is made to fit a terminal.
@Suite(.needs("script"))
struct TableFittingTests {
  /// Names and a path as they are, and a value of wide characters.
  private static let digests = [
    Digest(
      novelValue: "日本語のとても長い値ですよ、本当に長いのです",
      at: "data.results.sections[2].listings[3].attributes.propertyType",
      model: "RealEstateKit.SearchResults.Page<Listing>"),
    Digest(at: "items[0].kind", model: "App.Home"),
  ]

  /// A store with the digests, and with decodes of both models.
  private static func sandbox() throws -> Sandbox {
    try Sandbox(
      importing: digests.ndjson + Digest.decodes(7, of: "App.Home")
        + Digest.decodes(39, of: digests[0].model))
  }

  private static let whole = """
    model                                      coding_path                                                 found                                         occurrences  digests   rate  first_seen            last_seen             id
    App.Home                                   items[].kind                                                villa                                                   1        1  12.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  h23a6906
    RealEstateKit.SearchResults.Page<Listing>  data.results.sections[].listings[].attributes.propertyType  日本語のとても長い値ですよ、本当に長いのです            1        1   2.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  g117f97e

    """

  private static let at205 = """
    model                                    coding_path                              found                                    occurrences  digests   rate  first_seen            last_seen             id
    App.Home                                 items[].kind                             villa                                              1        1  12.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  h23a6906
    …lEstateKit.SearchResults.Page<Listing>  data.results.sectio…ibutes.propertyType  日本語のとても長い値ですよ、本当に長い…            1        1   2.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  g117f97e
    digest-query: cut to fit: | less -S shows all

    """

  private static let at140 = """
    model              coding_path        found              occurrences  digests   rate  first_seen            last_seen             id
    App.Home           items[].kind       villa                        1        1  12.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  h23a6906
    …ts.Page<Listing>  data.res…ertyType  日本語のとても長…            1        1   2.5%  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  g117f97e
    digest-query: cut to fit: | less -S shows all

    """

  private static let at80 = """
    model               coding_path         found               occurrences   rate
    App.Home            items[].kind        villa                         1  12.5%
    …lts.Page<Listing>  data.res…pertyType  日本語のとても長…             1   2.5%
    digest-query: 4 of 9 columns left out: | less -S shows all, --columns some

    """

  private static let at60 = """
    coding_path          found                occurrences   rate
    items[].kind         villa                          1  12.5%
    data.resu…pertyType  日本語のとても長い…            1   2.5%
    digest-query: 5 of 9 columns left out: | less -S shows all, --columns some

    """

  private static let at40 = """
    coding_path   found         occurrences
    items[].kind  villa                   1
    data.…tyType  日本語のと…             1
    digest-query: 6 of 9 columns left out: | less -S shows all, --columns some

    """

  @Test(arguments: [
    (1_000, whole), (230, whole), (205, at205), (140, at140), (80, at80), (60, at60), (40, at40),
  ])
  func `texts give way to the width, and then columns`(
    columns: Int, stdout: String
  ) throws {
    let sandbox = try Self.sandbox()
    #expect(
      try sandbox.runOnTerminal("top-novel-values", columns: columns) == Outcome(stdout: stdout))
  }

  @Test(arguments: [
    ("140", at140), ("60", at60), ("", at80), ("0", at80), ("-1", at80), ("wide", at80),
    (nil, at80),
  ])
  func `a terminal that does not say how wide it is has COLUMNS, or 80`(
    columns: String?, stdout: String
  ) throws {
    var environment = ["TERM": "dumb"]
    environment["COLUMNS"] = columns
    #expect(
      try Self.sandbox()
        .runOnTerminal("top-novel-values", environment: environment) == Outcome(stdout: stdout))
  }

  @Test func `the width of a terminal comes before COLUMNS, and nothing is cut in a pipe`() throws {
    let sandbox = try Self.sandbox()
    let environment = ["TERM": "dumb", "COLUMNS": "60"]
    #expect(
      try sandbox.runOnTerminal("top-novel-values", environment: environment, columns: 140)
        == Outcome(stdout: Self.at140))
    #expect(
      try sandbox.run("top-novel-values", environment: environment) == Outcome(stdout: Self.whole))
  }

  @Test(arguments: [
    "diff 4.2.0 4.3.0", "digests", "trend --by day --group value", "top-failures",
    "new --since 2026-11-20",
  ])
  func `no row is wider than 60 columns`(command: String) throws {
    let lines = try Sandbox(importing: Drift.ndjson).runOnTerminal(command, columns: 60).lines
    #expect(lines.count > 1)
    // Notes may be longer.
    #expect(
      lines.allSatisfy { $0.count <= 60 || $0.hasPrefix("digest-query: ") }, "\(lines)")
  }

  @Test(arguments: [
    ("novel_value,occurrences --format csv", "villa,1\n"),
    ("novel_value,occurrences --format tsv", "villa\t1\n"),
    ("novel_value,occurrences --format markdown", "| villa | 1 |\n"),
    (
      "novel_value,occurrences --format ndjson",
      #"{"novel_value": "villa", "occurrences": 1}"# + "\n"
    ),
    ("novel_value,occurrences", "novel_value  occurrences\nvilla                  1\n"),
    // A chosen column is printed also if no row has a value for it.
    ("model,first_release", "model     first_release\nApp.Home  -\n"),
  ])
  func `chosen columns are printed in their order, in every format`(
    columns: String, rows: String
  ) throws {
    let outcome = try Sandbox(importing: [Self.digests[1]])
      .run("top-novel-values --columns \(columns)")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasSuffix(rows), "\(outcome.stdout)")
  }

  @Test func `without decodes one line says why there are no rates, unless columns are chosen`()
    throws
  {
    let sandbox = try Sandbox(importing: [Self.digests[1]])
    let hint =
      "no decodes without errors were counted, so there are no rates: apps count them that decode with "
      + "decode(_:from:recordingTo:), recordErrors(of:) or a PersistentErrorReporter"
    for command in ["top-novel-values", "top-failures", "new --since 2026-11-01"] {
      let lines = try sandbox.runOnTerminal(command, columns: 200).lines
      #expect(lines.count == 3 && lines.last == "digest-query: \(hint)", "\(lines)")
      #expect(try sandbox.run(command).stderr == "")
      #expect(
        try sandbox.runOnTerminal("\(command) --columns model", columns: 200).lines.count == 2)
    }
  }

  @Test func `a share that is chosen is in percent for people`() throws {
    #expect(
      try Sandbox(importing: [Self.digests[1]]).run("models --columns share,model").stdout
        == "share  model\n 100%  App.Home\n")
  }

  /// A value of so many characters after a beginning, and how many of them 28 columns show.
  private struct Repetition {
    var beginning = ""
    let character: String
    let count: Int
    let shown: Int
    var isPadded = false
  }

  /// The next character is one that would still begin in the last column, or one of many parts.
  private static let repetitions = [
    Repetition(character: "a", count: 29, shown: 27),
    Repetition(character: "日", count: 15, shown: 13, isPadded: true),
    Repetition(beginning: "a", character: "日", count: 14, shown: 13),
    Repetition(beginning: "a", character: "👨‍👩‍👧", count: 14, shown: 13),
    Repetition(character: "🇩🇪", count: 15, shown: 13, isPadded: true),
    Repetition(beginning: "a", character: "❤️", count: 14, shown: 13),
    Repetition(character: "ทำ", count: 15, shown: 13, isPadded: true),
  ]

  @Test(arguments: repetitions)
  private func `no character is cut in two, and what follows is aligned`(
    value: Repetition
  ) throws {
    func text(_ count: Int) -> String {
      value.beginning + String(repeating: value.character, count: count)
    }
    let sandbox = try Sandbox(
      importing: [Digest(novelValue: text(value.count), at: "a", model: "App.Home")])
    let lines = try sandbox.runOnTerminal(
      "top-novel-values --columns coding_path,found,occurrences", columns: 54
    ).lines
    let expected =
      "a            \(text(value.shown))…\(value.isPadded ? " " : "")            1"
    #expect(lines[1].utf8.elementsEqual(expected.utf8), "\(lines)")
  }

  @Test func `a remedy takes several lines, and nothing of it is cut`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try sandbox.allow(0o644)
    let whole = try sandbox.run("doctor").lines
    let fitting = try sandbox.runOnTerminal("doctor", columns: 80).lines
    #expect(fitting.allSatisfy { $0.count <= 80 })
    #expect(fitting.count > whole.count)
    func words(_ lines: [String]) -> [Substring] { lines.flatMap { $0.split(separator: " ") } }
    #expect(words(fitting).sorted() == words(whole).sorted())
  }
}
