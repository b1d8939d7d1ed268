import Foundation
import Testing

/// What reports print in each format.
struct FormatTests {
  private static let castles = Digest(
    "d-6", release: "4.3.0", recordedAt: "2026-11-22T10:00:00.000Z",
    failures: (0..<2).map { .novel("castle", at: "items[\($0)].kind", expected: "App.Kind") })

  private static let reports = [
    Golden(
      "top-novel-values",
      table: """
        model        coding_path   found   occurrences  digests  first_seen            last_seen             first_release  id
        App.Home     items[].kind  tower             2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0          dbfeb653
        App.Listing  items[].kind  castle            2        2  2026-11-20 10:59:59Z  2026-11-22 23:59:59Z  4.2.0          m35e7113
        App.Listing  items[].kind  villa             2        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  4.2.0          jc4dd69b
        App.Listing  attrs.*       7                 1        1  2026-11-20 11:00:00Z  2026-11-20 11:00:00Z  -              m1b193bb

        """,
      csv: """
        model,coding_path,novel_value,value_type,occurrences,digests,first_seen,last_seen,first_release,rate,id
        App.Home,items[].kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,4.3.0,,dbfeb653
        App.Listing,items[].kind,castle,String,2,2,2026-11-20T10:59:59.999Z,2026-11-22T23:59:59.999Z,4.2.0,,m35e7113
        App.Listing,items[].kind,villa,String,2,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,4.2.0,,jc4dd69b
        App.Listing,attrs.*,7,Int,1,1,2026-11-20T11:00:00.000Z,2026-11-20T11:00:00.000Z,,,m1b193bb

        """),
    Golden(
      "top-failures",
      table: """
        model        coding_path   found            expected_type  occurrences  digests  first_seen            last_seen             first_release  id
        App.Home     items[].kind  tower            App.Kind                 2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0          dbfeb653
        App.Listing  items[].kind  castle           App.Kind                 2        2  2026-11-20 10:59:59Z  2026-11-22 23:59:59Z  4.2.0          m35e7113
        App.Listing  items[].kind  villa            App.Kind                 2        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  4.2.0          jc4dd69b
        App.Home     owner.name    (missing)        -                        1        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0          d68cadad
        App.Listing  attrs.*       7                App.Size                 1        1  2026-11-20 11:00:00Z  2026-11-20 11:00:00Z  -              m1b193bb
        App.Listing  items[].kind  (invalid)        App.Kind                 1        1  2026-11-20 10:00:00Z  2026-11-20 10:00:00Z  4.2.0          q482ec96
        App.Listing  price         string 12.5 EUR  Int                      1        1  2026-11-20 10:59:59Z  2026-11-20 10:59:59Z  4.2.0          p0ce1da4

        """,
      csv: """
        model,coding_path,kind,expected_type,novel_value,value_type,occurrences,digests,first_seen,last_seen,found_type,found_value,first_release,rate,id
        App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0,,dbfeb653
        App.Listing,items[].kind,unknownNovelValue,App.Kind,castle,String,2,2,2026-11-20T10:59:59.999Z,2026-11-22T23:59:59.999Z,string,castle,4.2.0,,m35e7113
        App.Listing,items[].kind,unknownNovelValue,App.Kind,villa,String,2,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,string,villa,4.2.0,,jc4dd69b
        App.Home,owner.name,keyNotFound,,,,1,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0,,d68cadad
        App.Listing,attrs.*,unknownNovelValue,App.Size,7,Int,1,1,2026-11-20T11:00:00.000Z,2026-11-20T11:00:00.000Z,number,7,,,m1b193bb
        App.Listing,items[].kind,dataCorrupted,App.Kind,,,1,1,2026-11-20T10:00:00.123Z,2026-11-20T10:00:00.123Z,,,4.2.0,,q482ec96
        App.Listing,price,typeMismatch,Int,,,1,1,2026-11-20T10:59:59.999Z,2026-11-20T10:59:59.999Z,string,12.5 EUR,4.2.0,,p0ce1da4

        """),
    Golden(
      "new --release 4.3.0",
      table: """
        model     coding_path   found      expected_type  occurrences  digests  first_seen            last_seen             first_release  id
        App.Home  items[].kind  tower      App.Kind                 2        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0          dbfeb653
        App.Home  owner.name    (missing)  -                        1        1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z  4.3.0          d68cadad

        """,
      csv: """
        model,coding_path,kind,expected_type,novel_value,value_type,occurrences,digests,first_seen,last_seen,found_type,found_value,first_release,rate,id
        App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0,,dbfeb653
        App.Home,owner.name,keyNotFound,,,,1,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,,4.3.0,,d68cadad

        """),
    Golden(
      "models",
      table: """
        model        occurrences  digests  share  failures  novel_values  first_seen            last_seen
        App.Listing            7        4    80%         5             3  2026-11-20 10:00:00Z  2026-11-22 23:59:59Z
        App.Home               3        1    20%         2             1  2026-11-21 00:00:00Z  2026-11-21 00:00:00Z

        """,
      csv: """
        model,occurrences,digests,share,failures,novel_values,first_seen,last_seen,decodes,rate
        App.Listing,7,4,0.8,5,3,2026-11-20T10:00:00.123Z,2026-11-22T23:59:59.999Z,,
        App.Home,3,1,0.2,2,1,2026-11-21T00:00:00.000Z,2026-11-21T00:00:00.000Z,,

        """),
    Golden(
      "trend --by day",
      table: """
        start       occurrences
        2026-11-20            6  ##############################
        2026-11-21            3  ###############
        2026-11-22            1  #####

        """,
      csv: """
        start,occurrences,partial
        2026-11-20T00:00:00.000Z,6,false
        2026-11-21T00:00:00.000Z,3,false
        2026-11-22T00:00:00.000Z,1,false

        """),
    Golden(
      "diff 4.2.0 4.3.0", more: castles.line,
      table: """
        change  model        coding_path   found      expected_type  before  after  factor  id
        new     App.Home     items[].kind  tower      App.Kind            0      2       -  dbfeb653
        grown   App.Listing  items[].kind  castle     App.Kind            1      3       3  m35e7113
        gone    App.Listing  items[].kind  villa      App.Kind            2      0       0  jc4dd69b
        new     App.Home     owner.name    (missing)  -                   0      1       -  d68cadad
        gone    App.Listing  items[].kind  (invalid)  App.Kind            1      0       0  q482ec96
        gone    App.Listing  price         string     Int                 1      0       0  p0ce1da4

        """,
      csv: """
        change,model,coding_path,kind,expected_type,novel_value,value_type,found_type,before,after,factor,rate_before,rate_after,rate_factor,id
        new,App.Home,items[].kind,unknownNovelValue,App.Kind,tower,String,,0,2,,,,,dbfeb653
        grown,App.Listing,items[].kind,unknownNovelValue,App.Kind,castle,String,string,1,3,3,,,,m35e7113
        gone,App.Listing,items[].kind,unknownNovelValue,App.Kind,villa,String,string,2,0,0,,,,jc4dd69b
        new,App.Home,owner.name,keyNotFound,,,,,0,1,,,,,d68cadad
        gone,App.Listing,items[].kind,dataCorrupted,App.Kind,,,,1,0,0,,,,q482ec96
        gone,App.Listing,price,typeMismatch,Int,,,string,1,0,0,,,,p0ce1da4

        """),
    Golden(
      "digests",
      table: """
        id          recorded_at           release  model        entries  paths
        dddddddd-5  2026-11-22 23:59:59Z  4.3.0    App.Listing        1  items[].kind "castle"
        dddddddd-4  2026-11-21 00:00:00Z  4.3.0    App.Home           3  owner.name, items[].kind "tower"
        dddddddd-3  2026-11-20 11:00:00Z  -        App.Listing        1  attrs.* "7"
        dddddddd-2  2026-11-20 10:59:59Z  4.2.0    App.Listing        2  items[].kind "castle", price
        dddddddd-1  2026-11-20 10:00:00Z  4.2.0    App.Listing        3  items[].kind "villa", items[].kind

        """,
      csv: """
        id,recorded_at,release,model,entries,novel_values,paths
        d-5,2026-11-22T23:59:59.999Z,4.3.0,App.Listing,1,1,1
        d-4,2026-11-21T00:00:00.000Z,4.3.0,App.Home,3,2,2
        d-3,2026-11-20T11:00:00.000Z,,App.Listing,1,1,1
        d-2,2026-11-20T10:59:59.999Z,4.2.0,App.Listing,2,1,2
        d-1,2026-11-20T10:00:00.123Z,4.2.0,App.Listing,3,2,1

        """),
    Golden(
      "check --max-new 7 --since 2026-11-20 --max-occurrences 9", status: 1,
      table: """
        exceeded: 10 occurrences (at most 9)

        """,
      csv: """
        limit,allowed,found,exceeded,details
        new,7,7,false,
        occurrences,9,10,true,

        """),
  ]

  @Test(arguments: reports, Golden.formats)
  func `every format prints the same rows`(report: Golden, format: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson + report.more)
      .run("\(report.command) --format \(format)")
    #expect(outcome == Outcome(status: report.status, stdout: report[format]))
  }

  @Test(arguments: reports)
  func `a report is a table unless asked otherwise`(report: Golden) throws {
    let outcome = try Sandbox(importing: Drift.ndjson + report.more).run(report.command)
    #expect(outcome == Outcome(status: report.status, stdout: report.table))
  }

  @Test(arguments: Golden.formats)
  func `without rows a format prints its frame`(format: String) throws {
    let frame = Golden(
      "top-novel-values",
      // A table leaves out an empty first_release.
      table:
        "model  coding_path  found  occurrences  digests  first_seen  last_seen  id\n",
      csv: "\(Self.reports[0].csv.prefix { $0 != "\n" })\n")
    #expect(
      try Sandbox(importing: "").run("top-novel-values --format \(format)")
        == .nothing(frame[format], isJSON: format.hasSuffix("json")))
  }
}
