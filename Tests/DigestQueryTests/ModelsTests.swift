import Testing

struct ModelsTests {
  private static let table = """
    model        occurrences  digests  share_%  failures  novel_values  first_seen            last_seen
    App.Listing            7        4       80         5             3  2026-11-20 10:00:00Z  2026-11-22 23:59:59Z
    App.Home               3        1       20         2             1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z

    """

  private static let csv = """
    model,occurrences,digests,share,failures,novel_values,first_seen,last_seen,decodes,rate
    App.Listing,7,4,0.8,5,3,2026-11-20T10:00:00.123Z,2026-11-22T23:59:59.999Z,,
    App.Home,3,1,0.2,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,

    """

  private static let objects = [
    #"{"model": "App.Listing", "occurrences": 7, "digests": 4, "share": 0.8, "failures": 5, "#
      + #""novel_values": 3, "first_seen": "2026-11-20T10:00:00.123Z", "#
      + #""last_seen": "2026-11-22T23:59:59.999Z", "decodes": null, "rate": null}"#,
    #"{"model": "App.Home", "occurrences": 3, "digests": 1, "share": 0.2, "failures": 2, "#
      + #""novel_values": 1, "first_seen": "2026-11-21T00:00:00.000Z", "#
      + #""last_seen": "2026-11-21T00:00:00.000Z", "decodes": null, "rate": null}"#,
  ]

  private static let markdown = """
    | model | occurrences | digests | share | failures | novel_values | first_seen | last_seen | decodes | rate |
    |---|---|---|---|---|---|---|---|---|---|
    | App.Listing | 7 | 4 | 0.8 | 5 | 3 | 2026-11-20T10:00:00.123Z | 2026-11-22T23:59:59.999Z |  |  |
    | App.Home | 3 | 1 | 0.2 | 2 | 1 | 2026-11-21T00:00:00.000Z | 2026-11-21T00:00:00.000Z |  |  |

    """

  private static let golden = [
    "table": table,
    "csv": csv,
    "tsv": csv.replacing(",", with: "\t"),
    "json": "[\n  \(objects.joined(separator: ",\n  "))\n]\n",
    "ndjson": objects.joined(separator: "\n") + "\n",
    "markdown": markdown,
  ]

  @Test(arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `every format prints the same rows`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = try #require(Self.golden[format])
    #expect(try sandbox.run("models", "--format", format) == Outcome(stdout: stdout))
  }

  @Test func `the points of a column stand below each other`() throws {
    let digests = [("A", 3), ("B", 2), ("C", 1)].flatMap { model, count in
      (0..<count).map { _ in Digest(model: model) }
    }
    let lines = try Sandbox(importing: digests.ndjson).run("models").lines
    #expect(
      lines.map { $0.dropFirst(29).prefix(7) } == ["share_%", "   50.0", "   33.3", "   16.7"])
  }

  @Test func `it prints a table unless asked otherwise`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("models") == Outcome(stdout: Self.table))
  }

  @Test(arguments: [
    ([], ["App.Listing,7,4,0.8,5,3", "App.Home,3,1,0.2,2,1"]),
    (["--model", "*Home"], ["App.Home,3,1,0.2,2,1"]),
    (["--value", "castle"], ["App.Listing,2,2,0.4,1,1"]),
    (["--path", "*.name"], ["App.Home,1,1,0.2,1,0"]),
    (["--release", "4.3.0"], ["App.Home,3,1,0.5,2,1", "App.Listing,1,1,0.5,1,1"]),
    (
      ["--since", "2026-11-20T10:59:59.999Z", "--until", "2026-11-21T00:00:00.001Z"],
      ["App.Home,3,1,0.333,2,1", "App.Listing,3,2,0.667,3,2"]
    ),
    (["--since", "2026-11-20T11:00:00.001Z", "--model", "*g"], ["App.Listing,1,1,0.5,1,1"]),
  ])
  func `counts and shares obey the filter`(filter: [String], rows: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(["models", "--format", "csv"] + filter)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    #expect(
      outcome.lines.dropFirst().map { $0.split(separator: ",").prefix(6).joined(separator: ",") }
        == rows)
  }

  @Test func `a limit keeps the first rows, and says that there are more`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("models", "--format", "csv", "--limit", "1")
        == Outcome(
          stdout: Self.csv.split(separator: "\n").prefix(2).map { $0 + "\n" }.joined(),
          stderr: "digest-query: there is more than 1 row; raise --limit to see them\n"))
  }

  @Test func `without rows, a format prints its frame`() throws {
    let sandbox = try Sandbox(importing: "")
    #expect(
      try sandbox.run("models", "--format", "csv")
        == .nothing(
          "model,occurrences,digests,share,failures,novel_values,first_seen,last_seen,decodes,rate\n"
        ))
  }

  @Test func `shares are of all digests, also where they have no end`() throws {
    let sandbox = try Sandbox(importing: ["A", "B", "C"].map { Digest(model: $0) }.ndjson)
    #expect(
      try sandbox.run("models", "--format", "csv").lines.dropFirst().map {
        $0.split(separator: ",").prefix(4).joined(separator: ",")
      } == ["A,1,1,0.333", "B,1,1,0.333", "C,1,1,0.333"])
    #expect(try sandbox.run("models").stdout.contains("A                1        1     33.3"))
  }

  @Test func `evicted digests are counted`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson.replacing("\"2026-", with: "\"2016-"))
    _ = try sandbox.run("prune", "--max-age", "0s")
    let outcome = try sandbox.run("models", "--format", "csv")
    #expect(outcome.stdout == Self.csv.replacing("2026-", with: "2016-"))
  }

  @Test(
    .enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"),
    arguments: [
      (
        ["--path", "items[].kind"], "App.Listing,5,,,3,2",
        "digests are unknown for models of which several failures match, but not all; choose "
          + "one failure, or whole models"
      ),
      ([], "App.Listing,7,4,0.8,5,3", nil),
    ])
  func `unknown numbers are empty, and stderr says why`(
    filter: [String], row: String, note: String?
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(["models", "--format", "csv"] + filter)
    #expect(outcome.lines.dropFirst().first?.hasPrefix(row) == true, "\(outcome)")
    #expect(outcome.stderr == note.map { "digest-query: \($0)\n" } ?? "")
  }
}
