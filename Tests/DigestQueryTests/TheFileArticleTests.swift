import Foundation
import Testing

/// What the article on the file asks in SQL.
struct TheFileArticleTests {
  private static let answers = [
    """
    items[].kind|tower|2
    items[].kind|castle|2
    items[].kind|villa|2
    attrs.*|7|1

    """,
    """
    items[].kind|villa|2026-11-20T10:00:00.123Z
    items[].kind|castle|2026-11-20T10:59:59.999Z
    attrs.*|7|2026-11-20T11:00:00.000Z
    items[].kind|tower|2026-11-21T00:00:00.000Z

    """,
    """
    App.Listing|items[].kind|unknownNovelValue|App.Kind|2
    App.Listing|items[].kind|unknownNovelValue|App.Kind|2
    App.Home|items[].kind|unknownNovelValue|App.Kind|2
    App.Listing|items[].kind|dataCorrupted|App.Kind|1
    App.Listing|price|typeMismatch|Int|1
    App.Listing|attrs.*|unknownNovelValue|App.Size|1
    App.Home|owner.name|keyNotFound||1

    """,
    """
    2026-11-20T00:00:00.000Z|2

    """,
    """
    4.2.0|2

    """,
    """
    App.Home|1|1|100.0
    App.Listing|12|4|33.3

    """,
    """
    2026-11-20T00:00:00.000Z|27.3
    2026-11-21T00:00:00.000Z|100.0
    2026-11-22T00:00:00.000Z|100.0

    """,
    """
    d-1|2026-11-20T10:00:00.123Z|items[0].kind|villa
    d-1|2026-11-20T10:00:00.123Z|items[3].kind|villa

    """,
    """
    price|Int|string|12.5 EUR

    """,
    "failed write|3|7\n",
  ]

  @Test(.enabled(if: SQLiteShell.isInstalled, "the sqlite3 shell is not installed"))
  func `every question has its answer`() throws {
    let questions = try Article("TheFile").blocks.filter { $0.language == "sql" }.map(\.text)
    let decodes =
      #"{"id":"\#(Drift.store)","hour":"2026-11-20T10:00:00Z","model":"App.Listing","#
      + #""release":"4.2.0","decodes":8}"#
    let sandbox = try Sandbox(importing: Drift.ndjson + decodes)
    try sandbox.alter(
      """
      INSERT INTO loss (reason, hour, digests, occurrences)
      VALUES ('failed write', 498657, 1, 5), ('failed write', 498658, 2, 2)
      """)

    #expect(questions.count == Self.answers.count)
    for (question, answer) in zip(questions, Self.answers) {
      let outcome = try sandbox.run(
        #require(SQLiteShell.url), ["-readonly", Sandbox.store], stdin: Data(question.utf8))
      #expect(outcome == Outcome(stdout: answer), "\(question)")
    }
  }
}
