import Foundation
import Testing

/// The dashboard and the alerts of Recipes, on a store.
struct RecipesTests {
  /// What the tests need of a Grafana dashboard.
  private struct Dashboard: Decodable {
    struct Panel: Decodable {
      struct Target: Decodable {
        let queryText: String
        let rawQueryText: String
      }

      let title: String
      let targets: [Target]
    }

    let panels: [Panel]
  }

  private static let panels = Result {
    let text = try Package.text("Recipes/Grafana/dashboard.json")
    return try JSONDecoder().decode(Dashboard.self, from: Data(text.utf8)).panels
  }

  // MARK: - Grafana

  private static let answers = [
    "Errors by hour": """
    1795168800|App.Listing|5
    1795172400|App.Listing|1
    1795219200|App.Home|3

    """,
    "Share of decodes with errors, by hour": """
    1795168800|App.Listing|20.0
    1795172400|App.Listing|100.0
    1795219200|App.Home|100.0

    """,
    "First seen in this range": """
    2026-11-21T00:00:00.000Z|App.Home|items[].kind|unknownNovelValue|tower|2
    2026-11-21T00:00:00.000Z|App.Home|owner.name|keyNotFound||1
    2026-11-20T11:00:00.000Z|App.Listing|attrs.*|unknownNovelValue|7|1
    2026-11-20T10:59:59.999Z|App.Listing|items[].kind|unknownNovelValue|castle|2
    2026-11-20T10:59:59.999Z|App.Listing|price|typeMismatch||1

    """,
    "Novel values of all time": """
    App.Home|items[].kind|tower|2|2026-11-21T00:00:00.000Z|2026-11-21T00:00:00.000Z
    App.Listing|items[].kind|castle|2|2026-11-20T10:59:59.999Z|2026-11-22T23:59:59.999Z
    App.Listing|items[].kind|villa|2|2026-11-20T10:00:00.123Z|2026-11-20T10:00:00.123Z
    App.Listing|attrs.*|7|1|2026-11-20T11:00:00.000Z|2026-11-20T11:00:00.000Z

    """,
    "Failures of all time": """
    App.Home|owner.name|keyNotFound||||1|2026-11-21T00:00:00.000Z
    App.Listing|items[].kind|dataCorrupted|App.Kind|||1|2026-11-20T10:00:00.123Z
    App.Listing|price|typeMismatch|Int|string|12.5 EUR|1|2026-11-20T10:59:59.999Z

    """,
    "What the store lacks": "failed write|3|7\n",
  ]

  @Test func `every panel of the dashboard asks one query, and is run by a test`() throws {
    let panels = try Self.panels.get()
    #expect(panels.map(\.title).sorted() == Self.answers.keys.sorted())
    for panel in panels {
      #expect(panel.targets.count == 1)
      #expect(panel.targets.allSatisfy { $0.queryText == $0.rawQueryText })
    }
  }

  @Test(.needs("sqlite3"), arguments: answers.sorted { $0.key < $1.key })
  func `a panel shows its window of a store`(title: String, answer: String) throws {
    let sandbox = try Sandbox(importing: Drift.withDecodes)
    try sandbox.lose(5)
    try sandbox.lose(2, in: 2, at: "2026-11-20T11:00:00Z")
    let panels = try Self.panels.get()
    let panel = try #require(panels.first { $0.title == title })
    // From 2026-11-20T10:30 until 2026-11-22; Grafana puts the numbers into the text.
    let sql = try #require(panel.targets.first).queryText
      .replacing("$__from", with: "1795170600000").replacing("$__to", with: "1795305600000")
    #expect(try sandbox.answer(to: sql) == Outcome(stdout: answer))
  }

  // MARK: - Prometheus

  @Test func `the alerts name metrics that the command writes`() throws {
    let rules = try Package.text("Recipes/Prometheus/rules.yaml")
    let used = Set(rules.matches(of: #/\bresilient_decoding_\w+/#).map { String($0.output) })
    let metrics = try Sandbox(importing: Drift.withDecodes).run("metrics").stdout
    let written = Set(metrics.matches(of: #/(?m)^# TYPE (\w+) /#).map { String($0.output.1) })
    #expect(used.count == 5)
    #expect(used.isSubset(of: written), "\(used.subtracting(written))")
  }

  @Test(.needs("promtool"))
  func `the alerts fire when they are to, and only then`() throws {
    let sandbox = try Sandbox()
    for (name, text) in try Package.texts(in: "Recipes/Prometheus") {
      try sandbox.write(text, to: name)
    }
    let outcome = try sandbox.start(
      ["test", "rules", "rules-test.yaml"], of: Program.url("promtool"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.stdout.contains("SUCCESS"))
  }
}
