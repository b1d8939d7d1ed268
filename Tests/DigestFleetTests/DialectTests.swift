import DigestStore
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
  ])
  func `a statement is translated`(text: String, sql: String, parameters: [String]) {
    let dialect = Dialect(text, for: .postgreSQL)
    #expect(dialect.sql == sql)
    #expect(dialect.parameters == parameters)
  }

  @Test(arguments: [
    ("x = :a AND y / 24 = :a", "x = <:a> AND y DIV 24 = <:a>"),
    ("x / CAST(y AS double precision)", "x / CAST(y AS double precision)"),
    ("SELECT '/', count(*), \"count\"", "SELECT '/', toInt64(count(*)), \"count\""),
    ("count(DISTINCT (a / b)) + count", "toInt64(count(DISTINCT (a DIV b))) + count"),
    ("x GLOB :p", "x LIKE <:p>"),
    (
      "id IN (SELECT value FROM json_each(:ids))",
      "id IN (SELECT value FROM (SELECT arrayJoin(<:ids>) AS value))"
    ),
    ("WITH a AS MATERIALIZED (SELECT 1)", "WITH a AS  (SELECT 1)"),
    (
      "FROM (VALUES (1, 2), (3, 4)) AS v",
      "FROM (SELECT * FROM values('column1 Int64, column2 Int64', (1, 2), (3, 4))) AS v"
    ),
    ("a CROSS JOIN b ON b.id = a.id", "a  JOIN b ON b.id = a.id"),
  ])
  func `a statement is translated for ClickHouse`(text: String, sql: String) {
    let dialect = Dialect(text, for: .clickHouse { "<\($0)>" })
    #expect(dialect.sql == sql)
    #expect(dialect.parameters == Set(sql.matches(of: /<(:\w+)>/).map { String($0.1) }).sorted())
  }

  @Test func `rows in a table of tabs come back as they were`() throws {
    let values: [SQLValue] = [
      .null, .integer(-7), .text(""), .text("a\tb\nc\\d\0e\rf'\"\u{1}é"), .text("\\N"),
    ]
    var bytes: [UInt8] = []
    bytes.append(tabSeparated: values)
    bytes.append(tabSeparated: [.text("b")])
    // ClickHouse refuses a first row that ends with a carriage return.
    #expect(!bytes.contains(UInt8(ascii: "\r")))
    var rows = TabSeparatedRows(bytes)
    let first = rows.next()
    let row = try #require(first)
    #expect(row.text(at: 0) == nil)
    #expect(row.optionalInteger(at: 0) == nil)
    #expect(row.integer(at: 1) == -7)
    #expect(row.real(at: 1) == -7)
    #expect(row.text(at: 2)?.isEmpty == true)
    #expect(row.text(at: 3) == "a\tb\nc\\d\0e\rf'\"\u{1}é")
    #expect(row.text(at: 4) == "\\N")
    let (second, third) = (rows.next(), rows.next())
    #expect(second?.text(at: 0) == "b")
    #expect(third == nil)
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
