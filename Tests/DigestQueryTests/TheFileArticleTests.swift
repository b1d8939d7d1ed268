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
    "2026-11-20T00:00:00.000Z|2\n", "4.2.0|2\n",
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
    "price|Int|string|12.5 EUR\n", "failed write|3|7\n",
  ]

  @Test(.needs("sqlite3")) func `every question has its answer`() throws {
    let questions = try Article("TheFile").blocks.filter { $0.language == "sql" }.map(\.text)
    let sandbox = try Sandbox(importing: Drift.withDecodes)
    try sandbox.lose(5)
    try sandbox.lose(2, in: 2, at: "2026-11-20T11:00:00Z")

    #expect(questions.count == Self.answers.count)
    for (question, answer) in zip(questions, Self.answers) {
      #expect(try sandbox.answer(to: question) == Outcome(stdout: answer), "\(question)")
    }
  }
}
