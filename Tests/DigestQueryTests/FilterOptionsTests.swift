import Foundation
import Testing

struct FilterOptionsTests {
  /// A digest of one novel value on each of five days, the newest first.
  private static let digests = [
    Digest(
      release: "4.2.0", recordedAt: "2026-11-24T10:00:00.000Z", environment: "production",
      operation: "GET /listings"),
    Digest(
      release: "4.2.0", recordedAt: "2026-11-23T10:00:00.000Z", environment: "staging",
      operation: "GET /listings"),
    Digest(
      novelValue: "castle", release: "4.1.0", recordedAt: "2026-11-22T10:00:00.000Z",
      environment: "staging", operation: "GET /listings/{id}"),
    Digest(
      novelValue: "tower", release: "4.1.0", recordedAt: "2026-11-21T10:00:00.000Z",
      environment: "production", operation: "getUser"),
    Digest(
      novelValue: "hut", at: "items[0].kind", model: "App.Home",
      recordedAt: "2026-11-20T10:00:00.000Z"),
  ]

  @Test(arguments: [
    ("", ["villa 2", "hut 1", "castle 1", "tower 1"]),
    ("--model App.Home", ["hut 1"]), ("--model *.H?me", ["hut 1"]), ("--model app.home", []),
    ("--model App.Home --model *Listing --value *u*", ["hut 1"]),
    ("--path items[].kind", ["hut 1"]), ("--path items[*].kind", ["hut 1"]),
    ("--path items[[].kind", []), ("--path items[0].kind", []), ("--path items?.kind", []),
    ("--kind unknownNovelValue --value c?stle", ["castle 1"]), ("--kind typeMismatch", []),
    ("--kind typeMismatch --kind unknownNovelValue --path k*", ["villa 2", "castle 1", "tower 1"]),
    ("--value villa --value t*", ["villa 2", "tower 1"]), ("--value Villa", []),
    ("--release 4.2.0", ["villa 2"]), ("--release 4.*", []),
    ("--no-release", ["hut 1"]),
    ("--no-release --release 4.1.0", ["hut 1", "castle 1", "tower 1"]),
    ("--environment production", ["tower 1", "villa 1"]), ("--environment prod*", []),
    ("--environment staging --environment production --value *a*", ["villa 2", "castle 1"]),
    ("--operation 'GET /listings'", ["villa 2"]), ("--operation 'GET *'", ["villa 2", "castle 1"]),
    ("--operation getUser --operation *{id}", ["castle 1", "tower 1"]),
    ("--environment production --release 4.2.0", ["villa 1"]),
    ("--since 2026-11-22T10:00:00Z --until 2026-11-24T10:00:00Z", ["castle 1", "villa 1"]),
  ])
  func `every command selects the same errors`(filter: String, values: [String]) throws {
    let sandbox = try Sandbox(importing: Self.digests)
    let count = values.reduce(0) { $0 + (Int($1.split(separator: " ")[1]) ?? 0) }
    func rows(_ command: String, _ columns: String) throws -> [String] {
      try sandbox.run("\(command) --format csv --columns \(columns) \(filter)").lines.dropFirst()
        .map { $0.replacing(",", with: " ") }
    }
    func sum(_ rows: [String]) -> Int { rows.compactMap { Int($0) }.reduce(0, +) }

    for command in ["top-novel-values", "top-failures", "new --since 2026-01-01"] {
      #expect(try rows(command, "novel_value,occurrences") == values, "\(command)")
    }
    #expect(try rows("digests", "id").count == count)
    #expect(try sandbox.run("export \(filter)").lines.count == count)
    #expect(try sandbox.run("export --format csv \(filter)").lines.count == count + 1)
    #expect(try sum(rows("models", "occurrences")) == count)
    #expect(try sum(rows("trend --by week", "occurrences")) == count)
    #expect(try rows("check --max-occurrences 0 --allow-empty", "found") == ["\(count)"])
    let page = try sandbox.run("report \(filter)").stdout
    #expect(page.contains("<dd data-total=\"occurrences\">\(count)</dd></div>") == (count > 0))
    guard !filter.contains("--since") else { return }
    let errors = try sandbox.run("metrics \(filter)").lines.filter { $0.contains("errors_total{") }
    #expect(sum(errors.compactMap { $0.split(separator: " ").last.map(String.init) }) == count)
    let sides = "diff 2025-01-01..2025-12-01 2026-01-01..2026-12-01"
    #expect(try rows(sides, "novel_value,after").sorted() == values.sorted())
  }

  @Test func `an option is repeated as often as the store can take it, and no more`() throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    func outcome(_ count: Int) throws -> Outcome {
      let filter = (1..<count).flatMap { ["--value", "*\($0)*"] } + ["--value", "t?wer"]
      return try sandbox.run("top-novel-values --format csv --model *", filter)
    }
    #expect(
      try outcome(500) == sandbox.run("top-novel-values --format csv --value tower --value 7"))
    #expect(
      try outcome(501)
        == .usage(
          "top-novel-values",
          "--value is given 501 times: give it at most 500 times, or use wildcards"))
  }

  @Test func `models and trends are counted by environment and operation`() throws {
    let sandbox = try Sandbox(importing: Self.digests)
    #expect(
      try sandbox.run(
        "models --by operation --format csv --columns model,occurrences,share,operation"
      ).stdout == """
        model,occurrences,share,operation
        App.Listing,2,0.4,GET /listings
        App.Home,1,0.2,
        App.Listing,1,0.2,GET /listings/{id}
        App.Listing,1,0.2,getUser

        """)
    #expect(
      try sandbox.run("models --by environment").lines.first?.hasPrefix(
        "model        environment  occurrences") == true)
    #expect(
      try sandbox.run("trend --group environment --by week --format csv --until 2026-11-23").stdout
        == """
        start,environment,occurrences,partial
        2026-11-16T00:00:00.000Z,,1,false
        2026-11-16T00:00:00.000Z,production,1,false
        2026-11-16T00:00:00.000Z,staging,1,false

        """)
  }
}
