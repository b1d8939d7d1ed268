import Foundation
import Testing

/// What spreadsheets make of CSV and TSV: numbers stay numbers, and nothing runs.
struct SpreadsheetTests {
  @Test func `only a whole signed decimal has no apostrophe`() throws {
    let cases = [
      ("-1", "-1"), ("-1.5", "-1.5"), ("-1e9", "-1e9"), ("+49", "+49"), ("-0.5E-3", "-0.5E-3"),
      ("-2+3", "'-2+3"), ("-", "'-"), ("+", "'+"), ("=1", "'=1"), ("@x", "'@x"), ("007", "007"),
      ("1234567890123456789", "1234567890123456789"),
      ("-1234567890123456789", "-1234567890123456789"),
      ("1-2", "1-2"), ("TRUE", "TRUE"), ("ä;=1", "ä;'=1"), ("--1", "'--1"), ("-1.", "'-1."),
      ("-.5", "'-.5"), ("-1e", "'-1e"), ("-1 ", "'-1 "), (" -1", "' -1"),
      ("-1\u{301}", "'-1\u{301}"),
      ("-\u{661}", "'-\u{661}"), ("-1x", "'-1x"), ("－1", "'－1"), ("-1;-1", "'-1;'-1"),
    ]
    // A path of its own keeps each row in its place.
    let sandbox = try Sandbox(
      importing: cases.enumerated().map {
        Digest(novelValue: $1.0, at: "p\($0 + 100)", model: "M")
      }.ndjson)
    for (options, fields) in [([], cases.map(\.1)), (["--raw"], cases.map(\.0))] {
      let tsv = try sandbox.run(
        ["top-novel-values", "--limit", "100", "--format", "tsv"] + options)
      let cells = tsv.lines.dropFirst().map { $0.components(separatedBy: "\t")[2] }
      #expect(cells.map { Data($0.utf8) } == fields.map { Data($0.utf8) })
    }
    let csv = try sandbox.run("top-novel-values", "--limit", "100", "--format", "csv").lines
    let export = try sandbox.run("export", "--format", "csv").lines
    try #require(csv.count == cases.count + 1 && export.count == csv.count)
    for (index, (_, cell)) in cases.enumerated() {
      let quoted = cell.contains(";") ? "\"\(cell)\"" : cell
      #expect(csv[index + 1].utf8.starts(with: "M,p\(index + 100),\(quoted),String,".utf8))
      #expect(export[index + 1].contains(",\(quoted),"))
    }
  }
}
