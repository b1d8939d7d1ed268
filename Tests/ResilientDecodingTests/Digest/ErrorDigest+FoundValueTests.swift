import Foundation
import ResilientDecoding
import Testing

/// The found value of an entry, for each kind of recovery.
struct FoundValueTests {
  /// A value that is not a point, and its found value.
  static let values: [(json: String, found: String)] = [
    ("null", "null"),
    ("true", "boolean true"),
    ("false", "boolean false"),
    ("-1", "number -1"),
    ("12.5", "number 12.5"),
    (#""x""#, #"string "x""#),
    (#""""#, #"string """#),
    (#""5""#, #"string "5""#),
    (#""true""#, #"string "true""#),
    ("[]", "array"),
    ("[1]", "array"),
  ]

  @Test(arguments: values, Format.allCases)
  func `each kind of recovery has a found value`(
    value: (json: String, found: String),
    format: Format
  ) throws {
    let (_, digest) = try format.decode(
      Points.self,
      from: """
        {"maybe": \(value.json), "list": [\(value.json)], "byName": {"a": \(value.json)},
          "rows": [[\(value.json)]], "maybes": [\(value.json)], "set": [\(value.json)],
          "byNumber": {"1": \(value.json)}}
        """
    )
    // Null is not an error for an optional.
    let isNull = value.json == "null"
    let places = [
      isNull ? nil : "maybe", "list[0]", "byName.a", "rows[0][0]", isNull ? nil : "maybes[0]",
      "set[0]", "byNumber.1",
    ]
    #expect(digest?.found == places.compactMap { $0.map { "\($0): \(value.found)" } })
  }

  static let noNumbers = values.filter { $0.json != "-1" && $0.json != "12.5" } + [("{}", "object")]

  @Test(arguments: noNumbers, Format.allCases)
  func `the value of a bad member deep in an element is found`(
    value: (json: String, found: String),
    format: Format
  ) throws {
    let (model, digest) = try format.decode(
      Items.self,
      from: """
        {"items": [{"address": {"zip": 1}}, {"address": {"zip": \(value.json)}}],
          "byName": {"a_b": {"address": {"zip": \(value.json)}}},
          "one": {"address": {"zip": \(value.json)}}}
        """
    )
    #expect(model.items.map(\.address.zip) == [1])
    #expect(
      digest?.found == [
        "items[1].address.zip: \(value.found)", "byName.a_b.address.zip: \(value.found)",
        "one.address.zip: \(value.found)",
      ]
    )
  }

  @Test(arguments: noNumbers, Format.allCases)
  func `values in plain collections in an element are found`(
    value: (json: String, found: String),
    format: Format
  ) throws {
    let (_, digest) = try format.decode(
      Bags.self,
      from: """
        {"bags": [{"list": [1, \(value.json)], "map": {}}, {"list": [], "map": {"a_b": \(value.json)}}]}
        """
    )
    #expect(
      digest?.found == [
        "bags[0].list[1]: \(value.found)", "bags[1].map.a_b: \(value.found)",
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a missing key has no found value`(format: Format) throws {
    let (_, digest) = try format.decode(
      Items.self, from: #"{"items": [{"address": {}}, {}], "byName": {"a": {}}, "one": {}}"#)
    #expect(
      digest?.found == [
        "items[0].address.zip: nothing", "items[1].address: nothing", "byName.a.address: nothing",
        "one.address: nothing",
      ]
    )
    let (_, moods) = try format.decode(GenericModel<Mood>.self, from: "{}")
    #expect(moods?.found == ["p: nothing"])
  }

  @Test(arguments: [("5", "number 5"), (#""wild""#, #"string "wild""#), ("null", "null")])
  func `a value replaced by a fallback is found`(json: String, found: String) throws {
    for format in Format.allCases {
      let (_, digest) = try format.decode(GenericModel<Mood>.self, from: #"{"p": \#(json)}"#)
      #expect(digest?.found == ["p: \(found)"])
    }
  }

  @Test(arguments: Format.allCases)
  func `the found value of a property has its wrong shape`(format: Format) throws {
    let json = #"{"list": {"a": 1}, "byName": [1], "maybe": [], "rows": "x", "set": true}"#
    let (_, digest) = try format.decode(Points.self, from: json)
    #expect(
      digest?.found == [
        "maybe: array", "list: object", "byName: array", #"rows: string "x""#,
        "set: boolean true",
      ]
    )
  }

  @Test(arguments: Format.allCases)
  func `a document of the wrong shape has a found value`(format: Format) throws {
    let (_, digest) = try format.decode(Resilient<[Int]>.self, from: #"{"a": 1}"#)
    #expect(digest?.found == [": object"])
  }

  static let numbers: [(json: String, text: String)] = [
    ("12345678901234567890123", "12345678901234567890123"),
    ("18446744073709551615", "18446744073709551615"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("0.000010", "0.00001"),
    ("1e200", "1e+200"),
    ("-0.1", "-0.1"),
  ]

  @Test(arguments: numbers)
  func `a number keeps all its digits`(number: (json: String, text: String)) throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[String]>.self, from: #"{"p": [\#(number.json)]}"#)
    #expect(digest?.found == ["p[0]: number \(number.text)"])
  }

  @Test(arguments: [
    (String(repeating: "a", count: 1_000), String(repeating: "a", count: 1_000)),
    (String(repeating: "a", count: 1_001), String(repeating: "a", count: 1_000) + "…"),
    (String(repeating: "é", count: 5_000), String(repeating: "é", count: 1_000) + "…"),
    (String(repeating: "👩‍👩‍👧", count: 300), String(repeating: "👩‍👩‍👧", count: 200) + "…"),
  ])
  func `of a string there are a thousand scalars`(string: String, text: String) throws {
    for format in Format.allCases {
      let (_, digest) = try format.decode(
        GenericModel<[Int]>.self, from: #"{"p": ["\#(string)"]}"#)
      #expect(digest?.entries.map(\.foundValue?.text) == [text])
    }
  }
}

private struct Points: Decodable {
  @Resilient var maybe: Point?
  @Resilient var list: [Point]
  @Resilient var byName: [String: Point]
  @Resilient var rows: [[Point]]
  @Resilient var maybes: [Point?]
  @Resilient var set: Set<Point>
  @Resilient var byNumber: [Int: Point]
}

private struct Item: Decodable {
  struct Address: Decodable {
    let zip: Int
  }

  let address: Address
}

private struct Items: Decodable {
  @Resilient var items: [Item]
  @Resilient var byName: [String: Item]
  @Resilient var one: Item?
}

private struct Bags: Decodable {
  struct Bag: Decodable {
    let list: [Int]
    let map: [String: Int]
  }

  @Resilient var bags: [Bag]
}
