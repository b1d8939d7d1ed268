import Foundation
import Testing

struct TopFailuresTests {
  private static let table = """
    model        coding_path   kind               expected_type  novel_value  value_type  occurrences  digests  first_seen            last_seen             found_type  found_value  first_release
    App.Home     items[].kind  unknownNovelValue  App.Kind       tower        String                2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  -           -            4.3.0
    App.Listing  items[].kind  unknownNovelValue  App.Kind       castle       String                2        2  2026-11-20 10:59:59Z  2026-11-22 23:59:59Z  string      castle       4.2.0
    App.Listing  items[].kind  unknownNovelValue  App.Kind       villa        String                2        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  string      villa        4.2.0
    App.Home     owner.name    keyNotFound        -              -            -                     1        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  -           -            4.3.0
    App.Listing  attrs.*       unknownNovelValue  App.Size       7            Int                   1        1  2026-11-20 11:00:00Z  2026-11-20 11:00:00Z  number      7            -
    App.Listing  items[].kind  dataCorrupted      App.Kind       -            -                     1        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  -           -            4.2.0
    App.Listing  price         typeMismatch       Int            -            -                     1        1  2026-11-20 10:59:59Z  2026-11-20 10:59:59Z  string      12.5 EUR     4.2.0

    """

  private static let csv = """
    model,coding_path,kind,expected_type,novel_value,value_type,occurrences,digests,first_seen,last_seen,found_type,found_value,first_release
    App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0
    App.Listing,items[].kind,unknownNovelValue,App.Kind,castle,String,2,2,2026-11-20T10:59:59.999Z,2026-11-22T23:59:59.999Z,string,castle,4.2.0
    App.Listing,items[].kind,unknownNovelValue,App.Kind,villa,String,2,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,string,villa,4.2.0
    App.Home,owner.name,keyNotFound,,,,1,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0
    App.Listing,attrs.*,unknownNovelValue,App.Size,7,Int,1,1,2026-11-20T11:00:00.000Z,2026-11-20T11:00:00.000Z,number,7,
    App.Listing,items[].kind,dataCorrupted,App.Kind,,,1,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,,,4.2.0
    App.Listing,price,typeMismatch,Int,,,1,1,2026-11-20T10:59:59.999Z,2026-11-20T10:59:59.999Z,string,12.5 EUR,4.2.0

    """

  @Test(arguments: Golden.formats)
  func `every format prints the same rows`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let golden = Golden(table: Self.table, csv: Self.csv)
    #expect(try sandbox.run("top-failures", "--format", format) == Outcome(stdout: golden[format]))
  }

  @Test func `it prints a table unless asked otherwise`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("top-failures") == Outcome(stdout: Self.table))
  }

  @Test(arguments: ["json", "ndjson"])
  func `json has null for missing fields`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run("top-failures", "--format", format, "--path", "owner.name")
    let text = format == "json" ? outcome.stdout.replacing("\n", with: "") : outcome.stdout
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let row = try #require((json as? [[String: Any]])?.first ?? json as? [String: Any])
    #expect(row["novel_value"] is NSNull)
    #expect(row["model"] as? String == "App.Home")
  }

  @Test func `the order ends with kind and expected type`() throws {
    var digest = Digest("d-1")
    digest.failures = [("other", "B"), ("dataCorrupted", "B"), ("other", "A"), ("other", nil)].map {
      .init(kind: $0, novelValue: nil, novelValueType: nil, expectedType: $1)
    }
    digest.failures += [.init(kind: "typeMismatch", novelValue: nil, novelValueType: nil)]
    let sandbox = try Sandbox(importing: digest.line)
    #expect(
      try jsonObjects(sandbox.run("top-failures", "--format", "ndjson").stdout).map {
        [$0["kind"] as? String, $0["expected_type"] as? String]
      } == [
        ["dataCorrupted", "B"], ["other", nil], ["other", "A"], ["other", "B"],
        ["typeMismatch", nil],
      ]
    )
  }

  @Test func `a failure of the whole document has an empty path`() throws {
    var digest = Digest("d-1")
    digest.failures = [.init(path: "", kind: "dataCorrupted", novelValue: nil, novelValueType: nil)]
    let sandbox = try Sandbox(importing: digest.line)
    #expect(
      try sandbox.run("top-failures", "--format", "csv").lines.last
        == #"App.Listing,"",dataCorrupted,,,,1,1,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,,,"#
    )
  }
}
