import ResilientDecoding
import Testing

@testable import DigestStore

struct PathFormatTests {
  @Test(arguments: [
    ("kind", "kind"),
    ("items[3].kind", "items[].kind"),
    ("[0][12].a", "[][].a"),
    ("a[\"x.y\"].b", "a[\"x.y\"].b"),
    ("a[\"100%s\"][1]", "a[\"100%s\"][]"),
    ("a[\"quote \\\" and \\\\ and \\u0000\"][7]", "a[\"quote \\\" and \\\\ and \\u0000\"][]"),
    ("größe[1]", "größe[]"),
    (
      (0..<40).map { "children[\($0)]" }.joined(separator: "."),
      (0..<40).map { _ in "children[]" }.joined(separator: ".")
    ),
    ("", ""),
  ])
  func `a view puts an exact path together as it was`(_ path: String, _ pattern: String) throws {
    let temporary = try TemporaryStore()

    try temporary.store.append(.make(.mismatch(at: path)))

    #expect(try temporary.query("SELECT coding_path FROM occurrences") == [path])
    #expect(try temporary.query("SELECT coding_path FROM failures") == [pattern])
    var exported: [String] = []
    try temporary.store.exportOccurrences { exported.append($0.codingPath) }
    #expect(exported == [path])
  }

  @Test(arguments: ["foo", "x.y", "", "*", "[]", "50%", "é\"\\\n"])
  func `a dictionary's key is kept in the path and a star in the pattern`(_ key: String) throws {
    let temporary = try TemporaryStore()
    let places: [[ErrorDigest.Path.Component]] = [
      [.key("attrs"), .dictionaryKey(key), .index(2)], [.dictionaryKey(key)],
    ]

    for components in places {
      var failure = FailureRecord.mismatch(at: "")
      failure.path = ErrorDigest.Path(components)
      try temporary.store.append(.make(failure))
    }

    #expect(
      try temporary.query("SELECT coding_path FROM occurrences")
        == places.map { ErrorDigest.Path($0).description })
    #expect(try temporary.query("SELECT coding_path FROM failures") == ["attrs.*[]", "*"])
  }

  @Test func `an occurrence keeps a message of its own`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.append(
      .make(.mismatch(at: "a[0]", message: "first")),
      .make(.mismatch(at: "a[1]", message: "sec\"ond\n")),
      .make(.mismatch(at: "a[2]", message: nil)),
      .make(.mismatch(at: "a[3]", message: "first")))

    let messages = ["first", "sec\"ond\n", "null", "first"]
    #expect(try temporary.query("SELECT message FROM occurrences") == messages)
    var exported: [String] = []
    try temporary.store.exportOccurrences { exported.append($0.message ?? "null") }
    #expect(exported == messages)
    #expect(try temporary.store.failures().map(\.occurrences) == [4])
  }
}
