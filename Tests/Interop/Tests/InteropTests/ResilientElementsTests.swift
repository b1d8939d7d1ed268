import ResilientDecoding
import Testing

struct ResilientElementsTests {
  static let rows: [Row<[Int]>] = [
    Row(
      "bad elements",
      json: #"{"p": [1, "x", null, {"a": 1}, 5]}"#,
      yaml: "p: [1, x, null, {a: 1}, 5]",
      xml: "<r><p>1</p><p>x</p><p/><p><a>1</a></p><p>5</p></r>",
      [1, -1, -1, -1, 5],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .valueNotFound, expecting: "Int"),
      Report("p[3]", .typeMismatch, expecting: "Int")
    ).differing(
      in: .xml,
      because: "an element that has elements has no text",
      [1, -1, -1, -1, 5],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .valueNotFound, expecting: "Int"),
      Report("p[3]", .valueNotFound, expecting: "Int")
    ),
    Row("no key", json: "{}", yaml: "{}", xml: "<r/>", []),
    Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", [])
      .differing(
        in: .xml,
        because: "there is no null: it is an array of one element, which is empty",
        [-1],
        Report("p[0]", .valueNotFound, expecting: "Int")
      ),
    Row(
      "text",
      json: #"{"p": "x"}"#,
      yaml: "p: x",
      xml: "<r><p>x</p></r>",
      [],
      Report("p", .typeMismatch, expecting: "Array<Int>")
    ).differing(
      in: .xml,
      because: "one element is an array of one",
      [-1],
      Report("p[0]", .typeMismatch, expecting: "Int")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `a default stands in for a bad element`(row: Row<[Int]>, way: Way) throws {
    try row.verify(ElementsModel.self, way, \.p)
  }

  static let converted: [Row<[Int]>] = [
    Row(
      "elements of another type",
      json: #"{"p": ["1", "x", true]}"#,
      yaml: #"p: ["1", x, true]"#,
      xml: "<r><p>1</p><p>x</p><p>true</p></r>",
      [1, -1, 1],
      Report("p[0]", .converted, expecting: "Int"),
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .converted, expecting: "Int")
    ).differing(
      in: .xml,
      because: "a number is text of digits",
      [1, -1, 1],
      Report("p[1]", .typeMismatch, expecting: "Int"),
      Report("p[2]", .converted, expecting: "Int")
    )
  ]

  @Test(arguments: converted, Way.all)
  func `an element is converted before it is given up`(row: Row<[Int]>, way: Way) throws {
    try row.verify(ConvertedModel.self, way, \.p)
  }
}

private struct ElementsModel: Decodable {
  @ResilientElements<MinusOne> var p: [Int]
}

private struct ConvertedModel: Decodable {
  @ResilientLossless @ResilientElements<MinusOne> var p: [Int]
}
