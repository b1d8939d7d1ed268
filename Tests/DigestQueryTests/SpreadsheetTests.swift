import Foundation
import Testing

/// What spreadsheets make of CSV and TSV: numbers stay numbers, and nothing runs.
struct SpreadsheetTests {
  @Test(arguments: [
    ("-1", "-1"), ("-1.5", "-1.5"), ("-1e9", "-1e9"), ("+49", "+49"), ("-0.5E-3", "-0.5E-3"),
    ("-2+3", "'-2+3"), ("-", "'-"), ("+", "'+"), ("=1", "'=1"), ("@x", "'@x"), ("007", "007"),
    ("1234567890123456789", "1234567890123456789"),
    ("-1234567890123456789", "-1234567890123456789"),
    ("1-2", "1-2"), ("TRUE", "TRUE"), ("ä;=1", "ä;'=1"), ("--1", "'--1"), ("-1.", "'-1."),
    ("-.5", "'-.5"), ("-1e", "'-1e"), ("-1 ", "'-1 "), (" -1", "' -1"), ("-1\u{301}", "'-1\u{301}"),
    ("-\u{661}", "'-\u{661}"), ("-1x", "'-1x"), ("－1", "'－1"), ("-1;-1", "'-1;'-1"),
  ])
  func `only a whole signed decimal has no apostrophe`(value: String, cell: String) throws {
    let sandbox = try Sandbox(importing: Digest(novelValue: value, at: "p", model: "M").line)
    let quoted = cell.contains(";") ? "\"\(cell)\"" : cell
    for (options, field) in [([], cell), (["--raw"], value)] {
      let tsv = try sandbox.run(["top-novel-values", "--format", "tsv"] + options).stdout
      #expect(tsv.components(separatedBy: "\t")[10] == field)
    }
    let csv = try sandbox.run("top-novel-values", "--format", "csv").stdout
    #expect(csv.contains("\nM,p,\(quoted),String,"))
    #expect(try sandbox.run("export", "--format", "csv").stdout.contains(",\(quoted),"))
  }

  @Test(arguments: [
    ["top-novel-values"], ["top-failures"], ["trend", "--by", "day"], ["models"], ["digests"],
    ["check", "--max-occurrences", "10"], ["export"],
  ])
  func `a byte order mark comes first where it is asked for`(command: [String]) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for format in ["csv", "tsv"] {
      let command = command + ["--format", format]
      let plain = try sandbox.run(command).stdout
      #expect(!plain.hasPrefix("\u{FEFF}"))
      let marked = try sandbox.run(command + ["--bom"]).stdout
      #expect(Array(marked.utf8) == [0xEF, 0xBB, 0xBF] + Array(plain.utf8))
    }
    #expect(
      try !sandbox.run(command + ["--bom", "--format", "ndjson"]).stdout.hasPrefix("\u{FEFF}"))
  }
}
