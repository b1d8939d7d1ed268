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

  private static let rows = csv.split(separator: "\n").map { "\($0)\n" }

  private static let exports: [(String, String)] = [
    ("", Drift.ndjson), ("--format ndjson", Drift.ndjson), ("--format csv", csv),
    ("--format tsv", csv.replacing(",", with: "\t")),
    // A filter chooses whole digests, and single occurrences.
    ("--path price", Drift.lines[1] + "\n"),
    ("--path price --format csv", rows[0] + rows[5]),
  ]

  @Test(arguments: exports)
  func `every format prints the same digests`(options: String, stdout: String) throws {
    #expect(
      try Sandbox(importing: Drift.ndjson).run("export \(options)") == Outcome(stdout: stdout))
  }

  @Test(arguments: [("ndjson", ""), ("csv", rows[0])])
  func `an empty store leaves the header`(format: String, stdout: String) throws {
    #expect(
      try Sandbox(importing: "").run("export --format \(format)") == Outcome(stdout: stdout))
  }
}
