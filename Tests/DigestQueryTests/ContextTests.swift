import Foundation
import Testing

/// The filters for environments and operations, which mean the same on every command.
struct ContextTests {
  private static let ndjson: String = {
    let contexts: [(value: String, environment: String?, operation: String?)] = [
      ("villa", "production", "GET /listings"), ("villa", "staging", "GET /listings"),
      ("castle", "staging", "GET /listings/{id}"), ("tower", "production", "getUser"),
      ("hut", nil, nil),
    ]
    let digests = contexts.enumerated().map { index, context in
      var digest = Digest(
        "d-\(index + 1)", novelValue: context.value,
        recordedAt: "2026-11-2\(4 - index)T10:00:00.000Z")
      (digest.environment, digest.operation) = (context.environment, context.operation)
      digest.release = index < 2 ? "4.2.0" : "4.1.0"
      return digest
    }
    return (try? digests.ndjson) ?? ""
  }()

  @Test(arguments: [
    (["--environment", "production"], ["tower 1", "villa 1"]),
    (["--environment", "staging"], ["castle 1", "villa 1"]),
    (
      ["--environment", "staging", "--environment", "production"],
      ["villa 2", "castle 1", "tower 1"]
    ),
    (["--operation", "GET /listings"], ["villa 2"]),
    (["--operation", "GET *"], ["villa 2", "castle 1"]),
    (["--operation", "getUser", "--operation", "*{id}"], ["castle 1", "tower 1"]),
    (["--environment", "staging", "--operation", "GET /listings"], ["villa 1"]),
    (["--environment", "production", "--release", "4.2.0"], ["villa 1"]),
    (["--environment", "prod*"], []),
    (["--operation", "get*", "--environment", "staging"], []),
  ])
  func `every report, check and export selects the same digests`(
    filter: [String], values: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let count = values.reduce(0) { $0 + (Int($1.split(separator: " ")[1]) ?? 0) }
    func rows(_ command: String, _ options: String...) throws -> [String] {
      try sandbox.run([command, "--format", "csv"] + options + filter).lines.dropFirst()
        .map { String($0) }
    }
    func counts(_ rows: [String]) -> [String] { rows.map { $0.replacing(",", with: " ") } }

    #expect(
      counts(try rows("top-novel-values", "--columns", "novel_value,occurrences")) == values)
    #expect(counts(try rows("top-failures", "--columns", "novel_value,occurrences")) == values)
    #expect(
      counts(try rows("new", "--since", "2026-01-01", "--columns", "novel_value,occurrences"))
        == values)
    #expect(try rows("digests").count == count)
    #expect(try rows("export").count == count)
    #expect(
      try sandbox.run(["export", "--format", "ndjson"] + filter).lines.count == count)
    #expect(
      try rows("models", "--columns", "occurrences") == (count == 0 ? [] : ["\(count)"]))
    #expect(
      try rows("trend", "--by", "week", "--columns", "occurrences").compactMap { Int($0) }
        .reduce(0, +) == count)
    #expect(
      try sandbox.run(
        [
          "check", "--max-occurrences", "0", "--allow-empty", "--format", "csv", "--columns",
          "found",
        ]
          + filter
      ).lines.last == "\(count)")
    #expect(
      try sandbox.run(["metrics"] + filter).lines.filter { $0.contains("errors_total{") }
        .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +) == count)
    #expect(
      try sandbox.run(
        ["diff", "2026-01-01..2026-12-01", "2025-01-01..2025-12-01", "--format", "csv"]
          + filter
      ).lines.dropFirst().count == values.count)
    let page = try sandbox.run(["report"] + filter).stdout
    #expect(page.contains("<dd>\(count)</dd></div>") == (count > 0))
    for name in filter where !name.hasPrefix("--") && name != "4.2.0" {
      #expect(page.contains("<dd>\(name)</dd>"))
    }
  }

  @Test(arguments: [
    (
      ["--environment", "prodction"],
      "the store has no environment prodction; did you mean production?"
    ),
    (
      ["--environment", "prod*"], "the store has no environment prod*"
    ),
    (
      ["--operation", "GET /listing"],
      "the store has no operation GET /listing; did you mean GET /listings?"
    ),
    (["--operation", "POST *"], "the store has no operation that matches POST *"),
  ])
  func `an unknown name is told with a similar one`(filter: [String], note: String) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let outcome = try sandbox.run(["top-novel-values", "--format", "csv"] + filter)
    #expect(outcome.stderr.contains("digest-query: \(note)\n"))
    #expect(try sandbox.run(["check", "--max-occurrences", "0"] + filter).status == 66)
  }

  @Test(arguments: ["--environment", "--operation"])
  func `an empty name is refused`(option: String) throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    #expect(
      try sandbox.run("top-failures", option, "")
        == .failure(
          64,
          "\(option) is empty: leave it out for digests of any; see digest-query top-failures --help"
        ))
  }

  @Test func `a store without names says how an app sets them`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    let outcome = try sandbox.run(
      "top-failures", "--environment", "production", "--operation", "getUser", "--format", "csv")
    #expect(
      outcome.stderr == """
        digest-query: nothing found that matches
        digest-query: the store has no environment production; no digest has an environment: set environment in DigestStore.Configuration
        digest-query: the store has no operation getUser; no digest has an operation: pass operation: to decode(_:from:recordingTo:)

        """)
  }

  @Test func `models and trends are counted by operation`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    #expect(
      try sandbox.run(
        "models", "--by", "operation", "--format", "csv", "--columns",
        "model,occurrences,failures,share,operation")
        == Outcome(
          stdout: """
            model,occurrences,failures,share,operation
            App.Listing,2,1,0.4,GET /listings
            App.Listing,1,1,0.2,
            App.Listing,1,1,0.2,GET /listings/{id}
            App.Listing,1,1,0.2,getUser

            """))
    #expect(
      try sandbox.run("models", "--by", "environment").lines.first?.hasPrefix(
        "model        environment  occurrences") == true)
    #expect(
      try sandbox.run(
        "trend", "--group", "operation", "--by", "week", "--format", "csv", "--since", "2026-11-23",
        "--until", "2026-11-30")
        == Outcome(
          stdout: """
            start,operation,occurrences
            2026-11-23T00:00:00.000Z,GET /listings,2

            """))
    #expect(
      try sandbox.run(
        "trend", "--group", "environment", "--by", "week", "--format", "csv", "--since",
        "2026-11-16", "--until", "2026-11-23", "--limit", "9")
        == Outcome(
          stdout: """
            start,environment,occurrences
            2026-11-16T00:00:00.000Z,,1
            2026-11-16T00:00:00.000Z,production,1
            2026-11-16T00:00:00.000Z,staging,1

            """))
  }

  /// A value of another environment isn't a reason not to call it new.
  @Test(arguments: [
    (["--since", "2026-11-24"], ["villa"]),
    (["--since", "2026-11-24", "--environment", "production"], ["villa"]),
    (["--since", "2026-11-23", "--environment", "staging"], ["villa"]),
    (["--release", "4.2.0", "--environment", "production"], ["villa"]),
    (["--release", "4.2.0", "--operation", "GET /listings"], ["villa"]),
  ])
  func `what is new is new in the chosen environments and operations`(
    filter: [String], values: [String]
  ) throws {
    var old = Digest("d-9", novelValue: "villa", recordedAt: "2026-11-01T10:00:00.000Z")
    (old.environment, old.operation, old.release) = ("test", "listListings", "4.0.0")
    let sandbox = try Sandbox(importing: Self.ndjson + old.line)
    let isFiltered = filter.contains("--environment") || filter.contains("--operation")
    #expect(
      try sandbox.run(
        ["new", "--format", "csv", "--columns", "novel_value"] + filter
      ).lines.dropFirst().map { String($0) } == (isFiltered ? values : []))
  }

  @Test func `names are exported, imported and pushed`() throws {
    let sandbox = try Sandbox(importing: Self.ndjson)
    let lines = try sandbox.run("export", "--operation", "GET /listings").stdout
    #expect(
      lines.contains(
        #""release":"4.2.0","environment":"production","operation":"GET /listings","errors""#))
    try sandbox.load(lines, into: "copy.sqlite")
    #expect(
      try sandbox.run("export", "--store", "copy.sqlite", "--environment", "staging").lines.count
        == 1)
    _ = try sandbox.run("push", "whole.sqlite", "copy.sqlite")
    #expect(
      try sandbox.run(
        "top-failures", "--store", "whole.sqlite", "--environment", "production", "--format", "csv",
        "--columns", "novel_value,occurrences"
      ).lines == ["novel_value,occurrences", "villa,1"])
  }
}
