import Foundation
import Testing

struct ExportTests {
  private static let csv = """
    digest_id,recorded_at,release,model,coding_path,kind,expected_type,novel_value,value_type,found_type,found_value,times,environment,operation
    d-1,2026-11-20T10:00:00.123Z,4.2.0,App.Listing,items[0].kind,unknownNovelValue,App.Kind,villa,String,string,villa,1,,
    d-1,2026-11-20T10:00:00.123Z,4.2.0,App.Listing,items[3].kind,unknownNovelValue,App.Kind,villa,String,string,villa,1,,
    d-1,2026-11-20T10:00:00.123Z,4.2.0,App.Listing,items[3].kind,dataCorrupted,App.Kind,,,,,1,,
    d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,items[1].kind,unknownNovelValue,App.Kind,castle,String,string,castle,1,,
    d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,price,typeMismatch,Int,,,string,12.5 EUR,1,,
    d-3,2026-11-20T11:00:00.000Z,,App.Listing,attrs.size,unknownNovelValue,App.Size,7,Int,number,7,1,,
    d-4,2026-11-21T00:00:00.000Z,4.3.0,App.Home,owner.name,keyNotFound,,,,,,1,,
    d-4,2026-11-21T00:00:00.000Z,4.3.0,App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,,,2,,
    d-5,2026-11-22T23:59:59.999Z,4.3.0,App.Listing,items[0].kind,unknownNovelValue,App.Kind,castle,String,,,1,,

    """

  private static let golden = [
    "ndjson": Drift.ndjson,
    "csv": csv,
    "tsv": csv.replacing(",", with: "\t"),
  ]

  @Test(arguments: ["ndjson", "csv", "tsv"])
  func `every format prints the same digests`(format: String) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let stdout = try #require(Self.golden[format])
    #expect(try sandbox.run("export", "--format", format) == Outcome(stdout: stdout))
  }

  @Test func `it prints lines of json unless asked otherwise`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(try sandbox.run("export") == Outcome(stdout: Drift.ndjson))
  }

  @Test(arguments: ["ndjson", "csv", "tsv"])
  func `an empty store leaves the header`(format: String) throws {
    let sandbox = try Sandbox(importing: "")
    let header = try #require(Self.golden[format]?.split(separator: "\n").first) + "\n"
    #expect(
      try sandbox.run("export", "--format", format)
        == Outcome(stdout: format == "ndjson" ? "" : String(header))
    )
  }

  @Test func `a filter chooses whole digests and single occurrences`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    #expect(
      try sandbox.run("export", "--path", "price") == Outcome(stdout: Drift.lines[1] + "\n")
    )
    #expect(
      try sandbox.run("export", "--path", "price", "--format", "csv").lines.dropFirst()
        == [
          "d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,price,typeMismatch,Int,,,"
            + "string,12.5 EUR,1,,"
        ]
    )
  }

  @Test(arguments: [1, 199, 200, 201, 1_001])
  func `a store of any size is exported whole`(count: Int) throws {
    let ndjson = try (1...count).map { Digest("d-\($0)", novelValue: "v\($0)") }.ndjson
    let sandbox = try Sandbox(importing: ndjson)
    #expect(
      try jsonStrings("id", in: sandbox.run("export").stdout) == (1...count).map { "d-\($0)" }
    )
    #expect(try sandbox.run("export", "--format", "csv").lines.count == count + 1)
  }

  @Test func `counted errors are one row with their count`() throws {
    var digest = Digest("d-1")
    digest.failures[0].count = 1_234
    let sandbox = try Sandbox(importing: digest.line)
    let outcome = try sandbox.run("export", "--format", "csv")
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.last?.hasSuffix(",1234,,") == true)
  }
}
