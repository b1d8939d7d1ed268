import Foundation
import Testing

/// Input that isn't NDJSON in UTF-8: one line names its format and the remedy.
struct ForeignFormatTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let problem: String

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ problem: String) {
      (self.name, self.bytes, self.problem) = (name, bytes, problem)
    }
  }

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private static let encoded =
    "this is not UTF-8: convert it first, as iconv -f UTF-16 -t UTF-8 does"

  private static let array = "this is a JSON array: write one object a line, as jq -c '.[]' does"
  private static let gzip =
    "this is compressed with gzip: decompress it first, as gunzip -c does"
  private static let badLine =
    "line 1: it isn't a JSON object on one line; nothing was imported, --skip-invalid imports the rest"

  private static let lines =
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"A","errors":[]}"#
    + "\n" + #"{"recordedAt":"2026-11-20T10:00:01Z","model":"A","errors":[]}"# + "\n"

  private static let cases = [
    Case("UTF-16LE", utf16(lines, isBigEndian: false), encoded),
    Case("UTF-16BE", utf16(lines, isBigEndian: true), encoded),
    Case("UTF-16LE, mark", utf16("\u{FEFF}" + lines, isBigEndian: false), encoded),
    Case("UTF-16BE, mark", utf16("\u{FEFF}" + lines, isBigEndian: true), encoded),
    Case("gzip", [0x1F, 0x8B, 8, 0, 10, 10, 10], gzip),
    Case(
      "SQLite", Array("SQLite format 3\0\n\n{".utf8),
      "this is a SQLite database: add a store with digest-query push"),
    Case("an array of one line", Array(#"[{"model":"A"},{"model":"B"}]"#.utf8), array),
    Case("an array of lines", Array("[\n{\"model\":\"A\"},\n{\"model\":\"B\"}\n]\n".utf8), array),
    Case("an empty array", Array("[]".utf8), array),
  ]

  /// Any other format is a bad line.
  @Test(arguments: [
    "BZh91AY\n\n", "PK\u{3}\u{4}\n", "bplist00\u{1}_\u{10}\n", String(repeating: "\0", count: 100),
    "digest_id,recorded_at,model\nd-1,2026,A\n", "{\n  \"model\": \"A\"\n}\n",
    "<!doctype html>\n<html>, </html>\n",
  ])
  func `other input is named by its line`(input: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run(["import", "-"], stdin: input) == .failure(65, "-: \(Self.badLine)"))
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: cases, [[], ["--skip-invalid"]])
  private func `a format is named, and nothing is imported`(
    input: Case, options: [String]
  ) throws {
    let sandbox = try Sandbox()
    try Data(input.bytes).write(to: sandbox.url("input"))
    #expect(
      try sandbox.run(["import", "input"] + options) == .failure(65, "input: \(input.problem)"))
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(input.bytes))
    try pipe.fileHandleForWriting.close()
    #expect(
      try sandbox.run(["import", "-"] + options, stdin: pipe)
        == .failure(65, "-: \(input.problem)"))
    #expect(try sandbox.files() == ["input"])
  }

  @Test(arguments: ["\u{FEFF}", "\n \r\n", "Connecting, please wait\n", "[info] connected, ok\n"])
  func `good lines are imported after a mark, empty lines and bad ones`(beginning: String) throws {
    let outcome = try Sandbox().run(
      ["import", "-", "--skip-invalid"], stdin: beginning + Self.lines)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasPrefix("imported 2 digests, "))
  }

  @Test func `a closed stdin is an error`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.runShell("exec digest-query import - <&-")
        == .failure(
          74,
          "the input cannot be read: Bad file descriptor; name a file, or pipe one into it"))
    #expect(try sandbox.files() == [])
  }
}
