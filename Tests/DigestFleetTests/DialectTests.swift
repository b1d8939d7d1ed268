import Testing

@testable import DigestFleet

struct DialectTests {
  @Test(arguments: [
    ("SELECT :a, :b + :a", "SELECT $1, $2 + $1", [":a", ":b"]),
    (
      "SELECT ':a', \":b\", 'it''s :c' -- :d\nFROM t", "SELECT ':a', \":b\", 'it''s :c' \nFROM t",
      []
    ),
    ("x GLOB :p", "x LIKE $1", [":p"]),
    (
      "id IN (SELECT value FROM json_each(:ids))", "id IN (SELECT value FROM unnest($1) AS value)",
      [":ids"]
    ),
    ("a CROSS JOIN b ON b.id = a.id", "a  JOIN b ON b.id = a.id", []),
    ("a CROSS JOIN b WHERE true", "a CROSS JOIN b WHERE true", []),
    (
      "a CROSS JOIN (SELECT 1 FROM c JOIN d ON d.id = c.id) AS b CROSS JOIN e ON true",
      "a CROSS JOIN (SELECT 1 FROM c JOIN d ON d.id = c.id) AS b  JOIN e ON true", []
    ),
    ("(a CROSS JOIN b) JOIN c ON true", "(a CROSS JOIN b) JOIN c ON true", []),
  ])
  func `a statement is translated`(text: String, sql: String, parameters: [String]) {
    let dialect = Dialect(text, for: .postgreSQL)
    #expect(dialect.sql == sql)
    #expect(dialect.parameters == parameters)
  }

  @Test(arguments: ["", "a", "\0", "\u{1}", "a\0b\u{1}0", "\u{1}0\0", "\u{10FFFE}"])
  func `text that a server cannot store is encoded`(text: String) {
    let encoded = FleetText.encode(text)
    #expect(!encoded.utf8.contains(0))
    #expect(FleetText.decode(encoded).utf8.elementsEqual(text.utf8))
  }

  @Test func `encoded texts are in the same order`() {
    let texts = ["", "\0", "\0\0", "\0a", "\u{1}", "\u{1}\0", "\u{2}", "a", "a\0", "a\u{1}", "aa"]
    let encoded = texts.map { Array(FleetText.encode($0).utf8) }
    #expect(zip(encoded, encoded.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }
}
