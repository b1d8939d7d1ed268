import Foundation
import Testing

@testable import digest_query

/// Text from outside in the other columns, on every command.
struct HostileColumnsTests {
  private static let bad = "=\u{1B}[31m|\"x"

  private func sandbox() throws -> Sandbox {
    let bad = Self.bad
    return try Sandbox(
      importing: [
        Digest(
          "d-1", model: bad, release: bad,
          failures: [.novel(bad, type: bad, expected: bad, found: ("string", bad + "found"))])
      ])
  }

  @Test(
    arguments: [
      "top-novel-values", "top-failures", "new --since 2026-11-01",
      "diff ..2026-11-01 2026-11-01..",
    ], ["table", "markdown"])
  func `nothing steers a terminal`(command: String, format: String) throws {
    let outcome = try sandbox().run("\(command) --format \(format)")
    #expect(outcome.status == 0)
    #expect(!outcome.stdout.utf8.contains(0x1B))
    #expect(outcome.stdout.contains(#"\u{1B}"#))
  }

  @Test(arguments: ["top-novel-values", "top-failures", "export"])
  func `no cell of csv runs`(command: String) throws {
    let stdout = try sandbox().run("\(command) --format csv").stdout
    let cell = "\"'=\u{1B}[31m|\"\"x"
    #expect(!stdout.replacing(cell, with: "").contains("="))
    #expect(stdout.contains(cell + "\""))
    #expect(stdout.contains(cell + "found\"") == (command != "top-novel-values"))
  }

  /// Where the locale has no blocks, a level is drawn as an equals sign.
  @Test func `a drawing is no formula`() {
    let values = SeparatedValues(isRaw: false, isForTerminal: false)
    #expect(values.csv([.drawing("=#+"), .drawing("_=#")]) == "'=#+,_=#")
  }

  @Test func `raw export gives all text as it was`() throws {
    let bad = Self.bad
    #expect(
      try sandbox().run("export --format tsv --raw").lines.last
        == "d-1\t2026-11-20T10:00:00.000Z\t\(bad)\t\(bad)\tkind\tunknownNovelValue\t\(bad)\t\(bad)"
        + "\t\(bad)\tstring\t\(bad)found\t1\t\t")
  }

  @Test func `a key of a payload is neutralised as a path`() throws {
    #expect(
      try Sandbox(importing: [Digest(at: #"=1"#)]).run(
        "top-novel-values --format csv --columns coding_path"
      ).lines.last == #""[""=1""]""#)
  }

  @Test func `a message of an error has no escapes of a terminal`() throws {
    let sandbox = try Sandbox()
    let text = "a\u{1B}[31m\nb"
    #expect(try sandbox.run(["export", "--store", text]) == .noStore(#"a\u{1B}[31m\nb"#))
    let outcome = try sandbox.run(["export", "--since", text])
    #expect(outcome.status == 64)
    #expect(outcome.stderr.hasPrefix(#"digest-query: The value 'a\u{1B}[31m\nb' is invalid"#))
    #expect(outcome.stderr.hasSuffix("see digest-query export --help\n"))
  }

  @Test(arguments: Golden.formats)
  func `a long value is cut, with a mark`(format: String) throws {
    let outcome = try Sandbox(importing: [Digest(novelValue: Hostile.long)])
      .run("top-novel-values --format \(format)")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains("… (100000 bytes, "))
  }
}
