import ResilientDecoding
import Testing

struct DictionaryKeyTests {
  static let numbers: [Row<[Int: Int]>] = [
    Row(
      "numbers",
      json: #"{"p": {"1": 1}}"#,
      yaml: "p: {1: 1}",
      xml: "<r><p><_1>1</_1></p></r>",
      [1: 1]
    ).differing(
      in: .xml,
      because: "the name of an element does not begin with a digit",
      [:],
      Report("p._1", .dataCorrupted, expecting: "Int")
    ),
    Row(
      "a key that isn't a number",
      json: #"{"p": {"z": 1}}"#,
      yaml: "p: {z: 1}",
      xml: "<r><p><z>1</z></p></r>",
      [:],
      Report("p.z", .dataCorrupted, expecting: "Int")
    ),
  ]

  @Test(arguments: numbers, Way.all)
  func `a key that isn't a number is left out`(row: Row<[Int: Int]>, way: Way) throws {
    try row.verify(GenericModel<[Int: Int]>.self, way, \.p)
  }

  static let sides: [Row<[Side: Int]>] = [
    Row(
      "a bad entry",
      json: #"{"p": {"left": 1, "right": "x"}}"#,
      yaml: "p: {left: 1, right: x}",
      xml: "<r><p><left>1</left><right>x</right></p></r>",
      [.left: 1],
      Report("p.right", .typeMismatch, expecting: "Int")
    ),
    Row(
      "a key that isn't a case",
      json: #"{"p": {"left": 1, "up": 3}}"#,
      yaml: "p: {left: 1, up: 3}",
      xml: "<r><p><left>1</left><up>3</up></p></r>",
      [.left: 1],
      Report("p.up", .unknownNovelValue, expecting: "InteropTests.Side", novel: "up")
    ),
  ]

  @Test(arguments: sides, Way.all)
  func `a key that isn't a case of its type is left out`(row: Row<[Side: Int]>, way: Way) throws {
    try row.verify(GenericModel<[Side: Int]>.self, way, \.p)
  }

  static let arrays: [Row<[Side: [Int]]>] = [
    Row(
      "arrays",
      json: #"{"p": {"left": [1, "x", 3], "up": [4, 5]}}"#,
      yaml: "p: {left: [1, x, 3], up: [4, 5]}",
      xml: """
        <r><p><left>1</left><left>x</left><left>3</left><up>4</up><up>5</up></p></r>
        """,
      [.left: [1, 3]],
      Report("p.left[1]", .typeMismatch, expecting: "Int"),
      Report("p.up", .unknownNovelValue, expecting: "InteropTests.Side", novel: "up")
    )
  ]

  @Test(arguments: arrays, Way.all)
  func `of an array under such a key only the bad leaf is missing`(
    row: Row<[Side: [Int]]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[Side: [Int]]>.self, way, \.p)
  }
}

enum Side: String, CodingKeyRepresentable, Decodable {
  case left
  case right
}
