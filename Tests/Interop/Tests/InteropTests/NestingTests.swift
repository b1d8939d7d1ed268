import ResilientDecoding
import Testing

struct NestingTests {
  static let arrays: [Row<[[Int]]>] = [
    Row(
      "arrays in an array",
      json: #"{"p": [[1, "x"], [3, 4]]}"#,
      yaml: "p: [[1, x], [3, 4]]",
      xml: "<r><p><q>1</q><q>x</q></p><p><q>3</q><q>4</q></p></r>",
      [[1], [3, 4]],
      Report("p[0][1]", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: arrays, Way.all)
  func `of an array in an array only the bad leaf is missing`(
    row: Row<[[Int]]>,
    way: Way
  ) throws {
    try row.verify(ArraysModel.self, way, \.p)
    try row.verify(GenericModel<[[Int]]>.self, way, \.p)
  }

  static let arraysByName: [Row<[String: [Int]]>] = [
    Row(
      "arrays in a dictionary",
      json: #"{"p": {"a": [1, "x", 3], "b": [2, 3]}}"#,
      yaml: "p: {a: [1, x, 3], b: [2, 3]}",
      xml: "<r><p><a>1</a><a>x</a><a>3</a><b>2</b><b>3</b></p></r>",
      ["a": [1, 3], "b": [2, 3]],
      Report("p.a[1]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "keys in snake case",
      json: #"{"p": {"of_snakes": [1, 2]}}"#,
      yaml: "p: {of_snakes: [1, 2]}",
      xml: "<r><p><of_snakes>1</of_snakes><of_snakes>2</of_snakes></p></r>",
      ["of_snakes": [1, 2]]
    ),
    Row(
      "something else",
      json: #"{"p": {"a": 5, "b": null}}"#,
      yaml: "p: {a: 5, b: null}",
      xml: "<r><p><a>5</a><b/></p></r>",
      [:],
      Report("p.a", .typeMismatch, expecting: "Array<Int>"),
      Report("p.b", .valueNotFound, expecting: "Array<Int>")
    ).differing(
      in: .xml,
      because: "one element is an array of one",
      ["a": [5], "b": []],
      Report("p.b[0]", .valueNotFound, expecting: "Int")
    ),
    Row(
      "no dictionary",
      json: #"{"p": 5}"#,
      yaml: "p: 5",
      xml: "<r><p>5</p></r>",
      [:],
      Report("p", .typeMismatch, expecting: "Dictionary<String, Array<Int>>")
    ).differing(
      in: .xml, because: "the text of an element is its entry of the empty name", ["": [5]]),
  ]

  @Test(arguments: arraysByName, Way.all)
  func `of an array in a dictionary only the bad leaf is missing`(
    row: Row<[String: [Int]]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[String: [Int]]>.self, way, \.p)
  }

  static let optionalArraysByName: [Row<[String: [Int]?]>] = [
    Row(
      "optional arrays in a dictionary",
      json: #"{"p": {"a": [1, "x"], "b": null, "c": 5}}"#,
      yaml: "p: {a: [1, x], b: ~, c: 5}",
      xml: "<r><p><a>1</a><a>x</a><b/><c>5</c></p></r>",
      ["a": [1], "b": nil, "c": nil],
      Report("p.a[1]", .typeMismatch, expecting: "Int"),
      Report("p.c", .typeMismatch, expecting: "Array<Int>")
    ).differing(
      in: .xml,
      because: "one element is an array of one, also when it is empty",
      ["a": [1], "b": [], "c": [5]],
      Report("p.a[1]", .typeMismatch, expecting: "Int"),
      Report("p.b[0]", .valueNotFound, expecting: "Int")
    )
  ]

  @Test(arguments: optionalArraysByName, Way.all)
  func `of an optional array in a dictionary only the bad leaf is missing`(
    row: Row<[String: [Int]?]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[String: [Int]?]>.self, way, \.p)
  }

  static let deepArrays: [Row<[String: [String: [[Int]]]]>] = [
    Row(
      "arrays in an array in dictionaries",
      json: #"{"p": {"a": {"b": [[1, "x"], [3]]}}}"#,
      yaml: "p: {a: {b: [[1, x], [3]]}}",
      xml: "<r><p><a><b><q>1</q><q>x</q></b><b><q>3</q></b></a></p></r>",
      ["a": ["b": [[1], [3]]]],
      Report("p.a.b[0][1]", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: deepArrays, Way.all)
  func `of what is nested deeper only the bad leaf is missing`(
    row: Row<[String: [String: [[Int]]]]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[String: [String: [[Int]]]]>.self, way, \.p)
  }

  static let dictionaries: [Row<[[String: Int]]>] = [
    Row(
      "dictionaries in an array",
      json: #"{"p": [{"a": 1, "b": "x"}, {"c": 3}]}"#,
      yaml: "p:\n- a: 1\n  b: x\n- c: 3",
      xml: "<r><p><a>1</a><b>x</b></p><p><c>3</c></p></r>",
      [["a": 1], ["c": 3]],
      Report("p[0].b", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: dictionaries, Way.all)
  func `of a dictionary in an array only the bad leaf is missing`(
    row: Row<[[String: Int]]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[[String: Int]]>.self, way, \.p)
  }

  static let models: [Row<[Line]>] = [
    Row(
      "models that recover themselves",
      json: #"{"p": [{"cells": [1, "x"]}, {"cells": ["y", 4]}, {"cell": 0}]}"#,
      yaml: "p:\n- cells: [1, x]\n- cells: [y, 4]\n- cell: 0",
      xml: """
        <r>
          <p><cells>1</cells><cells>x</cells></p>
          <p><cells>y</cells><cells>4</cells></p>
          <p><cell>0</cell></p>
        </r>
        """,
      [Line(cells: [1]), Line(cells: [4]), Line(cells: [])],
      Report("p[0].cells[1]", .typeMismatch, expecting: "Int"),
      Report("p[1].cells[0]", .typeMismatch, expecting: "Int")
    )
  ]

  @Test(arguments: models, Way.all)
  func `an element of a model in an array has the path of both`(
    row: Row<[Line]>,
    way: Way
  ) throws {
    try row.verify(GenericModel<[Line]>.self, way, \.p)
  }

  static let topLevel: [Row<[Int]>] = [
    Row(
      "bad elements",
      json: #"[1, "x", 3]"#,
      yaml: "- 1\n- x\n- 3",
      xml: "<r><q>1</q><q>x</q><q>3</q></r>",
      [1, 3],
      Report("[1]", .typeMismatch, expecting: "Int")
    ),
    Row(
      "a dictionary",
      json: #"{"a": 1, "b": 2}"#,
      yaml: "a: 1\nb: 2",
      xml: "<r><a>1</a><b>2</b></r>",
      [],
      Report("", .typeMismatch, expecting: "Array<Int>")
    ).differing(in: .xml, because: "the names of the elements do not matter", [1, 2]),
  ]

  @Test(arguments: topLevel, Way.all)
  func `the whole document can be resilient`(row: Row<[Int]>, way: Way) throws {
    try row.verify(Resilient<[Int]>.self, way, \.wrappedValue)
  }

  static let topLevelItems: [Row<[Item]>] = [
    Row(
      "a key missing deep in an element",
      json: #"[{"id": 0, "address": {"city": 1}}, {"id": 1, "address": {"zip": 2}}]"#,
      yaml: "- {id: 0, address: {city: 1}}\n- {id: 1, address: {zip: 2}}",
      xml: """
        <r>
          <q><id>0</id><address><city>1</city></address></q>
          <q><id>1</id><address><zip>2</zip></address></q>
        </r>
        """,
      [Item(id: 1, zip: 2)],
      Report("[0].address.zip", recoveredAt: "[0]", .keyNotFound)
    ).differing(
      in: .xml,
      because: "such an element is tried in three ways, and the error is that of the last one",
      [Item(id: 1, zip: 2)],
      Report("[0]", .typeMismatch, expecting: "InteropTests.Item")
    )
  ]

  @Test(arguments: topLevelItems, Way.all)
  func `an element of the document is dropped for what is deep in it`(
    row: Row<[Item]>,
    way: Way
  ) throws {
    try row.verify(Resilient<[Item]>.self, way, \.wrappedValue)
  }
}

private struct ArraysModel: Decodable {
  @Resilient var p: [[Int]]
}

/// A model that loses elements of its own.
struct Line: Decodable, Hashable {
  @Resilient var cells: [Int]
}
