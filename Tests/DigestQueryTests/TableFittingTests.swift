import Foundation
import Testing

/// How a table is made to fit a terminal.
@Suite(.enabled(if: Terminal.isInstalled, "script is not installed"))
struct TableFittingTests {
  /// Names and a path as they are, and a value of wide characters.
  private static let digests = [
    Digest(
      novelValue: "日本語のとても長い値ですよ、本当に長いのです",
      at: "data.results.sections[2].listings[3].attributes.propertyType",
      model: "RealEstateKit.SearchResults.Page<Listing>"),
    Digest(at: "items[0].kind", model: "App.Home"),
  ]

  private static let whole = """
    model                                      coding_path                                                 \
    novel_value                                   value_type  occurrences  digests  first_seen            \
    last_seen
    App.Home                                   items[].kind                                                \
    villa                                         String                1        1  2026-11-20 10:00:00Z  \
    2026-11-20 10:00:00Z
    RealEstateKit.SearchResults.Page<Listing>  data.results.sections[].listings[].attributes.propertyType  \
    日本語のとても長い値ですよ、本当に長いのです  String                1        1  2026-11-20 10:00:00Z  \
    2026-11-20 10:00:00Z

    """

  private static let at212 = """
    model                                      coding_path                                    \
    novel_value                                   value_type  occurrences  digests  first_seen            \
    last_seen
    App.Home                                   items[].kind                                   \
    villa                                         String                1        1  2026-11-20 10:00:00Z  \
    2026-11-20 10:00:00Z
    RealEstateKit.SearchResults.Page<Listing>  data.results.sections[…ttributes.propertyType  \
    日本語のとても長い値ですよ、本当に長いのです  String                1        1  2026-11-20 10:00:00Z  \
    2026-11-20 10:00:00Z
    digest-query: cut to fit: | less -S shows all

    """

  private static let at140 = """
    model                coding_path          novel_value          value_type  occurrences  digests  \
    first_seen            last_seen
    App.Home             items[].kind         villa                String                1        1  \
    2026-11-20 10:00:00Z  2026-11-20 10:00:00Z
    …ults.Page<Listing>  data.resu…pertyType  日本語のとても長い…  String                1        1  \
    2026-11-20 10:00:00Z  2026-11-20 10:00:00Z
    digest-query: cut to fit: | less -S shows all

    """

  private static let at80 = """
    model                  coding_path            novel_value            occurrences
    App.Home               items[].kind           villa                            1
    …esults.Page<Listing>  data.resul…opertyType  日本語のとても長い値…            1
    digest-query: 4 of 8 columns left out to fit: | less -S shows all, --columns some

    """

  private static let at60 = """
    model           coding_path     novel_value     occurrences
    App.Home        items[].kind    villa                     1
    …Page<Listing>  data.r…rtyType  日本語のとて…             1
    digest-query: 4 of 8 columns left out to fit: | less -S shows all, --columns some

    """

  private static let at40 = """
    model                coding_path
        novel_value              occurrences
    App.Home             items[].kind
        villa                              1
    …ults.Page<Listing>  data.resu…pertyType
        日本語のとても長い値で…            1
    digest-query: 4 of 8 columns left out to fit: | less -S shows all, --columns some

    """

  private static let fitting: [(Int, String)] = [
    (1_000, whole), (225, whole), (212, at212), (140, at140), (80, at80),
    (60, at60), (40, at40),
  ]

  @Test(arguments: fitting)
  func `texts give way to the width, then columns, and then a row takes several lines`(
    columns: Int,
    stdout: String
  ) throws {
    let sandbox = try Sandbox(importing: Self.digests.ndjson)
    #expect(
      try sandbox.runOnTerminal(["top-novel-values"], columns: columns) == Outcome(stdout: stdout))
  }

  @Test func `nothing is cut in a pipe`() throws {
    let sandbox = try Sandbox(importing: Self.digests.ndjson)
    #expect(
      try sandbox.run(["top-novel-values"], environment: ["COLUMNS": "80"])
        == Outcome(stdout: Self.whole))
  }

  @Test(arguments: [
    (["--format", "csv"], "villa,1\n"), (["--format", "tsv"], "villa\t1\n"),
    ([], "villa                  1\n"), (["--format", "markdown"], "| villa | 1 |\n"),
    (["--format", "ndjson"], #"{"novel_value": "villa", "occurrences": 1}"# + "\n"),
  ])
  func `chosen columns are printed in their order, in every format`(
    arguments: [String], row: String
  ) throws {
    let sandbox = try Sandbox(importing: Self.digests[1].line)
    let outcome = try sandbox.run(
      ["top-novel-values", "--columns", "novel_value,occurrences"] + arguments)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasSuffix(row), "\(outcome.stdout)")
  }

  @Test func `a share that is chosen is in percent for people`() throws {
    let sandbox = try Sandbox(importing: Self.digests[1].line)
    #expect(
      try sandbox.run(["models", "--columns", "share,model"]).stdout
        == "share_%  model\n    100  App.Home\n")
  }

  @Test func `a chosen column is printed also if no row has a value for it`() throws {
    let sandbox = try Sandbox(importing: Digest(model: "App.Home").line)
    let command = ["top-novel-values", "--columns"]
    #expect(
      try sandbox.run(command + ["model,first_release"]).stdout
        == "model     first_release\nApp.Home  -\n")
    #expect(try sandbox.run("top-novel-values").lines[0].contains("first_release") == false)
  }

  @Test(arguments: [
    ["trend"], ["check", "--max-occurrences", "1"], ["digests", "d-1"],
  ])
  func `columns of an answer without rows are refused`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Digest("d-1").line)
    #expect(
      try sandbox.run(command + ["--columns", "model"])
        == .failure(
          64,
          "--columns needs rows: choose a format such as csv, or leave it out; see digest-query "
            + "\(command[0]) --help"))
  }

  @Test(arguments: [
    ("novel_values", "no column 'novel_values'; did you mean novel_value?"),
    (
      "x,model",
      "no column 'x'; write some of model,coding_path,novel_value,value_type,occurrences,digests,"
        + "first_seen,last_seen,first_release"
    ),
    ("", "no column ''; write some of"), ("model,", "no column ''; write some of"),
  ])
  func `a column that is not there is an error with the names`(
    names: String, message: String
  ) throws {
    let sandbox = try Sandbox(importing: Self.digests[1].line)
    let outcome = try sandbox.run(["top-novel-values", "--columns", names])
    #expect(outcome.status == 64)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  private static let variables: [(String?, String)] = [
    ("140", at140), ("60", at60), ("225", whole), ("", at80),
    ("0", at80), ("-1", at80), ("wide", at80), (nil, at80),
  ]

  @Test(arguments: variables)
  func `a terminal that does not say how wide it is has COLUMNS, or 80`(
    columns: String?,
    stdout: String
  ) throws {
    let sandbox = try Sandbox(importing: Self.digests.ndjson)
    var environment = ["TERM": "dumb"]
    environment["COLUMNS"] = columns
    #expect(
      try sandbox.runOnTerminal(["top-novel-values"], environment: environment)
        == Outcome(stdout: stdout))
  }

  @Test func `the width of a terminal comes before COLUMNS`() throws {
    let sandbox = try Sandbox(importing: Self.digests.ndjson)
    #expect(
      try sandbox.runOnTerminal(
        ["top-novel-values"], environment: ["TERM": "dumb", "COLUMNS": "60"], columns: 140)
        == Outcome(stdout: Self.at140))
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
      importing: Digest(novelValue: text(value.count), at: "a", model: "App.Home").line)
    let lines = try sandbox.runOnTerminal(["top-novel-values"], columns: 129).lines
    let expected =
      "App.Home  a            \(text(value.shown))…\(value.isPadded ? " " : "")  String      "
      + "          1        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z"
    #expect(lines[1].utf8.elementsEqual(expected.utf8), "\(lines)")
  }

  @Test func `a remedy takes several lines, and nothing of it is cut`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: sandbox.url(Sandbox.store).path)
    let whole = try sandbox.run("doctor").lines
    let fitting = try sandbox.runOnTerminal(["doctor"], columns: 80).lines
    #expect(fitting.allSatisfy { $0.count <= 80 })
    #expect(fitting.count > whole.count)
    func words(_ lines: [String]) -> [Substring] { lines.flatMap { $0.split(separator: " ") } }
    #expect(words(fitting).sorted() == words(whole).sorted())
  }
}
