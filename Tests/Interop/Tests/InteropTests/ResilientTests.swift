import ResilientDecoding
import Testing

/// `Resilient` as a type: the whole document, a collection, an element.
struct ResilientTests {
  static let dictionaries: [Row<[String: [Int]]>] = [
    Row(
      "bad leaves",
      json: #"{"a": [1, "x"], "b": [3]}"#,
      yaml: "a: [1, x]\nb: [3]",
      xml: "<r><a>1</a><a>x</a><b>3</b></r>",
      ["a": [1], "b": [3]],
      Report("a[1]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "an array",
      json: "[1]",
      yaml: "[1]",
      xml: "<r>1</r>",
      [:],
      Report("", .typeMismatch, expecting: "Dictionary<String, Array<Int>>")
    ).differing(
      in: .xml, because: "the text of an element is its entry of the empty name", ["": [1]]),
  ]

  @Test(arguments: dictionaries, Way.all)
  func `a document that is a dictionary misses its bad leaves`(
    row: Row<[String: [Int]]>,
    way: Way
  ) throws {
    try row.verify(Resilient<[String: [Int]]>.self, way, \.wrappedValue)
  }

  static let optionals: [Row<[Int?]>] = [
    Row(
      "bad elements",
      json: #"[1, "x", null]"#,
      yaml: "[1, x, null]",
      xml: "<r><q>1</q><q>x</q><q/></r>",
      [1, nil, nil],
      Report("[1]", .typeMismatch, expecting: "Int")
    ).differing(
      in: .xml,
      because: "there is no null, and an empty element holds no number",
      [1, nil, nil],
      Report("[1]", .typeMismatch, expecting: "Int"),
      Report("[2]", .valueNotFound, expecting: "Int")
    )
  ]

  @Test(arguments: optionals, Way.all)
  func `a document that is an array of optionals keeps their places`(
    row: Row<[Int?]>,
    way: Way
  ) throws {
    try row.verify(Resilient<[Int?]>.self, way, \.wrappedValue)
  }

  static let moods: [Row<Mood>] = [
    Row(
      "novel",
      json: #""wild""#,
      yaml: "wild",
      xml: "<r>wild</r>",
      .unknown,
      Report("", .unknownNovelValue, expecting: "InteropTests.Mood", novel: "wild")
    )
  ]

  @Test(arguments: moods, Way.all)
  func `a document that is a raw value takes its fallback`(row: Row<Mood>, way: Way) throws {
    try row.verify(Resilient<Mood>.self, way, \.wrappedValue)
  }

  static let items: [Row<Int?>] = [
    Row(
      "an item",
      json: #"{"id": 7, "address": {"zip": 1}}"#,
      yaml: "{id: 7, address: {zip: 1}}",
      xml: "<r><id>7</id><address><zip>1</zip></address></r>",
      7
    ),
    Row(
      "a key missing deep in it",
      json: #"{"id": 7, "address": {"city": 1}}"#,
      yaml: "{id: 7, address: {city: 1}}",
      xml: "<r><id>7</id><address><city>1</city></address></r>",
      nil,
      Report("address.zip", recoveredAt: "", .keyNotFound)
    ),
  ]

  @Test(arguments: items, Way.all)
  func `a document that is an optional looks through to its members`(
    row: Row<Int?>,
    way: Way
  ) throws {
    try row.verify(Resilient<Item?>.self, way, \.id)
  }

  static let collections: [Row<[Int]>] = [
    Row(
      "bad elements",
      json: #"{"p": [1, "x", 3]}"#,
      yaml: "p: [1, x, 3]",
      xml: "<r><p>1</p><p>x</p><p>3</p></r>",
      [1, 3],
      Report("p[1]", .typeMismatch, expecting: "Int")
    ),
    Row("no key", json: "{}", yaml: "{}", xml: "<r/>", []),
  ]

  @Test(arguments: collections, Way.all)
  func `a property that is a collection is one of its good elements`(
    row: Row<[Int]>,
    way: Way
  ) throws {
    try row.verify(CollectionModel.self, way) { Array($0.p) }
  }

  static let elements: [Row<[[Int]]>] = [
    Row(
      "arrays, and something else",
      json: #"{"p": [[1, "x"], "y", [3]]}"#,
      yaml: "p: [[1, x], 'y', [3]]",
      xml: "<r><p><q>1</q><q>x</q></p><p>y</p><p><q>3</q></p></r>",
      [[1], [], [3]],
      Report("p[0][1]", .typeMismatch, expecting: "Int"),
      Report("p[1]", .typeMismatch, expecting: "Array<Int>")
    ).differing(
      in: .xml,
      because: "an element of text is an array of one",
      [[1], [], [3]],
      Report("p[0][1]", .typeMismatch, expecting: "Int"),
      Report("p[1][0]", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: elements, Way.all)
  func `an element that recovers keeps its place`(row: Row<[[Int]]>, way: Way) throws {
    try row.verify(ElementsModel.self, way) { $0.p.map(\.wrappedValue) }
  }
}

private struct CollectionModel: Decodable {
  let p: Resilient<[Int]>
}

private struct ElementsModel: Decodable {
  let p: [Resilient<[Int]>]
}
