import ResilientDecoding
import Testing

/// What is found where scalars have no types is a guess: a number is text that looks like one.
struct FoundValueTests {
  static let booleans: [Row<Found>] = [
    Row(
      "text",
      json: #"{"p": ["x"]}"#,
      yaml: "p: [x]",
      xml: "<r><p>x</p></r>",
      Found(.string, "x"),
      mismatch
    ),
    Row(
      "empty text",
      json: #"{"p": [""]}"#,
      yaml: #"p: [""]"#,
      xml: "<r><p></p></r>",
      Found(.string, ""),
      mismatch
    ).differing(
      in: .xml, because: "an empty element holds no boolean", Found(.string, ""), missing),
    Row(
      "null",
      json: #"{"p": [null]}"#,
      yaml: "p: [null]",
      xml: "<r><p/></r>",
      Found(.null),
      missing
    ).differing(
      in: .xml, because: "there is no null, but an empty text", Found(.string, ""), missing),
    Row(
      "a number",
      json: #"{"p": [5]}"#,
      yaml: "p: [5]",
      xml: "<r><p>5</p></r>",
      Found(.number, "5"),
      mismatch
    ),
    Row(
      "text of digits",
      json: #"{"p": ["5"]}"#,
      yaml: #"p: ["5"]"#,
      xml: "<r><p>5</p></r>",
      Found(.string, "5"),
      mismatch
    ).differing(in: .xml, because: "a number is text of digits", Found(.number, "5"), mismatch),
    Row(
      "a number that ends in zero",
      json: #"{"p": [1.10]}"#,
      yaml: "p: [1.10]",
      xml: "<r><p>1.10</p></r>",
      Found(.number, "1.1"),
      mismatch
    ).differing(
      in: .yaml,
      .xml,
      because: "each scalar can be read as text, as it is",
      Found(.number, "1.10"),
      mismatch
    ),
    Row(
      "an array",
      json: #"{"p": [[true]]}"#,
      yaml: "p: [[true]]",
      xml: "<r><p><q>true</q></p></r>",
      Found(.array),
      Report("p[0]", .typeMismatch, expecting: "Bool")
    ).differing(in: .xml, because: "an element of elements is an object", Found(.object), missing),
    Row(
      "an object",
      json: #"{"p": [{"a": true}]}"#,
      yaml: "p: [{a: true}]",
      xml: "<r><p><a>true</a></p></r>",
      Found(.object),
      Report("p[0]", .typeMismatch, expecting: "Bool")
    ).differing(
      in: .xml, because: "an element that has elements has no text", Found(.object), missing),
  ]

  private static let mismatch = Report("p[0]", .typeMismatch, expecting: "Bool")
  private static let missing = Report("p[0]", .valueNotFound, expecting: "Bool")

  @Test(arguments: booleans, Way.all)
  func `what is there instead of a boolean is told`(row: Row<Found>, way: Way) throws {
    try row.verifyEntries(GenericModel<[Bool]>.self, way) { _, entries in Found(in: entries) }
  }

  static let numbers: [Row<Found>] = [
    Row(
      "a boolean",
      json: #"{"p": [true]}"#,
      yaml: "p: [true]",
      xml: "<r><p>true</p></r>",
      Found(.boolean, "true"),
      Report("p[0]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "text that is a boolean to some",
      json: #"{"p": ["yes"]}"#,
      yaml: "p: [yes]",
      xml: "<r><p>yes</p></r>",
      Found(.string, "yes"),
      Report("p[0]", .typeMismatch, expecting: "Int")
    ).differing(
      in: .yaml,
      .xml,
      because: "`yes` is a boolean",
      Found(.boolean, "yes"),
      Report("p[0]", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: numbers, Way.all)
  func `what is there instead of a number is told`(row: Row<Found>, way: Way) throws {
    try row.verifyEntries(GenericModel<[Int]>.self, way) { _, entries in Found(in: entries) }
  }

  static let deep: [Row<Found>] = [
    Row(
      "a value deep in an element",
      json: #"{"p": [{"id": 1, "address": {"zip": "x"}}]}"#,
      yaml: "p: [{id: 1, address: {zip: x}}]",
      xml: "<r><p><id>1</id><address><zip>x</zip></address></p></r>",
      Found(.string, "x"),
      Report("p[0].address.zip", recoveredAt: "p[0]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "a key missing deep in an element",
      json: #"{"p": [{"id": 1, "address": {"city": "x"}}]}"#,
      yaml: "p: [{id: 1, address: {city: x}}]",
      xml: "<r><p><id>1</id><address><city>x</city></address></p></r>",
      Found(nil),
      Report("p[0].address.zip", recoveredAt: "p[0]", .keyNotFound)
    ),
  ]

  @Test(arguments: deep, Way.all)
  func `it is looked for where the error happened`(row: Row<Found>, way: Way) throws {
    try row.verifyEntries(GenericModel<[Item]>.self, way) { _, entries in Found(in: entries) }
  }
}

struct Found: Equatable, Sendable {
  let type: ErrorDigest.FoundValue.ValueType?
  let text: String?

  init(_ type: ErrorDigest.FoundValue.ValueType?, _ text: String? = nil) {
    self.type = type
    self.text = text
  }

  /// What the first of the entries has found.
  init(in entries: [ErrorDigest.Entry]) {
    self.init(entries.first?.foundValue?.type, entries.first?.foundValue?.text)
  }
}
