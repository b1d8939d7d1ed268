import Foundation
import Testing

/// Input that isn't NDJSON in UTF-8: one line names its format and the remedy.
struct ForeignFormatTests {
  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private static let lines = [Digest(), Digest()].ndjson

  private static let encoded =
    "this is not UTF-8: convert it first, as iconv -f UTF-16 -t UTF-8 does"
  private static let array = "this is a JSON array: write one object a line, as jq -c '.[]' does"

  private static let cases: [([UInt8], String)] = [
    (utf16(lines, isBigEndian: false), encoded), (utf16(lines, isBigEndian: true), encoded),
    (utf16("\u{FEFF}" + lines, isBigEndian: false), encoded),
    (utf16("\u{FEFF}" + lines, isBigEndian: true), encoded),
    (
      [0x1F, 0x8B, 8, 0, 10, 10, 10],
      "this is compressed with gzip: decompress it first, as gunzip -c does"
    ),
    (
      Array("SQLite format 3\0\n\n{".utf8),
      "this is a SQLite database: add a store with digest-query push"
    ),
    (Array(#"[{"model":"A"},{"model":"B"}]"#.utf8), array), (Array("[]".utf8), array),
    (Array("[\n{\"model\":\"A\"},\n{\"model\":\"B\"}\n]\n".utf8), array),
  ]

  @Test(arguments: cases, ["", "--skip-invalid"])
  func `a format is named, and nothing is imported`(
    input: (bytes: [UInt8], problem: String), option: String
  ) throws {
    let sandbox = try Sandbox()
    try Data(input.bytes).write(to: sandbox.url("input"))
    #expect(
      try sandbox.run("import input \(option)") == .failure(65, "input: \(input.problem)"))
    #expect(
      try sandbox.start("import - \(option)".words, stdin: Pipe.from(Data(input.bytes)))
        == .failure(65, "standard input: \(input.problem)"))
    #expect(try sandbox.files() == ["input"])
  }

  /// Any other format is a bad line.
  @Test(arguments: [
    "BZh91AY\n\n", "PK\u{3}\u{4}\n", "bplist00\u{1}_\u{10}\n", String(repeating: "\0", count: 100),
    "digest_id,recorded_at,model\nd-1,2026,A\n", "{\n  \"model\": \"A\"\n}\n",
    "<!doctype html>\n<html>, </html>\n",
  ])
  func `other input is named by its line`(input: String) throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("import -", stdin: input)
        == .failure(
          65,
          "standard input: line 1: it isn't a JSON object on one line; nothing was imported, --skip-invalid imports "
            + "the rest"))
    #expect(try sandbox.files() == [])
  }

  @Test(arguments: ["\u{FEFF}", "\n \r\n", "Connecting, please wait\n", "[info] connected, ok\n"])
  func `good lines are imported after a mark, empty lines and bad ones`(beginning: String) throws {
    let outcome = try Sandbox().run("import - --skip-invalid", stdin: beginning + Self.lines)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasPrefix("imported 2 digests, "))
  }

  @Test func `a closed stdin is an error`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.runShell("exec digest-query import - <&-")
        == .failure(
          74, "the input cannot be read: Bad file descriptor; name a file, or pipe one into it"))
    #expect(try sandbox.files() == [])
  }
}
