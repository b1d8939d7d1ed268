import Foundation
import Testing

/// Text from outside in the other columns, on every command.
struct HostileColumnsTests {
  private static let bad = "=\u{1B}[31m|\"x"

  private func sandbox() throws -> Sandbox {
    var digest = Digest("d-1", novelValue: Self.bad, model: Self.bad)
    digest.release = Self.bad
    digest.failures[0].novelValueType = Self.bad
    digest.failures[0].expectedType = Self.bad
    digest.failures[0].foundType = "string"
    digest.failures[0].foundValue = Self.bad + "found"
    return try Sandbox(importing: digest.line)
  }

  @Test(
    arguments: [
      ["top-novel-values"], ["top-failures"], ["new", "--since", "2026-11-01"],
      ["diff", "..2026-11-01", "2026-11-01.."],
    ],
    ["table", "markdown"]
  )
  func `nothing steers a terminal`(command: [String], format: String) throws {
    let outcome = try sandbox().run(command + ["--format", format])
    #expect(outcome.status == 0)
    #expect(!outcome.stdout.utf8.contains(0x1B))
    #expect(outcome.stdout.contains(#"\u{1B}"#))
  }

  @Test(arguments: [["top-novel-values"], ["top-failures"], ["export"]])
  func `no cell of csv runs`(command: [String]) throws {
    let stdout = try sandbox().run(command + ["--format", "csv"]).stdout
    let cell = "\"'=\u{1B}[31m|\"\"x"
    #expect(!stdout.replacing(cell, with: "").contains("="))
    #expect(stdout.contains(cell + "\""))
    #expect(stdout.contains(cell + "found\"") == (command != ["top-novel-values"]))
  }

  @Test func `raw export gives all text as it was`() throws {
    #expect(
      try sandbox().run("export", "--format", "tsv", "--raw").lines.last
        == [
          "d-1", "2026-11-20T10:00:00.000Z", Self.bad, Self.bad, "kind", "unknownNovelValue",
          Self.bad, Self.bad, Self.bad, "string", Self.bad + "found", "1",
          "", "",
        ].joined(separator: "\t")
    )
  }

  @Test func `a key of a payload is neutralised as a path`() throws {
    let sandbox = try Sandbox(importing: Digest("d-1", at: #"=1"#).line)
    #expect(
      try sandbox.run("top-novel-values", "--format", "csv").lines.last?.hasPrefix(
        #"App.Listing,"[""=1""]",villa"#
      ) == true
    )
  }

  @Test func `a message of an error has no escapes of a terminal`() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("export", "--store", "a\u{1B}[31m\nb")
        == .failure(
          66,
          #"no such store: a\u{1B}[31m\nb; name one with --store PATH or in $DIGEST_STORE"#
        )
    )
    let outcome = try sandbox.run("export", "--since", "a\u{1B}[31m\nb")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.hasPrefix(#"digest-query: The value 'a\u{1B}[31m\nb' is invalid"#))
    #expect(outcome.stderr.hasSuffix("see digest-query export --help\n"))
  }

  @Test(arguments: ["table", "csv", "tsv", "json", "ndjson", "markdown"])
  func `a long value is cut, with a mark`(format: String) throws {
    let sandbox = try Sandbox(importing: Digest("d-1", novelValue: Hostile.long).line)
    let outcome = try sandbox.run("top-novel-values", "--format", format)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains("… (100000 bytes, "))
  }
}
