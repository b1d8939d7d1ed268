import Foundation
import Testing

struct TopNovelValuesTests {
  private static let table = """
    model        coding_path   novel_value  value_type  occurrences  digests  first_seen            last_seen             first_release
    App.Home     items[].kind  tower        String                2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0
    App.Listing  items[].kind  castle       String                2        2  2026-11-20 10:59:59Z  2026-11-22 23:59:59Z  4.2.0
    App.Listing  items[].kind  villa        String                2        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  4.2.0
    App.Listing  attrs.*       7            Int                   1        1  2026-11-20 11:00:00Z  2026-11-20 11:00:00Z  -

    """

  private static let csv = """
    model,coding_path,novel_value,value_type,occurrences,digests,first_seen,last_seen,first_release
    App.Home,items[].kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,4.3.0
    App.Listing,items[].kind,castle,String,2,2,2026-11-20T10:59:59.999Z,2026-11-22T23:59:59.999Z,4.2.0
    App.Listing,items[].kind,villa,String,2,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,4.2.0
    App.Listing,attrs.*,7,Int,1,1,2026-11-20T11:00:00.000Z,2026-11-20T11:00:00.000Z,

    """

  private static let objects = [
    #"{"model": "App.Home", "coding_path": "items[].kind", "novel_value": "tower", "#
      + #""value_type": "String", "occurrences": 2, "digests": 1, "#
      + #""first_seen": "2026-11-21T00:00:00.000Z", "last_seen": "2026-11-21T00:00:00.000Z", "first_release": "4.3.0"}"#,
    #"{"model": "App.Listing", "coding_path": "items[].kind", "novel_value": "castle", "#
      + #""value_type": "String", "occurrences": 2, "digests": 2, "#
      + #""first_seen": "2026-11-20T10:59:59.999Z", "last_seen": "2026-11-22T23:59:59.999Z", "first_release": "4.2.0"}"#,
    #"{"model": "App.Listing", "coding_path": "items[].kind", "novel_value": "villa", "#
      + #""value_type": "String", "occurrences": 2, "digests": 1, "#
      + #""first_seen": "2026-11-20T10:00:00.123Z", "last_seen": "2026-11-20T10:00:00.123Z", "first_release": "4.2.0"}"#,
    #"{"model": "App.Listing", "coding_path": "attrs.*", "novel_value": "7", "#
      + #""value_type": "Int", "occurrences": 1, "digests": 1, "#
      + #""first_seen": "2026-11-20T11:00:00.000Z", "last_seen": "2026-11-20T11:00:00.000Z", "first_release": null}"#,
  ]

  private static let markdown = #"""
    | model | coding_path | novel_value | value_type | occurrences | digests | first_seen | last_seen | first_release |
    |---|---|---|---|---|---|---|---|---|
    | App.Home | items\[\].kind | tower | String | 2 | 1 | 2026-11-21T00:00:00.000Z | 2026-11-21T00:00:00.000Z | 4.3.0 |
    | App.Listing | items\[\].kind | castle | String | 2 | 2 | 2026-11-20T10:59:59.999Z | 2026-11-22T23:59:59.999Z | 4.2.0 |
    | App.Listing | items\[\].kind | villa | String | 2 | 1 | 2026-11-20T10:00:00.123Z | 2026-11-20T10:00:00.123Z | 4.2.0 |
    | App.Listing | attrs.\* | 7 | Int | 1 | 1 | 2026-11-20T11:00:00.000Z | 2026-11-20T11:00:00.000Z |  |

    """#

  private static let golden = [
    "table": table,
    "csv": csv,
    "tsv": csv.replacing(",", with: "\t"),
    "json": "[\n  \(objects.joined(separator: ",\n  "))\n]\n",
    "ndjson": objects.joined(separator: "\n") + "\n",
    "markdown": markdown,
  ]

  @Test func `top is a short name of it`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for arguments in [[], ["--limit", "2"], ["--help"]] {
      #expect(
        try sandbox.run(["top"] + arguments) == sandbox.run(["top-novel-values"] + arguments))
    }
  }

  @Test(arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `every format prints the same rows`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = try #require(Self.golden[format])
    #expect(try sandbox.run("top-novel-values", "--format", format) == Outcome(stdout: stdout))
  }

  @Test func `it prints a table unless asked otherwise`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("top-novel-values") == Outcome(stdout: Self.table))
  }

  @Test(arguments: [
    (
      "table",
      // A table leaves out an empty first_release.
      "model  coding_path  novel_value  value_type  occurrences  digests  first_seen  last_seen\n"
    ),
    (
      "csv",
      "model,coding_path,novel_value,value_type,occurrences,digests,first_seen,last_seen,"
        + "first_release\n"
    ),
    (
      "tsv",
      "model\tcoding_path\tnovel_value\tvalue_type\toccurrences\tdigests\tfirst_seen\tlast_seen\t"
        + "first_release\n"
    ),
    ("json", "[]\n"),
    ("ndjson", ""),
    (
      "markdown",
      "| model | coding_path | novel_value | value_type | occurrences | digests | first_seen | "
        + "last_seen | first_release |\n|---|---|---|---|---|---|---|---|---|\n"
    ),
  ])
  func `without rows, a format prints its frame`(format: String, stdout: String) throws {
    let sandbox = try Sandbox(importing: "")
    #expect(
      try sandbox.run("top-novel-values", "--format", format)
        == .nothing(stdout, isJSON: format.hasSuffix("json")))
  }

  @Test(arguments: ["json", "ndjson"])
  func `json has the words of the columns`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run("top-novel-values", "--format", format)
    let rows =
      format == "ndjson"
      ? try jsonObjects(outcome.stdout)
      : try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8)) as? [[String: Any]]
      )
    let columns = try #require(Self.csv.split(separator: "\n").first).split(separator: ",")
    #expect(
      rows.map { $0.keys.sorted() } == Array(repeating: columns.map(String.init).sorted(), count: 4)
    )
    #expect(rows.map { $0["occurrences"] as? Int } == [2, 2, 2, 1])
  }

  @Test func `equal counts are in the order of model, path and value`() throws {
    let places = [
      ("B", "a", "x"), ("A", "b", "x"), ("A", "a", "y"), ("A", "a", "Z"), ("A", "a[0]", "x"),
      ("a", "a", "x"), ("A", "a", "é"), ("A", "a", "10"), ("A", "a", "9"), ("A", "a", "z"),
    ]
    let sandbox = try Sandbox(
      importing: places.map { Digest(novelValue: $2, at: $1, model: $0) }.ndjson
    )
    let outcome = try sandbox.run("top-novel-values", "--format", "csv")
    #expect(
      outcome.lines.dropFirst().map { $0.split(separator: ",").prefix(3).joined(separator: " ") }
        == [
          "A a 10", "A a 9", "A a Z", "A a y", "A a z", "A a é", "A a[] x", "A b x", "B a x",
          "a a x",
        ]
    )
  }

  @Test func `a digest with several failures of a value counts once`() throws {
    var digest = Digest("d-1")
    digest.failures = ["unknownNovelValue", "typeMismatch", "valueNotFound"].flatMap { kind in
      ["items[0].kind", "items[1].kind"].map { .init(path: $0, kind: kind) }
    }
    let sandbox = try Sandbox(importing: [digest, Digest("d-2", at: "items[7].kind")].ndjson)
    #expect(
      try sandbox.run("top-novel-values", "--format", "csv").lines.last
        == "App.Listing,items[].kind,villa,String,7,2,"
        + "2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,"
    )
  }

  @Test func `values of different types are different`() throws {
    var digest = Digest("d-1")
    digest.failures = ["Int", "String", nil].map { .init(novelValue: "1", novelValueType: $0) }
    let sandbox = try Sandbox(importing: digest.line)
    #expect(
      try jsonObjects(sandbox.run("top-novel-values", "--format", "ndjson").stdout)
        .map { $0["value_type"] as? String } == [nil, "Int", "String"]
    )
  }

  @Test(arguments: [
    (["top-novel-values", "--kind", "typeMismatch"], true),
    (["top-novel-values", "--release", "4.2.0", "--kind", "dataCorrupted"], true),
    (["top-novel-values", "--kind", "valueNotFound"], false),
    (["top-novel-values", "--value", "nothing*"], false),
  ])
  func `errors of a kind without novel values are found elsewhere`(
    command: [String], isSaid: Bool
  ) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(command)
    #expect(
      outcome.stderr.contains("no error of this kind has a novel value; see top-failures") == isSaid
    )
  }
}
