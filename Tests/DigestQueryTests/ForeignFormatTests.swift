import Foundation
import Testing

/// Input that is no NDJSON in UTF-8: one line names its format and the remedy.
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

  private static func utf32(_ text: String, isBigEndian: Bool) -> [UInt8] {
    utf16(text, isBigEndian: false).indices.filter { $0 % 2 == 0 }.flatMap { index -> [UInt8] in
      let units = utf16(text, isBigEndian: false)
      let bytes = [units[index], units[index + 1], 0, 0]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private static func encoded(_ name: String) -> String {
    "this is \(name), not UTF-8: convert it first, as iconv -f \(name) -t UTF-8 does"
  }

  private static func compressed(_ name: String, _ tool: String) -> String {
    "this is compressed with \(name): decompress it first, as \(tool) does"
  }

  private static let array = "this is a JSON array: write one object a line, as jq -c '.[]' does"
  private static let binary =
    "this is a binary file: write its digests as JSON, one object a line"
  private static let csv = "this is CSV or TSV: export it again, as NDJSON"
  private static let object =
    "this is a JSON object of several lines: write it on one, as jq -c . does"
  private static let markup = "this is HTML or XML, as of an error page: fetch it again"

  private static let lines =
    #"{"recordedAt":"2026-11-20T10:00:00Z","model":"A","failures":[]}"#
    + "\n" + #"{"recordedAt":"2026-11-20T10:00:01Z","model":"A","failures":[]}"# + "\n"

  private static let cases = [
    Case("UTF-16LE", utf16(lines, isBigEndian: false), encoded("UTF-16LE")),
    Case("UTF-16BE", utf16(lines, isBigEndian: true), encoded("UTF-16BE")),
    Case("UTF-16LE, mark", utf16("\u{FEFF}" + lines, isBigEndian: false), encoded("UTF-16")),
    Case("UTF-16BE, mark", utf16("\u{FEFF}" + lines, isBigEndian: true), encoded("UTF-16")),
    Case("UTF-32LE", utf32(lines, isBigEndian: false), encoded("UTF-32LE")),
    Case("UTF-32BE, mark", utf32("\u{FEFF}" + lines, isBigEndian: true), encoded("UTF-32")),
    Case("gzip", [0x1F, 0x8B, 8, 0, 10, 10, 10], compressed("gzip", "gunzip -c")),
    Case("bzip2", Array("BZh91AY\n\n".utf8), compressed("bzip2", "bunzip2 -c")),
    Case("xz", [0xFD] + Array("7zXZ\0\n".utf8), compressed("xz", "xz -dc")),
    Case("zstd", [0x28, 0xB5, 0x2F, 0xFD, 10], compressed("zstd", "zstd -dc")),
    Case("lz4", [0x04, 0x22, 0x4D, 0x18, 10], compressed("lz4", "lz4 -dc")),
    Case("zip", Array("PK\u{3}\u{4}\n".utf8), "this is a zip archive: unpack it first"),
    Case(
      "tar", Array("digests.ndjson".utf8) + [UInt8](repeating: 0, count: 243) + "ustar\0".utf8,
      "this is a tar archive: unpack it first"),
    Case(
      "SQLite", Array("SQLite format 3\0\n\n{".utf8),
      "this is a SQLite database: add a store with digest-query merge"),
    Case("a log of SQLite", [0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18, 10], binary),
    Case("a property list", Array("bplist00\u{1}_\u{10}\n".utf8), binary),
    Case("Parquet", Array("PAR1\u{15}\u{4}\u{15},\n,".utf8), binary),
    Case("zeros", [UInt8](repeating: 0, count: 100), binary),
    Case("CSV", Array("digest_id,recorded_at,model\nd-1,2026,A\n".utf8), csv),
    Case("TSV", Array("digest_id\trecorded_at\nd-1\t2026\n".utf8), csv),
    Case("an array of one line", Array(#"[{"model":"A"},{"model":"B"}]"#.utf8), array),
    Case("an array of lines", Array("[\n{\"model\":\"A\"},\n{\"model\":\"B\"}\n]\n".utf8), array),
    Case("an empty array", Array("[]".utf8), array),
    Case("an object of several lines", Array("{\n  \"model\": \"A\"\n}\n".utf8), object),
    Case("HTML", Array("<!doctype html>\n<html>, </html>\n".utf8), markup),
  ]

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
