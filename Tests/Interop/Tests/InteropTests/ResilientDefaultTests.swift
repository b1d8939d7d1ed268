import ResilientDecoding
import Testing

struct ResilientDefaultTests {
  static let rows: [Row<Int>] = [
    Row("a number", json: #"{"p": 5}"#, yaml: "p: 5", xml: "<r><p>5</p></r>", 5),
    Row("an attribute", json: #"{"p": 5}"#, yaml: "p: 5", xml: #"<r p="5"/>"#, 5),
    Row("no key", json: "{}", yaml: "{}", xml: "<r/>", -1),
    Row("null", json: #"{"p": null}"#, yaml: "p: null", xml: "<r><p/></r>", -1)
      .differing(
        in: .xml,
        because: "there is no null, and an empty element holds no number",
        -1,
        Report("p", .valueNotFound, expecting: "Int")
      ),
    Row(
      "text",
      json: #"{"p": "x"}"#,
      yaml: "p: x",
      xml: "<r><p>x</p></r>",
      -1,
      Report("p", .typeMismatch, expecting: "Int")
    ),
    Row(
      "text of digits",
      json: #"{"p": "5"}"#,
      yaml: #"p: "5""#,
      xml: "<r><p>5</p></r>",
      -1,
      Report("p", .typeMismatch, expecting: "Int")
    ).differing(in: .xml, because: "a number is text of digits", 5),
    Row(
      "a number with a fraction",
      json: #"{"p": 1.5}"#,
      yaml: "p: 1.5",
      xml: "<r><p>1.5</p></r>",
      -1,
      Report("p", .dataCorrupted, expecting: "Int")
    ),
    Row(
      "a dictionary",
      json: #"{"p": {"a": 1}}"#,
      yaml: "p: {a: 1}",
      xml: "<r><p><a>1</a></p></r>",
      -1,
      Report("p", .typeMismatch, expecting: "Int")
    ).differing(
      in: .xml,
      because: "it is an element with empty text",
      -1,
      Report("p", .valueNotFound, expecting: "Int")
    ),
  ]

  @Test(arguments: rows, Way.all)
  func `a default stands in for whatever cannot be decoded`(row: Row<Int>, way: Way) throws {
    try row.verify(DefaultModel.self, way, \.p)
  }
}

private struct DefaultModel: Decodable {
  @ResilientDefault<MinusOne> var p: Int
}
